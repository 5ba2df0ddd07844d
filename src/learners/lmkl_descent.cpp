#include "lmkl_descent.hpp"

#include <cmath>

#include "../base/errors.hpp"
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

LocalSvm solve(LocalProblem& problem, const Gating& gating, const SvmOptions& options,
               const Vector& start) {
  LocalSvm p;
  p.gating = gating;
  p.eta = gating.weights(problem.z, problem.open);
  if (!p.eta.allFinite())
    throw InvalidArgument("The gating model is not finite: scale the columns it sees.");
  LocalKernel q(problem.kernels, p.eta, problem.k, problem.runtime);
  p.svm =
      options.losses.of(problem.data).solve(q, problem.data, options.smo, start, problem.runtime);
  check_solution(p.svm.solved, problem.data.bank, Vector::Ones(problem.data.bank.size()),
                 problem.runtime);
  p.products = q.take_products();
  return p;
}

// dJ/d(parameters): J is the value of a maximum over the coefficients, so these count as fixed
// (Danskin).
Matrix gradient_at(const LocalProblem& problem, const LocalSvm& p) {
  const Matrix c =
      contributions(problem.kernels, p.eta, p.svm.coefficients, p.products, problem.runtime);
  return p.gating.gradient(problem.z, p.eta, c);
}

// The objective as a function of the parameters, for the search.
class PenalizedObjective final : public SmoothFunction {
 public:
  PenalizedObjective(LocalProblem& problem, const Gating& start)
      : problem_(problem), options_(problem.options.svm), gating_(start) {
    Gating neutral = start;
    neutral.neutralize();
    center_ = flat(neutral.parameters);
    if (problem.options.penalty == 0.0) return;
    here_ = solve(problem, neutral, options_, Vector());
    penalty_ = problem.options.penalty * std::abs(here_.objective());
  }

  double evaluate(const Vector& x) override {
    offset_ = x - center_;
    Eigen::Map<Vector>(gating_.parameters.data(), gating_.parameters.size()) = x;
    trial_ = solve(problem_, gating_, options_, here_.svm.coefficients);
    return trial_.objective() + 0.5 * penalty_ * offset_.squaredNorm();
  }
  double error() const override { return trial_.svm.solved.gap; }
  Vector gradient() override { return flat(gradient_at(problem_, trial_)) + penalty_ * offset_; }
  void accept() override { here_ = std::move(trial_); }
  void check() override { problem_.runtime.check_interrupt(); }

  bool tighten() override {
    const SmoResult& solved = here_.svm.solved;
    const double size = solved.gradient.cwiseAbs().maxCoeff();
    if (!solved.converged || options_.smo.tol <= finest * std::max(size, 1e-290)) return false;
    options_.smo.tol *= 0.1;
    return true;
  }

  LocalSvm take() { return std::move(here_); }

 private:
  LocalProblem& problem_;
  SvmOptions options_;
  Gating gating_;
  Vector center_, offset_;
  double penalty_ = 0.0;
  LocalSvm trial_, here_;
};

Descent searched_steps(LocalProblem& problem, const Gating& start) {
  LbfgsOptions options;
  options.iterations = problem.options.iterations;
  options.tolerance = problem.options.tolerance;
  PenalizedObjective f(problem, start);
  LbfgsResult found = minimize_lbfgs(f, flat(start.parameters), options);
  Descent d;
  d.point = f.take();
  d.path = std::move(found.path);
  d.gradient_norm = norm(found.gradient);
  d.converged = found.end == LbfgsEnd::stationary;
  d.at_limit = found.end == LbfgsEnd::iterations;
  return d;
}

Descent fixed_steps(LocalProblem& problem, const Gating& start) {
  PenalizedObjective f(problem, start);
  Vector x = flat(start.parameters);
  Descent d;
  for (Index t = 0;; ++t) {
    f.check();
    d.path.push_back(f.evaluate(x));
    const Vector gradient = f.gradient();
    f.accept();
    d.gradient_norm = norm(gradient);
    if (t == problem.options.iterations) break;
    x -= problem.options.step * gradient;
  }
  d.point = f.take();
  d.converged = true;  // a fixed number of steps was asked for
  return d;
}

}  // namespace

Descent descend(LocalProblem& problem, const Gating& start) {
  return problem.options.line_search ? searched_steps(problem, start) : fixed_steps(problem, start);
}

}  // namespace mk
