// k(x, z) = sum_f min(x_f, z_f) for non-negative features
#include "maps.hpp"
#include "registry.hpp"

namespace mk {

Factor make_intersection(const State&) {
  Factor factor;
  factor.kind = PairKind::minimum;
  factor.map = make_identity_map();
  return factor;
}

}  // namespace mk
