#include "lpmkl.hpp"

#include <chrono>
#include <cmath>

#include "../base/errors.hpp"

namespace mk {

namespace {

// max over ||d||_p <= 1 of d'S: the dual norm of S.
double dual_norm(const Vector& forms, double p) {
  if (p == 1.0) return forms.maxCoeff();
  const double q = p / (p - 1.0);
  const double largest = forms.maxCoeff();
  if (!(largest > 0.0)) return 0.0;
  return largest * std::pow((forms.array() / largest).max(0.0).pow(q).sum(), 1.0 / q);
}

// The closed form: minimiser over ||d||_p = 1 of sum_m ||w_m||^2 / d_m.
Vector update(const Vector& d, const Vector& forms, double p) {
  const Vector norms = (d.array() * forms.array().max(0.0).sqrt()).matrix();  // ||w_m||
  const double largest = norms.maxCoeff();
  if (!(largest > 0.0)) return d;
  Vector next = (norms.array() / largest).pow(2.0 / (p + 1.0)).matrix();
  return next / std::pow(next.array().pow(p).sum(), 1.0 / p);
}

}  // namespace

LpmklOptions LpmklOptions::read(const State& parameters, const SmoOptions& smo, double default_p) {
  LpmklOptions o;
  o.p = parameters.number("p", default_p);
  if (!(o.p >= 1.0) || std::isinf(o.p))
    throw InvalidArgument("p", "a finite number of at least 1", format_number(o.p));
  o.gap = parameters.number("gap", o.gap);
  if (!(o.gap > 0.0)) throw InvalidArgument("gap", "a positive number", format_number(o.gap));
  const double iterations = parameters.number("iterations", 1000.0);
  if (!(iterations >= 1.0))
    throw InvalidArgument("iterations", "a number of at least 1", format_number(iterations));
  o.iterations = static_cast<Index>(iterations);
  o.svm = SvmOptions::read(parameters, smo);
  return o;
}

std::unique_ptr<Model> fit_lpmkl(const TrainingSet& data, const LpmklOptions& options,
                                 const Runtime& runtime) {
  const auto begin = std::chrono::steady_clock::now();
  const MklProblem problem(data, options.svm, runtime);
  const double m = static_cast<double>(problem.size());
  Vector d = Vector::Constant(problem.size(), std::pow(m, -1.0 / options.p)), start;
  MklProblem::Value value;
  std::vector<double> path;
  double gap = 0.0;
  bool converged = false;
  for (Index k = 0; k < options.iterations && !converged; ++k) {
    runtime.check_interrupt();
    if (k > 0) d = update(d, value.forms, options.p);
    value = problem.evaluate(d, start);
    start = value.svm.coefficients;
    path.push_back(value.objective);
    gap = 0.5 * (dual_norm(value.forms, options.p) - d.dot(value.forms)) /
          std::max(std::abs(value.objective), 1e-300);
    converged = gap <= options.gap;
    if (runtime.verbose)
      runtime.message("lpmkl: iteration " + std::to_string(k + 1) + ", objective " +
                      format_number(value.objective) + ", gap " + format_number(gap));
  }
  auto model = mkl_model(value, d, gap, converged, path);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  model->report.seconds = elapsed.count();
  return model;
}

}  // namespace mk
