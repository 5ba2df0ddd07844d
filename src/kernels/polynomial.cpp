// k(x, z) = (scale x'z + offset)^degree, degree a positive integer
#include "registry.hpp"

namespace mk {

namespace {
class Power final : public PairMap {
 public:
  Power(double scale, double offset, int degree)
      : scale_(scale), offset_(offset), degree_(degree) {}
  void apply(const double* sums, double* out, Index n, const Simd& simd) const override {
    simd.affine_power(sums, scale_, offset_, degree_, out, n);
  }

 private:
  double scale_, offset_;
  int degree_;
};
}  // namespace

std::shared_ptr<const PairMap> make_power_map(double scale, double offset, int degree) {
  return std::make_shared<Power>(scale, offset, degree);
}

Factor make_polynomial(const State& parameters) {
  return {{PairKind::dot},
          make_power_map(positive_parameter(parameters, "scale"),
                         finite_parameter(parameters, "offset"), degree_parameter(parameters))};
}

}  // namespace mk
