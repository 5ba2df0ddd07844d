// Regularizers of multiple kernel learning on explicit features, w_m those of kernel m:
//   fixed weights d    Omega(w) = 1/2 sum_m ||w_m||^2 / d_m
//   the p-norm ball    Omega(w) = min over d >= 0, ||d||_p <= 1 of the same
//                               = 1/2 (sum_m ||w_m||^q)^(2/q),  q = 2 p / (p + 1)
// (Kloft, Brefeld, Sonnenburg & Zien 2011), and the minimum of a quadratic function with one of
// them. All that is here works on sums over the rows.
#pragma once

#include "../base/runtime.hpp"
#include "../base/types.hpp"

namespace mk {

// g'x + 1/2 x'Hx with x = (w, bias): `hessian` has its lower triangle only.
struct Quadratic {
  Matrix hessian;
  Vector gradient;
};

class BlockNorm {
 public:
  // `offsets`: where the features of each kernel begin, and their number. `p` of 0: `weights` are
  // fixed; else they are where the search begins (none: equal ones).
  BlockNorm(Indices offsets, double p, const Vector& weights);

  Index kernels() const { return static_cast<Index>(offsets_.size()) - 1; }
  Index columns() const { return offsets_.back(); }
  bool is_fixed() const { return p_ == 0.0; }

  double value(const Vector& w) const;
  // Its derivative at w in a direction, from the right.
  double slope(const Vector& w, const Vector& direction) const;
  // The conjugate: max over w of v'w - Omega(w).
  double conjugate(const Vector& v) const;
  // The weights for which the minimum over d is Omega(w).
  Vector weights(const Vector& w) const;
  // Length of the gradient of Omega(w) + g'w in the metric of the kernels with a weight.
  double residual(const Vector& w, const Vector& g) const;

  // The minimizer of the quadratic function plus Omega; the bias, the last entry, is free. With
  // weights to be found, up to `share` of the difference to the value at 0.
  Vector minimize(const Quadratic& q, double share, const Runtime& runtime);

 private:
  Vector lengths(const Vector& w) const;
  Vector spread_roots(const Vector& d) const;
  Vector ridge_solution(const Quadratic& q, const Vector& d, const Runtime& runtime) const;
  double half_forms(const Vector& x, const Vector& d) const;
  Vector next_weights(const Vector& d, const Vector& forms, double haste) const;

  Indices offsets_;
  double p_;
  Vector d_;  // fixed, or those of the last minimum
};

}  // namespace mk
