// k(x, z) = x'z
#include <algorithm>

#include "registry.hpp"

namespace mk {

namespace {
class Identity final : public PairMap {
 public:
  void apply(const double* sums, double* out, Index n, const Simd&) const override {
    std::copy(sums, sums + n, out);
  }
  bool is_identity() const override { return true; }
};
}  // namespace

std::shared_ptr<const PairMap> make_identity_map() { return std::make_shared<Identity>(); }

Factor make_linear(const State&) { return {{PairKind::dot}, make_identity_map()}; }

}  // namespace mk
