// Counter-based random streams: a number depends on (seed, task, position) alone, so results
// do not depend on the number of threads or on the order in which tasks are run.
#pragma once

#include <cmath>
#include <cstdint>

#include "types.hpp"

namespace mk {

class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t task)
      : key_(mix(seed ^ mix(task + 0x632be59bd9b4e019ULL))) {}

  std::uint64_t bits() { return mix(key_ + golden_ * ++counter_); }

  // Uniform in (0, 1), never 0 or 1.
  double uniform() { return (static_cast<double>(bits() >> 12) + 0.5) * 0x1.0p-52; }

  // Standard normal (Box & Muller 1958), two numbers of the stream for each.
  double normal() {
    const double radius = std::sqrt(-2.0 * std::log(uniform()));
    return radius * std::cos(6.283185307179586 * uniform());
  }

  // Uniform in 0..bound-1, without the bias of a plain modulus.
  Index below(Index bound) {
    const auto range = static_cast<std::uint64_t>(bound);
    const std::uint64_t limit = UINT64_MAX - UINT64_MAX % range;
    std::uint64_t value = bits();
    while (value >= limit) value = bits();
    return static_cast<Index>(value % range);
  }

  // `count` different numbers of 0..n-1 in random order; all of them, in their order, if there are
  // no more.
  Indices sample(Index n, Index count) {
    Indices all = all_rows(n);
    if (count >= n) return all;
    for (Index k = 0; k < count; ++k)
      std::swap(all[static_cast<std::size_t>(k)], all[static_cast<std::size_t>(k + below(n - k))]);
    all.resize(static_cast<std::size_t>(count));
    return all;
  }

  // Fisher-Yates.
  void shuffle(Indices& values) {
    for (Index i = static_cast<Index>(values.size()) - 1; i > 0; --i)
      std::swap(values[static_cast<std::size_t>(i)],
                values[static_cast<std::size_t>(below(i + 1))]);
  }

 private:
  static constexpr std::uint64_t golden_ = 0x9e3779b97f4a7c15ULL;

  // The finalizer of SplitMix64 (Steele, Lea & Flood 2014): a bijection with full avalanche.
  static std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

  std::uint64_t key_;
  std::uint64_t counter_ = 0;
};

}  // namespace mk
