// k(x, z) = ( sum_f exp(-sigma (x_f - z_f)^2) )^degree
#include "maps.hpp"
#include "registry.hpp"

namespace mk {

Factor make_anova(const State& parameters) {
  Factor factor;
  factor.kind = PairKind::anova;
  factor.parameter = positive_parameter(parameters, "sigma");
  factor.map = make_power_map(1.0, 0.0, degree_parameter(parameters));
  return factor;
}

}  // namespace mk
