#include "feature_sum.hpp"

#include <algorithm>
#include <cmath>

namespace mk {

namespace {

// Columns whose products are added up at once.
constexpr Index block_columns = 2048;

// Newton's method on few columns is fast in any case; on many it takes about as long as the matrix
// of all examples with this many times as many of them.
constexpr Index few_columns = 256;
constexpr Index balance = 4;

Indices positive(const Vector& weights) {
  Indices out;
  for (Index i = 0; i < weights.size(); ++i)
    if (weights[i] != 0.0) out.push_back(i);
  return out;
}

}  // namespace

FeatureSum::FeatureSum(std::shared_ptr<const KernelFeatures> features, const Vector& weights,
                       const Runtime& runtime)
    : features_(std::move(features)), weights_(weights), runtime_(runtime) {
  for (Index m = 0; m < weights.size(); ++m) {
    if (!(weights[m] > 0.0)) continue;
    parts_.push_back({m, columns_, std::sqrt(weights[m])});
    columns_ += features_->columns(m);
    largest_ += weights[m] * features_->store(m).largest();
  }
  active_ = all_rows(examples());
}

FeatureSweep FeatureSum::sweep(const Indices& examples) const {
  return FeatureSweep(features_->stores(), parts_, features_->places(examples), runtime_);
}

Vector FeatureSum::forward(const Vector& w) const {
  return FeatureSweep(features_->stores(), parts_, features_->places(), runtime_).forward(w);
}

Vector FeatureSum::backward(const Vector& b) const {
  const Indices used = positive(b);
  return sweep(used).backward(take(b, used));
}

Vector FeatureSum::curve(const Vector& weights, const Vector& w) const {
  const Indices used = positive(weights);
  return sweep(used).curve(take(weights, used), w);
}

Matrix FeatureSum::gram(const Vector& weights) const {
  const Indices used = positive(weights);
  return sweep(used).gram(take(weights, used));
}

std::unique_ptr<LowRank> FeatureSum::part(const Indices& examples) const {
  return std::make_unique<FeatureSum>(features_->part(examples, runtime_), weights_, runtime_);
}

// ---- as a matrix -------------------------------------------------------------------------------

// Newton's method holds about three matrices of columns x columns.
bool FeatureSum::serves_as_low_rank() const {
  const double columns = static_cast<double>(columns_);
  if (3.0 * 8.0 * columns * columns > runtime_.memory) return false;
  return columns_ < few_columns || balance * columns_ < examples() || !has_room();
}

// For the matrix, a copy of its rows in a cache, and the features of a kernel, twice.
bool FeatureSum::has_room() const {
  const double n = static_cast<double>(examples());
  double widest = 0.0;
  for (const FeaturePart& p : parts_)
    widest = std::max(widest, static_cast<double>(features_->columns(p.kernel)));
  return 8.0 * n * (2.0 * n + 2.0 * widest) <= runtime_.memory;
}

const Vector& FeatureSum::diagonal() const {
  if (diagonal_.size() == examples()) return diagonal_;
  diagonal_ = Vector::Zero(examples());
  for (const FeaturePart& p : parts_)
    diagonal_ += p.root * p.root * features_->squared_lengths(p.kernel, runtime_);
  return diagonal_;
}

Matrix FeatureSum::whole() const {
  Matrix out = Matrix::Zero(examples(), examples());
  for (const FeaturePart& p : parts_) {
    const RowMatrix z = p.root * features_->matrix(p.kernel, runtime_);
    for (Index first = 0; first < z.cols(); first += block_columns) {
      const Index count = std::min(block_columns, z.cols() - first);
      const Vector packed =
          pack_strips(examples(), count, [&](Index f, Index i) { return z(i, first + f); });
      add_products(packed, examples(), count, runtime_, out);
    }
  }
  out.triangularView<Eigen::StrictlyUpper>() = out.transpose();
  return out;
}

void FeatureSum::row(Index i, double* out) const {
  if (whole_.size() == 0 && has_room()) whole_ = whole();
  Eigen::Map<Vector> to(out, static_cast<Index>(active_.size()));
  if (whole_.size() > 0) {
    for (Index k = 0; k < to.size(); ++k) to[k] = whole_(active_[at(k)], i);
    return;
  }
  to = sweep(active_).forward(sweep({i}).backward(Vector::Ones(1)));
}

}  // namespace mk
