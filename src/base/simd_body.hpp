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
  typedef unsigned long long Bits __attribute__((vector_size(8 * Width)));  // wraps around
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

// 2^y for y <= 0: y = n + r with n the nearest whole number, a polynomial of degree 10 for 2^r
// (interpolated at the Chebyshev points of [-1/2, 1/2], relative error 4e-16), then n is added to
// the exponent. Below 2^-1022 the result is 0; NaN stays NaN.
template <class V>
MK_INLINE typename V::Real exp2_lanes(const typename V::Real& y) {
  using Real = typename V::Real;
  using Int = typename V::Int;
  using Bits = typename V::Bits;
  const Real magic = broadcast<V>(0x1.8p52);  // adding it rounds to the nearest whole number
  const Real shifted = y + magic;
  const Real r = y - (shifted - magic);
  const Real r2 = r * r;
  // Even and odd powers apart: two short chains instead of a long one.
  Real even = broadcast<V>(0x1.e6063f7217bc6p-28) * r2 + 0x1.62bfd47773353p-20;
  Real odd = broadcast<V>(0x1.b675bca4eeebbp-24) * r2 + 0x1.ffcb54062e698p-17;
  even = even * r2 + 0x1.430913096fd9fp-13;
  odd = odd * r2 + 0x1.5d87fe9d7a584p-10;
  even = even * r2 + 0x1.3b2ab6fba1ddap-7;
  odd = odd * r2 + 0x1.c6b08d703ce49p-5;
  even = even * r2 + 0x1.ebfbdff82c598p-3;
  odd = odd * r2 + 0x1.62e42fefa3a19p-1;
  even = even * r2 + 1.0;
  const Real p = odd * r + even;
  // Out of range the sum wraps around; NaN gets no exponent, whatever its payload.
  const Bits scaled = (Bits)p + (((Bits)shifted << 52) & (Bits)(y == y));
  return (Real)((Int)scaled & ~(y < -1022.0));
}

constexpr double log2_e = 1.4426950408889634;

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
struct SquareStep {
  MK_INLINE void operator()(typename V::Real& sum, const typename V::Real& a, double,
                            double) const {
    sum += a * a;
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
    sum += blend<V>(s > 0.0, d * (d / s), typename V::Real{});  // |d| <= s: no overflow
  }
};
template <class V>
struct AnovaStep {
  MK_INLINE void operator()(typename V::Real& sum, const typename V::Real& a, double b,
                            double sigma) const {
    const typename V::Real d = a - b;
    sum += exp2_lanes<V>(d * d * (-sigma * log2_e));
  }
};

constexpr double safe_share = 0.5;  // of the squared lengths: keeps errors below 1e-13

// Vectors of rows in a tile of dot products. Three times four sums fill the 16 registers of AVX2 and
// hide the latency of its additions; without fused operations a register more is needed.
template <class V>
constexpr int dot_vectors() {
  return V::width == 4 ? 3 : 2;
}

// The running sums of Vectors vectors of A's examples against Columns examples of B. Recursive
// structs rather than arrays: every sum is a variable of its own and stays in a register.
template <class V, int Vectors>
struct Lot {  // one value for each of the rows
  using Real = typename V::Real;
  Lot<V, Vectors - 1> before;
  Real last;

  MK_INLINE void clear() {
    before.clear();
    last = Real{};
  }
  MK_INLINE void read(const double* from) {
    before.read(from);
    last = load<V>(from + (Vectors - 1) * V::width);
  }
  MK_INLINE void write(double* to) const {
    before.write(to);
    store<V>(to + (Vectors - 1) * V::width, last);
  }
  // Rows packed in strips: the vector at row r of the panel starts at its strip + r % strip_rows.
  MK_INLINE void gather(const double* panel, Index row, Index stride, Index at) {
    before.gather(panel, row, stride, at);
    const Index r = row + (Vectors - 1) * V::width;
    last = load<V>(panel + r / strip_rows * stride + r % strip_rows + at);
  }
  template <class Step>
  MK_INLINE void add(const Lot& a, double b, double parameter, const Step& step) {
    before.add(a.before, b, parameter, step);
    step(last, a.last, b, parameter);
  }
  // From dot products to squared distances; marks those that lose digits.
  MK_INLINE void to_distances(const Lot& lengths, double length, typename V::Int& doubtful) {
    before.to_distances(lengths.before, length, doubtful);
    const Real both = lengths.last + length;
    last = both - 2.0 * last;
    doubtful |= ~(last >= safe_share * both);
  }
  // Takes the exact value wherever to_distances() was in doubt.
  MK_INLINE void mend(const Lot& lengths, double length, const Lot& exact) {
    before.mend(lengths.before, length, exact.before);
    last = blend<V>(last >= safe_share * (lengths.last + length), last, exact.last);
  }
};
template <class V>
struct Lot<V, 0> {
  MK_INLINE void clear() {}
  MK_INLINE void read(const double*) {}
  MK_INLINE void write(double*) const {}
  MK_INLINE void gather(const double*, Index, Index, Index) {}
  template <class Step>
  MK_INLINE void add(const Lot&, double, double, const Step&) {}
  MK_INLINE void to_distances(const Lot&, double, typename V::Int&) {}
  MK_INLINE void mend(const Lot&, double, const Lot&) {}
};

