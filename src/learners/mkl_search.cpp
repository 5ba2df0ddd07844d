#include "mkl_search.hpp"

#include <cmath>
#include <limits>

#include "../base/errors.hpp"
#include "../base/parameters.hpp"

namespace mk {

namespace {

constexpr double tightest = 1e-9;    // tolerance of the SVM
constexpr double norm_error = 1e-9;  // of weights that count as feasible

}  // namespace

double dual_norm(const Vector& forms, double p) {
  const double largest = forms.maxCoeff();
  if (p == 1.0 || !(largest > 0.0)) return largest;
  const double q = p / (p - 1.0);
  return largest * std::pow((forms.array() / largest).max(0.0).pow(q).sum(), 1.0 / q);
}

MklOptions MklOptions::read(const State& parameters, const SmoOptions& smo) {
  MklOptions o;
  o.gap = read_number(parameters, "gap", o.gap, Range::positive());
  const double iterations = read_number(parameters, "iterations", 1000.0, Range::at_least(1.0));
  o.iterations = static_cast<Index>(std::min(iterations, 1e9));
  o.svm = SvmOptions::read(parameters, smo);
  return o;
}

MklSearch::MklSearch(const TrainingSet& data, const MklOptions& options, const std::string& name,
                     const Start& start, const Runtime& runtime)
    : options_(options),
      name_(name),
      runtime_(runtime),
      problem_(data, options.svm, runtime),
      tol_(options.svm.smo.tol),
      first_weights_(start.weights),
      start_(start.coefficients),
      upper_(infinity),
      lower_(-infinity) {}

Vector MklSearch::equal_weights() const {
  return Vector::Constant(size(), std::pow(static_cast<double>(size()), -1.0 / options_.p));
}

bool MklSearch::feasible(const Vector& d) const {
  if (!(d.minCoeff() >= 0.0)) return false;
  const double top = d.maxCoeff();
  const double norm = top * std::pow((d / top).array().pow(options_.p).sum(), 1.0 / options_.p);
  return std::abs(norm - 1.0) <= norm_error;
}

// Kernels of very different sizes have forms whose rounding errors exceed the objective: bounds
// that did not count them would certify noise.
double MklSearch::rounding(const MklProblem::Value& value) {
  return form_rounding(value.svm.coefficients, dual_norm(problem_.sizes(), options_.p));
}

// How far there is to go decides how exact the SVM must be.
bool MklSearch::exact(const MklProblem::Value& value) const {
  const double dual = value.objective, inner = std::max(value.svm.solved.gap, 0.0);
  const double outer = std::max(dual + inner - lower_, options_.gap * std::abs(dual));
  return inner <= options_.svm_share * outer || !value.svm.solved.converged;
}

template <class Solve>
MklProblem::Value MklSearch::solve_exactly(const Vector& d, const Solve& solve_once) {
  MklProblem::Value value;
  do {
    value = solve_once();
    start_ = value.svm.coefficients;
    indefinite_ = indefinite_ || value.svm.solved.indefinite;
  } while (!exact(value) && tighten());
  const double above = value.objective + std::max(value.svm.solved.gap, 0.0) +
                       form_rounding(value.svm.coefficients, d.dot(problem_.sizes()));
  // Weights beyond the ball have a lower objective that bounds nothing.
  if ((above <= upper_ && feasible(d)) || best_d_.size() == 0) {
    upper_ = above;
    best_d_ = d;
    best_ = value;
  }
  return value;
}

MklProblem::Value MklSearch::solve(const Vector& d) {
  return solve_exactly(d, [&] { return problem_.solve(d, start_, tol_); });
}

MklProblem::Value MklSearch::solve_along(const Vector& d, double t) {
  return solve_exactly(d, [&] { return problem_.solve_along(d, t, start_, tol_); });
}

void MklSearch::complete(const Vector& d, MklProblem::Value& value) {
  for (;;) {
    if (value.forms.size() == 0) problem_.add_forms(value);
    // A negative form proves that its kernel is indefinite, whatever the combination is, unless it
    // is the rounding error of a sum that vanishes, as for rows that contradict one another.
    const double size = std::max(value.forms.cwiseAbs().maxCoeff(), std::abs(value.objective));
    indefinite_ = indefinite_ || value.forms.minCoeff() < -1e-10 * size;
    const double linear = value.objective + 0.5 * d.dot(value.forms);
    lower_ = std::max(lower_, linear - 0.5 * dual_norm(value.forms, options_.p) - rounding(value));
    if (exact(value) || !tighten()) return;
    value = solve(d);
  }
}

MklProblem::Value MklSearch::evaluate(const Vector& d) {
  MklProblem::Value value = solve(d);
  complete(d, value);
  return value;
}

bool MklSearch::tighten() {
  if (tol_ <= tightest) return false;
  tol_ = std::max(0.1 * tol_, tightest);
  return true;
}

double MklSearch::gap() const {
  return (upper_ - lower_) /
         std::max(std::abs(best_.objective), std::numeric_limits<double>::min());
}

void MklSearch::record(double objective) {
  path_.push_back(objective);
  runtime_.check_interrupt();
  if (runtime_.verbose)
    runtime_.message(name_ + ": iteration " + std::to_string(path_.size()) + ", objective " +
                     format_number(objective) + ", gap " + format_number(gap()));
}

std::unique_ptr<Model> MklSearch::model() const {
  auto model = svm_model(best_.svm, best_d_);
  Report& report = model->report;
  report.converged = report.converged && done();
  report.indefinite = indefinite_;
  report.iterations = static_cast<double>(path_.size());
  report.gap = std::max(gap(), 0.0);
  report.path = as_vector(path_);
  return model;
}

// ---- learners ----------------------------------------------------------------------------------

Models MklLearner::fit_path(const std::vector<MklLearner>& points, const TrainingSet& data,
                            const Runtime& runtime) {
  const auto alike = [](const MklLearner& a, const MklLearner& b) {
    return a.variant == b.variant && a.p == b.p && a.gap == b.gap && a.iterations == b.iterations;
  };
  return fit_costs(points, data, alike, [&](const MklLearner& point, const Start& start) {
    MklSearch search(data, point, point.name, start, runtime);
    point.run(search, runtime);
    return search.model();
  });
}

}  // namespace mk
