#include "smo.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "../base/errors.hpp"
#include "active_set.hpp"
#include "low_rank_newton.hpp"

namespace mk {

namespace {

// Ends a phase that does not get nearer to its end any more, as rounded columns may lead to.
class Patience {
 public:
  // To be called at intervals with the present violation; true when it is time to stop.
  bool exhausted(double violation) {
    idle_ = violation < least_ ? 0 : idle_ + 1;
    least_ = std::min(least_, violation);
    return idle_ >= 10;
  }

 private:
  double least_ = infinity;
  int idle_ = 0;
};

// Decides when Newton steps are worth their price. They come when steps on pairs have cost `wait_`
// times as much, which is halved if the Newton steps lowered the objective more at the same cost,
// and doubled if they did not: where they do not help they cost a few per cent.
class NewtonSchedule {
 public:
  // From scratch the free variables are not known until most variables had their turn.
  NewtonSchedule(Index n, bool warm) : until_(warm ? 8 : std::max<Index>(n, 100)) {
    steps_ = until_;
  }

  // To be called after each step on a pair.
  void after_step(ActiveSet& active, double tol) {
    if (--until_ > 0 || active.violation() <= tol) return;
    const double spent = static_cast<double>(steps_) * step_price(active);
    const double lacking = wait_ * newton_price(active) - spent;
    if (lacking > 0.0) {
      postpone(lacking / step_price(active));
      return;
    }
    const double pairs_gain = active.take_gain();
    double cost = 0.0;
    bool worth_another = true;
    for (int round = 0; round < most_rounds && worth_another && active.violation() > tol; ++round) {
      const double price = newton_price(active);
      if (cost > 0.0 && cost + price > spent) break;
      cost += price;
      worth_another = active.newton_step();
    }
    const bool pays = active.take_gain() * spent > pairs_gain * cost;
    wait_ = pays ? std::max(0.5 * wait_, shortest_wait) : std::min(2.0 * wait_, longest_wait);
    steps_ = 0;
    postpone(wait_ * newton_price(active) / step_price(active));
  }

 private:
  void postpone(double steps) {
    until_ = static_cast<Index>(std::min(std::max(steps, 8.0), 1e6));
    steps_ += until_;
  }
  // In multiplications: two passes over some arrays, and a Cholesky decomposition with the
  // columns for the gradient.
  static double step_price(const ActiveSet& a) {
    return 4.0 * static_cast<double>(a.size()) + 50.0;
  }
  static double newton_price(const ActiveSet& a) {
    const double free = static_cast<double>(a.free_variables());
    if (free > most_free) return infinity;
    return free * (free * free / 6.0 + 4.0 * free + static_cast<double>(a.size())) + 3000.0;
  }
  static constexpr int most_rounds = 20;
  static constexpr double most_free = 1200.0;  // 12 MB, and interrupts are looked for in between
  static constexpr double shortest_wait = 1.0, longest_wait = 32.0;
  double wait_ = 4.0;
  Index until_;
  Index steps_;  // on pairs since the last Newton step, up to the next look
};

// Not finite if one of them is not. That of a matrix of low rank is about as large.
double largest_diagonal(const QMatrix& q) {
  double largest = 0.0;
  const LowRankForm form = q.low_rank();
  if (form.z != nullptr)
    return form.scale * form.z->largest() +
           (form.ridge.size() > 0 ? form.ridge.cwiseAbs().maxCoeff() : 0.0);
  for (Index i = 0; i < q.size(); ++i) {
    const double size = std::abs(q.diagonal(i));
    if (!std::isfinite(size)) return size;
    largest = std::max(largest, size);
  }
  return largest;
}

// Whether the numbers of the matrix and sums of them are far from the ends of the range of floats.
bool fits_single_precision(const QMatrix& q) {
  const double largest = largest_diagonal(q);
  return largest > 1e-25 && largest < 1e25;
}

void trace(double iterations, const ActiveSet& active, Index n, const Runtime& runtime) {
  runtime.message("smo: iteration " + format_number(iterations) + ", " +
                  std::to_string(active.size()) + " of " + std::to_string(n) +
                  " variables active, violation " + format_number(active.violation()));
}

// Squares of slopes above this overflow: the choice of pairs is blind, and the end would be far.
constexpr double blinding = 1e150;

// One run of the solver: steps on the active variables, shrinking, and looks at the full problem.
class SmoRun {
 public:
  SmoRun(QMatrix& q, const SmoProblem& problem, const Vector& start, const SmoOptions& options,
         const Runtime& runtime)
      : q_(q),
        problem_(problem),
        options_(options),
        runtime_(runtime),
        n_(q.size()),
        interval_(static_cast<double>(std::min<Index>(n_, 1000))),
        until_shrink_(interval_),
        strict_(options.tol < 1e-5),
        active_(q, problem, runtime),
        newton_(n_, start.size() == n_) {
    result_.beta = make_feasible(problem, start.size() == n_ ? start : Vector::Zero(n_));
    result_.gradient = -problem.linear;
    if (result_.beta.isZero(0.0)) q.activate({});
    else refresh_all();
    active_.load(all_rows(n_), result_.beta, result_.gradient);
    may_narrow_ = options.tol >= 1e-4 && fits_single_precision(q);
  }