template <class V, int Vectors, int Columns>
struct TileSums {
  TileSums<V, Vectors, Columns - 1> before;
  Lot<V, Vectors> last;

  MK_INLINE void clear() {
    before.clear();
    last.clear();
  }
  MK_INLINE void read(const double* out) {
    before.read(out);
    last.read(out + (Columns - 1) * panel_rows);
  }
  MK_INLINE void write(double* out) const {
    before.write(out);
    last.write(out + (Columns - 1) * panel_rows);
  }
  template <class Step>
  MK_INLINE void add(const Lot<V, Vectors>& a, const double* b, double parameter,
                     const Step& step) {
    before.add(a, b, parameter, step);
    last.add(a, b[Columns - 1], parameter, step);
  }
  MK_INLINE void to_distances(const Lot<V, Vectors>& lengths, const double* b,
                              typename V::Int& doubtful) {
    before.to_distances(lengths, b, doubtful);
    last.to_distances(lengths, b[Columns - 1], doubtful);
  }
  MK_INLINE void mend(const Lot<V, Vectors>& lengths, const double* b, const TileSums& exact) {
    before.mend(lengths, b, exact.before);
    last.mend(lengths, b[Columns - 1], exact.last);
  }
};
template <class V, int Vectors>
struct TileSums<V, Vectors, 0> {
  MK_INLINE void clear() {}
  MK_INLINE void read(const double*) {}
  MK_INLINE void write(double*) const {}
  template <class Step>
  MK_INLINE void add(const Lot<V, Vectors>&, const double*, double, const Step&) {}
  MK_INLINE void to_distances(const Lot<V, Vectors>&, const double*, typename V::Int&) {}
  MK_INLINE void mend(const Lot<V, Vectors>&, const double*, const TileSums&) {}
};

MK_INLINE const double* example_of_b(const PanelPair& p, Index j) {
  const Index place = p.b_offset + j;
  return p.b + place / strip_rows * p.stride + place % strip_rows;
}

// Adds features [first, last) of rows i.. against examples j.. of B.
template <class V, int Vectors, int Columns, class Step>
MK_INLINE void add_features(const PanelPair& p, Index i, Index j, Index first, Index last,
                            TileSums<V, Vectors, Columns>& sums, const Step& step) {
  const double* b = example_of_b(p, j);
  for (Index k = first; k < last; ++k) {
    const Index at = static_cast<Index>(p.features[k]) * strip_rows;
    Lot<V, Vectors> a;
    a.gather(p.a, i, p.stride, at);
    sums.add(a, b + at, p.parameter, step);
  }
}

template <class V>
MK_INLINE bool any_lane(const typename V::Int& mask) {
  long long any = 0;
  for (int k = 0; k < V::width; ++k) any |= mask[k];
  return any != 0;
}

// What a tile does with its finished sums: nothing ...
struct KeepSums {
  template <class V, int Vectors, int Columns>
  MK_INLINE void finish(const PanelPair&, Index, Index, TileSums<V, Vectors, Columns>&) const {}
};

// ... or dot products become squared distances, |a|^2 + |b|^2 - 2 a'b. That costs one operation per
// feature instead of two, but loses digits where the distance is small against the lengths. There
// (and where the lengths overflow) the sum of squared differences of the rows as they came is
// formed after all. What a pair gets depends on that pair alone, not on its neighbours in the tile.
struct DotsToDistances {
  const PanelPair& rows;
  const double* lengths_a;
  const double* lengths_b;

