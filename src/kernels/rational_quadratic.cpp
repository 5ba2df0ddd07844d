// k(x, z) = (1 + ||x - z||^2 / (2 alpha sigma^2))^-alpha
#include <cmath>

#include "registry.hpp"

namespace mk {

namespace {
class RationalQuadratic final : public PairMap {
 public:
  RationalQuadratic(double sigma, double alpha)
      : rate_(checked_rate(1.0 / (2.0 * alpha * sigma * sigma), "sigma", sigma)), alpha_(alpha) {}
  void apply(const double* sums, double* out, Index n, const Simd&) const override {
    for (Index i = 0; i < n; ++i) out[i] = std::exp(-alpha_ * std::log1p(rate_ * sums[i]));
  }
  void apply_log(const double* sums, double* out, Index n, const Simd&) const override {
    for (Index i = 0; i < n; ++i) out[i] = -alpha_ * std::log1p(rate_ * sums[i]);
  }
  // (1 + q)^-alpha is the mean of exp(-g q) over a gamma variable g of shape alpha.
  bool is_mixture() const override { return true; }
  double draw_scale(Random& random) const override {
    return std::sqrt(2.0 * rate_ * draw_gamma(random));
  }

 private:
  // Marsaglia & Tsang (2000); a shape below 1 by way of the next one, times u^(1 / alpha).
  double draw_gamma(Random& random) const {
    const double d = (alpha_ < 1.0 ? alpha_ + 1.0 : alpha_) - 1.0 / 3.0;
    const double boost = alpha_ < 1.0 ? std::pow(random.uniform(), 1.0 / alpha_) : 1.0;
    while (true) {
      const double z = random.normal(), root = 1.0 + z / std::sqrt(9.0 * d);
      if (root <= 0.0) continue;
      const double v = root * root * root;
      if (std::log(random.uniform()) < 0.5 * z * z + d - d * v + d * std::log(v))
        return d * v * boost;
    }
  }
  double rate_, alpha_;
};
}  // namespace

Factor make_rational_quadratic(const State& parameters) {
  return {{PairKind::squared_distance},
          std::make_shared<RationalQuadratic>(positive_parameter(parameters, "sigma"),
                                              positive_parameter(parameters, "alpha"))};
}

}  // namespace mk
