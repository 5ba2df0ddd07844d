// Large blocks of memory.
#pragma once

#include <cstddef>
#include <cstdlib>

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#endif

namespace mk {

#if defined(__linux__) && defined(MADV_POPULATE_WRITE)
// Whether the page of an address is in memory already: then its block was used before.
inline bool is_resident(std::uintptr_t address, std::uintptr_t page) {
  unsigned char state = 0;
  return mincore(reinterpret_cast<void*>(address & ~(page - 1)), page, &state) == 0 &&
         (state & 1) != 0;
}
#endif

// Asks the system to back a large fresh block with huge pages: first touching a matrix of 200 MB
// page by page can take longer than computing it. What lies before the first huge page and behind
// the last is asked for in one go, which saves a twentieth of the time of 1000 rows, unless the
// block has been in use before. Without effect where the system does not know of it.
inline void prefer_huge_pages(void* block, std::size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t huge = std::uintptr_t{1} << 21;
  const auto start = reinterpret_cast<std::uintptr_t>(block), stop = start + bytes;
  const std::uintptr_t begin = (start + huge - 1) & ~(huge - 1), end = stop & ~(huge - 1);
  if (end <= begin) return;
  const auto advise = [](std::uintptr_t from, std::uintptr_t to, int advice) {
    madvise(reinterpret_cast<void*>(from), to - from, advice);
  };
  advise(begin, end, MADV_HUGEPAGE);
#if defined(MADV_POPULATE_WRITE)
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  if (is_resident(start + bytes / 2, page)) return;  // at its ends the allocator keeps its books
  advise(start & ~(page - 1), begin, MADV_POPULATE_WRITE);
  advise(end, (stop + page - 1) & ~(page - 1), MADV_POPULATE_WRITE);
#endif
#else
  (void)block;
  (void)bytes;
#endif
}

// Lets the allocator take matrices of up to 32 MB from its heap and keep what is freed there, until
// 64 MB at its end are free, instead of giving each of them back to the system and asking for fresh
// pages with the next, which takes as long as computing it. glibc does so by itself after a block
// of that size, its largest step, was freed: this one, with room for its header, is never touched.
// It concerns the whole process; settings that a user has made stand.
inline void keep_freed_memory() {
#if defined(__GLIBC__)
  static const bool once = [] {
    void* volatile block = std::malloc((std::size_t{32} << 20) - 8192);
    std::free(block);
    return true;
  }();
  (void)once;
#endif
}

}  // namespace mk
