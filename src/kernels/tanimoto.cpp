// k(x, z) = x'z / (x'x + z'z - x'z), 1 for two examples of zeros: Ralaivola et al. 2005. As
// 2 x'z <= x'x + z'z, it is the sum of the powers of x'z / (x'x + z'z), each of them the product of
// positive semi-definite kernels.
#include "../features/ratio.hpp"
#include "registry.hpp"

namespace mk {

Factor make_tanimoto(const State&) {
  return {{PairKind::dot},
          make_identity_map(),
          std::make_shared<RatioMap>("tanimoto", PairKind::dot, [](double shared, double both) {
            return shared / (both - shared);
          })};
}

}  // namespace mk
