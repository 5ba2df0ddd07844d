// k(x, z) = 1 / (1 + ||x - z||^2 / sigma^2)
#include <cmath>

#include "registry.hpp"

namespace mk {

namespace {
class Cauchy final : public PairMap {
 public:
  explicit Cauchy(double sigma) : rate_(checked_rate(1.0 / (sigma * sigma), "sigma", sigma)) {}
  void apply(const double* sums, double* out, Index n, const Simd&) const override {
    for (Index i = 0; i < n; ++i) out[i] = 1.0 / (1.0 + rate_ * sums[i]);
  }
  void apply_log(const double* sums, double* out, Index n, const Simd&) const override {
    for (Index i = 0; i < n; ++i) out[i] = -std::log1p(rate_ * sums[i]);
  }
  // 1 / (1 + q) is the mean of exp(-e q) over an exponential e.
  bool is_mixture() const override { return true; }
  double draw_scale(Random& random) const override {
    return std::sqrt(-2.0 * rate_ * std::log(random.uniform()));
  }

 private:
  double rate_;
};
}  // namespace

Factor make_cauchy(const State& parameters) {
  return {{PairKind::squared_distance},
          std::make_shared<Cauchy>(positive_parameter(parameters, "sigma"))};
}

}  // namespace mk
