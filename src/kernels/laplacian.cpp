// k(x, z) = exp(-||x - z||_1 / sigma), with the 1-norm; matern(nu = 1/2) has the 2-norm
#include "registry.hpp"

namespace mk {

namespace {
class Decay final : public PairMap {
 public:
  explicit Decay(double sigma) : rate_(checked_rate(1.0 / sigma, "sigma", sigma)) {}
  void apply(const double* sums, double* out, Index n, const Simd& simd) const override {
    simd.exp_decay(sums, rate_, out, n);
  }
  void apply_log(const double* sums, double* out, Index n, const Simd& simd) const override {
    simd.affine_power(sums, -rate_, 0.0, 1, out, n);
  }

 private:
  double rate_;
};
}  // namespace

Factor make_laplacian(const State& parameters) {
  Factor factor;
  factor.kind = PairKind::absolute_distance;
  factor.map = std::make_shared<Decay>(positive_parameter(parameters, "sigma"));
  return factor;
}

}  // namespace mk
