#include "gating_features.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "../base/errors.hpp"
#include "../base/symmetric_eigen.hpp"

namespace mk {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

void standardize(const Matrix& z, GatingFeatures& f) {
  const double freedom = std::max<double>(1.0, static_cast<double>(z.rows() - 1));
  for (Index k = 0; k < z.cols(); ++k) {
    // In units of the largest value: its square may be out of the range of numbers.
    const double unit = z.col(k).cwiseAbs().maxCoeff();
    if (unit == 0.0) continue;
    const Vector column = z.col(k) / unit;
    const double mean = column.mean();
    const double sd = std::sqrt((column.array() - mean).square().sum() / freedom);
    f.center[k] = mean * unit;
    // A spread that is mere rounding of a constant says nothing about new rows.
    if (sd > 1e-14 && sd * unit > 0.0) f.scale[k] = sd * unit;
  }
}

// Loadings of the leading principal coordinates of the rows of z, each of variance 1 there. Those
// without variance are left out.
Matrix principal_loadings(const Matrix& z, Index rank, const Runtime& runtime) {
  // Of the two products the smaller one has the same eigenvalues but for zeros.
  const bool wide = z.cols() > z.rows();
  Matrix vectors = wide ? Matrix(z * z.transpose()) : Matrix(z.transpose() * z);
  Vector values;
  symmetric_eigen(vectors, values, runtime);
  const Index n = values.size();
  const double least = 1e-10 * values[n - 1];
  Index count = 0;
  while (count < std::min(rank, n) && values[n - 1 - count] > std::max(least, 0.0)) ++count;
  const double freedom = std::max<double>(1.0, static_cast<double>(z.rows() - 1));
  Matrix out(z.cols(), count);
  for (Index k = 0; k < count; ++k) {
    const double value = values[n - 1 - k];
    const Vector v = vectors.col(n - 1 - k);
    if (wide) out.col(k) = z.transpose() * v / std::sqrt(value);
    else out.col(k) = v;
    out.col(k) *= std::sqrt(freedom / value);
    // The sign of an eigenvector means nothing: the largest loading is made positive.
    Index largest = 0;
    out.col(k).cwiseAbs().maxCoeff(&largest);
    if (out(largest, k) < 0.0) out.col(k) = -out.col(k);
  }
  return out;
}

}  // namespace

// With about as many columns as rows any division of the rows is possible, and the gates close
// around single rows. A plane is enough for regions and leaves a few rows for each parameter.
Index automatic_rank(Index columns, Index rows) { return 2 * columns > rows ? 2 : 0; }

Matrix GatingFeatures::of(const MatrixView& x, const Indices& rows) const {
  for (Index column : columns)
    if (column < 0 || column >= x.cols)
      throw InvalidArgument("columns",
                            "those of the gating model, from 1 to " + std::to_string(x.cols),
                            std::to_string(column + 1));
  Matrix z(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
  for (Index k = 0; k < z.cols(); ++k) {
    const double* column = x.column(columns[at(k)]);
    for (Index i = 0; i < z.rows(); ++i) z(i, k) = (column[rows[at(i)]] - center[k]) / scale[k];
  }
  if (rotation.cols() > 0) return z * rotation;
  return z;
}

GatingFeatures gating_features(const MatrixView& x, const Indices& rows,
                               const GatingOptions& options, const Runtime& runtime) {
  GatingFeatures f;
  f.columns = options.all_columns ? all_rows(x.cols) : options.columns;
  const Index q = static_cast<Index>(f.columns.size());
  f.center = Vector::Zero(q);
  f.scale = Vector::Ones(q);
  f.rotation.resize(q, 0);
  if (options.standardize) standardize(f.of(x, rows), f);
  const Index n = static_cast<Index>(rows.size());
  const Index rank = options.rank < 0 ? automatic_rank(q, n) : options.rank;
  if (rank > 0 && q > 0 && n > 1) f.rotation = principal_loadings(f.of(x, rows), rank, runtime);
  return f;
}

}  // namespace mk
