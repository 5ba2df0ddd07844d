#include "smo.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "../base/errors.hpp"
#include "active_set.hpp"

namespace mk {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
std::size_t at(Index i) { return static_cast<std::size_t>(i); }

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
    bool again = true;
    for (int round = 0; round < most_rounds && again && active.violation() > tol; ++round) {
      const double price = newton_price(active);
      if (cost > 0.0 && cost + price > spent) break;
      cost += price;
      again = active.newton_step();
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

// gradient = K b - p where `wanted`; elsewhere it is left alone.
void refresh_gradient(QMatrix& q, const SmoProblem& problem, const Vector& beta,
                      const std::vector<bool>& wanted, Vector& gradient, const Runtime& runtime) {
  const Vector product = q.multiply(beta, runtime);
  for (Index i = 0; i < q.size(); ++i)
    if (wanted[at(i)]) gradient[i] = product[i] - problem.linear[i];
}

// Not finite if one of them is not.
double largest_diagonal(const QMatrix& q) {
  double largest = 0.0;
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

// What can be said of one group of variables from its gradients on the full problem; adds to the
// violation and to the gap, and gives the multiplier of its sum.
double certify_group(const SmoProblem& problem, Index first, Index last, SmoResult& r) {
  double up = infinity, low = -infinity, free_sum = 0.0;
  Index free_count = 0;
  for (Index i = first; i < last; ++i) {
    const bool may_grow = r.beta[i]<problem.upper[i], may_shrink = r.beta[i]> problem.lower[i];
    if (may_grow) up = std::min(up, r.gradient[i]);
    if (may_shrink) low = std::max(low, r.gradient[i]);
    if (may_grow && may_shrink) {
      free_sum += r.gradient[i];
      ++free_count;
    }
  }
  if (std::isfinite(up) && std::isfinite(low)) r.violation = std::max(r.violation, low - up);
  double multiplier = 0.0;  // of the sum: the gradient of every free variable
  // Sums that bound the variables by themselves: at the least gradient the gap is tight.
  if (problem.second >= 0 && std::isfinite(up)) multiplier = up;
  else if (free_count > 0) multiplier = free_sum / static_cast<double>(free_count);
  else if (std::isfinite(up) && std::isfinite(low)) multiplier = 0.5 * (up + low);
  else if (std::isfinite(up)) multiplier = up;
  else if (std::isfinite(low)) multiplier = low;
  // Gap at this multiplier: what each variable alone could still gain within its bounds.
  for (Index i = first; i < last; ++i) {
    const double slope = r.gradient[i] - multiplier;
    r.gap += slope > 0.0 ? slope * (r.beta[i] - problem.lower[i])
                         : slope * (r.beta[i] - problem.upper[i]);
  }
  return multiplier;
}

void certify(const SmoProblem& problem, SmoResult& r) {
  const Index n = r.beta.size(), boundary = problem.second < 0 ? n : problem.second;
  r.violation = r.gap = 0.0;
  r.bias = -certify_group(problem, 0, boundary, r);
  if (boundary < n) certify_group(problem, boundary, n, r);
  r.objective = -0.5 * r.beta.dot(r.gradient - problem.linear);
}

void trace(double iterations, const ActiveSet& active, Index n, const Runtime& runtime) {
  runtime.message("smo: iteration " + format_number(iterations) + ", " +
                  std::to_string(active.size()) + " of " + std::to_string(n) +
                  " variables active, violation " + format_number(active.violation()));
}

void check_problem(const QMatrix& q, const SmoProblem& p) {
  const Index n = q.size();
  if (p.linear.size() != n || p.lower.size() != n || p.upper.size() != n)
    throw InvalidArgument("linear, lower, upper", "of length " + std::to_string(n),
                          std::to_string(p.linear.size()) + ", " + std::to_string(p.lower.size()) +
                              ", " + std::to_string(p.upper.size()));
  for (Index i = 0; i < n; ++i)
    if (!std::isfinite(p.linear[i]) || !std::isfinite(p.lower[i]) || !std::isfinite(p.upper[i]) ||
        p.lower[i] > p.upper[i])
      throw InvalidArgument("lower, upper", "finite, with lower <= upper",
                            format_number(p.lower[i]) + " and " + format_number(p.upper[i]) +
                                " at position " + std::to_string(i + 1));
  const Index boundary = p.second < 0 ? n : p.second;
  const auto reachable = [&](Index first, Index last, double total) {
    const double least = p.lower.segment(first, last - first).sum();
    const double most = p.upper.segment(first, last - first).sum();
    const double slack = 1e-9 * (std::abs(total) + std::abs(least) + std::abs(most));
    if (!(least <= total + slack && total - slack <= most))
      throw InvalidArgument("total", "between the sums of the bounds", format_number(total));
  };
  reachable(0, boundary, p.total);
  reachable(boundary, n, p.second_total);
}

}  // namespace

Vector make_feasible(const SmoProblem& problem, Vector beta) {
  beta = beta.cwiseMax(problem.lower).cwiseMin(problem.upper);
  for (Index i = 0; i < beta.size(); ++i)
    beta[i] = settled(beta[i], std::abs(beta[i]), problem.lower[i], problem.upper[i]);
  const Index n = beta.size(), boundary = problem.second < 0 ? n : problem.second;
  const auto reach = [&](Index first, Index last, double total) {
    double missing = total - beta.segment(first, last - first).sum();
    // What is only the rounding of the sum must not take a variable off its bound.
    const double size = std::abs(total) + beta.segment(first, last - first).cwiseAbs().sum();
    const double least = 1e-14 * size;
    for (Index i = first; i < last && std::abs(missing) > least; ++i) {
      const double moved =
          std::min(std::max(beta[i] + missing, problem.lower[i]), problem.upper[i]);
      missing -= moved - beta[i];
      beta[i] = moved;
    }
  };
  reach(0, boundary, problem.total);
  reach(boundary, n, problem.second_total);
  return beta;
}

namespace {

// Squares of slopes above this overflow: the choice of pairs is blind, and the end would be far.
constexpr double blinding = 1e150;

SmoResult solve_in_units(QMatrix& q, const SmoProblem& problem, const Vector& start,
                         const SmoOptions& options, const Runtime& runtime) {
  const Index n = q.size();
  SmoResult r;
  r.beta = make_feasible(problem, start.size() == n ? start : Vector::Zero(n));
  r.gradient = -problem.linear;
  q.activate({});
  if (!r.beta.isZero(0.0))
    refresh_gradient(q, problem, r.beta, std::vector<bool>(at(n), true), r.gradient, runtime);

  ActiveSet active(q, problem, runtime);
  active.load(all_rows(n), r.beta, r.gradient);
  const double interval = static_cast<double>(std::min<Index>(n, 1000));
  double until_shrink = interval;
  bool stuck = false;
  NewtonSchedule newton(n, start.size() == n);
  // At tight tolerances the rounding errors of many updates count: gradients are computed anew.
  const bool strict = options.tol < 1e-5;
  int checked = 0;
  // Columns in single precision bring large problems near their solution, those in double precision
  // the rest of the way.
  bool may_narrow = options.tol >= 1e-4 && fits_single_precision(q), was_narrow = false;
  Patience patience;
  while (true) {
    while (active.violation() > options.tol && r.iterations < options.max_iter && !stuck) {
      stuck = !active.step();
      ++r.iterations;
      newton.after_step(active, options.tol);
      if (static_cast<std::int64_t>(r.iterations) % 64 == 0) runtime.check_interrupt();
      if (--until_shrink > 0.0) continue;
      until_shrink = interval;
      stuck = stuck || active.violation() <= active.rounding() || active.violation() > blinding ||
              (active.narrow() && patience.exhausted(active.violation()));
      if (runtime.verbose) trace(r.iterations, active, n, runtime);
      if (stuck || !options.shrinking) continue;
      const Indices keep = active.likely_to_move();
      // Below 80 % the smaller problem pays for the copy of its matrix.
      if (static_cast<double>(keep.size()) < 0.8 * static_cast<double>(active.size()) &&
          keep.size() >= 2) {
        active.save(r.beta, r.gradient);
        const bool narrow = may_narrow && q.activate_narrow(keep);
        if (was_narrow && !narrow) {  // the smaller problem must not inherit rounded gradients
          q.activate({});
          refresh_gradient(q, problem, r.beta, std::vector<bool>(at(n), true), r.gradient, runtime);
          may_narrow = false;
        }
        if (!narrow) q.activate(keep);
        was_narrow = narrow;
        active.load(keep, r.beta, r.gradient, narrow);
      }
    }
    active.save(r.beta, r.gradient);
    if (active.size() == n && (!strict || checked++ == 3)) break;
    // Gradients of what was left out, then a look at the full problem.
    std::vector<bool> wanted(at(n), true);
    if (was_narrow) may_narrow = was_narrow = false;
    else if (!strict)
      for (Index v : active.variables()) wanted[at(v)] = false;
    q.activate({});
    refresh_gradient(q, problem, r.beta, wanted, r.gradient, runtime);
    active.load(all_rows(n), r.beta, r.gradient);
    until_shrink = interval;
    stuck = false;
    if (r.iterations >= options.max_iter || (strict && active.violation() <= options.tol)) break;
  }
  r.indefinite = active.indefinite();
  certify(problem, r);
  r.converged = r.violation <= options.tol;
  if (runtime.verbose)
    runtime.message("smo: " + std::string(r.converged ? "converged" : "stopped") + " after " +
                    format_number(r.iterations) + " iterations, objective " +
                    format_number(r.objective) + ", gap " + format_number(r.gap));
  return r;
}

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

}  // namespace

SmoResult solve_smo(QMatrix& q, const SmoProblem& problem, const Vector& start,
                    const SmoOptions& options, const Runtime& runtime) {
  check_problem(q, problem);
  const double largest = largest_diagonal(q);
  if (!std::isfinite(largest)) {  // no pair could be told from another: there is no solution
    SmoResult none;
    none.beta = Vector::Zero(q.size());
    none.gradient = -problem.linear;
    none.objective = std::numeric_limits<double>::quiet_NaN();
    return none;
  }
  const Units u = Units::of(problem, largest);
  if (u.usual()) return solve_in_units(q, problem, start, options, runtime);
  RidgedQ scaled(q, 1.0 / u.kernel, 0.0);
  SmoOptions inside = options;
  inside.tol = options.tol / u.slope;
  const SmoProblem p = divided(problem, u);
  SmoResult r = solve_in_units(scaled, p, start / u.beta(), inside, runtime);
  r.beta = (r.beta * u.beta()).cwiseMax(problem.lower).cwiseMin(problem.upper);
  r.gradient *= u.slope;
  certify(problem, r);  // with the bounds as they were given
  return r;
}

}  // namespace mk
