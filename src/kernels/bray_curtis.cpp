// k(x, z) = 2 sum_f min(x_f, z_f) / sum_f (x_f + z_f) for non-negative features, 1 for two examples
// of zeros: one minus the dissimilarity of Bray & Curtis 1957. It is the intersection kernel times
// 1 / (a + b), the integral of exp(-a t) exp(-b t) over t > 0: both are positive semi-definite.
#include "../features/ratio.hpp"
#include "registry.hpp"

namespace mk {

Factor make_bray_curtis(const State&) {
  return {
      {PairKind::minimum},
      make_identity_map(),
      std::make_shared<RatioMap>("bray_curtis", PairKind::minimum,
                                 [](double shared, double both) { return 2.0 * shared / both; })};
}

}  // namespace mk
