// Large blocks of memory.
#pragma once

#include <cstddef>

#ifdef __linux__
#include <sys/mman.h>

#include <cstdint>
#endif

namespace mk {

// Asks the system to back a large fresh block with huge pages: first touching a matrix of 200 MB
// page by page can take longer than computing it. Without effect where there are none.
inline void prefer_huge_pages(void* block, std::size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t huge = std::uintptr_t{1} << 21;
  const std::uintptr_t begin = (reinterpret_cast<std::uintptr_t>(block) + huge - 1) & ~(huge - 1);
  const std::uintptr_t end = (reinterpret_cast<std::uintptr_t>(block) + bytes) & ~(huge - 1);
  if (end > begin) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#else
  (void)block;
  (void)bytes;
#endif
}

}  // namespace mk
