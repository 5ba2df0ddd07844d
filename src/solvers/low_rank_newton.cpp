#include "low_rank_newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "../base/errors.hpp"
#include "../base/random.hpp"
#include "low_rank_system.hpp"

namespace mk {

namespace {

constexpr int most_rounds = 60;      // of the proximal point method
constexpr int most_steps = 200;      // Newton steps in a round
constexpr int most_trials = 30;      // on a line
constexpr double flat = 0.1;         // share of the slope at which a line search is good enough
constexpr double rough = 0.02;       // share of the largest gradient that is far
constexpr double growth = 10.0;      // of sigma from round to round
constexpr double inner_share = 0.2;  // of the violation that a round may leave by itself
// Share of a Newton step that may be missing: where losses change their pieces on the way, and
// where the last step has changed none.
constexpr double loose = 0.1;
constexpr double tight = 0.02;
// Variables at a bound stay there for some rounds if their gradient is off 0 by this share of the
// violation.
constexpr double clearly = 0.5;
constexpr double nearer = 0.2;  // from one such margin to the next
// Share of the width of the rounded part of a loss that the first round may be off.
constexpr double rounded_share = 0.06;
// A start is the solution for one in so many examples, as long as that leaves this many for each
// column of Z.
constexpr Index fewer = 8;
constexpr Index least_examples = 8;
constexpr double rough_start = 0.3;  // violation of that solution, of the largest gradient
constexpr Index fewest = 1024;       // in any part
constexpr int most_vain = 5;         // Newton steps without half the gradient: rounding
constexpr std::uint64_t draw_examples = 0x6c6f7772616e6b00ULL;

// b_i(mu) = the value in its bounds next to (a_i - mu) / r_i, for the variables of one sum.
struct Responses {
  const Vector& target;   // a
  const Vector& inverse;  // 1 / r; 0 for variables whose bounds leave no room
  const SmoProblem& problem;

  double value(Index v, double mu) const {
    if (inverse[v] == 0.0) return problem.lower[v];
    const double free = (target[v] - mu) * inverse[v];
    return std::min(std::max(free, problem.lower[v]), problem.upper[v]);
  }
  bool inside(Index v, double b) const {
    return inverse[v] != 0.0 && b > problem.lower[v] && b < problem.upper[v];
  }
};

// The multiplier mu at which the b_i(mu) of the variables first..last-1 have this total, by
// Newton's method between brackets: their sum falls, and is piecewise linear.
double find_multiplier(const Responses& r, Index first, Index last, double total, double mu) {
  double low = -infinity, high = infinity, step = 1.0;
  for (int trial = 0; trial < 400; ++trial) {
    double sum = -total, size = std::abs(total), slope = 0.0;
    for (Index v = first; v < last; ++v) {
      const double b = r.value(v, mu);
      sum += b;
      size += std::abs(b);
      if (r.inside(v, b)) slope += r.inverse[v];
    }
    if (std::abs(sum) <= 4.0 * std::numeric_limits<double>::epsilon() * size) break;
    (sum > 0.0 ? low : high) = mu;
    double next = slope > 0.0 ? mu + sum / slope : std::numeric_limits<double>::quiet_NaN();
    if (!(next > low && next < high)) {
      if (std::isfinite(low) && std::isfinite(high)) next = 0.5 * (low + high);
      else next = mu + (sum > 0.0 ? step : -step);
      step *= 2.0;
    }
    if (next == mu || next == low || next == high) break;
    mu = next;
  }
  return mu;
}

class LowRankNewton {
 public:
  LowRankNewton(const LowRankForm& q, const SmoProblem& problem, const Vector& start,
                double largest, const SmoOptions& options, const Runtime& runtime)
      : z_(*q.z),
        root_(std::sqrt(q.scale)),
        problem_(problem),
        options_(options),
        runtime_(runtime),
        n_(z_.examples()),
        size_(problem.linear.size()),
        ridge_(q.ridge.size() > 0 ? q.ridge : Vector::Zero(size_)),
        reach_(std::sqrt(std::max(largest, 0.0))),
        bounds_{0, size_},
        system_(z_, q.scale, runtime) {
    if (problem.second >= 0) bounds_ = {0, problem.second, size_};
    mu_ = Vector::Zero(static_cast<Index>(bounds_.size()) - 1);
    cornered_ = false;
    for (Index v = 0; v < size_; ++v)
      cornered_ = cornered_ || (!(ridge_[v] > 0.0) && problem.lower[v] < problem.upper[v]);
    const bool known = start.size() == size_ && !start.isZero(0.0);
    b_ = make_feasible(problem, known ? start : Vector::Zero(size_));
    fixed_ = b_.isZero(0.0) ? Vector::Zero(z_.columns()) : z_.backward(fold(b_));
    summed_ = b_;
    w_ = root_ * fixed_;
    f_ = Vector::Zero(n_);
    if (!known && warm_up(largest)) return;
    cold_ = !known;
    if (!b_.isZero(0.0)) f_ = root_ * z_.forward(w_);
    sigma_ = first_sigma();
  }

