// k(x, z) = ( sum_f exp(-sigma (x_f - z_f)^2) )^degree
#include "registry.hpp"

namespace mk {

Factor make_anova(const State& parameters) {
  return {{PairKind::anova, positive_parameter(parameters, "sigma")},
          make_power_map(1.0, 0.0, degree_parameter(parameters))};
}

}  // namespace mk
