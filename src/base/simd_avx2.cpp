#include "simd.hpp"

#if MK_WIDE_VECTORS

namespace mk {

namespace avx2 {
extern const Simd table;
}

const Simd* simd_avx2() {
  static const bool available =
      __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  return available ? &avx2::table : nullptr;
}

}  // namespace mk

// From here to the end of the file only the loops of simd_body.hpp are compiled, for AVX2.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif

#define MK_AVX2 1
#include "simd_body.hpp"

namespace mk {
namespace avx2 {
MK_SIMD_TABLE(4, "avx2")
}  // namespace avx2
}  // namespace mk

#if defined(__clang__)
#pragma clang attribute pop
#endif

#else

namespace mk {
const Simd* simd_avx2() { return nullptr; }
}  // namespace mk

#endif
