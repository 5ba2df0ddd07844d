// k(x, z) = tanh(scale x'z + offset); not positive definite in general
#include <cmath>
#include <limits>

#include "registry.hpp"

namespace mk {

namespace {
class Tanh final : public PairMap {
 public:
  Tanh(double scale, double offset) : scale_(scale), offset_(offset) {}
  void apply(const double* sums, double* out, Index n, const Simd&) const override {
    for (Index i = 0; i < n; ++i) {
      const double s = scale_ * sums[i] + offset_;
      // The sign of a product that overflowed is a matter of chance: not +-1, but an error.
      out[i] = std::isfinite(s) ? std::tanh(s) : std::numeric_limits<double>::quiet_NaN();
    }
  }

 private:
  double scale_, offset_;
};
}  // namespace

Factor make_sigmoid(const State& parameters) {
  return {{PairKind::dot},
          std::make_shared<Tanh>(finite_parameter(parameters, "scale"),
                                 finite_parameter(parameters, "offset"))};
}

}  // namespace mk
