#include "gram.hpp"

#include <algorithm>
#include <cmath>

#include "../base/errors.hpp"
#include "../base/parameters.hpp"
#include "../kernels/row_blocks.hpp"
#include "kernel_measures.hpp"
#include "komd.hpp"

namespace mk {

namespace {

constexpr double tightest = 1e-8;  // tolerance of the two quadratic programs

class RatioObjective final : public InexactFunction {
 public:
  RatioObjective(const TrainingSet& data, const SmoOptions& smo, const Runtime& runtime)
      : data_(data),
        smo_(smo),
        runtime_(runtime),
        kernels_(all_rows(data.bank.size())),
        diagonals_(kernel_diagonals(data.bank, kernels_, runtime)),
        units_(diagonals_.colwise().mean()) {
    units_ = (units_.array() > 0.0).select(units_.cwiseInverse(), 1.0);
    smo_.tol = std::max(1e-2 * smo.tol, tightest);
  }

  InexactValue evaluate(const Vector& d) override {
    InexactValue out;
    out.gradient = Vector::Zero(d.size());
    out.value = infinity;
    if (!(d.sum() > 0.0)) return out;
    const Vector weights = kernel_weights(d);
    const GramView sum = data_.bank.combination(weights, runtime_);
    const EnclosingBall ball = enclosing_ball(sum.view, smo_, runtime_);
    KomdOptions options;
    options.lambda = 0.0;
    options.smo = smo_;
    const KomdSolution hulls = solve_komd(data_, weights, options, runtime_, last_);
    const double squared = hulls.solved.objective, least = squared - hulls.solved.gap;
    if (hulls.overlap || !(least > 0.0)) return out;
    last_ = hulls.beta;
    const Vector p =
        diagonals_.transpose() * ball.a - data_.bank.quadratic_forms(kernels_, ball.a, runtime_);
    const Vector q = data_.bank.quadratic_forms(kernels_, hulls.beta, runtime_);
    out.value = ball.squared / squared;
    out.error = (ball.squared + ball.gap) / least - out.value;
    out.gradient = (p - out.value * q) / squared;
    out.gradient = out.gradient.cwiseProduct(units_) / d.dot(units_);
    double bound = infinity;
    for (Index m = 0; m < d.size(); ++m)
      if (q[m] > 0.0) bound = std::min(bound, std::max(p[m], 0.0) / q[m]);
    bound_ = std::max(bound_, bound);
    return out;
  }

  // The search is over weights of kernels of mean diagonal 1, whatever that of the user's is.
  Vector kernel_weights(const Vector& d) const { return d.cwiseProduct(units_) / d.dot(units_); }

  double violation(const Vector&, const InexactValue& at) const override { return gap(at); }
  double gap(const InexactValue& at) const {
    const double most = at.value + at.error;
    return most > 0.0 ? std::max(0.0, most - bound_) / most : 0.0;
  }

  bool tighten() override {
    if (smo_.tol <= tightest) return false;
    smo_.tol = std::max(0.1 * smo_.tol, tightest);
    return true;
  }

 private:
  const TrainingSet& data_;
  SmoOptions smo_;
  const Runtime& runtime_;
  Indices kernels_;
  Matrix diagonals_;
  Vector units_;
  Vector last_;
  double bound_ = 0.0;  // from below, the best one so far
};

}  // namespace

RatioWeights ratio_weights(const TrainingSet& data, const ProjectedOptions& search,
                           const SmoOptions& smo, const Runtime& runtime) {
  RatioObjective objective(data, smo, runtime);
  const Index m = data.bank.size();
  const Vector start = Vector::Constant(m, 1.0 / static_cast<double>(m));
  const ProjectedResult found = minimize_projected(objective, start, search, "gram", runtime);
  if (!std::isfinite(found.at.value))
    throw InvalidArgument(
        "The classes overlap under the average of the kernels: there is no margin. Add a kernel "
        "that separates them, for instance a Gaussian kernel of small width.",
        "kernels");
  RatioWeights out;
  out.weights = objective.kernel_weights(found.x);
  out.ratio = found.at.value;
  out.gap = objective.gap(found.at);
  out.iterations = static_cast<Index>(found.path.size()) - 1;
  out.converged = out.gap <= search.tolerance;
  return out;
}

GramLearner::GramLearner(const State& parameters, const SmoOptions& smo)
    : svm(SvmOptions::read(parameters, smo)) {
  search.tolerance = read_number(parameters, "tolerance", 0.01, Range::positive());
  search.iterations = read_count(parameters, "iterations", 1000, 1);
}

std::unique_ptr<Model> GramLearner::fit(const TrainingSet& data, const Runtime& runtime) const {
  require_classes(data, "gram");
  const RatioWeights found = ratio_weights(data, search, svm.smo, runtime);
  std::unique_ptr<Model> model = fit_svm(data, found.weights, svm, runtime);
  Report& report = model->report;
  report.converged = report.converged && found.converged;
  report.gap = found.gap;
  report.objective = found.ratio;
  report.iterations = static_cast<double>(found.iterations);
  return model;
}

}  // namespace mk
