// Tiles of pairs of examples whose sums over features stay in registers: the steps of the sums,
// where a tile has its values from, and what it does with finished sums. The rules of
// simd_vectors.hpp hold.
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
struct RowValues {  // one value for each of the rows
  using Real = typename V::Real;
  RowValues<V, Vectors - 1> before;
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
  MK_INLINE void add(const RowValues& a, const Real& b, double parameter, const Step& step) {
    before.add(a.before, b, parameter, step);
    step(last, a.last, b, parameter);
  }
  // From dot products to squared distances; `fine` keeps the lanes that lose no digits.
  MK_INLINE void to_distances(const RowValues& lengths, double length, typename V::Int& fine) {
    before.to_distances(lengths.before, length, fine);
    const Real both = lengths.last + length;
    last = both - 2.0 * last;
    fine &= last >= safe_share * both;
  }
  // Takes the exact value wherever to_distances() was in doubt.
  MK_INLINE void correct(const RowValues& lengths, double length, const RowValues& exact) {
    before.correct(lengths.before, length, exact.before);
    last = blend<V>(last >= safe_share * (lengths.last + length), last, exact.last);
  }
};
template <class V>
struct RowValues<V, 0> {
  MK_INLINE void clear() {}
  MK_INLINE void read(const double*) {}
  MK_INLINE void write(double*) const {}
  MK_INLINE void gather(const double*, Index, Index, Index) {}
  template <class Step>
  MK_INLINE void add(const RowValues&, const typename V::Real&, double, const Step&) {}
  MK_INLINE void to_distances(const RowValues&, double, typename V::Int&) {}
  MK_INLINE void correct(const RowValues&, double, const RowValues&) {}
};

template <class V, int Vectors, int Columns>
struct TileSums {
  TileSums<V, Vectors, Columns - 1> before;
  RowValues<V, Vectors> last;

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
  MK_INLINE void add(const RowValues<V, Vectors>& a, const Values& b, double parameter,
                     const Step& step) {
    before.add(a, b, parameter, step);
    last.add(a, b[Columns - 1], parameter, step);
  }
  MK_INLINE void to_distances(const RowValues<V, Vectors>& lengths, const double* b,
                              typename V::Int& fine) {
    before.to_distances(lengths, b, fine);
    last.to_distances(lengths, b[Columns - 1], fine);
  }
  MK_INLINE void correct(const RowValues<V, Vectors>& lengths, const double* b,
                         const TileSums& exact) {
    before.correct(lengths, b, exact.before);
    last.correct(lengths, b[Columns - 1], exact.last);
  }
};
template <class V, int Vectors>
struct TileSums<V, Vectors, 0> {
  MK_INLINE void clear() {}
  MK_INLINE void read(const double*) {}
  MK_INLINE void write(double*) const {}
  template <class Values, class Step>
  MK_INLINE void add(const RowValues<V, Vectors>&, const Values&, double, const Step&) {}
  MK_INLINE void to_distances(const RowValues<V, Vectors>&, const double*, typename V::Int&) {}
  MK_INLINE void correct(const RowValues<V, Vectors>&, const double*, const TileSums&) {}
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
MK_INLINE void read_tile(RowValues<V, Vectors>& a, const double* panel, Index row, Index stride,
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
      RowValues<V, Vectors> a;
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
      RowValues<V, Vectors> a;
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
static __attribute__((noinline)) void correct_tile(const PanelPair& rows, Index i, Index j,
                                                   const double* lengths_a, const double* lengths_b,
                                                   double* to) {
  TileSums<V, Vectors, Columns> sums, exact;
  exact.clear();
  FromStrips().add(rows, i, j, 0, rows.n_features, exact, SquaredDistanceStep<V>());
  RowValues<V, Vectors> lengths;
  lengths.read(lengths_a);
  sums.read(to);
  sums.correct(lengths, lengths_b, exact);
  sums.write(to);
}

// ... or dot products become squared distances, |a|^2 + |b|^2 - 2 a'b. That costs one operation per
// feature instead of two, but loses digits where the distance is small against the lengths. There
// (and where both overflow) the sum of squared differences of the rows as they came is
// formed after all. What a pair gets depends on that pair alone, not on its neighbors in the tile.
struct DotsToDistances {
  const PanelPair& rows;
  const double* lengths_a;
  const double* lengths_b;

  template <class V, int Vectors, int Columns>
  MK_INLINE void finish(const PanelPair&, Index i, Index j, TileSums<V, Vectors, Columns>& sums,
                        double* to) const {
    RowValues<V, Vectors> lengths;
    lengths.read(lengths_a + i);
    typename V::Int fine = ~typename V::Int{};
    sums.to_distances(lengths, lengths_b + j, fine);
    sums.write(to);
    if (!all_lanes<V>(fine))
      correct_tile<V, Vectors, Columns>(rows, i, j, lengths_a + i, lengths_b + j, to);
  }
};

}  // namespace simd_body
}  // namespace mk
