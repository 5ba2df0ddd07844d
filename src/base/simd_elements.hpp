// Loops over arrays: the second half of every kernel, sums of kernels, mirrored tiles, dot
// products. The rules of simd_vectors.hpp hold.
#pragma once

#include "simd_vectors.hpp"

namespace mk {
namespace simd_body {

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

// Cosine and sine of an angle in turns: less the nearest whole number of turns it is at most half a
// turn; Taylor polynomials of a quarter of that (below 1/8 of a turn, error 1e-17), whose angle is
// then doubled twice.
template <class V>
MK_INLINE void wave_lanes(const typename V::Real& turns, typename V::Real& cosine,
                          typename V::Real& sine) {
  using Real = typename V::Real;
  const Real magic = broadcast<V>(0x1.8p52);  // adding it rounds to the nearest whole number
  Real r = turns - ((turns + magic) - magic);
  r = blend<V>(magnitude<V>(turns) > broadcast<V>(0x1p50), Real{}, r);
  const Real x = r * 1.5707963267948966;
  const Real y = x * x;
  Real s = y * (1.0 / 355687428096000.0) - 1.0 / 1307674368000.0;  // 1/17!, 1/15!
  s = s * y + 1.0 / 6227020800.0;
  s = s * y - 1.0 / 39916800.0;
  s = s * y + 1.0 / 362880.0;
  s = s * y - 1.0 / 5040.0;
  s = s * y + 1.0 / 120.0;
  s = s * y - 1.0 / 6.0;
  s = (s * y + 1.0) * x;
  Real c = y * (1.0 / 20922789888000.0) - 1.0 / 87178291200.0;  // 1/16!, 1/14!
  c = c * y + 1.0 / 479001600.0;
  c = c * y - 1.0 / 3628800.0;
  c = c * y + 1.0 / 40320.0;
  c = c * y - 1.0 / 720.0;
  c = c * y + 1.0 / 24.0;
  c = c * y - 0.5;
  c = c * y + 1.0;
  const Real s2 = 2.0 * s * c, c2 = 1.0 - 2.0 * (s * s);
  sine = 2.0 * s2 * c2;
  cosine = 1.0 - 2.0 * (s2 * s2);
}
template <class V>
MK_INLINE void waves(const double* turns, double scale, double* cosine, double* sine, Index n) {
  typename V::Real c, s;
  Index i = 0;
  for (; i + V::width <= n; i += V::width) {
    wave_lanes<V>(load<V>(turns + i), c, s);
    store<V>(cosine + i, c * scale);
    store<V>(sine + i, s * scale);
  }
  if (i == n) return;
  double tail[V::width] = {};  // the same arithmetic for the last few entries
  for (Index k = i; k < n; ++k) tail[k - i] = turns[k];
  wave_lanes<V>(load<V>(tail), c, s);
  for (Index k = i; k < n; ++k) {
    cosine[k] = c[k - i] * scale;
    sine[k] = s[k - i] * scale;
  }
}

template <class V, class Number>
MK_INLINE void axpy(double weight, const Number* in, double* out, Index n) {
  Index i = 0;
  for (; i + V::width <= n; i += V::width)
    store<V>(out + i, load<V>(out + i) + load<V>(in + i) * weight);
  for (; i < n; ++i) out[i] = out[i] + static_cast<double>(in[i]) * weight;
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
  const Real a = MK_SHUFFLE(Int, c[0], c[1], 0, 4, 2, 6),
             b = MK_SHUFFLE(Int, c[0], c[1], 1, 5, 3, 7);
  const Real d = MK_SHUFFLE(Int, c[2], c[3], 0, 4, 2, 6),
             e = MK_SHUFFLE(Int, c[2], c[3], 1, 5, 3, 7);
  c[0] = MK_SHUFFLE(Int, a, d, 0, 1, 4, 5);
  c[1] = MK_SHUFFLE(Int, b, e, 0, 1, 4, 5);
  c[2] = MK_SHUFFLE(Int, a, d, 2, 3, 6, 7);
  c[3] = MK_SHUFFLE(Int, b, e, 2, 3, 6, 7);
}

constexpr Index line_values = 8;  // in a line of the caches

// What tiles are written with: wider vectors write no faster.
template <class V>
using WritingLanes = Lanes<(V::width < 4 ? V::width : 4)>;

// Writes a vector, p being a multiple of its size, past the caches if the processor can: memory
// that none of them holds need not be read before it is overwritten.
template <class V>
MK_INLINE void stream(double* p, const typename V::Real& x) {
  static_assert(V::width == 2 || V::width == 4, "an instruction for each width");
#if defined(__SSE2__) && defined(__clang__)
  __builtin_nontemporal_store(x, reinterpret_cast<typename V::Aligned*>(p));
#elif defined(__SSE2__)
  if constexpr (V::width == 2) __builtin_ia32_movntpd(p, x);
#if defined(MK_AVX2)
  else __builtin_ia32_movntpd256(p, x);
#endif
#else
  store<V>(p, x);
#endif
}

// The place of a value in its line of memory.
MK_INLINE Index place_in_line(const double* p) {
  return static_cast<Index>(reinterpret_cast<std::uintptr_t>(p) / sizeof(double)) % line_values;
}

// values * factor to consecutive places, whole lines of memory past the caches. The lines at both
// ends have other values too, which are written soon: the caches put them together.
template <class V>
MK_INLINE void stream_run(const double* values, double factor, double* to, Index n) {
  const Index past = place_in_line(to);
  Index first = past == 0 ? 0 : line_values - past;
  // No line starts between two values.
  if (reinterpret_cast<std::uintptr_t>(to) % sizeof(double) != 0) first = n;
  Index k = 0;
  for (; k < n && k < first; ++k) to[k] = values[k] * factor;
  for (; k + line_values <= n; k += line_values) {
#pragma GCC unroll 4
    for (Index v = 0; v < line_values; v += V::width)
      stream<V>(to + k + v, load<V>(values + k + v) * factor);
  }
  for (; k < n; ++k) to[k] = values[k] * factor;
}

// The next eight columns of the mirror image, from row i on: a line of memory of each column of the
// tile.
template <class V>
MK_INLINE void turn_rows(TileOnItsWay& tile, Index i) {
  constexpr int W = V::width;
  const double* from = tile.values + i;
  const Index whole = tile.b_count / W * W;
  for (Index j = 0; j < whole; j += W)
    for (Index r = 0; r < line_values; r += W) {
      typename V::Real block[W];
#pragma GCC unroll 8
      for (int k = 0; k < W; ++k) block[k] = load<V>(from + r + (j + k) * panel_rows);
      transpose(block);
#pragma GCC unroll 8
      for (int k = 0; k < W; ++k) store<V>(tile.turned + (r + k) * panel_rows + j, block[k]);
    }
  for (Index r = 0; r < line_values; ++r)
    for (Index j = whole; j < tile.b_count; ++j)
      tile.turned[r * panel_rows + j] = from[r + j * panel_rows];
}

// A line at an end of a run that has values of a neighbor too goes by way of the caches: it is
// fetched a run ahead.
MK_INLINE void fetch_ends(const double* run, Index n) {
  if (place_in_line(run) != 0) __builtin_prefetch(run, 1);
  if (place_in_line(run + n) != 0) __builtin_prefetch(run + n - 1, 1);
}

// One column of a tile, or of its image. Not inlined: it stands between two tiles of sums, which
// need all registers.
template <class V>
static __attribute__((noinline)) void write_run(TileOnItsWay& tile) {
  const Index mirrored = tile.a_count - tile.mirrored_from;
  if (tile.runs_left > mirrored) {
    const Index j = tile.b_count + mirrored - tile.runs_left;
    double* to = tile.direct + j * tile.stride;
    if (j + 1 < tile.b_count) fetch_ends(to + tile.stride, tile.a_count);
    stream_run<V>(tile.values + j * panel_rows, tile.factor, to, tile.a_count);
  } else {
    const Index past = mirrored - tile.runs_left, i = tile.mirrored_from + past;
    double* to = tile.mirror + i * tile.stride;
    if (i + 1 < tile.a_count) fetch_ends(to + tile.stride, tile.b_count);
    if (past % line_values == 0) turn_rows<V>(tile, i);
    stream_run<V>(tile.turned + past % line_values * panel_rows, tile.factor, to, tile.b_count);
  }
  --tile.runs_left;
}

template <class V>
MK_INLINE void write_some(TileOnItsWay& tile) {
  for (Index k = 0; k < tile.at_once && tile.runs_left > 0; ++k) write_run<WritingLanes<V>>(tile);
}

template <class V>
MK_INLINE void write_rest(TileOnItsWay& tile) {
  while (tile.runs_left > 0) write_run<WritingLanes<V>>(tile);
}

MK_INLINE void fence() {
#if defined(__SSE2__)
  __builtin_ia32_sfence();
#endif
}

// A tile and its mirror image by way of the caches.
template <class V>
MK_INLINE void store_mirrored(const double* values, double factor, Index a_count, Index b_count,
                              double* direct, double* mirror, Index stride) {
  constexpr int W = V::width;
  const Index a_whole = a_count / W * W, b_whole = b_count / W * W;
  for (Index i = 0; i < a_whole; i += W)
    for (Index j = 0; j < b_whole; j += W) {
      typename V::Real block[W];
#pragma GCC unroll 8
      for (int k = 0; k < W; ++k) {
        block[k] = load<V>(values + i + (j + k) * panel_rows) * factor;
        store<V>(direct + i + (j + k) * stride, block[k]);
      }
      transpose(block);
#pragma GCC unroll 8
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

template <class V, class Number>
MK_INLINE double dot(const Number* x, const double* y, Index n) {
  typename V::Real s0{}, s1{}, s2{}, s3{};
  Index i = 0;
  for (; i + 4 * V::width <= n; i += 4 * V::width) {
    s0 += load<V>(x + i) * load<V>(y + i);
    s1 += load<V>(x + i + V::width) * load<V>(y + i + V::width);
    s2 += load<V>(x + i + 2 * V::width) * load<V>(y + i + 2 * V::width);
    s3 += load<V>(x + i + 3 * V::width) * load<V>(y + i + 3 * V::width);
  }
  double sum = sum_lanes<V>((s0 + s1) + (s2 + s3));
  for (; i < n; ++i) sum += static_cast<double>(x[i]) * y[i];
  return sum;
}

}  // namespace simd_body
}  // namespace mk
