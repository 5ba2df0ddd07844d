// The bodies of the hot loops, as templates over a vector type V. simd_avx2.cpp includes this
// file under target("avx2,fma"). Everything is always_inline and a template, and no standard
// header may be included first here: code compiled for AVX2 must not be shared with the rest of
// the program, which may run on a processor without it.
#pragma once

#include "simd.hpp"

#define MK_INLINE inline __attribute__((always_inline))

namespace mk {
namespace simd_body {

// ---- vectors -------------------------------------------------------------------------------

template <int Width>
struct Lanes {
  static constexpr int width = Width;
  typedef double Real __attribute__((vector_size(8 * Width)));
  typedef double Unaligned __attribute__((vector_size(8 * Width), aligned(8), may_alias));
  typedef long long Int __attribute__((vector_size(8 * Width)));
};

template <class V>
MK_INLINE typename V::Real load(const double* p) {
  return *reinterpret_cast<const typename V::Unaligned*>(p);
}
template <class V>
MK_INLINE void store(double* p, const typename V::Real& x) {
  *reinterpret_cast<typename V::Unaligned*>(p) = x;
}
template <class V>
MK_INLINE typename V::Real broadcast(double x) {
  return x - typename V::Real{};
}
template <class V>
MK_INLINE typename V::Real blend(const typename V::Int& mask, const typename V::Real& yes,
                                 const typename V::Real& no) {
  return (typename V::Real)((mask & (typename V::Int)yes) | (~mask & (typename V::Int)no));
}

// exp by Cody-Waite reduction to |r| <= ln(2)/2 and a Taylor polynomial of degree 12 (its
// truncation error is 2e-16 relative); below -708 the result is 0, above 709.4 infinite.
template <class V>
MK_INLINE typename V::Real exp_lanes(const typename V::Real& x) {
  using Real = typename V::Real;
  using Int = typename V::Int;
  const Real magic = broadcast<V>(0x1.8p52);  // adding it rounds to the nearest integer
  const Real shifted = x * 1.4426950408889634 + magic;
  const Real n = shifted - magic;
  const Real r = (x - n * 0x1.62e42fefa0000p-1) - n * 0x1.cf79abc9e3b3ap-40;
  const Real r2 = r * r;
  // Even and odd powers apart: two short chains instead of a long one.
  Real even = broadcast<V>(1.0 / 479001600) * r2 + 1.0 / 3628800;
  Real odd = broadcast<V>(1.0 / 39916800) * r2 + 1.0 / 362880;
  even = even * r2 + 1.0 / 40320;
  odd = odd * r2 + 1.0 / 5040;
  even = even * r2 + 1.0 / 720;
  odd = odd * r2 + 1.0 / 120;
  even = even * r2 + 1.0 / 24;
  odd = odd * r2 + 1.0 / 6;
  even = even * r2 + 0.5;
  odd = odd * r2 + 1.0;
  even = even * r2 + 1.0;
  const Real p = odd * r + even;
  Real result = (Real)((Int)p + ((Int)shifted << 52));  // times 2^n
  result = blend<V>(x < -708.0, Real{}, result);
  return blend<V>(x > 709.4, broadcast<V>(__builtin_inf()), result);
}

// ---- pair reductions -----------------------------------------------------------------------

template <class V>
struct DotStep {
  MK_INLINE void operator()(typename V::Real& sum, const typename V::Real& a, double b,
                            double) const {
    sum += a * b;
  }
};
template <class V>
struct SquaredDistanceStep {
  MK_INLINE void operator()(typename V::Real& sum, const typename V::Real& a, double b,
                            double) const {
    const typename V::Real d = a - b;
    sum += d * d;
  }
};
template <class V>
struct AbsoluteDistanceStep {
  MK_INLINE void operator()(typename V::Real& sum, const typename V::Real& a, double b,
                            double) const {
    const typename V::Real d = a - b;
    sum += blend<V>(d < 0.0, -d, d);
  }
};
template <class V>
struct MinimumStep {
  MK_INLINE void operator()(typename V::Real& sum, const typename V::Real& a, double b,
                            double) const {
    const typename V::Real z = broadcast<V>(b);
    sum += blend<V>(a < z, a, z);
  }
};
template <class V>
struct ChiSquaredStep {
  MK_INLINE void operator()(typename V::Real& sum, const typename V::Real& a, double b,
                            double) const {
    const typename V::Real d = a - b;
    const typename V::Real s = a + b;  // 0 only if both are 0: that term is 0, not 0/0
    sum += blend<V>(s > 0.0, d * d / s, typename V::Real{});
  }
};
template <class V>
struct AnovaStep {
  MK_INLINE void operator()(typename V::Real& sum, const typename V::Real& a, double b,
                            double sigma) const {
    const typename V::Real d = a - b;
    sum += exp_lanes<V>(d * d * -sigma);
  }
};

// The running sums of 2 vectors of A's examples against Columns examples of B. A recursive struct
// rather than an array: every sum is a variable of its own and stays in a register.
template <class V, int Columns>
struct TileSums {
  using Real = typename V::Real;
  TileSums<V, Columns - 1> before;
  Real s0, s1;

