// Matern kernels of length scale sigma, with r = sqrt(2 nu) ||x - z|| / sigma:
//   nu = 1/2: exp(-r);  3/2: (1 + r) exp(-r);  5/2: (1 + r + r^2/3) exp(-r)
#include <algorithm>
#include <cmath>

#include "../base/errors.hpp"
#include "registry.hpp"

namespace mk {

namespace {
class Matern final : public PairMap {
 public:
  Matern(double nu, double sigma)
      : nu_(nu), rate_(checked_rate(std::sqrt(2.0 * nu) / sigma, "sigma", sigma)) {}

  void apply(const double* sums, double* out, Index n, const Simd& simd) const override {
    constexpr Index chunk = 512;
    double r[chunk];
    for (Index first = 0; first < n; first += chunk) {
      const Index count = std::min(chunk, n - first);
      for (Index i = 0; i < count; ++i) r[i] = rate_ * std::sqrt(sums[first + i]);
      simd.exp_decay(r, 1.0, out + first, count);
      for (Index i = 0; i < count; ++i)
        if (out[first + i] > 0.0) out[first + i] *= polynomial(r[i]);  // spares Inf * 0
    }
  }
  void apply_log(const double* sums, double* out, Index n, const Simd&) const override {
    for (Index i = 0; i < n; ++i) {
      const double r = rate_ * std::sqrt(sums[i]);
      out[i] = std::log(polynomial(r)) - r;
    }
  }

  // The spectral density is that of a multivariate t distribution of 2 nu degrees of freedom and
  // scale 1 / sigma: a normal vector over the root of an independent chi-squared number.
  bool is_mixture() const override { return true; }
  double draw_scale(Random& random) const override {
    double squares = 0.0;
    for (int k = 0; k < static_cast<int>(2.0 * nu_); ++k) {
      const double z = random.normal();
      squares += z * z;
    }
    return rate_ / std::sqrt(squares);
  }

 private:
  double polynomial(double r) const {
    if (nu_ == 0.5) return 1.0;
    return nu_ == 1.5 ? 1.0 + r : 1.0 + r + r * r / 3.0;
  }
  double nu_, rate_;
};
}  // namespace

Factor make_matern(const State& parameters) {
  const double nu = parameters.number("nu");
  if (nu != 0.5 && nu != 1.5 && nu != 2.5)
    throw InvalidArgument("nu", "1/2, 3/2 or 5/2", format_number(nu));
  return {{PairKind::squared_distance},
          std::make_shared<Matern>(nu, positive_parameter(parameters, "sigma"))};
}

}  // namespace mk
