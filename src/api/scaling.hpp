// Standardization of predictors and of a numeric response.
#pragma once

#include <optional>
#include <vector>

#include "../base/types.hpp"

namespace mk {

// A column j is standardized as (x_j - center_j) / scale_j.
struct ColumnScaling {
  Vector center;
  Vector scale;
};

// Means and standard deviations of the columns of x in the given rows. Constant columns get the
// scale 1; columns with `keep` (indicators of factors; empty: none) are left as they are.
ColumnScaling column_scaling(const MatrixView& x, const Indices& rows,
                             const std::vector<bool>& keep);

// Of each column, without missing values (NaN): the median, for columns of nothing but 0 and 1 the
// lower of two middle values, so that they stay such; and whether it is such a column. A column of
// missing values alone has the median 0 and is none.
struct ColumnValues {
  Vector middle;
  std::vector<bool> binary;
};
ColumnValues column_values(const MatrixView& x);

// The given rows of x, standardized, in column-major order at `out`. All rows in their order may be
// written to where x is.
void scale_columns(const MatrixView& x, const Indices& rows, const ColumnScaling& scaling,
                   double* out);

// The first of the given rows of x, by columns, whose standardized value is not finite: row and
// column, or nothing.
std::optional<Place> first_overflow(const MatrixView& x, const Indices& rows,
                                    const ColumnScaling& scaling);

// Center and scale of a numeric response.
struct ResponseScaling {
  double center = 0.0;
  double scale = 1.0;
};

// Weighted mean and standard deviation: a row of weight 2 counts as two rows, and one of weight 0,
// whose response may be a code for "unknown", does not count.
ResponseScaling response_scaling(const Vector& y, const Vector& weights);

// (y - center) / scale, rounded to a power of two far below `tol`: the fit does then not depend on
// the units of the response.
Vector scale_response(const Vector& y, const ResponseScaling& scaling, double tol);

}  // namespace mk
