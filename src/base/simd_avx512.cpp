#include "simd.hpp"

#if defined(__x86_64__) && defined(__GNUC__)

namespace mk {

namespace avx512 {
extern const ReduceFunction dot, squared_distance;
void exp_decay(const double* in, double rate, double* out, Index n);
}  // namespace avx512

// The loops that are bound by arithmetic; the others wait for memory, and are those of AVX2.
const Simd* simd_avx512() {
  static const bool available = simd_avx2() != nullptr && __builtin_cpu_supports("avx512f") != 0 &&
                                __builtin_cpu_supports("avx512dq") != 0;
  if (!available) return nullptr;
  static const Simd table = [] {
    Simd loops = *simd_avx2();
    loops.name = "avx512";
    loops.reduce[static_cast<int>(PairKind::dot)] = avx512::dot;
    loops.reduce[static_cast<int>(PairKind::squared_distance)] = avx512::squared_distance;
    loops.exp_decay = avx512::exp_decay;
    return loops;
  }();
  return &table;
}

// On processors of Intel since Ice Lake, which had these instructions first (vbmi2). Before, they
// slowed the clock down; those of AMD (Zen 4) take as long for one as for two of AVX2.
bool avx512_pays() {
  return simd_avx512() != nullptr && __builtin_cpu_is("intel") != 0 &&
         __builtin_cpu_supports("avx512vbmi2") != 0;
}

}  // namespace mk

// From here to the end of the file only the loops of simd_body.hpp are compiled, for AVX-512.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx2,fma"))), \
                             apply_to = function)
#else
#pragma GCC target("avx512f,avx512dq,avx2,fma")
#endif

#define MK_AVX2 1
#define MK_AVX512 1
#include "simd_body.hpp"

namespace mk {
namespace avx512 {

using V = simd_body::Lanes<8>;

static void reduce_dot(const PanelPair& p, double* out) { simd_body::reduce_dots<V>(p, out); }
static void reduce_squared(const PanelPair& p, double* out) {
  simd_body::reduce_squared<V>(p, out);
}
const ReduceFunction dot = reduce_dot, squared_distance = reduce_squared;
void exp_decay(const double* in, double rate, double* out, Index n) {
  simd_body::exp_decay<V>(in, rate, out, n);
}

}  // namespace avx512
}  // namespace mk

#if defined(__clang__)
#pragma clang attribute pop
#endif

#else

namespace mk {
const Simd* simd_avx512() { return nullptr; }
bool avx512_pays() { return false; }
}  // namespace mk

#endif
