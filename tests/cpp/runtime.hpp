// A Runtime on std::thread for the tests: as many threads as asked for, even on one core, and an
// interrupt that comes after a chosen number of looks at it.
#pragma once

#include <atomic>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/errors.hpp"
#include "base/runtime.hpp"

class TestRuntime : public mk::Runtime {
 public:
  explicit TestRuntime(int n_threads = 1) {
    threads = n_threads;
    const char* level = std::getenv("MULTIKERNEL_SIMD");
    simd = &mk::choose_simd(level == nullptr ? "auto" : level);
  }

  void parallel_for(mk::Index count, const std::function<void(mk::Index)>& body) const override {
    if (threads == 1 || count < 2 || inside()) {
      for (mk::Index i = 0; i < count; ++i) {
        check_interrupt();
        body(i);
      }
      return;
    }
    std::atomic<mk::Index> next{0};
    std::atomic<bool> stop{false};
    std::exception_ptr error;
    std::mutex mutex;
    const auto work = [&] {
      inside() = true;
      while (!stop) {
        const mk::Index i = next++;
        if (i >= count) break;
        try {
          body(i);
        } catch (...) {
          std::lock_guard<std::mutex> lock(mutex);
          if (!error) error = std::current_exception();
          stop = true;
        }
      }
      inside() = false;
    };
    std::vector<std::thread> workers;
    for (int t = 0; t < threads; ++t) workers.emplace_back(work);
    for (std::thread& worker : workers) worker.join();
    if (error) std::rethrow_exception(error);
  }

  void check_interrupt() const override {
    ++looks;
    if (interrupt_after >= 0 && looks > interrupt_after) throw mk::Interrupted();
  }

  void message(const std::string& text) const override {
    std::lock_guard<std::mutex> lock(mutex_);
    messages.push_back(text);
  }

  long interrupt_after = -1;  // looks that pass; negative: never interrupted
  mutable std::atomic<long> looks{0};
  mutable std::vector<std::string> messages;

 private:
  static bool& inside() {
    static thread_local bool value = false;
    return value;
  }
  mutable std::mutex mutex_;
};
