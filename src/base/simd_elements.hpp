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
  const Real a = MK_SHUFFLE(Int, c[0], c[1], 0, 4, 2, 6),
             b = MK_SHUFFLE(Int, c[0], c[1], 1, 5, 3, 7);
  const Real d = MK_SHUFFLE(Int, c[2], c[3], 0, 4, 2, 6),
             e = MK_SHUFFLE(Int, c[2], c[3], 1, 5, 3, 7);
  c[0] = MK_SHUFFLE(Int, a, d, 0, 1, 4, 5);
  c[1] = MK_SHUFFLE(Int, b, e, 0, 1, 4, 5);
  c[2] = MK_SHUFFLE(Int, a, d, 2, 3, 6, 7);
  c[3] = MK_SHUFFLE(Int, b, e, 2, 3, 6, 7);
}

// Writes past the caches where the processor can and the place allows it: memory that no cache
// holds need not be read before it is overwritten.
template <class V>
MK_INLINE void stream(double* p, const typename V::Real& x) {
#if defined(__SSE2__)
  using Half = typename Lanes<2>::Real;
  if (reinterpret_cast<unsigned long long>(p) % sizeof(Half) == 0) {
    Half halves[V::width / 2];
    __builtin_memcpy(halves, &x, sizeof(x));
    for (int k = 0; k < V::width / 2; ++k) {
#if defined(__clang__)
      __builtin_nontemporal_store(halves[k], reinterpret_cast<Lanes<2>::Aligned*>(p + 2 * k));
#else
      __builtin_ia32_movntpd(p + 2 * k, halves[k]);
#endif
    }
    return;
  }
#endif
  store<V>(p, x);
}

// Whole vectors of a tile and its mirror image. What is streamed is written column by column: the
// processor gathers what goes to one line of memory.
template <class V, bool Streamed>
MK_INLINE void store_blocks(const double* values, double factor, Index a_whole, Index b_whole,
                            double* direct, double* mirror, Index stride) {
  constexpr int W = V::width;
  if (Streamed)
    for (Index j = 0; j < b_whole; ++j)
      for (Index i = 0; i < a_whole; i += W)
        stream<V>(direct + i + j * stride, load<V>(values + i + j * panel_rows) * factor);
  for (Index i = 0; i < a_whole; i += W)
    for (Index j = 0; j < b_whole; j += W) {
      typename V::Real block[W];
      for (int k = 0; k < W; ++k) {
        block[k] = load<V>(values + i + (j + k) * panel_rows) * factor;
        if (!Streamed) store<V>(direct + i + (j + k) * stride, block[k]);
      }
      transpose(block);
      for (int k = 0; k < W; ++k) {
        double* to = mirror + j + (i + k) * stride;
        if (Streamed) stream<V>(to, block[k]);
        else store<V>(to, block[k]);
      }
    }
#if defined(__SSE2__)
  if (Streamed) __builtin_ia32_sfence();  // before another thread may read it
#endif
}

// A tile, times a factor, to its place in a symmetric matrix and to the mirror image of it. A tile
// on the diagonal is its own image: there blocks are written pair by pair, the image last.
template <class V>
MK_INLINE void store_mirrored(const double* values, double factor, Index a_count, Index b_count,
                              double* direct, double* mirror, Index stride, bool streamed) {
  constexpr int W = V::width;
  const Index a_whole = a_count / W * W, b_whole = b_count / W * W;
  if (streamed && direct != mirror)
    store_blocks<V, true>(values, factor, a_whole, b_whole, direct, mirror, stride);
  else store_blocks<V, false>(values, factor, a_whole, b_whole, direct, mirror, stride);
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

}  // namespace simd_body
}  // namespace mk
