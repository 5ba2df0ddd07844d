#include "lbfgs.hpp"

#include <algorithm>
#include <cmath>

#include "../base/random.hpp"

namespace mk {

namespace {

constexpr std::size_t memory = 20;    // pairs of steps and changes of the gradient
constexpr int most_trials = 20;       // of one line search
constexpr double longest_step = 2.0;  // Euclidean, of one iteration
constexpr double shortest = 1e-6;     // step, relative to the one that was proposed
constexpr double sufficient = 1e-4;   // share of the predicted decrease that a step must reach
constexpr double curvature = 0.9;     // share of the slope that may be left at the end of a step
constexpr double error_share = 0.1;   // of a value, relative to the decrease that is looked for
// A value that falls by less than this share of itself in so many iterations has come to rest.
constexpr double rest = 1e-5;
constexpr std::size_t resting_time = 25;
// Gradients around a kink: at most so many, so near; their combination is never as short as the
// gradient at a smooth minimum, so that this multiple of the tolerance is asked for.
constexpr std::size_t most_around = 40;
constexpr double around = 0.1;
constexpr double kink = 100.0;
// Relative gradients below this are rounding of the inner solver, whatever is asked for.
constexpr double finest = 1e-8;
// A start near a saddle must not ask for a gradient of nothing: this share of the value is enough
// for a reference.
constexpr double least_reference = 0.01;
// Pushes away from a stationary point: how many, how far, for how many iterations a lower value is
// looked for, and by what share of the value it must be lower.
constexpr int pushes = 2;
constexpr double push_length = 0.5;
constexpr Index patience = 60;
constexpr double gain = 1e-3;

// Without overflow of the squares. Through a map, as the blocks that Eigen cuts from a vector of
// its own are not aligned as it asks for.
double norm(const Vector& v) { return Eigen::Map<const Vector>(v.data(), v.size()).stableNorm(); }

class Search {
 public:
  Search(SmoothFunction& f, const Vector& start, const LbfgsOptions& options)
      : f_(f), options_(options) {
    here_.x = start;
    evaluate_here();
    here_.path.push_back(value_);
    const double steepness = norm(here_.gradient);
    reference_ = std::max(steepness, least_reference * std::abs(value_));
  }

  LbfgsResult run() {
    descend(options_.iterations, -infinity);
    for (int push = 0; here_.end == LbfgsEnd::stationary && push < pushes; ++push)
      if (leave_saddle(push)) push = -1;  // the new point is pushed anew
    return std::move(here_);
  }

 private:
  // Ends where it is stationary or at rest, after so many iterations, or below a value.
  void descend(Index iterations, double below) {
    here_.end = LbfgsEnd::no_progress;
    for (Index t = 0; !stationary(); ++t) {
      if (t == iterations || value_ < below) {
        here_.end = LbfgsEnd::iterations;
        return;
      }
      bool moved = false;
      while (!(moved = step()) && try_harder()) {
      }
      if (!moved || resting()) {
        if (stationary_kink()) break;
        return;
      }
    }
    here_.end = LbfgsEnd::stationary;
  }

  // A saddle point is stationary as well, and rounding would lead away from it in the end: a push
  // shows whether there is a lower value nearby. If not, the search is where it was.
  bool leave_saddle(int push) {
    const LbfgsResult saddle = here_;
    const double enough = value_ - gain * std::abs(value_);
    const Index left = options_.iterations - static_cast<Index>(here_.path.size() - 1);
    Random random(17, static_cast<std::uint64_t>(push));
    Vector d(here_.x.size());
    for (Index i = 0; i < d.size(); ++i) d[i] = random.uniform() - 0.5;
    if (left <= 0 || !(norm(d) > 0.0)) return false;
    here_.x += push_length / norm(d) * d;
    here_.path.resize(1);
    forget();
    evaluate_here();
    descend(std::min(left, patience), enough);
    if (!(value_ < enough)) {
      here_ = saddle;
      forget();
      evaluate_here();
      return false;
    }
    // The way over the ridge is left out of the path, which never rises.
    std::vector<double> path = saddle.path;
    for (const double value : here_.path)
      if (value < path.back()) path.push_back(value);
    here_.path = std::move(path);
    descend(options_.iterations - static_cast<Index>(here_.path.size() - 1), -infinity);
    return true;
  }

  void forget() {
    memory_.clear();
    recent_.clear();
  }

  struct Pair {
    Vector s, y;
    double rho;
  };
  struct Trial {
    double t = 0.0, value = 0.0;
    Vector gradient;
  };

  void evaluate_here() {
    value_ = f_.evaluate(here_.x);
    error_ = f_.error();
    here_.gradient = f_.gradient();
    f_.accept();
    if (!here_.path.empty()) here_.path.back() = value_;
  }

  bool small() const {
    return norm(here_.gradient) <= std::max(options_.tolerance, finest) * reference_;
  }
  bool exact_enough(double decrease) const { return error_ <= error_share * decrease; }

  // The gradient of an inexact solution may be small by chance: it is confirmed by an exact one.
  bool stationary() {
    if (!small()) return false;
    while (!exact_enough(options_.tolerance * std::abs(value_)) && f_.tighten()) evaluate_here();
    return small();
  }

  bool resting() const {
    const std::vector<double>& path = here_.path;
    return path.size() > resting_time &&
           path[path.size() - 1 - resting_time] - path.back() <= rest * std::abs(path.back());
  }

