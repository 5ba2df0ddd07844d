#include "lmkl_descent.hpp"

#include <cmath>

#include "../base/errors.hpp"
#include "../base/memory.hpp"
#include "../solvers/lbfgs.hpp"

namespace mk {

namespace {

// A tolerance of the SVM below which rounding is all that is left to gain, relative to its values.
constexpr double finest = 1e-7;

Vector flat(const Matrix& parameters) {
  return Eigen::Map<const Vector>(parameters.data(), parameters.size());
}

// Its squares may be too large for numbers.
double norm(const Vector& v) { return Eigen::Map<const Vector>(v.data(), v.size()).stableNorm(); }

}  // namespace

GatingDescent::GatingDescent(const Matrix& z, const TrainingSet& data, const HeldKernels& kernels,
                             const DescentOptions& options, const Runtime& runtime)
    : z_(z),
      data_(data),
      kernels_(kernels),
      options_(options),
      runtime_(runtime),
      k_(data.bank.rows(), data.bank.rows()) {
  prefer_huge_pages(k_.data(), static_cast<std::size_t>(k_.size()) * sizeof(double));
}

LocalSvm GatingDescent::solve(const Gating& gating, const SvmOptions& options,
                              const Vector& start) {
  LocalSvm p;
  p.gating = gating;
  p.eta = gating.weights(z_);
  if (!p.eta.allFinite())
    throw InvalidArgument("The gating model is not finite: scale the columns it sees.");
  LocalKernel q(kernels_, p.eta, k_, runtime_);
  p.svm = solve_svm(q, data_, options, runtime_, start);
  check_solution(p.svm.solved, data_.bank, Vector::Ones(data_.bank.size()), runtime_);
  p.products = q.take_products();
  return p;
}

// dJ/d(parameters): J is the value of a maximum over the coefficients, so these count as fixed
// (Danskin).
Matrix GatingDescent::gradient(const LocalSvm& p) const {
  const Matrix c = contributions(kernels_, p.eta, p.svm.coefficients, p.products, runtime_);
  return p.gating.gradient(z_, p.eta, c);
}

// The objective as a function of the parameters, for the search.
class PenalizedObjective final : public SmoothFunction {
 public:
  PenalizedObjective(GatingDescent& descent, const Gating& start)
      : descent_(descent), options_(descent.options_.svm), gating_(start) {
    Gating neutral = start;
    neutral.neutralize();
    center_ = flat(neutral.parameters);
    if (descent.options_.penalty == 0.0) return;
    here_ = descent.solve(neutral, options_, Vector());
    penalty_ = descent.options_.penalty * std::abs(here_.objective());
  }

  double evaluate(const Vector& x) override {
    offset_ = x - center_;
    Eigen::Map<Vector>(gating_.parameters.data(), gating_.parameters.size()) = x;
    trial_ = descent_.solve(gating_, options_, here_.svm.coefficients);
    return trial_.objective() + 0.5 * penalty_ * offset_.squaredNorm();
  }
  double error() const override { return trial_.svm.solved.gap; }
  Vector gradient() override { return flat(descent_.gradient(trial_)) + penalty_ * offset_; }
  void accept() override { here_ = std::move(trial_); }
  void check() override { descent_.runtime_.check_interrupt(); }

  bool tighten() override {
    const SmoResult& solved = here_.svm.solved;
    const double size = solved.gradient.cwiseAbs().maxCoeff();
    if (!solved.converged || options_.smo.tol <= finest * std::max(size, 1e-290)) return false;
    options_.smo.tol *= 0.1;
    return true;
  }

  LocalSvm take() { return std::move(here_); }

 private:
  GatingDescent& descent_;
  SvmOptions options_;
  Gating gating_;
  Vector center_, offset_;
  double penalty_ = 0.0;
  LocalSvm trial_, here_;
};

Descent GatingDescent::from(const Gating& start) {
  return options_.line_search ? searched_steps(start) : fixed_steps(start);
}

Descent GatingDescent::searched_steps(const Gating& start) {
  LbfgsOptions options;
  options.iterations = options_.iterations;
  options.tolerance = options_.tolerance;
  PenalizedObjective f(*this, start);
  LbfgsResult found = minimize_lbfgs(f, flat(start.parameters), options);
  Descent d;
  d.point = f.take();
  d.path = std::move(found.path);
  d.gradient_norm = norm(found.gradient);
  d.converged = found.end == LbfgsEnd::stationary;
  d.at_limit = found.end == LbfgsEnd::iterations;
  return d;
}

Descent GatingDescent::fixed_steps(const Gating& start) {
  PenalizedObjective f(*this, start);
  Vector x = flat(start.parameters);
  Descent d;
  for (Index t = 0;; ++t) {
    f.check();
    d.path.push_back(f.evaluate(x));
    const Vector gradient = f.gradient();
    f.accept();
    d.gradient_norm = norm(gradient);
    if (t == options_.iterations) break;
    x -= options_.step * gradient;
  }
  d.point = f.take();
  d.converged = true;  // a fixed number of steps was asked for
  return d;
}

}  // namespace mk
