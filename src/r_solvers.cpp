// The solver of support vector machines by itself, for tests and benchmarks.
#include <cmath>

#include "base/checks.hpp"
#include "r_convert.h"
#include "r_runtime.h"
#include "solvers/smo.hpp"

using namespace mk;

// min 1/2 b'Kb - linear'b, lower <= b <= upper, sum(b) = total, on a stored matrix.
// [[Rcpp::export(rng = false)]]
Rcpp::List smo_cpp(Rcpp::NumericMatrix k, Rcpp::NumericVector linear, Rcpp::NumericVector lower,
                   Rcpp::NumericVector upper, double total, Rcpp::NumericVector start,
                   Rcpp::List control) {
  return guarded([&] {
    if (k.nrow() != k.ncol()) throw InvalidArgument("k", "square", format_size(k.nrow(), k.ncol()));
    check_finite(matrix_view(k), "k");
    const RRuntime runtime(control);
    SmoProblem problem;
    problem.linear = to_vector(linear);
    problem.lower = to_vector(lower);
    problem.upper = to_vector(upper);
    problem.total = total;
    const Vector from = to_vector(start);
    if ((from.size() != 0 && from.size() != k.nrow()) || !from.allFinite())
      throw InvalidArgument("start", "empty, or finite and of length " + std::to_string(k.nrow()),
                            "of length " + std::to_string(from.size()));
    StoredQ q(matrix_view(k), runtime.memory, runtime);
    const SmoResult r = solve_smo(q, problem, from, smo_options(control), runtime);
    if (!r.beta.allFinite() || !std::isfinite(r.objective) || !std::isfinite(r.gap))
      throw InvalidArgument("k", "of a scale that leaves the solution finite", "too large");
    return Rcpp::List::create(
        Rcpp::_["beta"] = to_numeric(r.beta), Rcpp::_["bias"] = r.bias,
        Rcpp::_["objective"] = r.objective, Rcpp::_["gap"] = r.gap,
        Rcpp::_["violation"] = r.violation, Rcpp::_["iterations"] = r.iterations,
        Rcpp::_["converged"] = r.converged, Rcpp::_["indefinite"] = r.indefinite);
  });
}
