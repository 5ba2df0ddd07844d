// A kernel is a product of factors. A factor is either a map of a sum over features,
//   k(x, z) = map( sum_f step(x_f, z_f) ),
// so that kernels with the same sum (all distance kernels on the same columns) share one pass
// over the features; or a stored matrix (precomputed kernels, kernels written in R).
#pragma once

#include <memory>
#include <vector>

#include "../base/simd.hpp"
#include "../base/types.hpp"

namespace mk {

// The outer function of a factor, applied to a block of sums at once.
class PairMap {
 public:
  virtual ~PairMap() = default;
  virtual void apply(const double* sums, double* out, Index n, const Simd& simd) const = 0;

  // The logarithm of the values: -inf for 0, NaN below. Maps that decay have it in closed form,
  // which lasts where the value itself is too small for a number.
  virtual void apply_log(const double* sums, double* out, Index n, const Simd& simd) const;

  // How many squarings turn the values of `previous` into this map's values; 0 if it cannot be
  // had that way. Lets Gaussians with widths a power of two apart share one exp.
  virtual int squarings_from(const PairMap& previous) const {
    (void)previous;
    return 0;
  }
  // Kernels on the same sum are evaluated in increasing order of this number.
  virtual double rank() const { return 0.0; }
};

struct Factor {
  PairKind kind = PairKind::dot;
  double parameter = 0.0;     // of the step: anova's sigma
  std::vector<int> features;  // positions of the columns, repeats allowed
  std::shared_ptr<const PairMap> map;
  Index stored = -1;  // >= 0: the stored matrix with this number instead

  bool is_stored() const { return stored >= 0; }
  // Same sum over the features: one pass serves both.
  bool shares_sums(const Factor& other) const {
    return !is_stored() && !other.is_stored() && kind == other.kind &&
           parameter == other.parameter && features == other.features;
  }
};

struct Kernel {
  std::vector<Factor> factors;
};

// The sum over features of an example with itself.
double self_sum(const Factor& factor, const MatrixView& x, Index row);

// k(x_i, x_i) of one factor for the given rows of x.
Vector factor_diagonal(const Factor& factor, const MatrixView& x, const Indices& rows,
                       const Simd& simd);

}  // namespace mk
