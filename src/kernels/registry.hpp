// From the name of a kernel family and its parameters to the factor that computes it; and what the
// kernel files share.
#pragma once

#include <memory>
#include <string>

#include "../base/state.hpp"
#include "kernel.hpp"

namespace mk {

// Features are filled in by the caller. Throws InvalidArgument for an unknown family or a
// parameter out of range.
Factor make_factor(const std::string& family, const State& parameters);

// ---- parameter checks --------------------------------------------------------------------------

double positive_parameter(const State& parameters, const char* name);
double finite_parameter(const State& parameters, const char* name);
// A whole number from 1 to `most`.
Index whole_parameter(const State& parameters, const char* name, double most);
int degree_parameter(const State& parameters);
// A rate that multiplies sums over features: 0 or infinite ones would make NaN of some sums.
double checked_rate(double rate, const char* name, double value);

// ---- maps that more than one kernel file uses --------------------------------------------------

// exp(-rate s)
class ExpDecay : public PairMap {
 public:
  explicit ExpDecay(double rate) : rate_(rate) {}
  void apply(const double* sums, double* out, Index n, const Simd& simd) const override {
    simd.exp_decay(sums, rate_, out, n);
  }
  void apply_log(const double* sums, double* out, Index n, const Simd& simd) const override {
    simd.affine_power(sums, -rate_, 0.0, 1, out, n);
  }

 protected:
  double rate_;
};

// s (linear.cpp)
std::shared_ptr<const PairMap> make_identity_map();
// exp(-gamma s) (rbf.cpp)
std::shared_ptr<const PairMap> make_gaussian_map(double gamma);
// (scale s + offset)^degree (polynomial.cpp)
std::shared_ptr<const PairMap> make_power_map(double scale, double offset, int degree);

// ---- one maker per kernel file -----------------------------------------------------------------

Factor make_linear(const State&);
Factor make_polynomial(const State&);
Factor make_sigmoid(const State&);
Factor make_rbf(const State&);
Factor make_laplacian(const State&);
Factor make_matern(const State&);
Factor make_rational_quadratic(const State&);
Factor make_alignment(const State&);
Factor make_anova(const State&);
Factor make_cauchy(const State&);
Factor make_chisq(const State&);
Factor make_intersection(const State&);
Factor make_node_kernel(const State&);
Factor make_subtree(const State&);
Factor make_spectrum(const State&);
Factor make_mismatch(const State&);
Factor make_gappy(const State&);
Factor make_weighted_degree(const State&);
Factor make_aitchison(const State&);
Factor make_table(const State&);
Factor make_tanimoto(const State&);
Factor make_bray_curtis(const State&);

}  // namespace mk
