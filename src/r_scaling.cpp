// Standardization, for R.
#include "api/scaling.hpp"
#include "r_convert.h"

using namespace mk;

namespace {

// One pair of numbers for each column of x.
ColumnScaling read_scaling(const Rcpp::NumericMatrix& x, const Rcpp::NumericVector& center,
                           const Rcpp::NumericVector& scale) {
  if (center.size() != x.ncol() || scale.size() != x.ncol())
    throw InvalidArgument("center, scale", "one number for each column",
                          std::to_string(center.size()) + " and " + std::to_string(scale.size()));
  return {to_vector(center), to_vector(scale)};
}

}  // namespace

// Means and standard deviations of columns; those with `keep` (one flag for all, or one each) are
// left as they are.
// [[Rcpp::export(rng = false)]]
Rcpp::List column_scaling_cpp(Rcpp::NumericMatrix x, SEXP rows, Rcpp::LogicalVector keep) {
  return guarded([&] {
    if (keep.size() != 1 && keep.size() != x.ncol())
      throw InvalidArgument("keep", "one flag for each column", std::to_string(keep.size()));
    std::vector<bool> kept;
    for (int j = 0; j < x.ncol(); ++j) kept.push_back(keep[keep.size() == 1 ? 0 : j] != 0);
    const ColumnScaling s = column_scaling(matrix_view(x), read_rows(rows, x.nrow(), "rows"), kept);
    return Rcpp::List::create(Rcpp::_["center"] = to_numeric(s.center),
                              Rcpp::_["scale"] = to_numeric(s.scale));
  });
}

// Medians of columns with missing values, and which columns hold nothing but 0 and 1.
// [[Rcpp::export(rng = false)]]
Rcpp::List column_values_cpp(Rcpp::NumericMatrix x) {
  return guarded([&] {
    const ColumnValues values = column_values(matrix_view(x));
    return Rcpp::List::create(
        Rcpp::_["middle"] = to_numeric(values.middle),
        Rcpp::_["binary"] = Rcpp::LogicalVector(values.binary.begin(), values.binary.end()));
  });
}

// The rows of x, standardized; names of rows and columns stay. `own`: nobody else holds x, so that
// all of its rows are standardized where they are.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix scale_columns_cpp(Rcpp::NumericMatrix x, SEXP rows, Rcpp::NumericVector center,
                                      Rcpp::NumericVector scale, bool own) {
  return guarded([&] {
    const ColumnScaling scaling = read_scaling(x, center, scale);
    const Indices used = read_rows(rows, x.nrow(), "rows");
    if (own && Rf_isNull(rows)) {
      scale_columns(matrix_view(x), used, scaling, x.begin());
      return x;
    }
    Rcpp::NumericMatrix out(Rcpp::no_init(static_cast<int>(used.size()), x.ncol()));
    scale_columns(matrix_view(x), used, scaling, out.begin());
    const SEXP names = Rf_getAttrib(x, R_DimNamesSymbol);
    if (Rf_isNull(names)) return out;
    SEXP row_names = VECTOR_ELT(names, 0);
    if (!Rf_isNull(rows) && !Rf_isNull(row_names))
      row_names = Rcpp::CharacterVector(row_names)[Rcpp::IntegerVector(rows) - 1];
    out.attr("dimnames") = Rcpp::List::create(row_names, VECTOR_ELT(names, 1));
    return out;
  });
}

// Row and column of the first of the given values that is not finite once it is standardized; none
// if all are.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector overflow_cpp(Rcpp::NumericMatrix x, SEXP rows, Rcpp::NumericVector center,
                                 Rcpp::NumericVector scale) {
  return guarded([&] {
    return to_place(first_overflow(matrix_view(x), read_rows(rows, x.nrow(), "rows"),
                                   read_scaling(x, center, scale)));
  });
}

// Center and scale of a numeric response, and the response standardized.
// [[Rcpp::export(rng = false)]]
Rcpp::List response_scaling_cpp(Rcpp::NumericVector y, Rcpp::NumericVector weights, double tol) {
  return guarded([&] {
    if (weights.size() != y.size())
      throw InvalidArgument("weights", "one number for each row", std::to_string(weights.size()));
    const Vector values = to_vector(y);
    const ResponseScaling s = response_scaling(values, to_vector(weights));
    return Rcpp::List::create(Rcpp::_["center"] = s.center, Rcpp::_["scale"] = s.scale,
                              Rcpp::_["y"] = to_numeric(scale_response(values, s, tol)));
  });
}