  MK_INLINE void clear() {
    before.clear();
    s0 = s1 = Real{};
  }
  MK_INLINE void read(const double* out) {
    before.read(out);
    s0 = load<V>(out + (Columns - 1) * panel_rows);
    s1 = load<V>(out + (Columns - 1) * panel_rows + V::width);
  }
  template <class Step>
  MK_INLINE void add(const Real& a0, const Real& a1, const double* b, double parameter,
                     const Step& step) {
    before.add(a0, a1, b, parameter, step);
    const double z = b[Columns - 1];
    step(s0, a0, z, parameter);
    step(s1, a1, z, parameter);
  }
  MK_INLINE void write(double* out) const {
    before.write(out);
    store<V>(out + (Columns - 1) * panel_rows, s0);
    store<V>(out + (Columns - 1) * panel_rows + V::width, s1);
  }
};
template <class V>
struct TileSums<V, 0> {
  using Real = typename V::Real;
  MK_INLINE void clear() {}
  MK_INLINE void read(const double*) {}
  template <class Step>
  MK_INLINE void add(const Real&, const Real&, const double*, double, const Step&) {}
  MK_INLINE void write(double*) const {}
};

// One such tile over one block of features. `add` continues the sums of an earlier block.
template <class V, int Columns, class Step>
MK_INLINE void micro_tile(const double* a, const double* b, const int* features, Index n_features,
                          double parameter, bool add, double* out, const Step& step) {
  TileSums<V, Columns> sums;
  if (add) sums.read(out);
  else sums.clear();
  for (Index k = 0; k < n_features; ++k) {
    const Index at = static_cast<Index>(features[k]) * strip_rows;
    sums.add(load<V>(a + at), load<V>(a + at + V::width), b + at, parameter, step);
  }
  sums.write(out);
}

MK_INLINE const double* example_of_b(const PanelPair& p, Index j) {
  const Index place = p.b_offset + j;
  return p.b + place / strip_rows * p.stride + place % strip_rows;
}

// The feature block keeps A's slice in the first-level cache.
constexpr Index feature_block = 256;

template <class V, class Step>
MK_INLINE void reduce_panels(const PanelPair& p, double* out, const Step& step) {
  if (p.n_features == 0) {
    for (Index j = 0; j < p.b_count; ++j)
      for (Index i = 0; i < p.a_count; ++i) out[i + j * panel_rows] = 0.0;
    return;
  }
  for (Index first = 0; first < p.n_features; first += feature_block) {
    const Index left = p.n_features - first;
    const Index count = left < feature_block ? left : feature_block;
    const int* features = p.features + first;
    const bool add = first > 0;
    for (Index i = 0; i < p.a_count; i += 2 * V::width) {
      const double* a = p.a + i / strip_rows * p.stride + i % strip_rows;
      Index j = 0;
      for (; j + 4 <= p.b_count; j += 4)
        micro_tile<V, 4>(a, example_of_b(p, j), features, count, p.parameter, add,
                         out + i + j * panel_rows, step);
      for (; j < p.b_count; ++j)
        micro_tile<V, 1>(a, example_of_b(p, j), features, count, p.parameter, add,
                         out + i + j * panel_rows, step);
    }
  }
}

// ---- element by element ----------------------------------------------------------------------

template <class V, class F>
MK_INLINE void transform(const double* in, double* out, Index n, const F& f) {
  Index i = 0;
  for (; i + V::width <= n; i += V::width) store<V>(out + i, f(load<V>(in + i)));
  if (i == n) return;
  double tail[V::width] = {};  // the same arithmetic for the last few entries
  for (Index k = i; k < n; ++k) tail[k - i] = in[k];
  store<V>(tail, f(load<V>(tail)));
  for (Index k = i; k < n; ++k) out[k] = tail[k - i];
}

template <class V>
struct ExpScaled {
  double scale;
  MK_INLINE typename V::Real operator()(const typename V::Real& x) const {
    return exp_lanes<V>(x * scale);
  }
};
template <class V>
struct Square {
  MK_INLINE typename V::Real operator()(const typename V::Real& x) const { return x * x; }
};
template <class V>
struct AffinePower {
  double scale, offset;
  int degree;
  MK_INLINE typename V::Real operator()(const typename V::Real& x) const {
    typename V::Real base = x * scale + offset;
    typename V::Real result = broadcast<V>(1.0);
    for (int d = degree; d > 0; d >>= 1) {  // by repeated squaring
      if (d & 1) result *= base;
      base *= base;
    }
    return result;
  }
};

template <class V>
MK_INLINE void axpy(double weight, const double* in, double* out, Index n) {
  Index i = 0;
  for (; i + V::width <= n; i += V::width)
    store<V>(out + i, load<V>(out + i) + load<V>(in + i) * weight);
  for (; i < n; ++i) out[i] = out[i] + in[i] * weight;
}

template <class V>
MK_INLINE double sum_lanes(const typename V::Real& x) {
  double sum = 0.0;
  for (int k = 0; k < V::width; ++k) sum += x[k];
  return sum;
}

template <class V>
MK_INLINE double dot(const double* x, const double* y, Index n) {
  typename V::Real s0{}, s1{}, s2{}, s3{};
  Index i = 0;
  for (; i + 4 * V::width <= n; i += 4 * V::width) {
    s0 += load<V>(x + i) * load<V>(y + i);
    s1 += load<V>(x + i + V::width) * load<V>(y + i + V::width);
    s2 += load<V>(x + i + 2 * V::width) * load<V>(y + i + 2 * V::width);
    s3 += load<V>(x + i + 3 * V::width) * load<V>(y + i + 3 * V::width);
  }
  double sum = sum_lanes<V>((s0 + s1) + (s2 + s3));
  for (; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

// ---- SMO ---------------------------------------------------------------------------------------

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

// Largest gain b^2 / a with b = g_j - g_i > 0 and a = K_ii + K_jj - 2 K_ij (Fan, Chen & Lin 2005).
// Two fractions are compared by cross-multiplication: a division per entry would cost more than
// all the rest of the loop.
template <class V>
MK_INLINE Index smo_partner(const SmoArrays& s, const double* column_i, double gradient_i,
                            double diagonal_i) {
  using Real = typename V::Real;
  constexpr int W = V::width;
  Real best_b2{}, best_a = broadcast<V>(1.0), best_index = broadcast<V>(-1.0), index{};
  for (int k = 0; k < W; ++k) index[k] = k;
  const Real floor = broadcast<V>(smallest_curvature);
  Index i = 0;
  for (; i + W <= s.n; i += W) {
    const Real b = load<V>(s.gradient + i) - gradient_i + load<V>(s.low_penalty + i);
    Real a = (load<V>(s.diagonal + i) + diagonal_i) - 2.0 * load<V>(column_i + i);
    a = blend<V>(a > floor, a, floor);
    const Real b2 = b * b;
    const typename V::Int better = (b > 0.0) & (b2 * best_a > best_b2 * a);
    best_b2 = blend<V>(better, b2, best_b2);
    best_a = blend<V>(better, a, best_a);
    best_index = blend<V>(better, index, best_index);
    index += static_cast<double>(W);
  }
  Index at = -1;
  double b2_at = 0.0, a_at = 1.0;
  for (int k = 0; k < W; ++k) {
    if (best_index[k] < 0) continue;
    const Index candidate = static_cast<Index>(best_index[k]);
    const double left = best_b2[k] * a_at, right = b2_at * best_a[k];
    if (left > right || (left == right && candidate < at)) {
      at = candidate;
      b2_at = best_b2[k];
      a_at = best_a[k];
    }
  }
  for (; i < s.n; ++i) {
    const double b = s.gradient[i] - gradient_i + s.low_penalty[i];
    double a = (s.diagonal[i] + diagonal_i) - 2.0 * column_i[i];
    if (!(a > smallest_curvature)) a = smallest_curvature;
    if (b > 0.0 && b * b * a_at > b2_at * a) {
      at = i;
      b2_at = b * b;
      a_at = a;
    }
  }
  return at;
}

}  // namespace simd_body
}  // namespace mk

// Defines the functions and the table of one instruction set; WIDTH is the number of doubles in
// a vector.
#define MK_SIMD_TABLE(WIDTH, NAME)                                                                \
  using V = simd_body::Lanes<WIDTH>;                                                              \
  static void reduce_dot(const PanelPair& p, double* out) {                                       \
    simd_body::reduce_panels<V>(p, out, simd_body::DotStep<V>());                                 \
  }                                                                                               \
  static void reduce_squared(const PanelPair& p, double* out) {                                   \
    simd_body::reduce_panels<V>(p, out, simd_body::SquaredDistanceStep<V>());                     \
  }                                                                                               \
  static void reduce_absolute(const PanelPair& p, double* out) {                                  \
    simd_body::reduce_panels<V>(p, out, simd_body::AbsoluteDistanceStep<V>());                    \
  }                                                                                               \
  static void reduce_minimum(const PanelPair& p, double* out) {                                   \
    simd_body::reduce_panels<V>(p, out, simd_body::MinimumStep<V>());                             \
  }                                                                                               \
  static void reduce_chi_squared(const PanelPair& p, double* out) {                               \
    simd_body::reduce_panels<V>(p, out, simd_body::ChiSquaredStep<V>());                          \
  }                                                                                               \
  static void reduce_anova(const PanelPair& p, double* out) {                                     \
    simd_body::reduce_panels<V>(p, out, simd_body::AnovaStep<V>());                               \
  }                                                                                               \
  static void exp_scaled(const double* in, double scale, double* out, Index n) {                  \
    simd_body::transform<V>(in, out, n, simd_body::ExpScaled<V>{scale});                          \
  }                                                                                               \
  static void square(const double* in, double* out, Index n) {                                    \
    simd_body::transform<V>(in, out, n, simd_body::Square<V>());                                  \
  }                                                                                               \
  static void affine_power(const double* in, double scale, double offset, int degree,             \
                           double* out, Index n) {                                                \
    simd_body::transform<V>(in, out, n, simd_body::AffinePower<V>{scale, offset, degree});        \
  }                                                                                               \
  static void axpy(double weight, const double* in, double* out, Index n) {                       \
    simd_body::axpy<V>(weight, in, out, n);                                                       \
  }                                                                                               \
  static double dot(const double* x, const double* y, Index n) {                                  \
    return simd_body::dot<V>(x, y, n);                                                            \
  }                                                                                               \
  static SmoExtremes smo_scan(const SmoArrays& s) {                                               \
    return simd_body::smo_pass<V, false>(s, nullptr, nullptr, 0.0);                               \
  }                                                                                               \
  static SmoExtremes smo_update(const SmoArrays& s, const double* ci, const double* cj,           \
                                double step) {                                                    \
    return simd_body::smo_pass<V, true>(s, ci, cj, step);                                         \
  }                                                                                               \
  static Index smo_partner(const SmoArrays& s, const double* ci, double gi, double kii) {         \
    return simd_body::smo_partner<V>(s, ci, gi, kii);                                             \
  }                                                                                               \
  extern const Simd table = {NAME,                                                                       \
                      {reduce_dot, reduce_squared, reduce_absolute, reduce_minimum,               \
                       reduce_chi_squared, reduce_anova},                                         \
                      exp_scaled,                                                                 \
                      square,                                                                     \
                      affine_power,                                                               \
                      axpy,                                                                       \
                      dot,                                                                        \
                      smo_scan,                                                                   \
                      smo_update,                                                                 \
                      smo_partner};
