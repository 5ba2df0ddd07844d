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

 private:
  double rate_, alpha_;
};
}  // namespace

Factor make_rational_quadratic(const State& parameters) {
  return {{PairKind::squared_distance},
          std::make_shared<RationalQuadratic>(positive_parameter(parameters, "sigma"),
                                              positive_parameter(parameters, "alpha"))};
}

}  // namespace mk
