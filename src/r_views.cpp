// Views of the same examples, for R: empirical kernel maps, their canonical correlation, and
// MultiK-MHKS on a grid.
#include <cmath>

#include "kernels/empirical_map.hpp"
#include "learners/mhks.hpp"
#include "r_convert.h"
#include "r_learners.h"
#include "r_runtime.h"
#include "solvers/nmcca.hpp"

using namespace mk;

namespace {

Index read_count(const char* name, double value) {
  if (!(value >= 0.0 && value <= 9e15) || value != std::floor(value))
    throw InvalidArgument(name, "a whole number of at least 0", format_number(value));
  return static_cast<Index>(value);
}

Rcpp::IntegerVector positions(const Indices& rows) {
  Rcpp::IntegerVector out(static_cast<R_xlen_t>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    out[static_cast<R_xlen_t>(i)] = static_cast<int>(rows[i] + 1);
  return out;
}

}  // namespace

// The map of the one kernel in `kernels`. `landmarks`: positions of rows, none for all.
// [[Rcpp::export(rng = false)]]
Rcpp::List empirical_map_cpp(Rcpp::NumericMatrix x, int n, Rcpp::List kernels,
                             Rcpp::IntegerVector landmarks, double rank, Rcpp::List control) {
  return guarded([&] {
    const RRuntime runtime(control);
    const KernelItems items = read_training(x, n, kernels);
    if (items.set->size() != 1)
      throw InvalidArgument("kernels", "one kernel", std::to_string(items.set->size()));
    Indices rows;
    for (int row : landmarks) {
      if (row == NA_INTEGER || row < 1 || row > n)
        throw InvalidArgument("landmarks", "positions from 1 to " + std::to_string(n),
                              row == NA_INTEGER ? "NA" : std::to_string(row));
      rows.push_back(row - 1);
    }
    const KernelBank bank(items.set, matrix_view(x), items.stored, n, runtime);
    const EmpiricalMap map = make_empirical_map(bank, 0, rows, read_count("rank", rank), runtime);
    if (!map.training.allFinite())
      throw InvalidArgument("kernels", "finite on all rows of `x`", "of values beyond");
    return Rcpp::List::create(
        Rcpp::_["rows"] = positions(map.rows), Rcpp::_["values"] = to_numeric(map.values),
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
      const Rcpp::NumericMatrix view(static_cast<SEXP>(views[k]));
      matrices.push_back(Eigen::Map<const Matrix>(view.begin(), view.nrow(), view.ncol()));
    }
    const RRuntime runtime(control);
    const Nmcca s = solve_nmcca(matrices, read_count("components", components), kappa, runtime);
    Rcpp::List weights(views.size());
    for (R_xlen_t k = 0; k < views.size(); ++k)
      weights[k] = to_numeric_matrix(s.projections[static_cast<std::size_t>(k)]);
    return Rcpp::List::create(Rcpp::_["weights"] = weights,
                              Rcpp::_["agreement"] = to_numeric(s.agreement),
                              Rcpp::_["violation"] = s.violation);
  });
}

// fit_cpp() for MHKS at several (c, lambda): one list of models and one matrix of decision values
// per point.
// [[Rcpp::export(rng = false)]]
Rcpp::List mhks_grid_cpp(Rcpp::NumericMatrix x, Rcpp::List problem, Rcpp::List kernels,
                         Rcpp::List parameters, Rcpp::NumericVector c, Rcpp::NumericVector lambda,
                         Rcpp::List control) {
  return guarded([&] {
    if (c.size() == 0 || c.size() != lambda.size())
      throw InvalidArgument("c, lambda", "of the same length, at least 1",
                            std::to_string(c.size()) + " and " + std::to_string(lambda.size()));
    std::vector<MhksPoint> points;
    for (R_xlen_t p = 0; p < c.size(); ++p) {
      points.push_back({c[p], lambda[p]});
      points.back().check();
    }
    const auto grid = std::make_shared<MhksGrid>(
        points, MhksOptions::read(to_state(parameters), smo_options(control)));
    return fit_learners(
        x, problem, kernels,
        [&] {
          std::vector<std::unique_ptr<Learner>> learners;
          for (R_xlen_t p = 0; p < c.size(); ++p)
            learners.push_back(std::make_unique<MhksGridLearner>(grid, p));
          return learners;
        },
        control);
  });
}
