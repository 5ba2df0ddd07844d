// What a fitted model says of itself, for R.
#include <limits>

#include "base/checks.hpp"
#include "learners/lmkl.hpp"
#include "learners/registry.hpp"
#include "r_convert.h"

using namespace mk;

// The facts of each model of a fit, see Model::facts().
// [[Rcpp::export(rng = false)]]
Rcpp::List model_facts_cpp(Rcpp::List models) {
  return guarded([&] {
    Rcpp::List out(models.size());
    for (R_xlen_t m = 0; m < models.size(); ++m)
      out[m] = to_list(restore_model(model_state(entry_list(models, m)))->facts());
    return out;
  });
}

// Models that are sums of kernel values: one for each column of `coefficients`, which belong to
// `rows`.
// [[Rcpp::export(rng = false)]]
Rcpp::List expansion_models_cpp(Rcpp::NumericMatrix coefficients, SEXP rows) {
  return guarded([&] {
    Rcpp::List out(coefficients.ncol());
    for (int j = 0; j < coefficients.ncol(); ++j) {
      Expansion e;
      e.rows = read_rows(rows, std::numeric_limits<int>::max(), "rows");
      e.coefficients = to_vector(coefficients.column(j));
      e.weights = Vector::Ones(1);
      out[j] = Rcpp::List::create(Rcpp::_["state"] = to_list(ExpansionModel(e).state()));
    }
    return out;
  });
}

// eta at the rows of x, of one model of a fit of LMKL: one column per kernel.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix gating_cpp(SEXP x, Rcpp::List model) {
  return guarded([&] {
    const SharedFeatures features = read_features(x);
    features->check_finite("x");
    const auto restored = LmklModel::restore(model_state(model));
    const auto& local = static_cast<const LmklModel&>(*restored);
    const Matrix eta = local.gating_weights(*features, all_rows(features->rows()));
    if (!eta.allFinite())
      throw InvalidArgument(
          "The gating model is not finite at some rows: their features are "
          "beyond its range.");
    return to_numeric_matrix(eta);
  });
}
