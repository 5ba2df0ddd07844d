// k(x, z) = exp(-gamma ||x - z||^2)
#include "maps.hpp"
#include "registry.hpp"

namespace mk {

namespace {
class Gaussian final : public PairMap {
 public:
  explicit Gaussian(double gamma) : gamma_(gamma) {}

  void apply(const double* sums, double* out, Index n, const Simd& simd) const override {
    simd.exp_decay(sums, gamma_, out, n);
  }
  void apply_log(const double* sums, double* out, Index n, const Simd& simd) const override {
    simd.affine_power(sums, -gamma_, 0.0, 1, out, n);
  }

  // exp(-2 g d) = exp(-g d)^2: exact powers of two only, and few steps, because every squaring
  // doubles the relative error.
  int squarings_from(const PairMap& previous) const override {
    const auto* other = dynamic_cast<const Gaussian*>(&previous);
    if (other == nullptr) return 0;
    if (gamma_ == 2.0 * other->gamma_) return 1;
    if (gamma_ == 4.0 * other->gamma_) return 2;
    return 0;
  }
  double rank() const override { return gamma_; }

 private:
  double gamma_;
};
}  // namespace

std::shared_ptr<const PairMap> make_gaussian_map(double gamma) {
  return std::make_shared<Gaussian>(checked_rate(gamma, "gamma", gamma));
}

Factor make_rbf(const State& parameters) {
  Factor factor;
  factor.kind = PairKind::squared_distance;
  factor.map = make_gaussian_map(positive_parameter(parameters, "gamma"));
  return factor;
}

}  // namespace mk
