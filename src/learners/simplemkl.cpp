#include "simplemkl.hpp"

#include <algorithm>
#include <cmath>

#include "../base/cholesky.hpp"
#include "../base/parameters.hpp"
#include "../solvers/interior_point.hpp"

namespace mk {

namespace {

using Value = MklProblem::Value;

// The second-order model is formed for at most this many kernels; the rest move together.
constexpr std::size_t most_kernels = 200;
// And of free rows in it: a decomposition takes a fraction of a second.
constexpr std::size_t most_rows = 2500;
// Kernels of weight 0 that join the model, those of steepest descent.
constexpr std::size_t most_joining = 40;
constexpr double sufficient = 1e-4;  // share of the predicted decrease (Armijo)
constexpr double flat = 0.1;         // share of the slope at which a line search is good enough
constexpr int most_trials = 20;
constexpr double negligible = 1e-9;  // weight
constexpr double dust = 5e-8;        // weight that an interior point leaves for 0
constexpr double rounding = 1e-13;   // of a weight

class Descent {
 public:
  Descent(MklSearch& search, bool newton, const Runtime& runtime)
      : search_(search), newton_(newton), runtime_(runtime) {}

  void run() {
    d_ = search_.first_weights();
    value_ = search_.evaluate(d_);
    search_.record(value_.objective);
    while (!search_.done() && !search_.exhausted()) {
      const bool moved = newton_ && newton_step() ? true : gradient_step();
      search_.record(value_.objective);
      if (!moved) {  // the noise of the SVM hides what descent is left
        if (!search_.tighten()) break;
        value_ = search_.evaluate(d_);
      }
    }
  }

 private:
  // ---- the reduced gradient ----------------------------------------------------------------
  bool gradient_step() {
    Index largest, first;
    d_.maxCoeff(&largest);
    Vector direction = reduced_gradient(largest);
    const double before = value_.objective;
    double longest = longest_step(d_, direction, first);
    // As long as the objective falls up to the point where a weight reaches 0, go there and on.
    while (first >= 0) {
      const Vector end = end_of(direction, longest, first);
      search_.aim(d_, end - d_);
      if (!(search_.slope(value_) < 0.0)) break;
      Point there = point_towards(end, 1.0);
      if (!(there.value.objective < value_.objective) || there.slope > 0.0) {
        line_search(end, std::move(there));
        break;
      }
      d_ = std::move(there.d);
      value_ = std::move(there.value);
      if (first == largest) break;  // the reference itself left: the direction is another
      direction[first] = 0.0;
      balance(direction, largest);
      longest = longest_step(d_, direction, first);
    }
    const bool moved = value_.objective < before;
    search_.complete(d_, value_);
    return moved;
  }

  // Where a step along the direction ends, weight `gone` having reached 0. A small direction makes
  // for a long step, and the step multiplies the rounding errors of the direction: the point is
  // brought back to the simplex, and the line to search is the one to this point.
  Vector end_of(const Vector& direction, double length, Index gone) const {
    Vector end = d_ + length * direction;
    end[gone] = 0.0;
    return end.allFinite() ? project(end) : d_;
  }

  // A point on the line from d_ to `end` that search_ is aimed at.
  struct Point {
    Vector d;
    Value value;
    double slope = 0.0;
  };
  Point point_towards(const Vector& end, double share) {
    Point point;
    point.d = share == 1.0 ? end : project(d_ + share * (end - d_));
    point.value = search_.solve_along(point.d, share);
    point.slope = search_.slope(point.value);
    return point;
  }

  // The weights as points of the simplex: what rounding leaves below 0 or next to it is 0, and the
  // sum is 1.
  static Vector project(Vector d, double least = rounding) {
    for (Index m = 0; m < d.size(); ++m)
      if (!(d[m] > least)) d[m] = 0.0;
    return d / d.sum();
  }

  Vector reduced_gradient(Index largest) const {
    Vector direction = 0.5 * (value_.forms.array() - value_.forms[largest]).matrix();
    for (Index m = 0; m < direction.size(); ++m)
      if (d_[m] <= negligible && direction[m] < 0.0) direction[m] = 0.0;
    balance(direction, largest);
    return direction;
  }

  // The weight of the reference takes what the others give up; a sum that is nothing but the
  // rounding of its terms is 0.
  static void balance(Vector& direction, Index reference) {
    direction[reference] = 0.0;
    const double sum = direction.sum(), size = direction.lpNorm<1>();
    if (std::abs(sum) > rounding * size) direction[reference] = -sum;
  }

