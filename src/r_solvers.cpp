// The solvers by themselves, for tests and benchmarks.
#include <cmath>

#include "r_convert.h"
#include "r_runtime.h"
#include "solvers/interior_point.hpp"

using namespace mk;

// min 1/2 b'Kb - linear'b, lower <= b <= upper, sum(b) = total, on a stored matrix.
// [[Rcpp::export(rng = false)]]
Rcpp::List smo_cpp(Rcpp::NumericMatrix k, Rcpp::NumericVector linear, Rcpp::NumericVector lower,
                   Rcpp::NumericVector upper, double total, Rcpp::NumericVector start,
                   Rcpp::List control) {
  return guarded([&] {
    if (k.nrow() != k.ncol())
      throw InvalidArgument("k", "square",
                            std::to_string(k.nrow()) + " x " + std::to_string(k.ncol()));
    check_finite(k, "k");
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

namespace {

Matrix to_matrix(const Rcpp::NumericMatrix& m) {
  return Eigen::Map<const Matrix>(m.begin(), m.nrow(), m.ncol());
}

}  // namespace

// min 1/2 x'Hx + linear'x, equality x = right, lower <= x <= upper.
// [[Rcpp::export(rng = false)]]
Rcpp::List qp_cpp(Rcpp::NumericMatrix h, Rcpp::NumericVector linear, Rcpp::NumericMatrix equality,
                  Rcpp::NumericVector right, Rcpp::NumericVector lower, Rcpp::NumericVector upper,
                  Rcpp::List control) {
  return guarded([&] {
    const Index n = linear.size();
    if (h.nrow() != n || h.ncol() != n || equality.ncol() != n || equality.nrow() != right.size() ||
        lower.size() != n || upper.size() != n || n == 0)
      throw InvalidArgument("h", "square, with the other arguments of the same size", "else");
    check_finite(h, "h");
    check_finite(equality, "equality");
    QpProblem problem;
    problem.linear = to_vector(linear);
    problem.equality = to_matrix(equality);
    problem.right = to_vector(right);
    problem.lower = to_vector(lower);
    problem.upper = to_vector(upper);
    if (!problem.linear.allFinite() || !problem.right.allFinite())
      throw InvalidArgument("linear", "finite, as `right`", "something else");
    if (!(problem.lower.array() <= problem.upper.array()).all())
      throw InvalidArgument("lower", "at most `upper`", "larger");
    const RRuntime runtime(control);
    DenseHessian hessian(to_matrix(h));
    const QpResult r = solve_qp(problem, hessian, QpOptions(), runtime);
    if (!r.x.allFinite() || !r.multipliers.allFinite() || !std::isfinite(r.objective + r.gap))
      throw InvalidArgument("The programme has no finite solution that can be computed.");
    return Rcpp::List::create(
        Rcpp::_["x"] = to_numeric(r.x), Rcpp::_["multipliers"] = to_numeric(r.multipliers),
        Rcpp::_["objective"] = r.objective, Rcpp::_["gap"] = r.gap,
        Rcpp::_["iterations"] = r.iterations, Rcpp::_["converged"] = r.converged);
  });
}
