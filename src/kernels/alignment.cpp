// The global alignment kernel of series, normalized so that k(x, x) = 1:
//   k(x, z) = exp(log k0(x, z) - (log k0(x, x) + log k0(z, z)) / 2),
// with k0 of global_alignment.hpp. The values of k0 itself are beyond the range of numbers for
// series of some hundred times.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "../base/errors.hpp"
#include "global_alignment.hpp"
#include "registry.hpp"

namespace mk {

namespace {

// Series whose sums over pairs are -log k: non-negative, and 0 for a series with itself.
class AlignedSeries final : public Features {
 public:
  AlignedSeries(std::shared_ptr<const Series> x, const AlignmentRule& rule, const Runtime& runtime)
      : x_(std::move(x)), rule_(rule), runtime_(runtime), own_(x_->rows()) {
    runtime.parallel_for(x_->rows(), [&](Index i) { own_[i] = log_kernel(i, *this, i); });
  }

  const char* type() const override { return "aligned series"; }
  Index rows() const override { return x_->rows(); }
  Index columns() const override { return 0; }
  void check(const PairSum&, const std::string&, const std::string&) const override {}
  std::unique_ptr<const FeatureRows> pack(const SharedIndices& rows, const Origin&) const override;
  Matrix values(const Indices& rows, const Indices&) const override {
    return Matrix(static_cast<Index>(rows.size()), 0);
  }

  // Examples that lack the view have no series: no kernel sees their values.
  double distance(Index i, const AlignedSeries& other, Index j) const {
    const double cross = log_kernel(i, other, j);
    return std::isinf(cross) ? infinity : std::max(0.0, 0.5 * (own_[i] + other.own_[j]) - cross);
  }
  Index channels() const { return x_->channels(); }
  const Runtime& runtime() const { return runtime_; }

 private:
  double log_kernel(Index i, const AlignedSeries& other, Index j) const {
    return log_alignment(*x_, i, *other.x_, j, rule_, runtime_);
  }

  std::shared_ptr<const Series> x_;
  AlignmentRule rule_;
  const Runtime& runtime_;  // of the call that these features live in
  Vector own_;              // log k0(x, x)
};

class AlignedRows final : public FeatureRows {
 public:
  AlignedRows(const AlignedSeries& x, SharedIndices rows) : x_(x), rows_(std::move(rows)) {}

  // A value takes as long as a tile of other kernels: where both images of a pair are in the tile,
  // one is computed, and a single tile is shared by the threads.
  void sums(const FeatureRows& other, const Tile& tile, const PairSum&, const Simd&, TileOnItsWay*,
            double* out) const override {
    const auto& b = static_cast<const AlignedRows&>(other);
    // There are no channels where all examples lack the view.
    if (b.x_.channels() > 0 && x_.channels() > 0 && b.x_.channels() != x_.channels())
      throw InvalidArgument("newdata", "series of " + std::to_string(b.x_.channels()) + " channels",
                            std::to_string(x_.channels()));
    // Where pair (i, j) of the tile has its image, if that comes before it.
    const auto image = [&](Index i, Index j) -> Index {
      const Index row = tile.b_first + j - tile.a_first, column = tile.a_first + i - tile.b_first;
      const bool inside = row >= 0 && row < tile.a_count && column >= 0 && column < tile.b_count;
      return &b == this && inside && column < j ? row + column * panel_rows : -1;
    };
    x_.runtime().parallel_for(tile.b_count, [&](Index j) {
      for (Index i = 0; i < tile.a_count; ++i)
        if (image(i, j) < 0)
          out[i + j * panel_rows] =
              x_.distance(row(tile.a_first + i), b.x_, b.row(tile.b_first + j));
    });
    for (Index j = 0; j < tile.b_count; ++j)
      for (Index i = 0; i < tile.a_count; ++i)
        if (const Index from = image(i, j); from >= 0) out[i + j * panel_rows] = out[from];
  }
  Vector self_sums(const PairSum&) const override {
    return Vector::Zero(static_cast<Index>(rows_->size()));
  }

 private:
  Index row(Index i) const { return (*rows_)[at(i)]; }

  const AlignedSeries& x_;
  SharedIndices rows_;
};

std::unique_ptr<const FeatureRows> AlignedSeries::pack(const SharedIndices& rows,
                                                       const Origin&) const {
  return std::make_unique<AlignedRows>(*this, rows);
}

// A number to its last digit.
std::string exact(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%a", value);
  return text;
}

class AlignmentMap final : public FeatureMap {
 public:
  explicit AlignmentMap(const AlignmentRule& rule) : rule_(rule) {}
  std::string key() const override {
    return "alignment " + exact(rule_.rate) + " " + std::to_string(rule_.band);
  }
  Index columns(Index) const override { return 0; }
  SharedFeatures apply(const MapInput& input, const Runtime& runtime) const override {
    return std::make_shared<AlignedSeries>(read_series(input), rule_, runtime);
  }

 private:
  AlignmentRule rule_;
};

}  // namespace

Factor make_alignment(const State& parameters) {
  AlignmentRule rule;
  const double sigma = positive_parameter(parameters, "sigma");
  rule.rate = checked_rate(0.5 / (sigma * sigma), "sigma", sigma);
  rule.band = parameters.has("triangular") ? parameters.count("triangular", 0) : 0;
  Factor factor{{PairKind::squared_distance}, std::make_shared<ExpDecay>(1.0)};
  factor.examples = std::make_shared<AlignmentMap>(rule);
  return factor;
}

}  // namespace mk
