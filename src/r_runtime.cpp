#include "r_runtime.h"

#include <RcppParallel.h>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>

#ifndef _WIN32
#include <unistd.h>
#endif

#include "base/errors.hpp"
#include "r_convert.h"

namespace mk {

namespace {

thread_local bool inside_worker = false;

// A forked child has none of its parent's threads: TBB would wait for them for ever.
bool threads_usable() {
#ifdef _WIN32
  return true;
#else
  static const pid_t first_user = getpid();
  return getpid() == first_user;
#endif
}

SEXP check_user_interrupt(void*) {
  R_CheckUserInterrupt();
  return R_NilValue;
}

// Whoever gave work to this process asks by such a file to end it; see R/base-parallel.R.
std::string read_stop_file() {
  const SEXP file = Rf_GetOption1(Rf_install("multikernel.stop_file"));
  if (TYPEOF(file) != STRSXP || Rf_xlength(file) != 1) return {};
  return Rcpp::as<std::string>(file);
}

bool file_exists(const std::string& name) {
  std::FILE* file = std::fopen(name.c_str(), "r");
  if (file == nullptr) return false;
  std::fclose(file);
  return true;
}

// What the threads of one loop share.
struct Loop {
  Loop(Index n, const std::function<void(Index)>& f) : count(n), body(f) {}

  // `before` is called before each piece of work.
  template <class Before>
  void run(const Before& before) {
    inside_worker = true;
    while (!stop) {
      const Index i = next++;
      if (i >= count) break;
      try {
        before();
        body(i);
      } catch (...) {
        fail();
      }
    }
    inside_worker = false;
  }
  // Keeps the current exception if it is the first, and ends the loop.
  void fail() {
    std::lock_guard<std::mutex> lock(mutex);
    if (!error) error = std::current_exception();
    stop = true;
  }

  const Index count;
  const std::function<void(Index)>& body;
  std::atomic<Index> next{0};
  std::atomic<bool> stop{false};
  std::mutex mutex;
  std::condition_variable finished;
  bool done = false;
  std::exception_ptr error;
};

struct LoopWorker : public RcppParallel::Worker {
  explicit LoopWorker(Loop& l) : loop(l) {}
  void operator()(std::size_t, std::size_t) override {
    loop.run([] {});
  }
  Loop& loop;
};

}  // namespace

RRuntime::RRuntime(const Rcpp::List& control)
    : main_(std::this_thread::get_id()), last_poll_(std::chrono::steady_clock::now()) {
  threads = entry_integer(control, "threads");
  if (threads < 1 || threads > 4096)
    throw InvalidArgument("threads", "a whole number from 1 to 4096", std::to_string(threads));
  memory = entry_number(control, "memory");
  if (!(memory >= 0.0)) throw InvalidArgument("memory", "a number of bytes", format_number(memory));
  verbose = entry_flag(control, "verbose");
  const double number = entry_number(control, "seed");
  if (!(number >= 0.0 && number <= 9007199254740992.0))
    throw InvalidArgument("seed", "a number from 0 to 2^53", format_number(number));
  seed = static_cast<std::uint64_t>(number);
  simd = &choose_simd(entry_text(control, "simd"));
  if (control.containsElementNamed("progress")) {
    progress_ = Rcpp::RObject(static_cast<SEXP>(control["progress"]));
    if (!progress_.isNULL() && !Rf_isFunction(progress_))
      throw InvalidArgument("progress", "a function of one number", "something else");
  }
  ticks_ =
      !progress_.isNULL() && control.containsElementNamed("ticks") && entry_flag(control, "ticks");
  if (ticks_) last_report_ = last_poll_;
  stop_file_ = read_stop_file();
  // Workers look at once: their work may consist of many short calls.
  if (!stop_file_.empty()) last_poll_ -= std::chrono::seconds(1);
}

// Interrupts, time limits and errors of R leave by a long jump. Rcpp turns the jump into a C++
// exception, so that destructors run and the other threads end first, and resumes it when the
// exception leaves the package: an interrupt stays an interrupt, a time limit an error.
template <class F>
void RRuntime::in_r(const F& f) const {
  try {
    f();
  } catch (...) {
    pending_ = std::current_exception();
    interrupted_ = true;
    throw;
  }
}

void RRuntime::advance(Index kernels) const {
  if (progress_.isNULL() || ticks_) return;
  advanced_ += kernels;
  if (on_main_thread()) report();
}

// Calls the function of the user, which may throw. On the thread of R only.
void RRuntime::report() const {
  const auto now = std::chrono::steady_clock::now();
  const auto passed = now - last_report_;
  if ((!ticks_ && advanced_ == 0) || passed < std::chrono::milliseconds(ticks_ ? 200 : 100)) return;
  last_report_ = now;
  const double amount = ticks_ ? std::chrono::duration<double>(passed).count()
                               : static_cast<double>(advanced_.exchange(0));
  in_r([&] { Rcpp::Function(static_cast<SEXP>(progress_))(amount); });
}

void RRuntime::poll() const {
  const auto now = std::chrono::steady_clock::now();
  if (now - last_poll_ < std::chrono::milliseconds(50)) return;
  last_poll_ = now;
  in_r([&] {
    Rcpp::unwindProtect(check_user_interrupt, nullptr);
    if (!stop_file_.empty() && file_exists(stop_file_)) throw Interrupted();
  });
  if (ticks_) report();
}

void RRuntime::check_interrupt() const {
  if (!interrupted_ && on_main_thread()) poll();
  if (interrupted_) stop();
}

// Only the thread of R may resume its jump.
void RRuntime::stop() const {
  if (on_main_thread() && pending_) std::rethrow_exception(pending_);
  throw Interrupted();
}

void RRuntime::message(const std::string& text) const {
  // Nothing from inside a loop of several threads, of which this one has a share by chance.
  if (on_main_thread() && !inside_worker) REprintf("%s\n", text.c_str());
}

void RRuntime::parallel_for(Index count, const std::function<void(Index)>& body) const {
  if (threads == 1 || count < 2 || inside_worker || !threads_usable()) {
    for (Index i = 0; i < count; ++i) {
      check_interrupt();
      body(i);
    }
    return;
  }
  // The others are led by a thread of their own: this one takes its share without waiting for them,
  // and after that it can listen to the user.
  Loop loop(count, body);
  const int others = static_cast<int>(std::min<Index>(threads, count)) - 1;
  std::thread leader([&] {
    try {
      LoopWorker worker(loop);
      if (others == 1) worker(0, 1);
      else RcppParallel::parallelFor(0, static_cast<std::size_t>(others), worker, 1, others);
    } catch (...) {
      loop.fail();
    }
    std::lock_guard<std::mutex> lock(loop.mutex);
    loop.done = true;
    loop.finished.notify_one();
  });
  loop.run([&] { check_interrupt(); });
  {
    std::unique_lock<std::mutex> lock(loop.mutex);
    while (
        !loop.finished.wait_for(lock, std::chrono::milliseconds(50), [&] { return loop.done; })) {
      lock.unlock();
      try {
        check_interrupt();
        report();
      } catch (...) {  // the other threads have to end before anything may be thrown
        loop.fail();
      }
      lock.lock();
    }
  }
  leader.join();
  if (interrupted_) stop();  // before any error that it has caused in other threads
  if (loop.error) std::rethrow_exception(loop.error);
}

}  // namespace mk