  bool stationary_kink() const {
    Matrix g(here_.gradient.size(), static_cast<Index>(recent_.size()) + 1);
    Index count = 0;
    g.col(count++) = here_.gradient;
    for (const auto& r : recent_)
      if (norm(r.first - here_.x) <= around) g.col(count++) = r.second;
    return shortest_in_hull(g.leftCols(count)) <= kink * options_.tolerance * reference_;
  }

  // After a line search without success: along the gradient, then with more exact values.
  bool try_harder() {
    if (!memory_.empty()) {
      memory_.clear();
      return true;
    }
    if (!f_.tighten()) return false;
    evaluate_here();
    return true;
  }

  // The two-loop recursion. Without memory a step has length 1.
  Vector direction() const {
    Vector d = -here_.gradient;
    if (memory_.empty()) return d / norm(here_.gradient);
    std::vector<double> a(memory_.size());
    for (std::size_t k = memory_.size(); k-- > 0;) {
      a[k] = memory_[k].rho * memory_[k].s.dot(d);
      d -= a[k] * memory_[k].y;
    }
    d /= memory_.back().rho * memory_.back().y.squaredNorm();
    for (std::size_t k = 0; k < memory_.size(); ++k)
      d += (a[k] - memory_[k].rho * memory_[k].y.dot(d)) * memory_[k].s;
    return d;
  }

  bool step() {
    if (!(norm(here_.gradient) > 0.0)) return false;
    Vector d = direction();
    const double length = norm(d);
    if (!std::isfinite(length)) return false;
    if (length > longest_step) d *= longest_step / length;
    const double slope = here_.gradient.dot(d);
    if (!(slope < 0.0)) return false;
    if (!exact_enough(-slope) && f_.tighten()) {
      evaluate_here();
      return step();
    }
    Trial found;
    if (!search_line(d, slope, found)) return false;
    move_to(found, found.t * d);
    return true;
  }

  // Doubles the step until it is long enough, divides the interval once a step was too long.
  bool search_line(const Vector& d, double slope, Trial& found) {
    const double longest = longest_step / norm(d);
    double low = 0.0, high = infinity, t = 1.0;
    for (int trial = 0; trial < most_trials && t >= shortest; ++trial) {
      f_.check();
      found.t = t;
      found.value = f_.evaluate(here_.x + t * d);
      if (!(found.value <= value_ + sufficient * t * slope)) {
        high = t;
        t = low == 0.0 ? shorter(found, slope) : 0.5 * (low + high);
        continue;
      }
      found.gradient = f_.gradient();
      if (found.gradient.dot(d) >= curvature * slope || t >= longest) return true;
      low = t;
      t = high < infinity ? 0.5 * (low + high) : std::min(longest, 2.0 * t);
    }
    if (low == 0.0) return false;
    // It falls at least, if the slope is not gone.
    found.t = low;
    found.value = f_.evaluate(here_.x + low * d);
    found.gradient = f_.gradient();
    return true;
  }

  // The minimum of the parabola through both values and the slope, within bounds.
  double shorter(const Trial& tried, double slope) const {
    const double t = tried.t, bend = tried.value - value_ - t * slope;
    const double best = -0.5 * t * t * slope / bend;
    return std::isfinite(best) ? std::min(std::max(best, 0.1 * t), 0.5 * t) : 0.1 * t;
  }

  void move_to(Trial& found, const Vector& s) {
    const Vector y = found.gradient - here_.gradient;
    const double sy = s.dot(y);
    if (sy > 1e-10 * norm(s) * norm(y)) {
      if (memory_.size() == memory) memory_.pop_front();
      memory_.push_back({s, y, 1.0 / sy});
    }
    if (recent_.size() == most_around) recent_.pop_front();
    recent_.emplace_back(here_.x, std::move(here_.gradient));
    here_.x += s;
    here_.gradient = std::move(found.gradient);
    value_ = found.value;
    error_ = f_.error();
    f_.accept();
    here_.path.push_back(value_);
  }

  SmoothFunction& f_;
  const LbfgsOptions& options_;
  LbfgsResult here_;
  double value_ = 0.0, error_ = 0.0, reference_ = 0.0;
  std::deque<Pair> memory_;
  std::deque<std::pair<Vector, Vector>> recent_;  // points and their gradients
};

}  // namespace

LbfgsResult minimize_lbfgs(SmoothFunction& f, const Vector& start, const LbfgsOptions& options) {
  return Search(f, start, options).run();
}

// Weight moves from the column of the largest product with the present combination to that of the
// smallest, as far as that shortens it.
double shortest_in_hull(const Matrix& g) {
  const Matrix q = g.transpose() * g;
  const double enough = 1e-12 * q.diagonal().maxCoeff();
  Vector w = Vector::Zero(q.rows());
  w[0] = 1.0;
  Vector product = q.col(0);
  for (int t = 0; t < 10000; ++t) {
    Index from = -1, to = 0;
    product.minCoeff(&to);
    for (Index i = 0; i < w.size(); ++i)
      if (w[i] > 0.0 && (from < 0 || product[i] > product[from])) from = i;
    const double gain = product[from] - product[to];
    const double bend = q(from, from) + q(to, to) - 2.0 * q(from, to);
    if (!(gain > enough) || !(bend > 0.0)) break;
    const double move = std::min(w[from], gain / bend);
    w[from] -= move;
    w[to] += move;
    product += move * (q.col(to) - q.col(from));
  }
  return norm(g * w);
}

}  // namespace mk
