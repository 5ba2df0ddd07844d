// The variables of SMO that are in play and the steps on them: the state of solve_smo() between two
// looks at the full problem.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "../base/runtime.hpp"
#include "newton_step.hpp"
#include "q_matrix.hpp"
#include "smo_problem.hpp"

namespace mk {

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
    const Vector d = newton_direction(k, slope, in_first, runtime_);
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
    const double least = 2.0 * smo_least_curvature(half_i);
    const double step = std::min(slope / std::max(curvature, least), std::min(room_i, room_j));
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

}  // namespace mk
