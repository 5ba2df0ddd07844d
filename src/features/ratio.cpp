#include "ratio.hpp"

namespace mk {

namespace {

class RatioRows final : public FeatureRows {
 public:
  RatioRows(std::unique_ptr<const FeatureRows> rows, const PairSum& inner, RatioFunction ratio)
      : rows_(std::move(rows)), inner_(inner), ratio_(ratio), own_(rows_->self_sums(inner)) {}

  void sums(const FeatureRows& other, const Tile& tile, const PairSum&, const Simd& simd,
            TileOnItsWay* on_its_way, double* out) const override {
    const auto& b = static_cast<const RatioRows&>(other);
    rows_->sums(*b.rows_, tile, inner_, simd, on_its_way, out);
    for (Index j = 0; j < tile.b_count; ++j) {
      const double z = b.own_[tile.b_first + j];
      double* values = out + j * panel_rows;
      for (Index i = 0; i < tile.a_count; ++i) {
        const double both = own_[tile.a_first + i] + z;
        values[i] = both == 0.0 ? 1.0 : ratio_(values[i], both);
      }
    }
  }
  Vector self_sums(const PairSum&) const override { return Vector::Ones(own_.size()); }

 private:
  std::unique_ptr<const FeatureRows> rows_;
  const PairSum& inner_;  // outlives its rows
  RatioFunction ratio_;
  Vector own_;  // s(x, x)
};

class RatioFeatures final : public Features {
 public:
  RatioFeatures(const Features& x, PairSum inner, RatioFunction ratio)
      : x_(x), inner_(std::move(inner)), ratio_(ratio) {}

  const char* type() const override { return "ratio"; }
  Index rows() const override { return x_.rows(); }
  Index columns() const override { return 0; }
  // apply() has checked what is inside.
  void check(const PairSum&, const std::string&, const std::string&) const override {}
  std::unique_ptr<const FeatureRows> pack(const SharedIndices& rows, const Origin&) const override {
    return std::make_unique<RatioRows>(x_.pack(rows, nullptr), inner_, ratio_);
  }
  Matrix values(const Indices& rows, const Indices&) const override {
    return Matrix(static_cast<Index>(rows.size()), 0);
  }

 private:
  const Features& x_;
  PairSum inner_;
  RatioFunction ratio_;
};

}  // namespace

SharedFeatures RatioMap::apply(const MapInput& input, const Runtime&) const {
  PairSum inner = {kind_, 0.0, input.columns};
  input.x.check(inner, input.kernel, input.argument);
  return std::make_shared<RatioFeatures>(input.x, std::move(inner), ratio_);
}

}  // namespace mk
