#include "smo.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "../base/errors.hpp"
#include "newton_step.hpp"

namespace mk {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// A value within its bounds, and on a bound if nothing but rounding keeps it off. Equality tests
// tell which variables may move, and one that seems free by an error in its last digit would set
// the bias alone when all others are at their bounds. `size`: what the value was computed from.
double settled(double value, double size, double lower, double upper) {
  const double rounding = 4.0 * std::numeric_limits<double>::epsilon() * size;
  if (value >= upper - rounding) return upper;
  return value <= lower + rounding ? lower : value;
}

// The variables in play: the full problem or, after shrinking, a part of it.
class ActiveSet {
 public:
  ActiveSet(QMatrix& q, const SmoProblem& problem, const Runtime& runtime)
      : q_(q), problem_(problem), runtime_(runtime) {}

  // Takes over the given variables with their coefficients and gradients. `narrow`: their columns
  // are in single precision.
  void load(const Indices& variables, const Vector& beta, const Vector& gradient,
            bool narrow = false) {
    variables_ = variables;
    narrow_ = narrow;
    const Index n = size();
    for (Vector* v : {&beta_, &gradient_, &lower_, &upper_, &half_diagonal_, &up_, &low_})
      v->resize(n);
    for (Index i = 0; i < n; ++i) {
      const Index v = variables_[at(i)];
      beta_[i] = beta[v];
      gradient_[i] = gradient[v];
      lower_[i] = problem_.lower[v];
      upper_[i] = problem_.upper[v];
      const double diagonal = q_.diagonal(v);  // rounded as the columns are
      half_diagonal_[i] =
          0.5 * (narrow ? static_cast<double>(static_cast<float>(diagonal)) : diagonal);
      set_penalties(i);
    }
    boundary_ = n;
    if (problem_.second >= 0)
      boundary_ = std::lower_bound(variables_.begin(), variables_.end(), problem_.second) -
                  variables_.begin();
    for (int g = 0; g < 2; ++g) extremes_[g] = runtime_.simd->smo_scan(arrays(g));
  }

  Index size() const { return static_cast<Index>(variables_.size()); }
  double violation() const { return std::max(violation(0), violation(1)); }
  // Below this the gradients are rounding errors of K b, and steps on them go round in circles.
  double rounding() const {
    const double unit = narrow_ ? static_cast<double>(std::numeric_limits<float>::epsilon())
                                : std::numeric_limits<double>::epsilon();
    return 2.0 * unit * half_diagonal_.cwiseAbs().maxCoeff() * beta_.lpNorm<1>();
  }
  bool indefinite() const { return indefinite_; }
  // By how much the objective has fallen since the last call.
  double take_gain() { return std::exchange(gain_, 0.0); }
  const Indices& variables() const { return variables_; }
  bool narrow() const { return narrow_; }

  // One step on the best pair; false if no pair can move any more.
  bool step() {
    if (narrow_) return step([this](Index position) { return q_.narrow_column(position); });
    return step([this](Index position) { return q_.column(position); });
  }

  Index free_variables() const {
    Index count = 0;
    for (Index i = 0; i < size(); ++i) count += is_free(i);
    return count;
  }

  // Newton's step on the free variables, as far as their bounds allow. True if it could be taken
  // and a bound was in its way, so that another one, with fewer variables, is worth trying.
  bool newton_step() {
    Indices free;
    Index in_first = 0;
    for (Index i = 0; i < size(); ++i)
      if (is_free(i)) {
        free.push_back(i);
        in_first += i < boundary_;
      }
    const Index count = static_cast<Index>(free.size());
    if (count < 2) return false;
    runtime_.check_interrupt();
    Matrix k(count, count);
    Vector slope(count);
    for (Index a = 0; a < count; ++a) {
      const double* column = q_.column(free[at(a)]);
      for (Index b = 0; b < count; ++b) k(b, a) = column[free[at(b)]];
      slope[a] = gradient_[free[at(a)]];
    }
    const Vector d = newton_direction(k, slope, in_first);
    if (d.size() == 0 || !(slope.dot(d) < 0.0)) return false;
    Vector change = Vector::Zero(size());  // K d
    double curvature = 0.0, room = infinity;
    for (Index a = 0; a < count; ++a)
      runtime_.simd->axpy(d[a], q_.column(free[at(a)]), change.data(), size());
    for (Index a = 0; a < count; ++a) {
      const Index i = free[at(a)];
      curvature += d[a] * change[i];
      if (d[a] != 0.0)
        room = std::min(room, ((d[a] > 0.0 ? upper_[i] : lower_[i]) - beta_[i]) / d[a]);
    }
    const double wanted = curvature > 0.0 ? -slope.dot(d) / curvature : infinity;
    const double length = std::min(wanted, room);
    if (!(length > 0.0) || std::isinf(length)) return false;
    for (Index a = 0; a < count; ++a) {
      const Index i = free[at(a)];
      const double moved = length * d[a];
      beta_[i] =
          settled(beta_[i] + moved, std::abs(beta_[i]) + std::abs(moved), lower_[i], upper_[i]);
      set_penalties(i);
    }
    gain_ -= length * (slope.dot(d) + 0.5 * curvature * length);
    runtime_.simd->axpy(length, change.data(), gradient_.data(), size());
    for (int g = 0; g < 2; ++g) extremes_[g] = runtime_.simd->smo_scan(arrays(g));
    return room <= wanted;
  }