  SmoResult solve() {
    while (true) {
      descend();
      active_.save(result_.beta, result_.gradient);
      if (active_.size() == n_ && (!strict_ || checked_++ == 3)) break;
      look_at_all();
      if (result_.iterations >= options_.max_iter ||
          (strict_ && active_.violation() <= options_.tol))
        break;
    }
    result_.indefinite = active_.indefinite();
    certify(problem_, result_);
    q_.remember(result_.beta, result_.gradient + problem_.linear);
    result_.converged = result_.violation <= options_.tol;
    if (runtime_.verbose) report();
    return std::move(result_);
  }

 private:
  // Steps until the active variables are optimal or no step helps any more.
  void descend() {
    while (active_.violation() > options_.tol && result_.iterations < options_.max_iter &&
           !stuck_) {
      stuck_ = !active_.step();
      ++result_.iterations;
      newton_.after_step(active_, options_.tol);
      if (static_cast<std::int64_t>(result_.iterations) % 64 == 0) runtime_.check_interrupt();
      if (--until_shrink_ > 0.0) continue;
      until_shrink_ = interval_;
      stuck_ = stuck_ || active_.violation() <= active_.rounding() ||
               active_.violation() > blinding ||
               (active_.narrow() && patience_.exhausted(active_.violation()));
      if (runtime_.verbose) trace(result_.iterations, active_, n_, runtime_);
      if (!stuck_ && options_.shrinking) shrink();
    }
  }

  void shrink() {
    const Indices keep = active_.likely_to_move();
    // Below 80 % the smaller problem pays for the copy of its matrix.
    if (static_cast<double>(keep.size()) >= 0.8 * static_cast<double>(active_.size()) ||
        keep.size() < 2)
      return;
    active_.save(result_.beta, result_.gradient);
    const bool narrow = may_narrow_ && q_.activate_narrow(keep);
    if (was_narrow_ && !narrow) {  // the smaller problem must not inherit rounded gradients
      refresh_all();
      may_narrow_ = false;
    }
    if (!narrow) q_.activate(keep);
    was_narrow_ = narrow;
    active_.load(keep, result_.beta, result_.gradient, narrow);
  }

  // Gradients of what was left out, then the full problem.
  void look_at_all() {
    std::vector<bool> wanted(at(n_), true);
    if (was_narrow_) may_narrow_ = was_narrow_ = false;
    else if (!strict_)
      for (Index v : active_.variables()) wanted[at(v)] = false;
    refresh(wanted);
    active_.load(all_rows(n_), result_.beta, result_.gradient);
    until_shrink_ = interval_;
    stuck_ = false;
  }

  // gradient = K b - p where `wanted`; elsewhere it is left alone.
  void refresh(const std::vector<bool>& wanted) {
    q_.activate({});
    const Vector product = q_.multiply(result_.beta, runtime_);
    for (Index i = 0; i < n_; ++i)
      if (wanted[at(i)]) result_.gradient[i] = product[i] - problem_.linear[i];
  }
  void refresh_all() { refresh(std::vector<bool>(at(n_), true)); }

