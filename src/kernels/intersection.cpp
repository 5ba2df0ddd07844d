// k(x, z) = sum_f min(x_f, z_f) for non-negative features
#include "registry.hpp"

namespace mk {

Factor make_intersection(const State&) { return {{PairKind::minimum}, make_identity_map()}; }

}  // namespace mk
