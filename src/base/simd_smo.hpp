// The two loops of SMO, on columns in double or single precision. The rules of simd_vectors.hpp
// hold.
#pragma once

#include "simd_vectors.hpp"

namespace mk {
namespace simd_body {

// Fetches a column far ahead. Processors do so by themselves, but begin anew at every page, of
// which a long column has several. Count: entries from this step to the next.
template <int Count, class Number>
MK_INLINE void fetch_ahead(const Number* p) {
  constexpr int size = static_cast<int>(sizeof(Number));
  for (int byte = 0; byte < Count * size; byte += 64) __builtin_prefetch(p + (2048 + byte) / size);
}

// Running extremes of one stream of lanes; indices travel as doubles beside their values.
template <class V>
struct LaneExtremes {
  typename V::Real up, up_index, low;
  MK_INLINE void start() {
    up = broadcast<V>(__builtin_inf());
    low = broadcast<V>(-__builtin_inf());
    up_index = broadcast<V>(-1.0);
  }
  MK_INLINE void see(const typename V::Real& may_grow, const typename V::Real& may_shrink,
                     const typename V::Real& index) {
    const typename V::Int better = may_grow < up;
    up = smaller<V>(may_grow, up);
    up_index = blend<V>(better, index, up_index);
    low = larger<V>(may_shrink, low);
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

template <class V, bool Update, class Number>
MK_INLINE SmoExtremes smo_pass(const SmoArrays& s, const Number* column_i, const Number* column_j,
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
      fetch_ahead<2 * W>(column_j + i);
      g0 += (load<V>(column_i + i) - load<V>(column_j + i)) * step;
      g1 += (load<V>(column_i + i + W) - load<V>(column_j + i + W)) * step;
      store<V>(s.gradient + i, g0);
      store<V>(s.gradient + i + W, g1);
    }
    first.see(g0 + load<V>(s.up_penalty + i), g0 + load<V>(s.low_penalty + i), index);
    second.see(g1 + load<V>(s.up_penalty + i + W), g1 + load<V>(s.low_penalty + i + W),
               index + static_cast<double>(W));
    index += static_cast<double>(2 * W);
  }
  SmoExtremes e{-1, __builtin_inf(), -__builtin_inf()};
  for (int k = 0; k < W; ++k) {
    merge_extreme<V>(e, first.up[k], first.up_index[k], first.low[k]);
    merge_extreme<V>(e, second.up[k], second.up_index[k], second.low[k]);
  }
  for (; i < s.n; ++i) {
    if (Update)
      s.gradient[i] += (static_cast<double>(column_i[i]) - static_cast<double>(column_j[i])) * step;
    const double g = s.gradient[i];
    merge_extreme<V>(e, g + s.up_penalty[i], static_cast<double>(i), g + s.low_penalty[i]);
  }
  if (e.up_value == __builtin_inf()) e.up_index = -1;
  return e;
}

// Fractions b^2 / a with the places they come from, one in each lane. They are compared by cross-
// multiplication: a division per entry would cost more than all the rest of the loop.
template <class V>
struct LanePartners {
  using Real = typename V::Real;
  Real b2, a, index;
  MK_INLINE static LanePartners none() { return {Real{}, broadcast<V>(1.0), broadcast<V>(-1.0)}; }
  MK_INLINE static LanePartners of(const Real& b, const Real& curvature, const Real& place) {
    return {b * magnitude<V>(b), curvature, place};
  }
  // The better one in each lane, this one if they are equal.
  MK_INLINE LanePartners or_better(const LanePartners& later) const {
    const typename V::Int better = later.b2 * a > b2 * later.a;
    return {blend<V>(better, later.b2, b2), blend<V>(better, later.a, a),
            blend<V>(better, later.index, index)};
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
// Comparisons wait for one another, so four candidates play a small tournament among themselves.
template <class V, class Number>
MK_INLINE Index smo_partner(const SmoArrays& s, const Number* column_i, double gradient_i,
                            double half_diagonal_i) {
  using Real = typename V::Real;
  constexpr int W = V::width;
  LanePartners<V> found = LanePartners<V>::none();
  Real index{};
  for (int k = 0; k < W; ++k) index[k] = k;
  const auto slope = [&](Index i) __attribute__((always_inline)) {
    return (load<V>(s.gradient + i) - gradient_i) + load<V>(s.low_penalty + i);
  };
  const double smallest = smo_least_curvature(half_diagonal_i);
  const Real least = broadcast<V>(smallest);
  const auto curvature = [&](Index i) __attribute__((always_inline)) {
    const Real a = (load<V>(s.half_diagonal + i) + half_diagonal_i) - load<V>(column_i + i);
    return larger<V>(a, least);
  };
  Index i = 0;
  const auto candidate = [&](int k) __attribute__((always_inline)) {
    return LanePartners<V>::of(slope(i + k * W), curvature(i + k * W),
                               broadcast<V>(static_cast<double>(k * W)));
  };
  const auto see = [&](LanePartners<V> next, int vectors) __attribute__((always_inline)) {
    next.index += index;
    found = found.or_better(next);
    index += static_cast<double>(vectors * W);
  };
  for (; i + 4 * W <= s.n; i += 4 * W) {
    fetch_ahead<4 * W>(column_i + i);
    const LanePartners<V> first = candidate(0).or_better(candidate(1));
    see(first.or_better(candidate(2).or_better(candidate(3))), 4);
  }
  for (; i + W <= s.n; i += W) see(candidate(0), 1);
  Partner<V> best{-1, 0.0, 1.0};
  best.merge(found);
  for (; i < s.n; ++i) {
    const double b = s.gradient[i] - gradient_i + s.low_penalty[i];
    double a = (s.half_diagonal[i] + half_diagonal_i) - static_cast<double>(column_i[i]);
    if (!(a > smallest)) a = smallest;
    if (b > 0.0 && b * b * best.a > best.b2 * a) best = {i, b * b, a};
  }
  return best.at;
}

}  // namespace simd_body
}  // namespace mk
