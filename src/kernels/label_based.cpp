#include "label_based.hpp"

#include "../base/errors.hpp"

namespace mk {

namespace {

Eigen::Map<const Matrix> map_of(const MatrixView& k) {
  return Eigen::Map<const Matrix>(k.data, k.rows, k.cols);
}

}  // namespace

Matrix label_star(const MatrixView& plain, const MatrixView& local, const Vector& y) {
  if (plain.rows != y.size() || plain.cols != y.size() || local.rows != y.size() ||
      local.cols != y.size())
    throw InvalidArgument("y", "one label for each row of the kernels",
                          std::to_string(y.size()) + " labels");
  Matrix star = map_of(local);
  star.array().colwise() *= y.array();
  star.array().rowwise() *= y.transpose().array();
  star += map_of(plain);
  return star;
}

Matrix label_square(const Matrix& star) {
  Matrix square = Matrix::Zero(star.rows(), star.cols());
  square.selfadjointView<Eigen::Lower>().rankUpdate(star);  // K* is symmetric
  square.triangularView<Eigen::StrictlyUpper>() = square.transpose();
  return square;
}

}  // namespace mk
