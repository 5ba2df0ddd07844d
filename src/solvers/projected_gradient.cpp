#include "projected_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <deque>

#include "../base/errors.hpp"

namespace mk {

namespace {

constexpr double sufficient = 1e-4;    // share of the predicted decrease that a step must reach
constexpr std::size_t memory = 10;     // values that a spectral step is compared with
constexpr int most_trials = 30;        // of one line search
constexpr double longest_move = 10.0;  // of one step, in units of the largest entry
// A gradient of relative error v needs a value of relative error v^2.
constexpr double error_share = 0.1;

Vector project(const Vector& x) { return x.cwiseMax(0.0); }

class Search {
 public:
  Search(InexactFunction& f, const Vector& start, const ProjectedOptions& options)
      : f_(f), options_(options), unit_(start.maxCoeff()) {
    here_.x = start;
    evaluate_here();
    // The first step moves the largest entry by its own size.
    const double steepest = here_.at.gradient.cwiseAbs().maxCoeff();
    step_ = first_step_ = steepest > 0.0 ? unit_ / steepest : 1.0;
  }

  ProjectedResult run(const std::string& name, const Runtime& runtime) {
    for (Index t = 0; std::isfinite(here_.at.value); ++t) {
      while (!exact_enough() && f_.tighten()) evaluate_here();
      here_.converged = here_.violation <= options_.tolerance;
      if (here_.converged || t == options_.iterations) break;
      runtime.check_interrupt();
      if (options_.spectral ? spectral_step() : projected_step()) {
        here_.violation = f_.violation(here_.x, here_.at);
        here_.path.push_back(here_.at.value);
      } else if (f_.tighten()) {
        evaluate_here();  // the values were too coarse to tell a descent
      } else {
        break;
      }
      if (runtime.verbose)
        runtime.message(name + ": step " + std::to_string(t + 1) + ", objective " +
                        format_number(here_.at.value) + ", violation " +
                        format_number(here_.violation));
    }
    return std::move(here_);
  }

 private:
  void evaluate_here() {
    here_.at = f_.evaluate(here_.x);
    here_.violation = f_.violation(here_.x, here_.at);
    if (here_.path.empty()) here_.path.push_back(here_.at.value);
    here_.path.back() = here_.at.value;
    recent_.assign(1, here_.at.value);
  }

  bool exact_enough() const {
    const double v = std::min(std::max(here_.violation, options_.tolerance), 1.0);
    return here_.at.error <= error_share * v * v * std::abs(here_.at.value);
  }

  // A move that leaves the neighborhood in which the gradient means anything is cut.
  Vector limited(Vector move) const {
    const double reach = longest_move * std::max(here_.x.maxCoeff(), unit_);
    const double length = move.cwiseAbs().maxCoeff();
    if (length > reach) move *= reach / length;
    return move;
  }

  bool spectral_step() {
    const Vector p = limited(project(here_.x - step_ * here_.at.gradient) - here_.x);
    const double slope = here_.at.gradient.dot(p);
    if (!(slope < 0.0)) return false;
    const double reference = *std::max_element(recent_.begin(), recent_.end()) + here_.at.error;
    double t = 1.0;
    for (int trial = 0; trial < most_trials; ++trial) {
      const Vector x = project(here_.x + t * p);
      InexactValue next = f_.evaluate(x);
      if (next.value <= reference + sufficient * t * slope) {
        choose_step(x - here_.x, next.gradient - here_.at.gradient);
        here_.x = x;
        here_.at = std::move(next);
        recent_.push_back(here_.at.value);
        if (recent_.size() > memory) recent_.pop_front();
        return true;
      }
      // The minimum of the parabola through both values and the slope, within bounds.
      const double bend = next.value - here_.at.value - t * slope;
      const double best = bend > 0.0 ? -0.5 * t * t * slope / bend : 0.1 * t;
      t = std::isfinite(best) ? std::min(std::max(best, 0.1 * t), 0.5 * t) : 0.1 * t;
    }
    return false;
  }

  // The step that fits the change of the gradient best; along a line of negative curvature a
  // longer one than before.
  void choose_step(const Vector& moved, const Vector& bent) {
    const double curvature = moved.dot(bent);
    step_ = curvature > 0.0 ? moved.squaredNorm() / curvature : 4.0 * step_;
    step_ = std::min(std::max(step_, 1e-10 * first_step_), 1e10 * first_step_);
  }

  bool projected_step() {
    for (int trial = 0; trial < most_trials; ++trial) {
      const Vector move = limited(project(here_.x - step_ * here_.at.gradient) - here_.x);
      const double slope = here_.at.gradient.dot(move);
      if (!(slope < 0.0)) return false;
      InexactValue next = f_.evaluate(here_.x + move);
      if (next.value <= here_.at.value + here_.at.error + sufficient * slope) {
        here_.x = project(here_.x + move);
        here_.at = std::move(next);
        if (trial == 0) step_ *= 2.0;
        return true;
      }
      step_ *= 0.5;
    }
    return false;
  }

  InexactFunction& f_;
  const ProjectedOptions& options_;
  double unit_;
  double step_ = 1.0, first_step_ = 1.0;
  ProjectedResult here_;
  std::deque<double> recent_;
};

}  // namespace

ProjectedResult minimize_projected(InexactFunction& f, const Vector& start,
                                   const ProjectedOptions& options, const std::string& name,
                                   const Runtime& runtime) {
  return Search(f, start, options).run(name, runtime);
}

}  // namespace mk
