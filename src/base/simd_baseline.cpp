#include "errors.hpp"
#include "simd_body.hpp"

namespace mk {

namespace baseline {
MK_SIMD_TABLE(2, "baseline")
}  // namespace baseline

const Simd& simd_baseline() { return baseline::table; }

const Simd& choose_simd(const std::string& level) {
  const Simd *avx2 = simd_avx2(), *avx512 = simd_avx512();
  if (level == "auto") return avx512_pays() ? *avx512 : avx2 != nullptr ? *avx2 : simd_baseline();
  if (level == "baseline") return simd_baseline();
  if (level == "avx2" && avx2 != nullptr) return *avx2;
  if (level == "avx512" && avx512 != nullptr) return *avx512;
  throw InvalidArgument("simd", "\"auto\" or a level that this processor has", "\"" + level + "\"");
}

std::vector<std::string> simd_levels() {
  std::vector<std::string> levels = {"baseline"};
  if (simd_avx2() != nullptr) levels.push_back("avx2");
  if (simd_avx512() != nullptr) levels.push_back("avx512");
  return levels;
}

}  // namespace mk