  SmoResult solve() {
    double sigma = sigma_, within = inner_share * std::max(options_.tol, 1e-2);
    // What is rounded is off by more.
    if (cornered_) within = std::max(within, rounded_share * width() / sigma);
    double before = 0.0, last = 0.0, margin = infinity;  // the first two: violations
    SmoResult best;
    int idle = 0;
    for (int round = 0; round < most_rounds && idle < 4; ++round, sigma *= growth) {
      // Those that wait may hinder the others.
      const bool stuck = round > 1 && last > 0.5 * before;
      // Later rounds concern few more than those that are out of order.
      if (round > 0) margin = std::min(clearly * last, nearer * margin);
      if (round == 0 || stuck || !settle(sigma, margin)) {
        round_off(cornered_ ? 1.0 / sigma : 0.0);
        descend(within);
      }
      SmoResult r = conclude();
      if (runtime_.verbose) report(r);
      idle = round > 0 && !(r.violation < best.violation) ? idle + 1 : 0;
      const double violation = r.violation;
      before = last;
      last = violation;
      if (round == 0 || r.violation <= best.violation) best = std::move(r);
      if (enough(best) || best.iterations >= options_.max_iter || !std::isfinite(violation)) break;
      within = next_within(within, best);
    }
    best.iterations = steps_;
    best.converged = best.violation <= options_.tol;
    return best;
  }

 private:
  // Both variables of an example, as one number.
  Vector fold(const Vector& b) const { return fold(b, n_); }
  static Vector fold(const Vector& b, Index n) {
    return b.size() == n ? b : Vector(b.head(n) + b.tail(n));
  }
  double group_total(Index g) const { return g == 0 ? problem_.total : problem_.second_total; }
  Index groups() const { return mu_.size(); }

  // The gap falls with the gradient.
  double next_within(double within, const SmoResult& r) const {
    if (r.violation > options_.tol) return std::min(0.1 * within, inner_share * r.violation);
    const double share = 0.3 * options_.tol * std::abs(r.objective) / r.gap;
    return within * std::min(std::max(share, 1e-3), 0.1);
  }

  // Z'b: of the last b and what has changed since, if that is less.
  const Vector& summed() {
    Vector change = fold(b_) - fold(summed_);
    const Vector now = fold(b_);
    if (2 * (change.array() != 0.0).count() < (now.array() != 0.0).count())
      fixed_ += z_.backward(change);
    else fixed_ = z_.backward(now);
    summed_ = b_;
    return fixed_;
  }

  // Whether parts of the examples are worth a solution of their own.
  bool many() const { return n_ / fewer >= std::max(least_examples * z_.columns(), fewest); }

  // Starts from the solution for a part of the examples, if there are so many that it is worth it:
  // they stand for all.
  bool warm_up(double largest) {
    if (!many()) return false;
    const Index count = n_ / fewer;
    Random random(0, draw_examples);
    Indices rows(at(count));
    for (Index k = 0; k < count; ++k) rows[at(k)] = k * fewer + random.below(fewer);
    const Indices variables = both(rows);
    const double each = static_cast<double>(fewer);
    SmoProblem p = part_of(variables);
    p.lower *= each;
    p.upper *= each;
    if (!reachable(p)) return false;
    const std::unique_ptr<LowRank> z = z_.part(rows);
    const LowRankForm form = {z.get(), root_ * root_, take(ridge_, variables) / each, size_ / n_};
    SmoOptions options = options_;
    // As far as the first round of all examples needs it.
    const double slope = cornered_ ? rough_start * width() / first_sigma() : 1e-2;
    if (std::isfinite(slope)) options.tol = std::max(options.tol, slope);
    LowRankNewton part(form, p, Vector(), largest, options, runtime_);
    part.solve();
    start_from(part);
    return true;
  }

