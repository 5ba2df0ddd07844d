// k(x, z) = exp(-gamma sum_f (x_f - z_f)^2 / (x_f + z_f)) for non-negative features
#include "registry.hpp"

namespace mk {

Factor make_chisq(const State& parameters) {
  return {{PairKind::chi_squared}, make_gaussian_map(positive_parameter(parameters, "gamma"))};
}

}  // namespace mk
