// A kernel is a product of factors. A factor is a map of a sum over features,
//   k(x, z) = map( sum_f step(x_f, z_f) ),
// so that kernels with the same sum (all distance kernels on the same columns) share one pass
// over the features. Precomputed kernels take their values for the sum.
#pragma once

#include <memory>
#include <vector>

#include "../base/random.hpp"
#include "../features/feature_map.hpp"
#include "../features/row_group.hpp"

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
  virtual int squarings_from(const PairMap& /*previous*/) const { return 0; }
  // Kernels on the same sum are evaluated in increasing order of this number.
  virtual double rank() const { return 0.0; }

  // Explicit features (approximations/random_features.hpp). Whether the map is the identity; and
  // whether it is a mixture of Gaussians over a random scale s > 0, which draw_scale() draws:
  //   exp(-s^2 q / 2) in the mean, for a squared distance q;
  //   exp(-s^2 t^2 / 2) in the mean, with an s for each column, for a sum of absolute distances t.
  virtual bool is_identity() const { return false; }
  virtual bool is_mixture() const { return false; }
  virtual double draw_scale(Random& /*random*/) const { return 0.0; }
};

struct Factor {
  PairSum sum = {};
  std::shared_ptr<const PairMap> map = nullptr;
  // What is done to the examples first; null for nothing.
  SharedFeatureMap examples = nullptr;
  Index source = 0;  // that gives the sum: its position in Examples::sources
  Index view = -1;   // that the source is, or is made of; -1 where there are no views

  // An order in which factors with the same sums stand together.
  bool operator<(const Factor& other) const;
};

struct Kernel {
  std::vector<Factor> factors;

  // k(x, x) before normalization.
  Vector diagonal(const RowGroup& group, const Simd& simd) const;
  // Similarities that fall with a distance are finite; others overflow on large features.
  bool may_overflow() const;
  // Whether k(x, x) may be 0, because an example has none of the features that a factor makes.
  bool may_vanish() const;

  // What the values of each example are multiplied by, s_i for all views that the kernel sees and 0
  // for an example that lacks one of them; empty if no example lacks any. See features/views.hpp.
  Vector mask(const RowGroup& group) const;
};

}  // namespace mk
