// The two loops of SMO. The rules of simd_vectors.hpp hold.
#pragma once

#include "simd_vectors.hpp"

namespace mk {
namespace simd_body {

// Running extremes of one stream of lanes; indices travel as doubles beside their values.
template <class V>
struct LaneExtremes {
  typename V::Real up, up_index, low;
  MK_INLINE void start() {
    up = broadcast<V>(__builtin_inf());
    low = broadcast<V>(-__builtin_inf());
    up_index = broadcast<V>(-1.0);
  }
  MK_INLINE void see(const typename V::Real& g, const typename V::Real& up_penalty,
                     const typename V::Real& low_penalty, const typename V::Real& index) {
    const typename V::Real may_grow = g + up_penalty;
    const typename V::Int better = may_grow < up;
    up = blend<V>(better, may_grow, up);
    up_index = blend<V>(better, index, up_index);
    const typename V::Real may_shrink = g + low_penalty;
    low = blend<V>(may_shrink > low, may_shrink, low);
  }
};

// Ties go to the smaller index, so the result does not depend on the vector width.
template <class V>
MK_INLINE void merge_extreme(SmoExtremes& e, double up, double index, double low) {
  const Index at = static_cast<Index>(index);
  if (up < e.up_value || (up == e.up_value && at >= 0 && (e.up_index < 0 || at < e.up_index))) {
    e.up_value = up;
    e.up_index = at;
  }
  if (low > e.low_value) e.low_value = low;
}

template <class V, bool Update>
MK_INLINE SmoExtremes smo_pass(const SmoArrays& s, const double* column_i, const double* column_j,
                               double step) {
  using Real = typename V::Real;
  constexpr int W = V::width;
  LaneExtremes<V> first, second;
  first.start();
  second.start();
  Real index{};
  for (int k = 0; k < W; ++k) index[k] = k;
  Index i = 0;
  for (; i + 2 * W <= s.n; i += 2 * W) {
    Real g0 = load<V>(s.gradient + i);
    Real g1 = load<V>(s.gradient + i + W);
    if (Update) {
      g0 += (load<V>(column_i + i) - load<V>(column_j + i)) * step;
      g1 += (load<V>(column_i + i + W) - load<V>(column_j + i + W)) * step;
      store<V>(s.gradient + i, g0);
      store<V>(s.gradient + i + W, g1);
    }
    first.see(g0, load<V>(s.up_penalty + i), load<V>(s.low_penalty + i), index);
    second.see(g1, load<V>(s.up_penalty + i + W), load<V>(s.low_penalty + i + W),
               index + static_cast<double>(W));
    index += static_cast<double>(2 * W);
  }
  SmoExtremes e{-1, __builtin_inf(), -__builtin_inf()};
  for (int k = 0; k < W; ++k) {
    merge_extreme<V>(e, first.up[k], first.up_index[k], first.low[k]);
    merge_extreme<V>(e, second.up[k], second.up_index[k], second.low[k]);
  }
  for (; i < s.n; ++i) {
    if (Update) s.gradient[i] += (column_i[i] - column_j[i]) * step;
    const double g = s.gradient[i];
    merge_extreme<V>(e, g + s.up_penalty[i], static_cast<double>(i), g + s.low_penalty[i]);
  }
  if (e.up_value == __builtin_inf()) e.up_index = -1;
  return e;
}

constexpr double smallest_curvature = 1e-12;

// Running best fraction b^2 / a of one stream of lanes. Fractions are compared by cross-
// multiplication: a division per entry would cost more than all the rest of the loop.
template <class V>
struct LanePartners {
  using Real = typename V::Real;
  Real b2, a, index;
  MK_INLINE void start() {
    b2 = Real{};
    a = broadcast<V>(1.0);
    index = broadcast<V>(-1.0);
  }
  MK_INLINE void see(const Real& b, const Real& curvature, const Real& place) {
    const Real floor = broadcast<V>(smallest_curvature);
    const Real some_a = blend<V>(curvature > floor, curvature, floor);
    const Real some_b2 = b * b;
    const typename V::Int better = (b > 0.0) & (some_b2 * a > b2 * some_a);
    b2 = blend<V>(better, some_b2, b2);
    a = blend<V>(better, some_a, a);
    index = blend<V>(better, place, index);
  }
};

// One candidate against the best so far; ties go to the smaller index.
template <class V>
struct Partner {
  Index at;
  double b2, a;
  MK_INLINE void merge(const LanePartners<V>& lanes) {
    for (int k = 0; k < V::width; ++k) {
      if (lanes.index[k] < 0) continue;
      const Index candidate = static_cast<Index>(lanes.index[k]);
      const double left = lanes.b2[k] * a, right = b2 * lanes.a[k];
      if (left > right || (left == right && candidate < at)) {
        at = candidate;
        b2 = lanes.b2[k];
        a = lanes.a[k];
      }
    }
  }
};

// Largest gain b^2 / a with b = g_j - g_i > 0 and a = K_ii + K_jj - 2 K_ij (Fan, Chen & Lin 2005).
// Two streams, because each waits for its own last comparison.
template <class V>
MK_INLINE Index smo_partner(const SmoArrays& s, const double* column_i, double gradient_i,
                            double diagonal_i) {
  using Real = typename V::Real;
  constexpr int W = V::width;
  LanePartners<V> first, second;
  first.start();
  second.start();
  Real index{};
  for (int k = 0; k < W; ++k) index[k] = k;
  const auto slope = [&](Index i) __attribute__((always_inline)) {
    return load<V>(s.gradient + i) - gradient_i + load<V>(s.low_penalty + i);
  };
  const auto curvature = [&](Index i) __attribute__((always_inline)) {
    return (load<V>(s.diagonal + i) + diagonal_i) - 2.0 * load<V>(column_i + i);
  };
  Index i = 0;
  for (; i + 2 * W <= s.n; i += 2 * W) {
    first.see(slope(i), curvature(i), index);
    second.see(slope(i + W), curvature(i + W), index + static_cast<double>(W));
    index += static_cast<double>(2 * W);
  }
  Partner<V> best{-1, 0.0, 1.0};
  best.merge(first);
  best.merge(second);
  for (; i < s.n; ++i) {
    const double b = s.gradient[i] - gradient_i + s.low_penalty[i];
    double a = (s.diagonal[i] + diagonal_i) - 2.0 * column_i[i];
    if (!(a > smallest_curvature)) a = smallest_curvature;
    if (b > 0.0 && b * b * best.a > best.b2 * a) best = {i, b * b, a};
  }
  return best.at;
}

}  // namespace simd_body
}  // namespace mk
