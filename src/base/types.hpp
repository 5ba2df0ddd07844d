// Types shared by the whole core. The core knows nothing of R.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mk {

using Index = std::ptrdiff_t;
using Indices = std::vector<Index>;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

// A column-major matrix that somebody else owns (R's memory, or a stored Gram matrix).
struct MatrixView {
  const double* data = nullptr;
  Index rows = 0;
  Index cols = 0;

  double operator()(Index i, Index j) const { return data[i + j * rows]; }
  const double* column(Index j) const { return data + j * rows; }
};

inline MatrixView view(const Matrix& m) { return {m.data(), m.rows(), m.cols()}; }

enum class Task { classification, regression, one_class };

// 0, 1, ..., n - 1.
inline Indices all_rows(Index n) {
  Indices rows(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) rows[static_cast<std::size_t>(i)] = i;
  return rows;
}

}  // namespace mk
