#include "simd.hpp"

#if MK_WIDE_VECTORS

namespace mk {

namespace avx512 {
extern const Simd table;
}

const Simd* simd_avx512() {
  static const bool available = simd_avx2() != nullptr && __builtin_cpu_supports("avx512f") != 0 &&
                                __builtin_cpu_supports("avx512dq") != 0;
  return available ? &avx512::table : nullptr;
}

// On processors of Intel since Ice Lake, the first to have avx512vbmi2. Before, these instructions
// slowed the clock down; AMD's Zen 4 takes as long for one of them as for two of AVX2.
bool avx512_pays() {
  return simd_avx512() != nullptr && __builtin_cpu_is("intel") != 0 &&
         __builtin_cpu_supports("avx512vbmi2") != 0;
}

}  // namespace mk

// From here to the end of the file only the loops of simd_body.hpp are compiled, for AVX-512.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512dq,avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx512dq,avx2,fma")
#endif

#define MK_AVX2 1
#define MK_AVX512 1
#include "simd_body.hpp"

namespace mk {
namespace avx512 {
MK_SIMD_TABLE(8, "avx512")
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
