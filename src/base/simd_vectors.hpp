// Vectors of doubles on the compiler's vector extensions, and exp2 on them. No standard header may
// be included here, and everything is a template, always_inline or static (see simd_body.hpp).
#pragma once

#include "simd.hpp"

#define MK_INLINE inline __attribute__((always_inline))

namespace mk {
namespace simd_body {

template <int Width>
struct Lanes {
  static constexpr int width = Width;
  typedef double Real __attribute__((vector_size(8 * Width)));
  typedef double Aligned __attribute__((vector_size(8 * Width), may_alias));
  typedef double Unaligned __attribute__((vector_size(8 * Width), aligned(8), may_alias));
  typedef float Narrow __attribute__((vector_size(4 * Width), aligned(4), may_alias));
  typedef long long Int __attribute__((vector_size(8 * Width)));
  typedef unsigned long long Bits __attribute__((vector_size(8 * Width)));  // wraps around
};

template <class V>
MK_INLINE typename V::Real load(const double* p) {
  return *reinterpret_cast<const typename V::Unaligned*>(p);
}
template <class V>
MK_INLINE typename V::Real load(const float* p) {
  return __builtin_convertvector(*reinterpret_cast<const typename V::Narrow*>(p), typename V::Real);
}
template <class V>
MK_INLINE void store(double* p, const typename V::Real& x) {
  *reinterpret_cast<typename V::Unaligned*>(p) = x;
}
template <class V>
MK_INLINE typename V::Real broadcast(double x) {
  return x - typename V::Real{};
}
// The builtins below are one instruction where a compiler makes several of the expression; those of
// AVX2 need MK_AVX2, because not every compiler defines __AVX2__ for part of a file.
template <class V>
MK_INLINE typename V::Real blend(const typename V::Int& choice, const typename V::Real& yes,
                                 const typename V::Real& no) {
#if defined(MK_AVX2)
  if constexpr (V::width == 4) return __builtin_ia32_blendvpd256(no, yes, (typename V::Real)choice);
#endif
#if defined(MK_AVX512)
  if constexpr (V::width == 8) return choice ? yes : no;  // a register of masks takes the choice
#endif
  typename V::Int mask = choice;
#if defined(__SSE2__)
  // Without an instruction for a choice GCC goes through the lanes one by one, four times slower
  // than bit by bit, unless it cannot see that this is one.
  if constexpr (V::width == 2) __asm__("" : "+x"(mask));
#endif
  return (typename V::Real)((mask & (typename V::Int)yes) | (~mask & (typename V::Int)no));
}
// The larger of two, and the smaller; b if one of them is not a number.
template <class V>
MK_INLINE typename V::Real larger(const typename V::Real& a, const typename V::Real& b) {
#if defined(MK_AVX2)
  if constexpr (V::width == 4) return __builtin_ia32_maxpd256(a, b);
#endif
#if defined(__SSE2__)
  if constexpr (V::width == 2) return __builtin_ia32_maxpd(a, b);
#endif
  return blend<V>(a > b, a, b);
}
template <class V>
MK_INLINE typename V::Real smaller(const typename V::Real& a, const typename V::Real& b) {
#if defined(MK_AVX2)
  if constexpr (V::width == 4) return __builtin_ia32_minpd256(a, b);
#endif
#if defined(__SSE2__)
  if constexpr (V::width == 2) return __builtin_ia32_minpd(a, b);
#endif
  return blend<V>(a < b, a, b);
}
template <class V>
MK_INLINE typename V::Real magnitude(const typename V::Real& x) {
  return (typename V::Real)((typename V::Int)x & 0x7fffffffffffffffLL);
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

}  // namespace simd_body
}  // namespace mk