  // The variables that may leave their bounds, or are not at them, are brought to the solution
  // while the others wait; false if these are too few.
  bool settle(double sigma, double margin) {
    if (!cornered_ || n_ < 2 * fewest) return false;
    const Indices rows = open_rows(margin), variables = both(rows);
    if (rows.empty() || 2 * static_cast<Index>(rows.size()) > n_) return false;
    const std::unique_ptr<LowRank> z = z_.part(rows);
    const LowRankForm form = {z.get(), root_ * root_, take(ridge_, variables), size_ / n_};
    const Vector own = take(b_, variables);
    const SmoProblem p = open_problem(*z, variables, own);
    if (!reachable(p)) return false;
    LowRankNewton part(form, p, own, reach_ * reach_, options_, runtime_);
    part.b_ = own;  // the center, of any sum
    part.sigma_ = sigma;
    part.mu_ = mu_;
    part.whole_ = false;
    part.solve();
    for (std::size_t k = 0; k < variables.size(); ++k)
      b_[variables[k]] = part.b_[static_cast<Index>(k)];
    mu_ = part.mu_;
    steps_ += part.steps_;
    return true;
  }

  // That of some variables, with values `own`, while the others keep theirs.
  SmoProblem open_problem(const LowRank& z, const Indices& variables, const Vector& own) {
    SmoProblem p = part_of(variables);
    const Vector rest = summed() - z.backward(fold(own, z.examples()));
    p.linear -= (root_ * root_ * z.forward(rest)).replicate(size_ / n_, 1);
    const Index boundary = p.second < 0 ? own.size() : p.second;
    p.total += own.head(boundary).sum() - b_.head(bounds_[1]).sum();
    p.second_total += own.tail(own.size() - boundary).sum() - b_.tail(size_ - bounds_[1]).sum();
    return p;
  }

  // The problem of some variables.
  SmoProblem part_of(const Indices& variables) const {
    SmoProblem p = problem_;
    p.linear = take(problem_.linear, variables);
    p.lower = take(problem_.lower, variables);
    p.upper = take(problem_.upper, variables);
    if (problem_.second >= 0)
      p.second =
          std::lower_bound(variables.begin(), variables.end(), problem_.second) - variables.begin();
    return p;
  }

  // The variables of some examples.
  Indices both(const Indices& rows) const {
    Indices variables;
    for (Index c = 0; c < size_ / n_; ++c)
      for (const Index row : rows) variables.push_back(row + c * n_);
    return variables;
  }

  // Examples with a variable that is not clearly at its bound.
  Indices open_rows(double margin) const {
    std::vector<bool> open(at(n_), false);
    for (Index g = 0; g < groups(); ++g)
      for (Index v = bounds_[at(g)]; v < bounds_[at(g) + 1]; ++v) {
        if (!(problem_.lower[v] < problem_.upper[v])) continue;
        const double slope = problem_.linear[v] - f_[v % n_] - ridge_[v] * b_[v] - mu_[g];
        const bool low = b_[v] <= problem_.lower[v] && slope < -margin;
        const bool high = b_[v] >= problem_.upper[v] && slope > margin;
        if (!low && !high) open[at(v % n_)] = true;
      }
    Indices rows;
    for (Index i = 0; i < n_; ++i)
      if (open[at(i)]) rows.push_back(i);
    return rows;
  }

  // Each total between the sums of the bounds, with room to spare.
  static bool reachable(const SmoProblem& p) {
    const Index n = p.linear.size(), boundary = p.second < 0 ? n : p.second;
    const auto between = [&](Index first, Index last, double total) {
      const double least = p.lower.segment(first, last - first).sum();
      const double most = p.upper.segment(first, last - first).sum();
      return (least < total && total < most) || (least == total && most == total);
    };
    return between(0, boundary, p.total) && (boundary == n || between(boundary, n, p.second_total));
  }

