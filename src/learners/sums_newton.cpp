#include "sums_newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "../base/errors.hpp"

namespace mk {

namespace {

constexpr double flat = 0.3;     // share of the slope at which a step is good enough
constexpr double growth = 2.0;   // of sigma from round to round
constexpr double retreat = 0.1;  // of sigma, where Newton's steps get short
constexpr double short_step = 0.05;
constexpr int most_short = 2;             // such steps in a round
constexpr double smallest_share = 1e-12;  // of the objective that a step must be expected to save
constexpr double inner_share = 0.2;       // of the gap that the minimum over the weights may leave
constexpr double tight_gap = 0.1;         // relative gap of rounded losses, in tolerances
constexpr double rounding_error = 1e-13;
constexpr double smallest_guess = 1e-6;  // step

Vector line_steps() {
  Vector steps(6);
  steps << 1.0, 0.6, 0.35, 0.2, 0.1, 0.03;
  return steps;
}

}  // namespace

SumsNewton::SumsNewton(BlockNorm norm, RowLoss loss, const SumsOptions& options,
                       const Vector& start)
    : norm_(std::move(norm)), loss_(loss), options_(options) {
  x_ = start.size() == norm_.columns() + 1 ? start : Vector::Zero(norm_.columns() + 1);
  request_.loss = loss_;
  request_.sigma = loss_.cost;
  within_ = 0.1;
  ask_here();
}

void SumsNewton::ask_here() {
  request_.w = x_;
  request_.direction.resize(0);
  request_.steps = Vector::Zero(1);
  searching_ = false;
}

void SumsNewton::receive(const RowSums& sums, const Runtime& runtime) {
  ++report_.iterations;
  request_.advance = 0.0;
  const bool finite = std::isfinite(sums.exact) && sums.gradient.allFinite() &&
                      sums.hessian.allFinite() && sums.loss.allFinite();
  if (!finite)
    throw InvalidArgument(
        "The sums over the rows are not finite: scale the features or lower the "
        "cost.");
  if (searching_) follow(sums, runtime);
  else arrive(sums, runtime);
  if (report_.iterations >= static_cast<double>(options_.passes)) done_ = true;
  report_.converged = good_enough();
}

// With the sums at x: done, or a direction and a line to search.
void SumsNewton::arrive(const RowSums& sums, const Runtime& runtime) {
  const double objective = sums.loss[0] + norm_.value(x_);
  const double margin = rounding_error * std::abs(from_objective_);
  if (guess_ > smallest_guess && objective > from_objective_ + margin) {
    // Between two steps it was worse than one of them, or than the beginning of the line.
    guess_ = safe_step_ > 0.0 ? safe_step_ : 0.25 * guess_;
    x_ = from_ + guess_ * direction_;
    if (safe_step_ > 0.0) guess_ = 0.0;
    ask_here();
    return;
  }
  guess_ = 0.0;
  objective_ = objective;
  model_.hessian = sums.hessian;
  model_.gradient = -(sums.gradient.col(0) + sums.gradient.col(1));
  certify(sums);
  report_.path.conservativeResize(report_.path.size() + 1);
  report_.path[report_.path.size() - 1] = primal_;
  if (runtime.verbose)
    runtime.message("pass " + format_number(report_.iterations) + ": objective " +
                    format_number(primal_) + ", gap " + format_number(primal_ - dual_) +
                    ", violation " + format_number(violation_));
  if (good_enough()) {
    done_ = true;
    return;
  }
  if (loss_.is_rounded() && round_off(false)) return;
  search(runtime);
}

// Duality gap and violation of the solution x, from sums over all rows.
void SumsNewton::certify(const RowSums& sums) {
  certified_ = x_;
  const Index r = norm_.columns();
  double total[2] = {sums.gradient(r, 0), -sums.gradient(r, 1)};
  const double less = std::min(total[0], total[1]);
  double linear = 0.0, quadratic = 0.0;
  Vector v = Vector::Zero(r);
  for (int group = 0; group < 2; ++group) {
    const double share = total[group] > 0.0 ? less / total[group] : 0.0;
    linear += share * sums.linear[group];
    quadratic += share * share * sums.quadratic[group];
    v += share * sums.gradient.col(group).head(r);
  }
  quadratic += norm_.conjugate(v);
  double scale = quadratic > 0.0 ? 0.5 * linear / quadratic : 1.0;
  scale = std::max(loss_.is_rounded() ? std::min(scale, 1.0) : scale, 0.0);
  primal_ = sums.exact + norm_.value(x_);
  dual_ = std::max(scale * linear - scale * scale * quadratic, 0.0);
  const double size = total[0] + total[1];
  const double unbalanced = size > 0.0 ? std::abs(total[0] - total[1]) / size : 0.0;
  violation_ = std::max(options_.reach * norm_.residual(x_, model_.gradient.head(r)), unbalanced);
  const double gap = std::max(primal_ - dual_, 0.0);
  report_.objective = dual_;
  report_.gap =
      options_.gap > 0.0 ? gap / std::max(primal_, std::numeric_limits<double>::min()) : gap;
  report_.violation = loss_.is_rounded() || !norm_.is_fixed()
                          ? gap / std::max(primal_, std::numeric_limits<double>::min())
                          : violation_;
}

bool SumsNewton::good_enough() const {
  const double gap = (primal_ - dual_) / std::max(primal_, std::numeric_limits<double>::min());
  if (options_.gap > 0.0) return gap <= options_.gap;
  if (loss_.is_rounded()) return gap <= tight_gap * options_.tol;
  return violation_ <= options_.tol && gap <= options_.tol;
}

// The next round, once the rounded problem is solved well enough (`finished`: as well as it can
// be), or if a problem with less curvature promises longer steps.
bool SumsNewton::round_off(bool finished) {
  const bool stuck = short_steps_ >= most_short;
  if (violation_ > within_ && !stuck && !finished) return false;
  request_.advance = request_.sigma;
  request_.sigma *= stuck ? retreat : growth;
  if (!stuck) within_ = std::max(0.3 * within_, inner_share * options_.tol);
  short_steps_ = 0;
  from_objective_ = infinity;
  ask_here();
  return true;
}

void SumsNewton::search(const Runtime& runtime) {
  // The model around x, as a function of where it goes.
  Quadratic q;
  q.hessian = model_.hessian;
  q.gradient = model_.gradient - model_.hessian.selfadjointView<Eigen::Lower>() * x_;
  // With no row on a rounded part the losses are straight and Newton's method knows no bias: a step
  // that moves decision values by 1.
  const Index bias = norm_.columns();
  const double pull = std::abs(model_.gradient[bias]);
  if (!(model_.hessian(bias, bias) > 0.0) && pull > 0.0) {
    q.hessian(bias, bias) = pull;
    q.gradient[bias] -= pull * x_[bias];
  }
  const double ask = options_.gap > 0.0 ? options_.gap : options_.tol;
  direction_ = norm_.minimize(q, inner_share * std::min(ask, 1e-3), runtime) - x_;
  const Index r = norm_.columns();
  slope_ = model_.gradient.dot(direction_) + norm_.slope(x_.head(r), direction_.head(r));
  if (!(-slope_ > smallest_share * std::abs(objective_))) {
    // Nothing is left but rounding.
    if (loss_.is_rounded()) round_off(true);
    else done_ = true;
    return;
  }
  request_.w = x_;
  request_.direction = direction_;
  request_.steps = line_steps();
  searching_ = true;
}

// Sums along the line: the full step, if it is good enough, with all that is known there; else a
// step between two of those that were tried.
void SumsNewton::follow(const RowSums& sums, const Runtime& runtime) {
  const Index r = norm_.columns();
  const Vector full = x_ + direction_;
  const double there = sums.loss[0] + norm_.value(full);
  const double slope = sums.slope[0] + norm_.slope(full.head(r), direction_.head(r));
  from_ = x_;
  from_objective_ = objective_;
  if (there <= objective_ + rounding_error * std::abs(objective_) && slope <= flat * -slope_) {
    x_ = full;
    ask_here();
    arrive(sums, runtime);
    return;
  }
  guess_ = step_between(sums);
  if (guess_ < short_step) ++short_steps_;
  x_ = from_ + guess_ * direction_;
  ask_here();
}

// Where the slope is 0 by interpolation; `safe_step_` becomes the largest step that is known to be
// lower than where the line begins.
double SumsNewton::step_between(const RowSums& sums) {
  const Index r = norm_.columns();
  double low = 0.0, slope_low = slope_, high = infinity, slope_high = 0.0;
  safe_step_ = 0.0;
  for (Index k = request_.steps.size() - 1; k >= 0; --k) {
    const double t = request_.steps[k];
    const Vector there = from_ + t * direction_;
    const double slope = sums.slope[k] + norm_.slope(there.head(r), direction_.head(r));
    if (sums.loss[k] + norm_.value(there) <= from_objective_) safe_step_ = t;
    if (slope < 0.0) {
      low = t;
      slope_low = slope;
    } else {
      high = t;
      slope_high = slope;
      break;
    }
  }
  if (!std::isfinite(high)) return 1.0;
  return low + (high - low) * slope_low / (slope_low - slope_high);
}

void minimize_sums(std::vector<SumsNewton>& problems, const SumsOracle& oracle,
                   const Runtime& runtime) {
  for (;;) {
    std::vector<Index> open;
    std::vector<SumsRequest> requests;
    for (std::size_t p = 0; p < problems.size(); ++p)
      if (!problems[p].done()) {
        open.push_back(static_cast<Index>(p));
        requests.push_back(problems[p].request());
      }
    if (open.empty()) return;
    runtime.check_interrupt();
    const std::vector<RowSums> sums = oracle(open, requests);
    for (std::size_t k = 0; k < open.size(); ++k) problems[at(open[k])].receive(sums[k], runtime);
  }
}

}  // namespace mk