  template <class V, int Vectors, int Columns>
  MK_INLINE void finish(const PanelPair&, Index i, Index j,
                        TileSums<V, Vectors, Columns>& sums) const {
    Lot<V, Vectors> lengths;
    lengths.read(lengths_a + i);
    typename V::Int doubtful{};
    sums.to_distances(lengths, lengths_b + j, doubtful);
    if (!any_lane<V>(doubtful)) return;
    TileSums<V, Vectors, Columns> exact;
    exact.clear();
    add_features(rows, i, j, 0, rows.n_features, exact, SquaredDistanceStep<V>());
    sums.mend(lengths, lengths_b + j, exact);
  }
};

// The feature block keeps A's slice in the first-level cache.
constexpr Index feature_block = 256;

template <class V, int Vectors, int Columns, class Step, class Finish>
MK_INLINE void micro_tile(const PanelPair& p, Index i, Index j, Index first, Index last,
                          double* out, const Step& step, const Finish& done) {
  TileSums<V, Vectors, Columns> sums;
  double* to = out + i + j * panel_rows;
  if (first > 0) sums.read(to);
  else sums.clear();
  add_features(p, i, j, first, last, sums, step);
  if (last == p.n_features) done.finish(p, i, j, sums);
  sums.write(to);
}

template <class V, int Vectors, class Step, class Finish>
MK_INLINE void reduce_rows(const PanelPair& p, Index i, Index first, Index last, double* out,
                           const Step& step, const Finish& done) {
  Index j = 0;
  for (; j + 4 <= p.b_count; j += 4)
    micro_tile<V, Vectors, 4>(p, i, j, first, last, out, step, done);
  for (; j < p.b_count; ++j) micro_tile<V, Vectors, 1>(p, i, j, first, last, out, step, done);
}

// Most: vectors of rows in one tile. Rows are packed, and `out` has room, for whole pairs.
template <class V, int Most, class Step, class Finish>
MK_INLINE void reduce_panels(const PanelPair& p, double* out, const Step& step,
                             const Finish& done) {
  if (p.n_features == 0) {
    for (Index j = 0; j < p.b_count; ++j)
      for (Index i = 0; i < p.a_count; ++i) out[i + j * panel_rows] = 0.0;
    return;
  }
  for (Index first = 0; first < p.n_features; first += feature_block) {
    const Index left = p.n_features - first;
    const Index last = first + (left < feature_block ? left : feature_block);
    Index i = 0;
    if (Most > 2) {
      for (; i + Most * V::width <= p.a_count; i += Most * V::width)
        reduce_rows<V, Most>(p, i, first, last, out, step, done);
      // Back to where a pair starts: a pair from here could reach beyond the last strip.
      if (i < p.a_count && i % (2 * V::width) != 0) {
        reduce_rows<V, 1>(p, i, first, last, out, step, done);
        i += V::width;
      }
    }
    for (; i < p.a_count; i += 2 * V::width)
      reduce_rows<V, 2>(p, i, first, last, out, step, done);
  }
}

template <class V, class Step>
MK_INLINE void reduce_panels(const PanelPair& p, double* out, const Step& step) {
  reduce_panels<V, 2>(p, out, step, KeepSums());
}
template <class V>
MK_INLINE void reduce_dots(const PanelPair& p, double* out) {
  reduce_panels<V, dot_vectors<V>()>(p, out, DotStep<V>(), KeepSums());
}

template <class V, int Vectors>
MK_INLINE void lengths_of_rows(const double* strips, Index place, const PanelPair& p, double* out) {
  Lot<V, Vectors> sums, x;
  sums.clear();
  for (Index k = 0; k < p.n_features; ++k) {
    x.gather(strips, place, p.stride, static_cast<Index>(p.features[k]) * strip_rows);
    sums.add(x, 0.0, 0.0, SquareStep<V>());
  }
  sums.write(out);
}

// Four vectors at a time hide the latency of the additions.
template <class V>
MK_INLINE void squared_lengths(const double* strips, Index offset, Index count,
                               const PanelPair& p, double* out) {
  Index i = 0;
  for (; i + 4 * V::width <= count; i += 4 * V::width)
    lengths_of_rows<V, 4>(strips, offset + i, p, out + i);
  for (; i < count; i += V::width) lengths_of_rows<V, 1>(strips, offset + i, p, out + i);
}

