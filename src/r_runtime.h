// The core's Runtime bound to R: threads of RcppParallel, R's interrupts, R's message stream.
#pragma once

#include <Rcpp.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <thread>

#include "base/runtime.hpp"

namespace mk {

class RRuntime final : public Runtime {
 public:
  // Reads threads, memory, verbose, simd and seed of an R list, and `progress` if there is one: a
  // function that is called now and then with the number of kernels done since its last call, or,
  // if `ticks` is true, with the seconds that have passed since then.
  explicit RRuntime(const Rcpp::List& control);

  void parallel_for(Index count, const std::function<void(Index)>& body) const override;
  void check_interrupt() const override;
  void message(const std::string& text) const override;
  void advance(Index kernels) const override;

 private:
  bool on_main_thread() const { return std::this_thread::get_id() == main_; }
  template <class F>
  void in_r(const F& f) const;
  void poll() const;
  [[noreturn]] void stop() const;
  void report() const;

  std::thread::id main_;
  mutable std::atomic<bool> interrupted_{false};
  mutable std::exception_ptr pending_;  // R's long jump, as an exception
  mutable std::chrono::steady_clock::time_point last_poll_;
  std::string stop_file_;  // of a worker process: its work is to end when this file is there
  Rcpp::RObject progress_;
  mutable std::atomic<Index> advanced_{0};
  mutable std::chrono::steady_clock::time_point last_report_;
  bool ticks_ = false;  // progress is called with seconds instead
};

}  // namespace mk
