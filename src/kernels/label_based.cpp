#include "label_based.hpp"

#include <algorithm>

#include "../base/errors.hpp"

namespace mk {

Matrix label_star(const MatrixView& plain, const MatrixView& local, const Vector& y) {
  if (plain.rows != y.size() || plain.cols != y.size() || local.rows != y.size() ||
      local.cols != y.size())
    throw InvalidArgument("y", "one label for each row of the kernels",
                          std::to_string(y.size()) + " labels");
  Matrix star = as_matrix(local);
  star.array().colwise() *= y.array();
  star.array().rowwise() *= y.transpose().array();
  star += as_matrix(plain);
  return star;
}

Matrix label_square(const Matrix& star, const Runtime& runtime) {
  const Index n = star.rows();
  // Products of some tenths of a second at most. The width depends on n alone, and so does the
  // result.
  const Index width = std::min<Index>(64, std::max<Index>(8, (Index{1} << 29) / (n * n + 1)));
  Matrix square(n, n);
  runtime.parallel_for((n + width - 1) / width, [&](Index b) {
    const Index first = b * width, rest = n - first, count = std::min(width, rest);
    // From the diagonal down; K* is symmetric.
    square.block(first, first, rest, count).noalias() =
        star.bottomRows(rest) * star.middleCols(first, count);
  });
  square.triangularView<Eigen::StrictlyUpper>() = square.transpose();
  return square;
}

}  // namespace mk
