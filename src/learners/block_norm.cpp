#include "block_norm.hpp"

#include <algorithm>
#include <cmath>

#include "../base/cholesky.hpp"
#include "mkl_search.hpp"

namespace mk {

namespace {

constexpr int most_rounds = 500;      // of weights and solutions in turn
constexpr double most_haste = 32.0;   // powers of the closed form that are tried
constexpr double negligible = 1e-13;  // weight, relative to the largest
constexpr double revived = 1e-3;      // weight of a kernel that turns out to be needed
constexpr double tiny_curvature = 1e-300;

Vector symmetric_product(const Matrix& lower, const Vector& x) {
  return lower.selfadjointView<Eigen::Lower>() * x;
}

double value_of(const Quadratic& q, const Vector& x) {
  return q.gradient.dot(x) + 0.5 * x.dot(symmetric_product(q.hessian, x));
}

Vector on_ball(const Vector& d, double p) {
  const double top = d.maxCoeff();
  return d / (top * std::pow((d / top).array().pow(p).sum(), 1.0 / p));
}

}  // namespace

BlockNorm::BlockNorm(Indices offsets, double p, const Vector& weights)
    : offsets_(std::move(offsets)), p_(p), d_(weights) {
  if (d_.size() == 0)
    d_ = Vector::Constant(kernels(), is_fixed() ? 1.0 : std::pow(kernels(), -1.0 / p_));
}

Vector BlockNorm::lengths(const Vector& w) const {
  Vector out(kernels());
  for (Index m = 0; m < kernels(); ++m)
    out[m] = w.segment(offsets_[at(m)], offsets_[at(m) + 1] - offsets_[at(m)]).norm();
  return out;
}

Vector BlockNorm::weights(const Vector& w) const {
  if (is_fixed()) return d_;
  const Vector length = lengths(w);
  if (!(length.maxCoeff() > 0.0))
    return Vector::Constant(kernels(), std::pow(kernels(), -1.0 / p_));
  return on_ball((length / length.maxCoeff()).array().pow(2.0 / (p_ + 1.0)).matrix(), p_);
}

double BlockNorm::half_forms(const Vector& x, const Vector& d) const {
  const Vector length = lengths(x);
  double sum = 0.0;
  for (Index m = 0; m < kernels(); ++m)
    if (length[m] > 0.0) sum += length[m] * length[m] / d[m];
  return 0.5 * sum;
}

double BlockNorm::value(const Vector& w) const { return half_forms(w, weights(w)); }

double BlockNorm::slope(const Vector& w, const Vector& direction) const {
  const Vector d = weights(w), length = lengths(w), along = lengths(direction);
  const double scale = is_fixed() ? 0.0 : 2.0 * value(w);
  double sum = 0.0;
  for (Index m = 0; m < kernels(); ++m) {
    const Index first = offsets_[at(m)], count = offsets_[at(m) + 1] - first;
    if (length[m] > 0.0) sum += w.segment(first, count).dot(direction.segment(first, count)) / d[m];
    // Only the norm of p = 1 has a kink there.
    else if (p_ == 1.0) sum += std::sqrt(scale) * along[m];
  }
  return sum;
}

double BlockNorm::conjugate(const Vector& v) const {
  const Vector forms = lengths(v).cwiseAbs2();
  return 0.5 * (is_fixed() ? d_.dot(forms) : dual_norm(forms, p_));
}

double BlockNorm::residual(const Vector& w, const Vector& g) const {
  const Vector d = weights(w);
  double sum = 0.0;
  for (Index m = 0; m < kernels(); ++m) {
    if (!(d[m] > 0.0)) continue;
    const Index first = offsets_[at(m)], count = offsets_[at(m) + 1] - first;
    sum += d[m] * (w.segment(first, count) / d[m] + g.segment(first, count)).squaredNorm();
  }
  return std::sqrt(sum);
}

Vector BlockNorm::spread_roots(const Vector& d) const {
  Vector out(columns());
  for (Index m = 0; m < kernels(); ++m)
    out.segment(offsets_[at(m)], offsets_[at(m) + 1] - offsets_[at(m)])
        .setConstant(std::sqrt(std::max(d[m], 0.0)));
  return out;
}

// In u = w / sqrt(d), with the bias taken out: it is where the gradient by it is 0.
Vector BlockNorm::ridge_solution(const Quadratic& q, const Vector& d,
                                 const Runtime& runtime) const {
  const Index r = columns();
  const Vector roots = spread_roots(d);
  const double free = q.hessian(r, r);
  const bool biased = free > tiny_curvature;
  const Vector border = q.hessian.row(r).head(r).transpose();
  Matrix a = q.hessian.topLeftCorner(r, r);
  Vector right = -q.gradient.head(r);
  if (biased) {
    a.selfadjointView<Eigen::Lower>().rankUpdate(border, -1.0 / free);
    right += border * (q.gradient[r] / free);
  }
  a = roots.asDiagonal() * a * roots.asDiagonal();
  right.array() *= roots.array();
  a.diagonal().array() += 1.0;
  Vector x = Vector::Zero(r + 1);
  for (double ridge = 0.0; ridge < 1e-2; ridge = std::max(1e-14, 100.0 * ridge)) {
    Matrix factored = a;
    factored.diagonal() *= 1.0 + ridge;
    const Cholesky factor(factored, runtime);
    if (factor.info() != Eigen::Success) continue;
    Vector u = right;
    factor.solveInPlace(u);
    x.head(r) = roots.cwiseProduct(u);
    break;
  }
  if (biased) x[r] = -(q.gradient[r] + border.dot(x.head(r))) / free;
  return x;
}

// The minimizer over ||d||_p = 1 of sum_m ||w_m||^2 / d_m with ||w_m||^2 = d_m^2 S_m; `haste` 1 is
// exactly that, more goes further in the same direction.
Vector BlockNorm::next_weights(const Vector& d, const Vector& forms, double haste) const {
  const double largest = forms.maxCoeff();
  if (!(largest > 0.0)) return d;
  Vector next = Vector::Zero(d.size());
  const double mean = d.dot(forms);
  for (Index m = 0; m < d.size(); ++m)
    if (d[m] > 0.0 && forms[m] > 0.0)
      next[m] = d[m] * std::pow(forms[m] / largest * std::pow(d[m], 1.0 - p_), haste / (p_ + 1.0));
  const double top = next.maxCoeff();
  if (!(top > 0.0) || !std::isfinite(top)) return d;
  for (Index m = 0; m < d.size(); ++m) {
    if (next[m] < negligible * top) next[m] = 0.0;
    const bool needed = p_ > 1.0 ? forms[m] > 0.0 : forms[m] > mean;
    if (next[m] == 0.0 && needed && d[m] == 0.0) next[m] = revived * top;
  }
  return on_ball(next, p_);
}

Vector BlockNorm::minimize(const Quadratic& q, double share, const Runtime& runtime) {
  if (is_fixed()) return ridge_solution(q, d_, runtime);
  Vector d = d_.cwiseMax(p_ > 1.0 ? revived * d_.maxCoeff() : 0.0);
  d = on_ball(d, p_);
  Vector x = ridge_solution(q, d, runtime);
  double value = value_of(q, x) + half_forms(x, d), haste = 1.0;
  for (int round = 0; round < most_rounds; ++round) {
    // At x the gradient by w is -w / d: the forms bound the minimum from below.
    const Vector v = -(q.gradient + symmetric_product(q.hessian, x)).head(columns());
    const Vector forms = lengths(v).cwiseAbs2();
    const double off = 0.5 * (dual_norm(forms, p_) - d.dot(forms));
    if (off <= share * std::abs(value)) break;
    const Vector next = next_weights(d, forms, haste);
    const Vector there = ridge_solution(q, next, runtime);
    const double lower = value_of(q, there) + half_forms(there, next);
    if (haste > 1.0 && !(lower < value)) {
      haste = 1.0;  // too far: the closed form itself never raises the value
      continue;
    }
    if (!(lower < value + 1e-15 * std::abs(value)) || next == d) break;
    d = next;
    x = there;
    value = lower;
    haste = std::min(1.5 * haste, most_haste);
  }
  d_ = d;
  return x;
}

}  // namespace mk