  // The center of the first round is halfway between the bounds for examples on the margin, from
  // where a rounding that is as wide as the part's errors are large reaches both.
  void start_from(const LowRankNewton& part) {
    w_ = part.w_;
    mu_ = part.mu_;
    f_ = root_ * z_.forward(w_);
    sigma_ = growth * first_sigma();
    for (Index g = 0; g < groups(); ++g)
      for (Index v = bounds_[at(g)]; v < bounds_[at(g) + 1]; ++v) {
        const double slope = problem_.linear[v] - f_[v % n_] - mu_[g];
        const double middle = 0.5 * (problem_.lower[v] + problem_.upper[v]) + sigma_ * slope;
        b_[v] = std::min(std::max(middle, problem_.lower[v]), problem_.upper[v]);
      }
  }

  // At first the rounded part of a loss is about as wide as its gradients are large.
  double width() const {
    const double width = (problem_.upper - problem_.lower).mean();
    const double totals = std::abs(problem_.total) + std::abs(problem_.second_total);
    return totals > 0.0 ? std::min(width, 4.0 * totals / static_cast<double>(size_)) : width;
  }
  double first_sigma() const {
    double slope = problem_.linear.cwiseAbs().maxCoeff();
    if (!(slope > 0.0)) slope = f_.maxCoeff() - f_.minCoeff();
    const double sigma = width() / slope;
    return sigma > 0.0 && std::isfinite(sigma) ? sigma : 1.0;
  }

  // The losses of this round: 1 / sigma more ridge, around the present solution.
  void round_off(double more) {
    inverse_.resize(size_);
    shifted_ = problem_.linear + more * b_;
    for (Index v = 0; v < size_; ++v)
      inverse_[v] = problem_.lower[v] < problem_.upper[v] ? 1.0 / (ridge_[v] + more) : 0.0;
  }

  // The multipliers and b that belong to these decision values.
  void respond(const Vector& f, Vector& mu, Vector& b) const {
    const Vector target = shifted_ - f.replicate(size_ / n_, 1);
    const Responses responses{target, inverse_, problem_};
    for (Index g = 0; g < groups(); ++g) {
      mu[g] = find_multiplier(responses, bounds_[at(g)], bounds_[at(g) + 1], group_total(g), mu[g]);
      for (Index v = bounds_[at(g)]; v < bounds_[at(g) + 1]; ++v) b[v] = responses.value(v, mu[g]);
    }
  }

  // Newton's steps until the decision values are off by no more than `within`.
  void descend(double within) {
    respond(f_, mu_, b_);
    double least = infinity;
    int vain = 0;
    for (int step = 0; step < most_steps && steps_ < options_.max_iter; ++step) {
      const Vector gradient = w_ - root_ * summed();
      const double off = reach_ * gradient.norm();
      // Rounding keeps the gradient from falling below this.
      if (off <= std::max(within, 1e-14 * reach_ * w_.norm()) || !std::isfinite(off)) return;
      vain = off < 0.5 * least ? 0 : vain + 1;
      if (vain > most_vain && off < 1e-6 * reach_ * w_.norm()) return;
      least = std::min(least, off);
      if (!(most_ > 0.0)) most_ = off;
      const bool far = cold_ && off > rough * most_;
      const double tol = std::max(full_step_ ? tight : loose, std::min(loose, 0.3 * within / off));
      const Vector direction = newton_direction(gradient, tol, far);
      if (!(direction.dot(gradient) < 0.0)) return;
      move(direction, gradient);
      ++steps_;
    }
  }

  Vector newton_direction(const Vector& gradient, double tol, bool far) {
    std::vector<Vector> curvatures;
    for (Index g = 0; g < groups(); ++g) {
      Vector own = Vector::Zero(size_);
      for (Index v = bounds_[at(g)]; v < bounds_[at(g) + 1]; ++v)
        if (b_[v] > problem_.lower[v] && b_[v] < problem_.upper[v]) own[v] = inverse_[v];
      curvatures.push_back(fold(own));
    }
    system_.set(std::move(curvatures));
    return system_.solve(-gradient, tol, far);
  }