  static double longest_step(const Vector& d, const Vector& direction, Index& first) {
    double longest = 0.0;
    first = -1;
    for (Index m = 0; m < d.size(); ++m) {
      if (!(direction[m] < 0.0)) continue;
      const double length = -d[m] / direction[m];
      if (first < 0 || length < longest) {
        longest = length;
        first = m;
      }
    }
    return longest;
  }

  // Moves to a point on the way to `end` where the slope is nearly 0, by the secant rule on the
  // slopes kept between brackets (Illinois). `there` is the end, and search_ is aimed at it.
  void line_search(const Vector& end, Point there) {
    double low = 0.0, high = 1.0;
    double slope_low = search_.slope(value_), slope_high = there.slope;
    const double target = flat * std::abs(slope_low);
    Point best = std::move(there);
    int too_far = 0;  // trials in a row
    for (int trial = 0; trial < most_trials; ++trial) {
      if (!(slope_low < 0.0)) break;
      double share = slope_high > 0.0 ? slope_low / (slope_low - slope_high) : 0.5;
      share = std::min(std::max(share, 0.05), 0.95);
      // A kernel of a large size has its best weight next to 0, where the slope is steep: secants
      // of steep and flat slopes stay at the far end.
      if (too_far >= 2) share = std::min(share, 0.1);
      const double length = low + share * (high - low);
      Point point = point_towards(end, length);
      const double objective = point.value.objective, slope = point.slope;
      if (objective < best.value.objective) best = std::move(point);
      if (std::abs(slope) <= target && objective < value_.objective) break;
      if (slope > 0.0 || objective > value_.objective) {
        high = length;
        slope_high = slope > 0.0 ? slope : std::abs(slope_low);
        slope_low *= 0.5;
        ++too_far;
      } else {
        too_far = 0;
        low = length;
        slope_low = slope;
        slope_high *= 0.5;
      }
    }
    if (best.value.objective < value_.objective) {
      value_ = std::move(best.value);
      d_ = std::move(best.d);
    }
  }

  // ---- the second-order model ----------------------------------------------------------------
  bool newton_step() {
    if (!affordable()) return false;
    const Vector direction = newton_direction(working_kernels());
    const double slope = -0.5 * direction.dot(value_.forms);
    if (!(slope < 0.0)) return false;
    const double before = value_.objective;
    Point end;
    end.d = project(d_ + direction, dust);
    end.value = search_.solve(end.d);
    if (end.value.objective <= before + sufficient * slope) {
      d_ = std::move(end.d);
      value_ = std::move(end.value);
    } else {
      const Vector target = end.d;
      search_.aim(d_, target - d_);
      end.slope = search_.slope(end.value);
      line_search(target, std::move(end));
    }
    const bool moved = value_.objective < before;
    search_.complete(d_, value_);
    return moved;
  }

  // The model needs matrices of the free rows, and decomposes one.
  bool affordable() {
    MklProblem& problem = search_.problem();
    return problem.stored() && problem.free_rows(value_.svm.coefficients).size() <= most_rows;
  }

  // What the model is made of: kernels, each with its weight, and the rest, whose weights are
  // multiplied by a common factor.
  struct Working {
    Indices kernels;
    Vector rest;         // weights of the others, 0 for `kernels`
    double total = 0.0;  // of them; 0: there are none
  };
  // Those with a weight, and those of weight 0 that would lower the objective most. If they are too
  // many the ones of least use go to the rest.
  Working working_kernels() const {
    const double mean = d_.dot(value_.forms);
    const auto useful = [&](Index a, Index b) {
      return value_.forms[a] != value_.forms[b] ? value_.forms[a] > value_.forms[b] : a < b;
    };
    Working working;
    Indices joining;
    for (Index m = 0; m < d_.size(); ++m)
      if (d_[m] > 0.0) working.kernels.push_back(m);
      else if (value_.forms[m] > mean) joining.push_back(m);
    std::sort(joining.begin(), joining.end(), useful);
    if (joining.size() > most_joining) joining.resize(most_joining);
    working.kernels.insert(working.kernels.end(), joining.begin(), joining.end());
    std::sort(working.kernels.begin(), working.kernels.end(), useful);
    working.rest = Vector::Zero(d_.size());
    for (std::size_t c = most_kernels; c < working.kernels.size(); ++c)
      working.rest[working.kernels[c]] = d_[working.kernels[c]];
    working.total = working.rest.sum();
    if (working.kernels.size() > most_kernels) working.kernels.resize(most_kernels);
    std::sort(working.kernels.begin(), working.kernels.end());
    return working;
  }

