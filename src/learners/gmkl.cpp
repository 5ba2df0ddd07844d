#include "gmkl.hpp"

#include <cmath>
#include <limits>

#include "../base/errors.hpp"
#include "../base/parameters.hpp"
#include "product_problem.hpp"

namespace mk {

namespace {

constexpr double tightest = 1e-10;  // tolerance of the SVM

// Problems without a finite, non-trivial minimum.
void check_loss(const Loss& loss, const GmklLearner& options) {
  if (!loss.has_fixed_sum()) return;
  if (options.product)
    throw InvalidArgument(
        "`combine` = \"product\" cannot be used for one class: all powers would "
        "be 0. Use `combine` = \"sum\".",
        "combine");
  if (!options.regularizer.squared)
    throw InvalidArgument(
        "`regularizer` = \"l1\" cannot be used for one class: the objective is "
        "linear in the size of the weights. Use `regularizer` = \"l2\".",
        "regularizer");
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
  return pull.maxCoeff() <= lambda ? 0.0 : infinity;
}

GmklLearner::GmklLearner(const State& parameters, const SmoOptions& smo)
    : product(read_choice(parameters, "combine", {"sum", "product"}) == "product") {
  regularizer.squared = read_choice(parameters, "regularizer", {"l1", "l2"}) == "l2";
  regularizer.lambda = read_number(parameters, "lambda", regularizer.lambda, Range::positive());
  search.spectral = read_choice(parameters, "solver", {"spg", "projected"}) == "spg";
  search.tolerance = read_number(parameters, "tolerance", search.tolerance, Range::positive());
  const double iterations = read_number(parameters, "iterations",
                                        static_cast<double>(search.iterations), Range::positive());
  search.iterations = static_cast<Index>(std::min(std::ceil(iterations), 1e9));
  svm = SvmOptions::read(parameters, smo);
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

// The dual: max_a L(a) - r*(S(a) / 2), L all of it that does not depend on the kernels. Scaling a
// by t in [0, 1] keeps it feasible unless its sum is fixed; the best t is taken.
double gmkl_gap(const MklProblem::Value& value, const Vector& d, const Regularizer& regularizer,
                const Loss& loss, const Target& target) {
  const double linear = value.objective + 0.5 * d.dot(value.forms);
  const double ridge = 0.5 * loss.ridge_form(value.svm.coefficients, target);
  const Vector pull = 0.5 * value.forms.cwiseMax(0.0);
  double t = 1.0;
  if (!loss.has_fixed_sum() && pull.maxCoeff() > 0.0) {
    if (regularizer.squared)  // t L - t^4 r*
      t = std::cbrt(0.25 * std::max(linear, 0.0) / regularizer.conjugate(pull));
    else t = std::sqrt(regularizer.lambda / pull.maxCoeff());
    t = std::min(t, 1.0);
  }
  const double penalty = regularizer.squared ? std::pow(t, 4) * regularizer.conjugate(pull) : 0.0;
  const double primal =
      value.objective + std::max(value.svm.solved.gap, 0.0) + regularizer.value(d);
  const double size = std::max(std::abs(primal), std::numeric_limits<double>::min());
  const double dual = t * linear + t * (1.0 - t) * ridge - penalty;
  return std::max(primal - dual, 0.0) / size;
}

std::unique_ptr<Model> GmklLearner::fit(const TrainingSet& data, const Runtime& runtime) const {
  const Loss& loss = svm.losses.of(data);
  check_loss(loss, *this);
  std::unique_ptr<MklProblem> sum_of;
  std::unique_ptr<ProductProblem> product_of;
  if (product) product_of = std::make_unique<ProductProblem>(data, svm, runtime);
  else sum_of = std::make_unique<MklProblem>(data, svm, runtime);
  GmklObjective objective(
      [&](const Vector& d, const Vector& start, double tol) {
        return product ? product_of->evaluate(d, start, tol) : sum_of->evaluate(d, start, tol);
      },
      regularizer, svm.smo.tol);

  const Index m = data.bank.size();
  const ProjectedResult found = minimize_projected(
      objective, Vector::Constant(m, 1.0 / static_cast<double>(m)), search, "gmkl", runtime);
  if (!std::isfinite(found.at.value))
    throw InvalidArgument(
        "The product of the kernels is beyond the range of numbers: normalise "
        "them, or choose kernels with values up to 1.");
  if (objective.last_weights() != found.x) objective.evaluate(found.x);

  const MklProblem::Value& value = objective.last();
  auto model =
      product ? svm_model<ProductModel>(value.svm, found.x) : svm_model(value.svm, found.x);
  Report& report = model->report;
  report.converged = report.converged && found.converged;
  report.indefinite = objective.indefinite();
  report.iterations = static_cast<double>(found.path.size() - 1);
  report.objective = found.at.value;
  report.violation = found.violation;
  if (product) {
    report.gap = std::nan("");  // not convex: there is no bound from below
  } else {
    const double size = std::max(std::abs(report.objective), std::numeric_limits<double>::min());
    report.gap = gmkl_gap(value, found.x, regularizer, loss, data) +
                 form_rounding(value.svm.coefficients, found.x.dot(sum_of->sizes())) / size;
  }
  // Next to no weight at all is stationary in units of the penalty, and may be far from the
  // minimum.
  report.converged = report.converged && (product || report.gap <= 1.0);
  report.path = as_vector(found.path);
  return model;
}

}  // namespace mk