  void report() const {
    runtime_.message("smo: " + std::string(result_.converged ? "converged" : "stopped") +
                     " after " + format_number(result_.iterations) + " iterations, objective " +
                     format_number(result_.objective) + ", gap " + format_number(result_.gap));
  }

  QMatrix& q_;
  const SmoProblem& problem_;
  const SmoOptions& options_;
  const Runtime& runtime_;
  const Index n_;
  const double interval_;
  double until_shrink_;
  // At tight tolerances the rounding errors of many updates count: gradients are computed anew.
  const bool strict_;
  int checked_ = 0;
  ActiveSet active_;
  NewtonSchedule newton_;
  Patience patience_;
  bool stuck_ = false;
  // Columns in single precision bring large problems near their solution, those in double precision
  // the rest of the way.
  bool may_narrow_ = false, was_narrow_ = false;
  SmoResult result_;
};

// The sizes of a problem: of its matrix and of its gradients.
struct Units {
  double kernel = 1.0, slope = 1.0;

  static Units of(const SmoProblem& p, double largest) {
    Units u;
    u.kernel = nearest_power(largest);
    double slope = p.linear.size() > 0 ? p.linear.cwiseAbs().maxCoeff() : 0.0;
    // Without a linear term gradients are as large as K b.
    if (!(slope > 0.0)) slope = largest * std::max(std::abs(p.total), std::abs(p.second_total));
    u.slope = nearest_power(slope);
    return u;
  }
  // Squares of gradients times entries of the matrix are far from the ends of the range of numbers.
  bool usual() const { return kernel > 1e-60 && kernel < 1e60 && slope > 1e-60 && slope < 1e60; }
  double beta() const { return slope / kernel; }

  // A power of 2 changes no digit.
  static double nearest_power(double x) {
    return x > 0.0 && std::isfinite(x) ? std::exp2(std::round(std::log2(x))) : 1.0;
  }
};

// The same problem in units in which the matrix and the gradients have size 1.
SmoProblem divided(const SmoProblem& problem, const Units& u) {
  // A bound beyond the range of numbers is none.
  const auto within = [&](const Vector& bound) {
    return Vector((bound / u.beta()).cwiseMax(-1e300).cwiseMin(1e300));
  };
  SmoProblem p = problem;
  p.linear = problem.linear / u.slope;
  p.lower = within(problem.lower);
  p.upper = within(problem.upper);
  p.total = problem.total / u.beta();
  p.second_total = problem.second_total / u.beta();
  return p;
}

SmoResult run(QMatrix& q, const SmoProblem& problem, const Vector& start, double largest,
              const SmoOptions& options, const Runtime& runtime) {
  const LowRankForm form = q.low_rank();
  if (form.z != nullptr) return solve_low_rank(form, problem, start, largest, options, runtime);
  return SmoRun(q, problem, start, options, runtime).solve();
}

}  // namespace

SmoResult solve_smo(QMatrix& q, const SmoProblem& problem, const Vector& start,
                    const SmoOptions& options, const Runtime& runtime) {
  check_problem(problem, q.size());
  const double largest = largest_diagonal(q);
  if (!std::isfinite(largest)) {  // no pair could be told from another: there is no solution
    SmoResult none;
    none.beta = Vector::Zero(q.size());
    none.gradient = -problem.linear;
    none.objective = std::numeric_limits<double>::quiet_NaN();
    return none;
  }
  const Units u = Units::of(problem, largest);
  if (u.usual()) return run(q, problem, start, largest, options, runtime);
  RidgedQ scaled(q, 1.0 / u.kernel, Vector::Zero(q.size()));
  SmoOptions inside = options;
  inside.tol = options.tol / u.slope;
  const SmoProblem p = divided(problem, u);
  SmoResult r = run(scaled, p, start / u.beta(), largest / u.kernel, inside, runtime);
  r.beta = (r.beta * u.beta()).cwiseMax(problem.lower).cwiseMin(problem.upper);
  r.gradient *= u.slope;
  certify(problem, r);  // with the bounds as they were given
  return r;
}

}  // namespace mk
