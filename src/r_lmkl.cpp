// The gating model of a fit of LMKL, for R.
#include "learners/lmkl.hpp"
#include "r_convert.h"

using namespace mk;

// eta at the rows of x: one column per kernel. `state` is that of one model of the fit.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix gating_cpp(Rcpp::NumericMatrix x, Rcpp::List state) {
  return guarded([&] {
    check_finite(x, "x");
    const auto model = LmklModel::restore(to_state(state));
    const auto& local = static_cast<const LmklModel&>(*model);
    const Matrix eta = local.gating_weights(matrix_view(x), all_rows(x.nrow()));
    if (!eta.allFinite())
      throw InvalidArgument(
          "The gating model is not finite at some rows: their features are "
          "beyond its range.");
    return to_numeric_matrix(eta);
  });
}
