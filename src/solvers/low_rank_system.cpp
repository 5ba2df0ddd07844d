#include "low_rank_system.hpp"

#include <algorithm>
#include <cmath>

namespace mk {

namespace {

// Examples for each column of Z that a preconditioner is made of, and fewer while the solution is
// far.
constexpr Index enough_examples = 16;
constexpr Index few_examples = 4;
constexpr int most_iterations = 30;
// An iteration that is limited by memory takes as long as so many sums of its numbers.
constexpr double time_of_pass = 6.0;

}  // namespace

void LowRankSystem::set(std::vector<Vector> groups) {
  groups_ = std::move(groups);
  curvature_ = groups_.front();
  for (std::size_t g = 1; g < groups_.size(); ++g) curvature_ += groups_[g];
  borders_.clear();
}

Indices LowRankSystem::active() const {
  Indices rows;
  for (Index i = 0; i < curvature_.size(); ++i)
    if (curvature_[i] > 0.0) rows.push_back(i);
  return rows;
}

// Of all active rows, or of some, spread evenly, that stand for all.
void LowRankSystem::build(bool rough) {
  const Indices rows = active();
  const auto count = static_cast<Index>(rows.size());
  const Index columns = z_.columns();
  const Index step =
      std::max<Index>(1, count / ((rough ? few_examples : enough_examples) * columns));
  all_rows_ = step == 1;
  std::vector<Vector> some = groups_;
  if (!all_rows_)
    for (Vector& group : some) {
      group.setZero();
      const Vector& whole = groups_[at(&group - some.data())];
      for (Index k = 0; k < count; k += step)
        group[rows[at(k)]] = static_cast<double>(step) * whole[rows[at(k)]];
    }
  Vector sum = some.front();
  for (std::size_t g = 1; g < some.size(); ++g) sum += some[g];
  matrix_ = z_.gram(scale_ * sum);
  take_off(some, matrix_);
  matrix_.diagonal().array() += 1.0;
  // A ridge makes up for rounding errors of large curvatures.
  for (double ridge = 0.0; ridge < 1e-2 && !factor(ridge);) ridge = std::max(1e-14, 100.0 * ridge);
  const double r = static_cast<double>(columns), used = static_cast<double>(count) / step;
  const double passes = (0.5 * used * r * r + r * r * r) / (time_of_pass * (count + 1.0) * r);
  patience_ = static_cast<int>(std::min(passes, 100.0));
}

void LowRankSystem::take_off(const std::vector<Vector>& groups, Matrix& h) const {
  for (const Vector& group : groups) {
    const double sum = group.sum();
    if (sum > 0.0) h.selfadjointView<Eigen::Lower>().rankUpdate(border(group), -scale_ / sum);
  }
}

bool LowRankSystem::factor(double ridge) {
  factored_ = matrix_;
  factored_.diagonal() *= 1.0 + ridge;
  factor_.emplace(factored_, runtime_);
  if (factor_->info() == Eigen::Success) return true;
  factor_.reset();
  return false;
}

// Without a factor the gradient, a direction of descent too.
Vector LowRankSystem::precondition(Vector right) const {
  if (factor_) factor_->solveInPlace(right);
  return right;
}

Vector LowRankSystem::multiply(const Vector& x) {
  if (borders_.empty())
    for (const Vector& group : groups_) borders_.push_back(border(group));
  Vector out = x + scale_ * z_.curve(curvature_, x);
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const double sum = groups_[g].sum();
    if (sum > 0.0) out -= (scale_ / sum * borders_[g].dot(x)) * borders_[g];
  }
  return out;
}

// Conjugate gradients from a first x; false if they take too long.
bool LowRankSystem::iterate(const Vector& right, double tol, int most, Vector& x) {
  Vector left = right - multiply(x), turned = precondition(left), direction = turned;
  double size = left.dot(turned);
  const double enough = tol * tol * right.dot(precondition(right));
  for (iterations_ = 0; iterations_ < most; ++iterations_) {
    if (!(size > enough)) return true;
    const Vector image = multiply(direction);
    const double curved = direction.dot(image);
    if (!(curved > 0.0)) return false;
    x += size / curved * direction;
    left -= size / curved * image;
    turned = precondition(left);
    const double before = size;
    size = left.dot(turned);
    direction = turned + size / before * direction;
  }
  return !(size > enough);
}

Vector LowRankSystem::solve(const Vector& right, double tol, bool rough) {
  Vector x;
  if (factor_) {
    x = precondition(right);
    if (iterate(right, tol, std::min(usual_ + patience_, most_iterations), x)) return x;
  }
  build(rough);
  if (all_rows_ || rough || !factor_) return precondition(right);
  if (x.size() == 0) x = precondition(right);
  iterate(right, tol, most_iterations, x);
  usual_ = iterations_;
  return x;
}

}  // namespace mk