  // With the free rows F and p_m = (K_m b)_F the coefficients move by -A^-1 p_m, A = (K + R)_FF
  // bordered by the sum constraint, so that d2J / dd_m dd_k = p_m' A^-1 p_k. The rest, as one
  // kernel of weight `total`, comes last.
  Matrix hessian(const Working& working) {
    MklProblem& problem = search_.problem();
    const Vector& b = value_.svm.coefficients;
    const Indices rows = problem.free_rows(b);
    const Index f = static_cast<Index>(rows.size()), m = count(working);
    if (f < 2) return Matrix::Zero(m, m);
    Matrix p(f, m + 1);  // and a column of ones
    const Index n_kernels = static_cast<Index>(working.kernels.size());
    p.leftCols(n_kernels) = problem.products(working.kernels, b, rows);
    if (n_kernels < m) {
      const Vector all = (value_.svm.fitted.array() - value_.svm.solved.bias).matrix();  // K(d) b
      p.col(n_kernels) =
          (take(all, rows) - p.leftCols(n_kernels) * take(d_, working.kernels)) / working.total;
    }
    p.col(m).setOnes();
    solve_lower(problem, rows, p);
    // (K + R)_FF = LL': all that is needed are products of the columns of L^-1 [p, 1].
    const Matrix inner = p.transpose() * p;
    Matrix h = inner.topLeftCorner(m, m);
    const Vector border = inner.col(m).head(m);
    if (inner(m, m) > 0.0) h -= border * border.transpose() / inner(m, m);
    return h;
  }

  // Replaces p by L^-1 p. A ridge, larger if need be, makes up for kernels that are not definite.
  void solve_lower(MklProblem& problem, const Indices& rows, Matrix& p) {
    for (double ridge = 1e-9;; ridge *= 100.0) {
      runtime_.check_interrupt();
      Matrix k = problem.hessian(d_, rows);
      k.diagonal().array() += ridge * (k.diagonal().cwiseAbs().mean() + 1e-300);
      const Cholesky factor(k, runtime_);
      if (factor.info() != Eigen::Success && ridge < 1.0) continue;
      factor.matrixL().solveInPlace(p);
      return;
    }
  }

  static Index count(const Working& working) {
    return static_cast<Index>(working.kernels.size()) + (working.total > 0.0 ? 1 : 0);
  }

  Vector newton_direction(const Working& working) {
    const Index m = count(working), n_kernels = static_cast<Index>(working.kernels.size());
    Matrix h = hessian(working);
    Vector gradient(m), from(m);
    gradient.head(n_kernels) = -0.5 * take(value_.forms, working.kernels);
    from.head(n_kernels) = take(d_, working.kernels);
    if (n_kernels < m) {
      gradient[n_kernels] = -0.5 * working.rest.dot(value_.forms) / working.total;
      from[n_kernels] = working.total;
    }
    // The QP in units of the objective; a ridge for kernels that cannot be told apart.
    const double scale = std::max(gradient.cwiseAbs().maxCoeff(), 1e-300);
    h /= scale;
    gradient /= scale;
    h.diagonal().array() += 1e-8 * (h.diagonal().cwiseAbs().mean() + 1.0);
    QpProblem qp;
    qp.linear = gradient - h * from;
    qp.equality = Matrix::Ones(1, m);
    qp.right = Vector::Constant(1, from.sum());
    qp.lower = Vector::Zero(m);
    qp.upper = Vector::Constant(m, 2.0);
    DenseHessian model(std::move(h));
    const QpResult solved = solve_qp(qp, model, runtime_);
    Vector direction = Vector::Zero(d_.size());
    if (!solved.x.allFinite()) return direction;
    for (Index c = 0; c < n_kernels; ++c) direction[working.kernels[at(c)]] = solved.x[c] - from[c];
    if (n_kernels < m) direction += (solved.x[n_kernels] / working.total - 1.0) * working.rest;
    return direction;
  }

  MklSearch& search_;
  const bool newton_;
  const Runtime& runtime_;
  Vector d_;
  Value value_;
};

}  // namespace

MklLearner simplemkl_learner(const State& parameters, const SmoOptions& smo) {
  const bool newton = read_choice(parameters, "direction", {"newton", "gradient"}) == "newton";
  return {"simplemkl", MklOptions::read(parameters, smo),
          [newton](MklSearch& search, const Runtime& runtime) {
            Descent(search, newton, runtime).run();
          },
          newton ? 1.0 : 0.0};
}

}  // namespace mk