  // To where the objective is nearly least on the line: its slope grows with t, and at t = 1 it is
  // 0 if no loss changes its piece.
  void move(const Vector& direction, const Vector& gradient) {
    const Vector along = root_ * z_.forward(direction);
    const double at_zero = direction.dot(gradient), curved = direction.squaredNorm();
    const double linear = direction.dot(w_);
    double low = 0.0, high = infinity, slope_low = at_zero, slope_high = 0.0, t = 1.0;
    // Slopes are rounding, and steps too short to change a piece.
    const bool short_step = -at_zero <= 1e-13 * w_.squaredNorm();
    Vector mu = mu_, b = b_;
    for (int trial = 0; trial < most_trials; ++trial) {
      respond(f_ + t * along, mu, b);
      if (short_step) break;
      const double slope = linear + t * curved - along.dot(fold(b));
      if (std::abs(slope) <= flat * std::abs(at_zero) || (slope < 0.0 && t >= 1.0 && trial == 0))
        break;
      if (slope > 0.0) {
        high = t;
        slope_high = slope;
        slope_low *= trial > 1 ? 0.5 : 1.0;  // Illinois: the other end must move, too
      } else {
        low = t;
        slope_low = slope;
        slope_high *= 0.5;
      }
      const double secant = low + (high - low) * slope_low / (slope_low - slope_high);
      t = secant > low && secant < high ? secant : 0.5 * (low + high);
    }
    full_step_ = t == 1.0;
    w_ += t * direction;
    f_ += t * along;
    mu_ = mu;
    b_ = b;
  }

  // The dual solution as it is, whatever the steps have left: totals to the last digit, w and the
  // gradient anew.
  SmoResult conclude() {
    for (Index g = 0; g < groups(); ++g) balance(g);
    fixed_ = z_.backward(fold(b_));
    summed_ = b_;
    w_ = root_ * fixed_;
    f_ = root_ * z_.forward(w_);
    SmoResult r;
    r.beta = b_;
    r.gradient = f_.replicate(size_ / n_, 1) + ridge_.cwiseProduct(b_) - problem_.linear;
    r.iterations = steps_;
    certify(problem_, r);
    return r;
  }

  // The rounding of the total is spread over the variables between their bounds.
  void balance(Index g) {
    const Index first = bounds_[at(g)], last = bounds_[at(g) + 1];
    for (int pass = 0; pass < 3; ++pass) {
      double missing = group_total(g), size = std::abs(missing);
      Indices free;
      for (Index v = first; v < last; ++v) {
        missing -= b_[v];
        size += std::abs(b_[v]);
        if (b_[v] > problem_.lower[v] && b_[v] < problem_.upper[v]) free.push_back(v);
      }
      if (free.empty() || std::abs(missing) <= 1e-15 * size) return;
      const double share = missing / static_cast<double>(free.size());
      for (const Index v : free)
        b_[v] = std::min(std::max(b_[v] + share, problem_.lower[v]), problem_.upper[v]);
    }
  }

  // A gap that is large against the objective would leave the solution of a flat problem far off.
  bool enough(const SmoResult& r) const {
    return r.violation <= options_.tol &&
           (!whole_ || r.gap <= options_.tol * std::abs(r.objective));
  }

  void report(const SmoResult& r) const {
    runtime_.message("features: " + std::to_string(static_cast<Index>(steps_)) +
                     " Newton steps, violation " + format_number(r.violation) + ", objective " +
                     format_number(r.objective) + ", gap " + format_number(r.gap));
  }

  const LowRank& z_;
  const double root_;
  const SmoProblem& problem_;
  const SmoOptions& options_;
  const Runtime& runtime_;
  const Index n_, size_;  // examples and variables
  const Vector ridge_;
  const double reach_;  // the largest change of a decision value by a w of length 1
  Indices bounds_;      // of the variables of each sum
  bool cornered_;       // some variable has no ridge
  Vector mu_, w_, f_, b_;
  Vector fixed_, summed_;   // Z'b of a b
  double sigma_ = 1.0;      // of the first round
  bool whole_ = true;       // not a part of a problem, whose gap tells little
  bool cold_ = false;       // starts from nothing
  bool full_step_ = false;  // the last one was
  double most_ = 0.0;       // of the first gradient
  LowRankSystem system_;
  Vector inverse_, shifted_;  // of this round: 1 / (r + 1 / sigma), p + b / sigma
  double steps_ = 0.0;
};

}  // namespace

SmoResult solve_low_rank(const LowRankForm& q, const SmoProblem& problem, const Vector& start,
                         double largest, const SmoOptions& options, const Runtime& runtime) {
  return LowRankNewton(q, problem, start, largest, options, runtime).solve();
}

}  // namespace mk
