#include "interior_point.hpp"

#include <algorithm>
#include <cmath>

namespace mk {

namespace {

// Curvature given to variables held fixed by equal bounds: they do not move.
constexpr double fixed_curvature = 1e40;
// An error this many times the least so far ends the iteration.
constexpr double drift = 1e4;
constexpr int most_iterations = 100;

double largest(const Vector& v) { return v.size() > 0 ? v.cwiseAbs().maxCoeff() : 0.0; }

// One side of the bounds: slacks s >= 0 of the variables that have such a bound, multipliers z >=
// 0. For variables without it, s = 1 and z = 0 leave every formula as it should be.
struct Bounds {
  Vector slack, multiplier, slack_step, multiplier_step;
  Eigen::Array<bool, Eigen::Dynamic, 1> there;

  void start(const Vector& room, double level) {
    there = room.array() < infinity;
    slack = there.select(room, 1.0);
    multiplier = there.select(Vector::Constant(room.size(), level), 0.0);
  }
  double product() const { return slack.dot(multiplier); }
  // Target of the complementarity s z = center - correction, divided by s.
  Vector pull(double centre, bool corrected) const {
    Vector target = there.select(Vector::Constant(slack.size(), centre), 0.0);
    target -= slack.cwiseProduct(multiplier);
    if (corrected) target -= slack_step.cwiseProduct(multiplier_step);
    return target.cwiseQuotient(slack);
  }
  void set_steps(const Vector& pulled, const Vector& step) {
    slack_step = there.select(step, 0.0);
    multiplier_step = pulled - multiplier.cwiseProduct(slack_step).cwiseQuotient(slack);
  }
  // The longest step that keeps slacks and multipliers positive.
  double longest() const {
    double most = 1.0;
    for (Index i = 0; i < slack.size(); ++i) {
      if (slack_step[i] < 0.0) most = std::min(most, -slack[i] / slack_step[i]);
      if (multiplier_step[i] < 0.0) most = std::min(most, -multiplier[i] / multiplier_step[i]);
    }
    return most;
  }
  double product_after(double length) const {
    return (slack + length * slack_step).dot(multiplier + length * multiplier_step);
  }
  void move(double length) {
    slack += length * slack_step;
    multiplier += length * multiplier_step;
  }
};

class InteriorPoint {
 public:
  InteriorPoint(const QpProblem& problem, QpHessian& hessian) : p_(problem), h_(hessian) {
    const Index n = p_.linear.size();
    x_.resize(n);
    held_ = p_.upper.array() <= p_.lower.array();
    for (Index i = 0; i < n; ++i) {
      const double l = p_.lower[i], u = p_.upper[i];
      if (l > -infinity && u < infinity) x_[i] = 0.5 * (l + u);
      else x_[i] = l > -infinity ? l + 1.0 : u < infinity ? u - 1.0 : 0.0;
    }
    y_ = Vector::Zero(p_.right.size());
    const double level = 1.0 + p_.linear.cwiseAbs().maxCoeff();
    below_.start(held_.select(Vector::Constant(n, infinity), x_ - p_.lower), level);
    above_.start(held_.select(Vector::Constant(n, infinity), p_.upper - x_), level);
    count_ = static_cast<double>(below_.there.count() + above_.there.count());
  }

  QpResult solve(double tolerance, const Runtime& runtime) {
    QpResult result;
    double best = infinity;
    std::size_t length = 0;  // of the path to the best point
    for (; result.iterations < most_iterations; ++result.iterations) {
      runtime.check_interrupt();
      const double now = error();
      result.path.push_back(objective_);
      if (now < best || result.iterations == 0) {
        best = now;
        result.x = x_;
        result.multipliers = y_;
        result.gap = product();
        length = result.path.size();
      }
      // Below what rounding allows the iterates drift away again.
      if (best <= tolerance || !(now <= drift * best) || !step()) break;
    }
    result.converged = best <= tolerance;
    result.x = result.x.cwiseMax(p_.lower).cwiseMin(p_.upper);
    result.objective = result.x.dot(0.5 * h_.multiply(result.x) + p_.linear);
    result.path.resize(length);
    if (length > 0) result.path.back() = result.objective;
    return result;
  }

 private:
  double product() const { return below_.product() + above_.product(); }

  // The largest of the gap and the residuals, each relative to the size of its own terms.
  double error() {
    curvature_ = h_.multiply(x_);
    dual_residual_ = curvature_ + p_.linear - below_.multiplier + above_.multiplier;
    if (y_.size() > 0) dual_residual_ -= p_.equality.transpose() * y_;
    dual_residual_ = held_.select(Vector::Zero(x_.size()), dual_residual_);
    primal_residual_ = y_.size() > 0 ? Vector(p_.right - p_.equality * x_) : Vector();
    objective_ = x_.dot(0.5 * curvature_ + p_.linear);
    const double gap = product() / (1.0 + std::abs(objective_));
    const double dual = largest(dual_residual_) / (1.0 + largest(p_.linear) + largest(curvature_));
    const double primal = largest(primal_residual_) / (1.0 + largest(p_.right) + largest(x_));
    return std::max({gap, dual, primal});
  }

  // Newton's direction toward s z = center.
  void direction(double centre, bool corrected) {
    const Vector below = below_.pull(centre, corrected), above = above_.pull(centre, corrected);
    const Vector right = held_.select(Vector::Zero(x_.size()), below - above - dual_residual_);
    dx_ = h_.solve(right);
    if (y_.size() > 0) {
      dy_ = schur_.solve(primal_residual_ - p_.equality * dx_);
      dx_ += eliminated_ * dy_;
    }
    below_.set_steps(below, dx_);
    above_.set_steps(above, -dx_);
  }

  bool step() {
    Vector diagonal = below_.multiplier.cwiseQuotient(below_.slack) +
                      above_.multiplier.cwiseQuotient(above_.slack);
    h_.factor(held_.select(Vector::Constant(x_.size(), fixed_curvature), diagonal));
    if (y_.size() > 0) {
      eliminated_ = h_.solve(p_.equality.transpose());
      schur_.compute(p_.equality * eliminated_);
    }
    const double mean = count_ > 0.0 ? product() / count_ : 0.0;
    direction(0.0, false);
    double length = std::min(below_.longest(), above_.longest());
    if (count_ > 0.0) {
      const double after = (below_.product_after(length) + above_.product_after(length)) / count_;
      const double centring = mean > 0.0 ? std::pow(after / mean, 3) : 0.0;
      direction(centring * mean, true);
      length = std::min(1.0, 0.995 * std::min(below_.longest(), above_.longest()));
    }
    if (!dx_.allFinite() || !(length > 1e-14)) return false;
    x_ += length * dx_;
    if (y_.size() > 0) y_ += length * dy_;
    below_.move(length);
    above_.move(length);
    return true;
  }

  const QpProblem& p_;
  QpHessian& h_;
  Eigen::Array<bool, Eigen::Dynamic, 1> held_;
  Vector x_, y_, dx_, dy_, curvature_, dual_residual_, primal_residual_;
  Bounds below_, above_;
  double count_ = 0.0, objective_ = 0.0;
  Matrix eliminated_;
  Eigen::LDLT<Matrix> schur_;
};

}  // namespace

void DenseHessian::factor(const Vector& diagonal) {
  Matrix sum = h_;
  sum.diagonal() += diagonal;
  factor_.compute(sum);
}

QpResult solve_qp(const QpProblem& problem, QpHessian& hessian, const Runtime& runtime,
                  double tolerance) {
  return InteriorPoint(problem, hessian).solve(tolerance, runtime);
}

}  // namespace mk
