#include "gating_features.hpp"

#include <algorithm>
#include <cmath>

#include "../base/errors.hpp"
#include "../solvers/spectrum.hpp"

namespace mk {

namespace {

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
  const Spectrum s =
      leading_spectrum(wide ? Matrix(z * z.transpose()) : Matrix(z.transpose() * z), rank, runtime);
  const double freedom = std::max<double>(1.0, static_cast<double>(z.rows() - 1));
  Matrix out(z.cols(), s.values.size());
  for (Index k = 0; k < out.cols(); ++k) {
    const Vector v = s.vectors.col(k);
    if (wide) out.col(k) = z.transpose() * v / std::sqrt(s.values[k]);
    else out.col(k) = v;
    out.col(k) *= std::sqrt(freedom / s.values[k]);
  }
  fix_signs(out);
  return out;
}

}  // namespace

// With about as many columns as rows any division of the rows is possible, and the gates close
// around single rows. A plane is enough for regions and leaves a few rows for each parameter.
Index automatic_rank(Index columns, Index rows) { return 2 * columns > rows ? 2 : 0; }

Matrix GatingFeatures::of(const Features& x, const Indices& rows) const {
  for (Index column : columns)
    if (column < 0 || column >= x.columns())
      throw InvalidArgument("columns",
                            "those of the gating model, from 1 to " + std::to_string(x.columns()),
                            std::to_string(column + 1));
  Matrix z = x.values(rows, columns);
  for (Index k = 0; k < z.cols(); ++k) z.col(k).array() = (z.col(k).array() - center[k]) / scale[k];
  if (rotation.cols() > 0) return z * rotation;
  return z;
}

GatingFeatures gating_features(const Features& x, const Indices& rows, const GatingOptions& options,
                               const Runtime& runtime) {
  GatingFeatures f;
  f.columns = options.all_columns ? all_rows(x.columns()) : options.columns;
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
