// What the surroundings offer a computation: threads, interrupts, progress, SIMD level, seed.
// Passed by reference, never global. The core declares it; r_runtime.cpp binds it to R and
// RcppParallel, tests/cpp/runtime.hpp to std::thread.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <string>

#include "simd.hpp"
#include "types.hpp"

namespace mk {

class Runtime {
 public:
  virtual ~Runtime() = default;

  // Runs body(0), ..., body(count - 1) in any order on `threads` threads; the first exception
  // of a body is rethrown here. With one thread it is a plain loop. Bodies write to places of
  // their own, so the result does not depend on the number of threads.
  virtual void parallel_for(Index count, const std::function<void(Index)>& body) const = 0;

  // Throws Interrupted if the user asked to stop. Cheap: may be called every few microseconds.
  virtual void check_interrupt() const = 0;

  // Reports progress: `count` more kernels processed. Any thread may call it.
  virtual void advance(Index) const {}

  // A line for the user; only called when `verbose`.
  virtual void message(const std::string& text) const = 0;

  int threads = 1;
  bool verbose = false;
  std::uint64_t seed = 1;
  double memory = 2e9;  // budget for stored matrices, in bytes
  const Simd* simd = &simd_baseline();
};

// Locks a mutex that another thread may hold for a long computation. The user can interrupt the
// wait: a thread that only waits may be the one that listens.
inline std::unique_lock<std::timed_mutex> lock_patiently(std::timed_mutex& mutex,
                                                         const Runtime& runtime) {
  std::unique_lock<std::timed_mutex> lock(mutex, std::defer_lock);
  while (!lock.try_lock_for(std::chrono::milliseconds(50))) runtime.check_interrupt();
  return lock;
}

}  // namespace mk
