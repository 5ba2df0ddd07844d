// Sums over the features of many pairs of examples at once: the first half of every kernel.
// The rules of simd_vectors.hpp hold.
#pragma once

#include "simd_elements.hpp"

namespace mk {
namespace simd_body {

// `light`: so short that looking up the place of a feature shows.
template <class V>
struct DotStep {
  static constexpr bool light = true;
  MK_INLINE void operator()(typename V::Real& sum, const typename V::Real& a,
                            const typename V::Real& b, double) const {
    sum += a * b;
  }
};
template <class V>
struct SquaredDistanceStep {
  static constexpr bool light = false;
  MK_INLINE void operator()(typename V::Real& sum, const typename V::Real& a,
                            const typename V::Real& b, double) const {
    const typename V::Real d = a - b;
    sum += d * d;
  }
};
template <class V>
struct SquareStep {
  MK_INLINE void operator()(typename V::Real& sum, const typename V::Real& a,
                            const typename V::Real&, double) const {
    sum += a * a;
  }
};
template <class V>
struct AbsoluteDistanceStep {
  static constexpr bool light = false;
  MK_INLINE void operator()(typename V::Real& sum, const typename V::Real& a,
                            const typename V::Real& b, double) const {
    const typename V::Real d = a - b;
    sum += blend<V>(d < 0.0, -d, d);
  }
};
template <class V>
struct MinimumStep {
  static constexpr bool light = false;
  MK_INLINE void operator()(typename V::Real& sum, const typename V::Real& a,
                            const typename V::Real& b, double) const {
    sum += blend<V>(a < b, a, b);
  }
};
template <class V>
struct ChiSquaredStep {
  static constexpr bool light = false;
  MK_INLINE void operator()(typename V::Real& sum, const typename V::Real& a,
                            const typename V::Real& b, double) const {
    const typename V::Real d = a - b;
    const typename V::Real s = a + b;  // 0 only if both are 0: that term is 0, not 0/0
    sum += blend<V>(s > 0.0, d * (d / s), typename V::Real{});  // |d| <= s: no overflow
  }
};
template <class V>
struct AnovaStep {
  static constexpr bool light = false;
  MK_INLINE void operator()(typename V::Real& sum, const typename V::Real& a,
                            const typename V::Real& b, double sigma) const {
    const typename V::Real d = a - b;
    sum += exp2_lanes<V>(d * d * (-sigma * log2_e));
  }
};

constexpr double safe_share = 0.125;  // of the squared lengths: costs three binary digits at most

// Vectors of rows in a tile of dot products. Three times four sums fill the 16 registers of AVX2
// and hide the latency of its additions; without fused operations a register more is needed.
template <class V>
constexpr int dot_vectors = V::width >= 4 ? 3 : 2;
// In a tile of other sums, which need registers for more than sums.
template <class V>
constexpr int sum_vectors = V::width == 8 ? 3 : 2;
// In the tiles of the last rows: they must not reach beyond the last strip.
template <class V>
constexpr int last_vectors = V::width * 2 <= strip_rows ? 2 : 1;

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
  MK_INLINE void add(const Lot& a, const Real& b, double parameter, const Step& step) {
    before.add(a.before, b, parameter, step);
    step(last, a.last, b, parameter);
  }
  // From dot products to squared distances; `fine` keeps the lanes that lose no digits.
  MK_INLINE void to_distances(const Lot& lengths, double length, typename V::Int& fine) {
    before.to_distances(lengths.before, length, fine);
    const Real both = lengths.last + length;
    last = both - 2.0 * last;
    fine &= last >= safe_share * both;
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
  MK_INLINE void add(const Lot&, const typename V::Real&, double, const Step&) {}
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
  template <class Values, class Step>
  MK_INLINE void add(const Lot<V, Vectors>& a, const Values& b, double parameter,
                     const Step& step) {
    before.add(a, b, parameter, step);
    last.add(a, b[Columns - 1], parameter, step);
  }
  MK_INLINE void to_distances(const Lot<V, Vectors>& lengths, const double* b,
                              typename V::Int& fine) {
    before.to_distances(lengths, b, fine);
    last.to_distances(lengths, b[Columns - 1], fine);
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
  template <class Values, class Step>
  MK_INLINE void add(const Lot<V, Vectors>&, const Values&, double, const Step&) {}
  MK_INLINE void to_distances(const Lot<V, Vectors>&, const double*, typename V::Int&) {}
  MK_INLINE void mend(const Lot<V, Vectors>&, const double*, const TileSums&) {}
};

MK_INLINE const double* example_of_b(const PanelPair& p, Index j) {
  const Index place = p.b_offset + j;
  return p.b + place / strip_rows * p.stride + place % strip_rows;
}

// One feature of consecutive examples of B, each in all lanes: spread when it is read ...
template <class V>
struct Spread {
  const double* values;
  MK_INLINE typename V::Real operator[](int j) const { return broadcast<V>(values[j]); }
};
// ... or before, so that each value stands in memory as often as a vector has lanes.
template <class V>
struct Repeated {
  const double* values;
  MK_INLINE typename V::Real operator[](int j) const { return load<V>(values + j * V::width); }
};

// The rows of a tile at one feature. A tile starts at a multiple of its number of rows, so that
// they lie in one strip if that number divides a strip.
template <class V, int Vectors>
MK_INLINE void read_tile(Lot<V, Vectors>& a, const double* panel, Index row, Index stride,
                         Index at) {
  if constexpr (strip_rows % (Vectors * V::width) == 0)
    a.read(panel + row / strip_rows * stride + row % strip_rows + at);
  else a.gather(panel, row, stride, at);
}

// Where a tile has B's values from: the strips ...
struct FromStrips {
  // Adds features [first, last) of rows i.. against examples j.. of B.
  template <class V, int Vectors, int Columns, class Step>
  MK_INLINE void add(const PanelPair& p, Index i, Index j, Index first, Index last,
                     TileSums<V, Vectors, Columns>& sums, const Step& step) const {
    const double* b = example_of_b(p, j);
    for (Index k = first; k < last; ++k) {
      const Index at = static_cast<Index>(p.features[k]) * strip_rows;
      Lot<V, Vectors> a;
      read_tile(a, p.a, i, p.stride, at);
      sums.add(a, Spread<V>{b + at}, p.parameter, step);
    }
  }
};
// ... or a copy of features [first, last) of these examples alone, one after the other. InOrder:
// feature k is the k-th, as it is without a choice of columns; then the loop is so short that its
// own instructions show, and it is unrolled.
template <bool InOrder>
struct FromCopy {
  const double* values;
  template <class V, int Vectors, int Columns, class Step>
  MK_INLINE void add(const PanelPair& p, Index i, Index, Index first, Index last,
                     TileSums<V, Vectors, Columns>& sums, const Step& step) const {
    const double* b = values;
    const auto add_feature = [&](Index feature) __attribute__((always_inline)) {
      Lot<V, Vectors> a;
      read_tile(a, p.a, i, p.stride, feature * strip_rows);
      sums.add(a, Repeated<V>{b}, p.parameter, step);
      b += Columns * V::width;
    };
    if constexpr (InOrder) {
#pragma GCC unroll 4
      for (Index k = first; k < last; ++k) add_feature(k);
    } else {
      for (Index k = first; k < last; ++k) add_feature(static_cast<Index>(p.features[k]));
    }
  }
};

template <class V>
MK_INLINE bool all_lanes(const typename V::Int& mask) {
#if defined(MK_AVX2)
  if constexpr (V::width == 4) return __builtin_ia32_movmskpd256((typename V::Real)mask) == 15;
#endif
#if defined(MK_AVX512)
  if constexpr (V::width == 8) return __builtin_ia32_cvtq2mask512(mask) == 255;
#endif
#if defined(__SSE2__)
  if constexpr (V::width == 2) return __builtin_ia32_movmskpd((typename V::Real)mask) == 3;
#endif
  long long all = -1;
  for (int k = 0; k < V::width; ++k) all &= mask[k];
  return all != 0;
}

// What a tile does with its finished sums: it writes them as they are ...
struct KeepSums {
  template <class V, int Vectors, int Columns>
  MK_INLINE void finish(const PanelPair&, Index, Index, const TileSums<V, Vectors, Columns>& sums,
                        double* to) const {
    sums.write(to);
  }
};

// Puts exact distances in the places of a tile where to_distances() was in doubt. On its own, as
// registers are short where it is inlined: there it costs an eighth of the time of all tiles.
template <class V, int Vectors, int Columns>
static __attribute__((noinline)) void mend_tile(const PanelPair& rows, Index i, Index j,
                                                const double* lengths_a, const double* lengths_b,
                                                double* to) {
  TileSums<V, Vectors, Columns> sums, exact;
  exact.clear();
  FromStrips().add(rows, i, j, 0, rows.n_features, exact, SquaredDistanceStep<V>());
  Lot<V, Vectors> lengths;
  lengths.read(lengths_a);
  sums.read(to);
  sums.mend(lengths, lengths_b, exact);
  sums.write(to);
}

// ... or dot products become squared distances, |a|^2 + |b|^2 - 2 a'b. That costs one operation per
// feature instead of two, but loses digits where the distance is small against the lengths. There
// (and where both overflow) the sum of squared differences of the rows as they came is
// formed after all. What a pair gets depends on that pair alone, not on its neighbours in the tile.
struct DotsToDistances {
  const PanelPair& rows;
  const double* lengths_a;
  const double* lengths_b;

  template <class V, int Vectors, int Columns>
  MK_INLINE void finish(const PanelPair&, Index i, Index j, TileSums<V, Vectors, Columns>& sums,
                        double* to) const {
    Lot<V, Vectors> lengths;
    lengths.read(lengths_a + i);
    typename V::Int fine = ~typename V::Int{};
    sums.to_distances(lengths, lengths_b + j, fine);
    sums.write(to);
    if (!all_lanes<V>(fine))
      mend_tile<V, Vectors, Columns>(rows, i, j, lengths_a + i, lengths_b + j, to);
  }
};

// The feature block keeps A's slice in the first-level cache, and so many columns of B.
constexpr Index feature_block = 256;
constexpr Index near_columns = 32;

template <class V, int Vectors, int Columns, class Source, class Step, class Finish>
MK_INLINE void micro_tile(const PanelPair& p, Index i, Index j, Index first, Index last,
                          double* out, const Source& source, const Step& step, const Finish& done) {
  TileSums<V, Vectors, Columns> sums;
  double* to = out + i + j * panel_rows;
  if (first > 0) sums.read(to);
  else sums.clear();
  source.add(p, i, j, first, last, sums, step);
  if (last == p.n_features) done.finish(p, i, j, sums, to);
  else sums.write(to);
  if (p.on_its_way != nullptr) write_some<V>(*p.on_its_way);
}

// Columns [from, to).
template <class V, int Vectors, class Step, class Finish>
MK_INLINE void reduce_rows(const PanelPair& p, Index i, Index from, Index to, Index first,
                           Index last, double* out, const Step& step, const Finish& done) {
  Index j = from;
  for (; j + 4 <= to; j += 4)
    micro_tile<V, Vectors, 4>(p, i, j, first, last, out, FromStrips(), step, done);
  for (; j < to; ++j)
    micro_tile<V, Vectors, 1>(p, i, j, first, last, out, FromStrips(), step, done);
}

// Most: vectors of rows in one tile. Rows are packed, and `out` has room, for whole strips.
template <class V, int Most, class Step, class Finish>
MK_INLINE void reduce_columns(const PanelPair& p, Index from, Index to, Index first, Index last,
                              double* out, const Step& step, const Finish& done) {
  Index i = 0;
  if (Most > 2) {
    for (; i + Most * V::width <= p.a_count; i += Most * V::width)
      reduce_rows<V, Most>(p, i, from, to, first, last, out, step, done);
    // Back to where a pair starts: a pair from here could reach beyond the last strip.
    if (i < p.a_count && i % (last_vectors<V> * V::width) != 0) {
      reduce_rows<V, 1>(p, i, from, to, first, last, out, step, done);
      i += V::width;
    }
  }
  for (; i < p.a_count; i += last_vectors<V> * V::width)
    reduce_rows<V, last_vectors<V>>(p, i, from, to, first, last, out, step, done);
}

// Four columns at a time, their values spread over the lanes once for all rows. Returns where the
// columns that are left start.
template <class V, bool InOrder, class Step, class Finish>
MK_INLINE Index reduce_spread(const PanelPair& p, Index first, Index last, double* out,
                              const Step& step, const Finish& done) {
  alignas(8 * V::width) double values[feature_block * 4 * V::width];
  Index j = 0;
  for (; j + 4 <= p.b_count; j += 4) {
    const double* b = example_of_b(p, j);
    double* to = values;
    for (Index k = first; k < last; ++k)
      for (int c = 0; c < 4; ++c, to += V::width)
        store<V>(to, broadcast<V>(b[static_cast<Index>(p.features[k]) * strip_rows + c]));
    for (Index i = 0; i < p.a_count; i += 2 * V::width)
      micro_tile<V, 2, 4>(p, i, j, first, last, out, FromCopy<InOrder>{values}, step, done);
  }
  return j;
}

// With SSE2 spreading a value takes as many instructions as a product and its sum; other sets have
// one that reads and spreads, or multiply by a single lane.
template <class V>
constexpr bool spreads_before() {
#if defined(__SSE2__)
  return V::width == 2;
#else
  return false;
#endif
}

template <class V, int Most, class Step, class Finish>
MK_INLINE void reduce_panels(const PanelPair& p, double* out, const Step& step,
                             const Finish& done) {
  if (p.n_features == 0) {
    for (Index j = 0; j < p.b_count; ++j)
      for (Index i = 0; i < p.a_count; ++i) out[i + j * panel_rows] = 0.0;
    return;
  }
  if (p.on_its_way != nullptr) {
    const Index small_tiles = p.a_count * p.b_count / (4 * Most * V::width) + 1;
    p.on_its_way->at_once = (p.on_its_way->runs_left + small_tiles - 1) / small_tiles;
  }
  for (Index first = 0; first < p.n_features; first += feature_block) {
    const Index left = p.n_features - first;
    const Index last = first + (left < feature_block ? left : feature_block);
    Index from = 0;
    if constexpr (spreads_before<V>())
      from = Step::light && p.in_order
                 ? reduce_spread<V, Step::light>(p, first, last, out, step, done)
                 : reduce_spread<V, false>(p, first, last, out, step, done);
    for (; from < p.b_count; from += near_columns)
      reduce_columns<V, Most>(p, from,
                              p.b_count - from < near_columns ? p.b_count : from + near_columns,
                              first, last, out, step, done);
  }
}

template <class V, class Step>
MK_INLINE void reduce_panels(const PanelPair& p, double* out, const Step& step) {
  reduce_panels<V, sum_vectors<V>>(p, out, step, KeepSums());
}
template <class V>
MK_INLINE void reduce_dots(const PanelPair& p, double* out) {
  reduce_panels<V, dot_vectors<V>>(p, out, DotStep<V>(), KeepSums());
}

template <class V, int Vectors>
MK_INLINE void lengths_of_rows(const double* strips, Index place, const PanelPair& p, double* out) {
  Lot<V, Vectors> sums, x;
  sums.clear();
  for (Index k = 0; k < p.n_features; ++k) {
    x.gather(strips, place, p.stride, static_cast<Index>(p.features[k]) * strip_rows);
    sums.add(x, typename V::Real{}, 0.0, SquareStep<V>());
  }
  sums.write(out);
}

// Four vectors at a time hide the latency of the additions.
template <class V>
MK_INLINE void squared_lengths(const double* strips, Index offset, Index count, const PanelPair& p,
                               double* out) {
  Index i = 0;
  for (; i + 4 * V::width <= count; i += 4 * V::width)
    lengths_of_rows<V, 4>(strips, offset + i, p, out + i);
  for (; i < count; i += V::width) lengths_of_rows<V, 1>(strips, offset + i, p, out + i);
}

template <class V>
MK_INLINE void reduce_squared(const PanelPair& p, double* out) {
  // B's lengths are summed up vector by vector, each within a strip.
  constexpr Index step = V::width < 4 ? 4 : V::width;
  const bool whole_strips = p.b_offset % step == 0 && p.b_count % 4 == 0 && p.b_count <= panel_rows;
  if (p.n_features < dot_features || !whole_strips) {
    reduce_panels<V>(p, out, SquaredDistanceStep<V>());
    return;
  }
  PanelPair moved = p;
  if (p.a_moved != nullptr) {
    moved.a = p.a_moved;
    moved.b = p.b_moved;
  }
  double own_a[panel_rows], own_b[panel_rows];
  const double *lengths_a = p.a_lengths, *lengths_b = p.b_lengths;
  if (lengths_a == nullptr || lengths_b == nullptr) {
    // As many rows as the last tiles read.
    const Index pair = last_vectors<V> * V::width;
    squared_lengths<V>(moved.a, 0, (p.a_count + pair - 1) / pair * pair, p, own_a);
    squared_lengths<V>(moved.b, p.b_offset, p.b_count, p, own_b);
    lengths_a = own_a;
    lengths_b = own_b;
  }
  reduce_panels<V, dot_vectors<V>>(moved, out, DotStep<V>(),
                                   DotsToDistances{p, lengths_a, lengths_b});
}

}  // namespace simd_body
}  // namespace mk
