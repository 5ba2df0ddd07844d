// k(x, z) = exp(-gamma ||x - z||^2)
#include <cmath>

#include "registry.hpp"

namespace mk {

namespace {
class Gaussian final : public ExpDecay {
 public:
  using ExpDecay::ExpDecay;

  // exp(-2 g d) = exp(-g d)^2: exact powers of two only, and few steps, because every squaring
  // doubles the relative error.
  int squarings_from(const PairMap& previous) const override {
    const auto* other = dynamic_cast<const Gaussian*>(&previous);
    if (other == nullptr) return 0;
    if (rate_ == 2.0 * other->rate_) return 1;
    if (rate_ == 4.0 * other->rate_) return 2;
    return 0;
  }
  double rank() const override { return rate_; }
  bool is_mixture() const override { return true; }
  double draw_scale(Random&) const override { return std::sqrt(2.0 * rate_); }
};
}  // namespace

std::shared_ptr<const PairMap> make_gaussian_map(double gamma) {
  return std::make_shared<Gaussian>(checked_rate(gamma, "gamma", gamma));
}

Factor make_rbf(const State& parameters) {
  return {{PairKind::squared_distance}, make_gaussian_map(positive_parameter(parameters, "gamma"))};
}

}  // namespace mk