template <class V>
MK_INLINE void reduce_squared(const PanelPair& p, double* out) {
  const bool whole_strips = p.b_offset % 4 == 0 && p.b_count % 4 == 0 && p.b_count <= panel_rows;
  if (p.n_features < dot_features || !whole_strips) {
    reduce_panels<V>(p, out, SquaredDistanceStep<V>());
    return;
  }
  PanelPair moved = p;
  if (p.a_moved != nullptr) {
    moved.a = p.a_moved;
    moved.b = p.b_moved;
  }
  double lengths_a[panel_rows], lengths_b[panel_rows];
  // Whole pairs of vectors, as they are read by the tiles.
  squared_lengths<V>(moved.a, 0, (p.a_count + 2 * V::width - 1) / (2 * V::width) * (2 * V::width),
                     p, lengths_a);
  squared_lengths<V>(moved.b, p.b_offset, p.b_count, p, lengths_b);
  reduce_panels<V, dot_vectors<V>()>(moved, out, DotStep<V>(),
                                     DotsToDistances{p, lengths_a, lengths_b});
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
struct ExpDecay {
  double exponent;  // -rate, in powers of two
  MK_INLINE typename V::Real operator()(const typename V::Real& x) const {
    return exp2_lanes<V>(x * exponent);
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

// Transposes a block of width x width values held as columns.
#if defined(__clang__) || __GNUC__ >= 12
#define MK_SHUFFLE(Int, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define MK_SHUFFLE(Int, a, b, ...) __builtin_shuffle(a, b, Int{__VA_ARGS__})
#endif
MK_INLINE void transpose(Lanes<2>::Real* c) {
  using Int = Lanes<2>::Int;
  (void)sizeof(Int);
  const Lanes<2>::Real first = MK_SHUFFLE(Int, c[0], c[1], 0, 2);
  c[1] = MK_SHUFFLE(Int, c[0], c[1], 1, 3);
  c[0] = first;
}
MK_INLINE void transpose(Lanes<4>::Real* c) {
  using Real = Lanes<4>::Real;
  using Int = Lanes<4>::Int;
  (void)sizeof(Int);
  const Real a = MK_SHUFFLE(Int, c[0], c[1], 0, 4, 2, 6), b = MK_SHUFFLE(Int, c[0], c[1], 1, 5, 3, 7);
  const Real d = MK_SHUFFLE(Int, c[2], c[3], 0, 4, 2, 6), e = MK_SHUFFLE(Int, c[2], c[3], 1, 5, 3, 7);
  c[0] = MK_SHUFFLE(Int, a, d, 0, 1, 4, 5);
  c[1] = MK_SHUFFLE(Int, b, e, 0, 1, 4, 5);
  c[2] = MK_SHUFFLE(Int, a, d, 2, 3, 6, 7);
  c[3] = MK_SHUFFLE(Int, b, e, 2, 3, 6, 7);
}

// A tile, times a factor, to its place in a symmetric matrix and to the mirror image of it.
template <class V>
MK_INLINE void store_mirrored(const double* values, double factor, Index a_count, Index b_count,
                              double* direct, double* mirror, Index stride) {
  constexpr int W = V::width;
  const Index a_whole = a_count / W * W, b_whole = b_count / W * W;
  for (Index i = 0; i < a_whole; i += W)
    for (Index j = 0; j < b_whole; j += W) {
      typename V::Real block[W];
      for (int k = 0; k < W; ++k) {
        block[k] = load<V>(values + i + (j + k) * panel_rows) * factor;
        store<V>(direct + i + (j + k) * stride, block[k]);
      }
      transpose(block);
      for (int k = 0; k < W; ++k) store<V>(mirror + j + (i + k) * stride, block[k]);
    }
  for (Index j = 0; j < b_count; ++j)
    for (Index i = j < b_whole ? a_whole : 0; i < a_count; ++i)
      mirror[j + i * stride] = direct[i + j * stride] = values[i + j * panel_rows] * factor;
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
    simd_body::reduce_dots<V>(p, out);                                                          \
  }                                                                                               \
  static void reduce_squared(const PanelPair& p, double* out) {                                   \
    simd_body::reduce_squared<V>(p, out);                                                         \
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
  static void exp_decay(const double* in, double rate, double* out, Index n) {                    \
    simd_body::transform<V>(in, out, n, simd_body::ExpDecay<V>{-rate * simd_body::log2_e});       \
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
  static void store_mirrored(const double* values, double factor, Index a_count, Index b_count,   \
                             double* direct, double* mirror, Index stride) {                      \
    simd_body::store_mirrored<V>(values, factor, a_count, b_count, direct, mirror, stride);       \
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
                      exp_decay,                                                                  \
                      square,                                                                     \
                      affine_power,                                                               \
                      axpy,                                                                       \
                      store_mirrored,                                                             \
                      dot,                                                                        \
                      smo_scan,                                                                   \
                      smo_update,                                                                 \
                      smo_partner};
