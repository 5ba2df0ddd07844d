// k(x, z) = exp(-gamma sum_f (x_f - z_f)^2 / (x_f + z_f)) for non-negative features
#include "maps.hpp"
#include "registry.hpp"

namespace mk {

Factor make_chisq(const State& parameters) {
  Factor factor;
  factor.kind = PairKind::chi_squared;
  factor.map = make_gaussian_map(positive_parameter(parameters, "gamma"));
  return factor;
}

}  // namespace mk