  // Variables at a bound whose gradient pushes them against it by more than the present
  // violation are not expected to move again.
  Indices likely_to_move() const {
    Indices keep;
    for (Index i = 0; i < size(); ++i) {
      const SmoExtremes& extremes = extremes_[i < boundary_ ? 0 : 1];
      const bool only_up = low_[i] != 0.0, only_low = up_[i] != 0.0;
      const bool idle = (only_up && gradient_[i] > extremes.low_value) ||
                        (only_low && gradient_[i] < extremes.up_value) || (only_up && only_low);
      if (!idle) keep.push_back(variables_[at(i)]);
    }
    return keep;
  }

  void save(Vector& beta, Vector& gradient) const {
    for (Index i = 0; i < size(); ++i) {
      beta[variables_[at(i)]] = beta_[i];
      gradient[variables_[at(i)]] = gradient_[i];
    }
  }

 private:
  template <class Columns>
  bool step(const Columns& column) {
    const int group = violation(1) > violation(0) ? 1 : 0;
    const Index first = group == 0 ? 0 : boundary_;
    if (extremes_[group].up_index < 0) return false;
    const Index i = first + extremes_[group].up_index;
    const auto* column_i = column(i);
    const Index found = partner(arrays(group), column_i + first, gradient_[i], half_diagonal_[i]);
    if (found < 0) return false;
    const Index j = first + found;
    const double half_i = half_diagonal_[i], half_j = half_diagonal_[j];
    const double curvature = 2.0 * (half_i + half_j - static_cast<double>(column_i[j]));
    // Beyond the rounding of the column.
    const double rounding = narrow_ ? 1e-6 : 1e-10;
    if (curvature < -2.0 * rounding * (std::abs(half_i) + std::abs(half_j))) indefinite_ = true;
    const double slope = gradient_[j] - gradient_[i];  // > 0
    const double room_i = upper_[i] - beta_[i];
    const double room_j = beta_[j] - lower_[j];
    const double step = std::min(slope / std::max(curvature, 1e-12), std::min(room_i, room_j));
    if (step == 0.0) return false;  // the curvature is out of the range of numbers
    const double size_i = std::abs(beta_[i]) + step, size_j = std::abs(beta_[j]) + step;
    beta_[i] = step == room_i ? upper_[i] : settled(beta_[i] + step, size_i, lower_[i], upper_[i]);
    beta_[j] = step == room_j ? lower_[j] : settled(beta_[j] - step, size_j, lower_[j], upper_[j]);
    gain_ += step * (slope - 0.5 * curvature * step);
    set_penalties(i);
    set_penalties(j);
    const auto* column_j = column(j);
    extremes_[0] = update(arrays(0), column_i, column_j, step);
    if (boundary_ < size())
      extremes_[1] = update(arrays(1), column_i + boundary_, column_j + boundary_, step);
    return true;
  }
  Index partner(const SmoArrays& s, const double* column, double gradient, double half) const {
    return runtime_.simd->smo_partner(s, column, gradient, half);
  }
  Index partner(const SmoArrays& s, const float* column, double gradient, double half) const {
    return runtime_.simd->smo_partner_narrow(s, column, gradient, half);
  }
  SmoExtremes update(const SmoArrays& s, const double* i, const double* j, double step) const {
    return runtime_.simd->smo_update(s, i, j, step);
  }
  SmoExtremes update(const SmoArrays& s, const float* i, const float* j, double step) const {
    return runtime_.simd->smo_update_narrow(s, i, j, step);
  }
  double violation(int group) const {
    const double v = extremes_[group].low_value - extremes_[group].up_value;
    return std::isnan(v) ? infinity : std::max(v, 0.0);
  }
  bool is_free(Index i) const { return up_[i] == 0.0 && low_[i] == 0.0; }
  SmoArrays arrays(int group) {
    const Index first = group == 0 ? 0 : boundary_;
    return {gradient_.data() + first, half_diagonal_.data() + first, up_.data() + first,
            low_.data() + first, group == 0 ? boundary_ : size() - boundary_};
  }
  void set_penalties(Index i) {
    up_[i] = beta_[i] < upper_[i] ? 0.0 : infinity;
    low_[i] = beta_[i] > lower_[i] ? 0.0 : -infinity;
  }

  QMatrix& q_;
  const SmoProblem& problem_;
  const Runtime& runtime_;
  Indices variables_;
  Vector beta_, gradient_, lower_, upper_, half_diagonal_, up_, low_;
  Index boundary_ = 0;  // where the second group starts
  SmoExtremes extremes_[2] = {{-1, 0.0, 0.0}, {-1, 0.0, 0.0}};
  double gain_ = 0.0;
  bool indefinite_ = false, narrow_ = false;
};

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

// Whether the numbers of the matrix and sums of them are far from the ends of the range of floats.
bool fits_single_precision(const QMatrix& q) {
  double largest = 0.0;
  for (Index i = 0; i < q.size(); ++i) largest = std::max(largest, std::abs(q.diagonal(i)));
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
    const double slack = 1e-9 * (1.0 + std::abs(total));
    if (!(p.lower.segment(first, last - first).sum() <= total + slack &&
          total - slack <= p.upper.segment(first, last - first).sum()))
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

// Squares of slopes above this overflow: the choice of pairs is blind, and the end would be far.
constexpr double blinding = 1e150;

SmoResult solve_smo(QMatrix& q, const SmoProblem& problem, const Vector& start,
                    const SmoOptions& options, const Runtime& runtime) {
  check_problem(q, problem);
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

}  // namespace mk
