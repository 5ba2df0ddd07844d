// Types shared by the whole core. The core is independent of R.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace mk {

using Index = std::ptrdiff_t;
using Indices = std::vector<Index>;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

constexpr double infinity = std::numeric_limits<double>::infinity();

// A column-major matrix that somebody else owns (R's memory, or a stored Gram matrix).
struct MatrixView {
  const double* data = nullptr;
  Index rows = 0;
  Index cols = 0;

  double operator()(Index i, Index j) const { return data[i + j * rows]; }
  const double* column(Index j) const { return data + j * rows; }
};

inline MatrixView view(const Matrix& m) { return {m.data(), m.rows(), m.cols()}; }
inline MatrixView view(const Eigen::Map<const Matrix>& m) { return {m.data(), m.rows(), m.cols()}; }
inline Eigen::Map<const Matrix> as_matrix(const MatrixView& m) { return {m.data, m.rows, m.cols}; }

// Row and column of an entry.
using Place = std::pair<Index, Index>;

// An Index as a position in a standard container.
inline std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// 0, 1, ..., n - 1.
inline Indices all_rows(Index n) {
  Indices rows(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) rows[static_cast<std::size_t>(i)] = i;
  return rows;
}

// `count` evenly spaced ones out of n rows.
inline Indices spread_rows(Index n, Index count) {
  Indices rows;
  for (Index k = 0; k < count; ++k) rows.push_back(k * n / count);
  return rows;
}

inline Vector take(const Eigen::Ref<const Vector>& values, const Indices& rows) {
  Vector out(static_cast<Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) out[static_cast<Index>(i)] = values[rows[i]];
  return out;
}
inline Matrix take(const MatrixView& values, const Indices& rows, const Indices& columns) {
  Matrix out(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
  for (Index j = 0; j < out.cols(); ++j) {
    const double* column = values.column(columns[at(j)]);
    for (Index i = 0; i < out.rows(); ++i) out(i, j) = column[rows[at(i)]];
  }
  return out;
}

// Matrices of the same rows as one.
inline Matrix side_by_side(const std::vector<Matrix>& parts) {
  Index columns = 0;
  for (const Matrix& part : parts) columns += part.cols();
  Matrix all(parts.front().rows(), columns);
  Index from = 0;
  for (const Matrix& part : parts) {
    all.middleCols(from, part.cols()) = part;
    from += part.cols();
  }
  return all;
}

// The inverse of take(): n values, 0 but for these rows.
inline Vector spread(const Vector& values, const Indices& rows, Index n) {
  Vector out = Vector::Zero(n);
  for (std::size_t i = 0; i < rows.size(); ++i) out[rows[i]] = values[static_cast<Index>(i)];
  return out;
}

inline Vector as_vector(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

}  // namespace mk
