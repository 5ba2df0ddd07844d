// k(x, z) = exp(-||x - z||_1 / sigma), with the 1-norm; matern(nu = 1/2) has the 2-norm
#include "registry.hpp"

namespace mk {

Factor make_laplacian(const State& parameters) {
  const double sigma = positive_parameter(parameters, "sigma");
  return {{PairKind::absolute_distance},
          std::make_shared<ExpDecay>(checked_rate(1.0 / sigma, "sigma", sigma))};
}

}  // namespace mk
