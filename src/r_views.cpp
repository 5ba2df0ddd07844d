// Views of the same examples, for R: empirical kernel maps and their canonical correlation.
#include "api/kernel_items.hpp"
#include "kernels/empirical_map.hpp"
#include "r_convert.h"
#include "r_runtime.h"
#include "solvers/nmcca.hpp"

using namespace mk;

// The map of the one kernel in `kernels`. `landmarks`: positions of rows, none for all.
// [[Rcpp::export(rng = false)]]
Rcpp::List empirical_map_cpp(SEXP x, Rcpp::List kernels, Rcpp::IntegerVector landmarks, double rank,
                             Rcpp::List control) {
  return guarded([&] {
    const RRuntime runtime(control);
    const KernelBank bank = training_bank(read_features(x), to_states(kernels), runtime);
    if (bank.size() != 1)
      throw InvalidArgument("kernels", "one kernel", std::to_string(bank.size()));
    const Indices rows =
        landmarks.size() == 0 ? Indices() : read_rows(landmarks, bank.rows(), "landmarks");
    const EmpiricalMap map = make_empirical_map(bank, 0, rows, read_count("rank", rank), runtime);
    if (!map.training.allFinite())
      throw InvalidArgument("kernels", "finite on all rows of `x`", "of values beyond");
    return Rcpp::List::create(
        Rcpp::_["rows"] = to_positions(map.rows), Rcpp::_["values"] = to_numeric(map.values),
        Rcpp::_["projection"] = to_numeric_matrix(map.projection),
        Rcpp::_["training"] = to_numeric_matrix(map.training),
        Rcpp::_["normalizer"] = to_list(normalizer_state(bank.normalizers().front())));
  });
}

// [[Rcpp::export(rng = false)]]
Rcpp::List nmcca_cpp(Rcpp::List views, double components, double kappa, Rcpp::List control) {
  return guarded([&] {
    std::vector<Matrix> matrices;
    for (R_xlen_t k = 0; k < views.size(); ++k) {
      if (TYPEOF(views[k]) != REALSXP || !Rf_isMatrix(views[k]))
        throw InvalidArgument("view " + std::to_string(k + 1), "a matrix of doubles",
                              "something else");
      matrices.push_back(as_matrix(matrix_view(Rcpp::NumericMatrix(static_cast<SEXP>(views[k])))));
    }
    const RRuntime runtime(control);
    const Nmcca s = solve_nmcca(matrices, read_count("components", components), kappa, runtime);
    return Rcpp::List::create(Rcpp::_["weights"] = list_of(s.projections, to_numeric_matrix),
                              Rcpp::_["agreement"] = to_numeric(s.agreement),
                              Rcpp::_["violation"] = s.violation);
  });
}
