#include "gmkl.hpp"

#include <chrono>
#include <cmath>
#include <limits>

#include "../base/errors.hpp"
#include "product_problem.hpp"

namespace mk {

namespace {

constexpr double tightest = 1e-10;  // tolerance of the SVM

bool read_choice(const State& parameters, const char* name, const char* no, const char* yes) {
  if (!parameters.has(name)) return false;
  const std::string& text = parameters.text(name);
  if (text == yes) return true;
  if (text == no) return false;
  throw InvalidArgument(name, std::string("\"") + no + "\" or \"" + yes + "\"", "\"" + text + "\"");
}

double positive(const State& parameters, const char* name, double if_missing) {
  const double value = parameters.number(name, if_missing);
  if (!(value > 0.0) || std::isinf(value))
    throw InvalidArgument(name, "a positive finite number", format_number(value));
  return value;
}

// One-class problems without a finite, non-trivial minimum.
void check_task(Task task, const GmklOptions& options) {
  if (task != Task::one_class) return;
  if (options.combine == Combination::product)
    throw InvalidArgument(
        "`combine` = \"product\" cannot be used for one class: all powers would "
        "be 0. Use `combine` = \"sum\".");
  if (!options.regularizer.squared)
    throw InvalidArgument(
        "`regularizer` = \"l1\" cannot be used for one class: the objective is "
        "linear in the size of the weights. Use `regularizer` = \"l2\".");
}

std::unique_ptr<Model> make_model(Combination combine, Expansion e) {
  if (combine == Combination::product) return std::make_unique<ProductModel>(std::move(e));
  return std::make_unique<ExpansionModel>(std::move(e));
}

}  // namespace

double Regularizer::value(const Vector& d) const {
  return squared ? 0.5 * lambda * d.squaredNorm() : lambda * d.sum();
}

Vector Regularizer::gradient(const Vector& d) const {
  return squared ? Vector(lambda * d) : Vector::Constant(d.size(), lambda);
}

double Regularizer::conjugate(const Vector& pull) const {
  if (squared) return 0.5 * pull.cwiseMax(0.0).squaredNorm() / lambda;
  return pull.maxCoeff() <= lambda ? 0.0 : std::numeric_limits<double>::infinity();
}

GmklOptions GmklOptions::read(const State& parameters, const SmoOptions& smo) {
  GmklOptions o;
  if (read_choice(parameters, "combine", "sum", "product")) o.combine = Combination::product;
  o.regularizer.squared = read_choice(parameters, "regularizer", "l1", "l2");
  o.regularizer.lambda = positive(parameters, "lambda", o.regularizer.lambda);
  o.search.spectral = !read_choice(parameters, "solver", "spg", "projected");
  o.search.tolerance = positive(parameters, "tolerance", o.search.tolerance);
  const double iterations =
      positive(parameters, "iterations", static_cast<double>(o.search.iterations));
  o.search.iterations = static_cast<Index>(std::min(std::ceil(iterations), 1e9));
  o.svm = SvmOptions::read(parameters, smo);
  return o;
}

InexactValue GmklObjective::evaluate(const Vector& d) {
  MklProblem::Value value = machine_(d, last_.svm.coefficients, tol_);
  InexactValue out;
  out.value = value.objective + regularizer_.value(d);
  out.gradient = regularizer_.gradient(d) - 0.5 * value.forms;
  if (!std::isfinite(value.objective)) return out;  // beyond the range: a step too far
  out.error = std::max(value.svm.solved.gap, 0.0);
  indefinite_ = indefinite_ || value.svm.solved.indefinite;
  weights_ = d;
  last_ = std::move(value);
  return out;
}

// min(d_m / max d, dT/dd_m / unit): 0 for each m at a stationary point. A unit is the objective per
// total weight, so that in the convex case the objective is too large by about this share at most.
double GmklObjective::violation(const Vector& d, const InexactValue& at) const {
  const double largest = d.maxCoeff(), total = d.sum();
  const double unit = total > 0.0 ? std::abs(at.value) / total : regularizer_.lambda;
  if (!(unit > 0.0)) return at.gradient.minCoeff() < 0.0 ? 1.0 : 0.0;
  double worst = 0.0;
  for (Index m = 0; m < d.size(); ++m) {
    const double slope = at.gradient[m] / unit;
    const double room = largest > 0.0 ? d[m] / largest : 0.0;
    worst = std::max(worst, std::abs(std::min(room, slope)));
  }
  // Objectives near the ends of the range of numbers make slopes per unit that are beyond it.
  return std::min(worst, std::numeric_limits<double>::max());
}

bool GmklObjective::tighten() {
  if (tol_ <= tightest || !last_.svm.solved.converged) return false;
  tol_ = std::max(0.1 * tol_, tightest);
  return true;
}

// The dual: max_a L(a) - r*(S(a) / 2), L the linear part. Scaling a by t in [0, 1] keeps it
// feasible unless its sum is fixed; the best t is taken.
double gmkl_gap(const MklProblem::Value& value, const Vector& d, const Regularizer& regularizer,
                Task task) {
  const double linear = value.objective + 0.5 * d.dot(value.forms);
  const Vector pull = 0.5 * value.forms.cwiseMax(0.0);
  double t = 1.0;
  if (task != Task::one_class && pull.maxCoeff() > 0.0) {
    if (regularizer.squared)  // t L - t^4 r*
      t = std::cbrt(0.25 * std::max(linear, 0.0) / regularizer.conjugate(pull));
    else t = std::sqrt(regularizer.lambda / pull.maxCoeff());
    t = std::min(t, 1.0);
  }
  const double penalty = regularizer.squared ? std::pow(t, 4) * regularizer.conjugate(pull) : 0.0;
  const double primal =
      value.objective + std::max(value.svm.solved.gap, 0.0) + regularizer.value(d);
  const double size = std::max(std::abs(primal), std::numeric_limits<double>::min());
  return std::max(primal - (t * linear - penalty), 0.0) / size;
}

std::unique_ptr<Model> GmklLearner::fit(const TrainingSet& data, const Runtime& runtime) const {
  const auto begin = std::chrono::steady_clock::now();
  check_task(data.task, options_);
  const bool product = options_.combine == Combination::product;
  std::unique_ptr<MklProblem> sum_of;
  std::unique_ptr<ProductProblem> product_of;
  if (product) product_of = std::make_unique<ProductProblem>(data, options_.svm, runtime);
  else sum_of = std::make_unique<MklProblem>(data, options_.svm, runtime);
  GmklObjective objective(
      [&](const Vector& d, const Vector& start, double tol) {
        return product ? product_of->evaluate(d, start, tol) : sum_of->evaluate(d, start, tol);
      },
      options_.regularizer, options_.svm.smo.tol);

  const Index m = data.bank.size();
  const ProjectedResult found =
      minimize_projected(objective, Vector::Constant(m, 1.0 / static_cast<double>(m)),
                         options_.search, "gmkl", runtime);
  if (!std::isfinite(found.at.value))
    throw InvalidArgument(
        "The product of the kernels is beyond the range of numbers: normalise "
        "them, or choose kernels with values up to 1.");
  if (objective.last_weights() != found.x) objective.evaluate(found.x);

  const MklProblem::Value& value = objective.last();
  auto model = make_model(options_.combine,
                          make_expansion(value.svm.coefficients, found.x, value.svm.solved.bias));
  model->fitted = value.svm.fitted;
  Report& report = model->report;
  report = svm_report(value.svm.solved);
  report.converged = found.converged && value.svm.solved.converged;
  report.indefinite = objective.indefinite();
  report.iterations = static_cast<double>(found.path.size() - 1);
  report.objective = found.at.value;
  report.violation = found.violation;
  if (product) {
    report.gap = std::nan("");  // not convex: there is no bound from below
  } else {
    const double size = std::max(std::abs(report.objective), std::numeric_limits<double>::min());
    report.gap = gmkl_gap(value, found.x, options_.regularizer, data.task) +
                 form_rounding(value.svm.coefficients, found.x.dot(sum_of->sizes())) / size;
  }
  // Next to no weight at all is stationary in units of the penalty, and may be far from the
  // minimum.
  report.converged = report.converged && (product || report.gap <= 1.0);
  report.path = Eigen::Map<const Vector>(found.path.data(), static_cast<Index>(found.path.size()));
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  report.seconds = elapsed.count();
  return model;
}

}  // namespace mk
