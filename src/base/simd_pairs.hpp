// Sums over the features of many pairs of examples at once, tile by tile: the first half of every
// kernel. The rules of simd_vectors.hpp hold.
#pragma once

#include "simd_tiles.hpp"

namespace mk {
namespace simd_body {

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
  RowValues<V, Vectors> sums, x;
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
