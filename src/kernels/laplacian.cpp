// k(x, z) = exp(-||x - z||_1 / sigma), with the 1-norm; matern(nu = 1/2) has the 2-norm
#include <cmath>

#include "registry.hpp"

namespace mk {

namespace {
class Laplacian final : public ExpDecay {
 public:
  using ExpDecay::ExpDecay;
  // The ratio of two normal numbers is a Cauchy one, whose characteristic function is exp(-|t|).
  bool is_mixture() const override { return true; }
  double draw_scale(Random& random) const override { return rate_ / std::abs(random.normal()); }
};
}  // namespace

Factor make_laplacian(const State& parameters) {
  const double sigma = positive_parameter(parameters, "sigma");
  return {{PairKind::absolute_distance},
          std::make_shared<Laplacian>(checked_rate(1.0 / sigma, "sigma", sigma))};
}

}  // namespace mk
