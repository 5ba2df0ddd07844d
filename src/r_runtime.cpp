#include "r_runtime.h"

#include <RcppParallel.h>

#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>

#ifndef _WIN32
#include <unistd.h>
#endif

#include "base/errors.hpp"
#include "base/symmetric_eigen.hpp"
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

void check_user_interrupt(void*) { R_CheckUserInterrupt(); }

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
}

void RRuntime::advance(Index kernels) const {
  if (progress_.isNULL()) return;
  advanced_ += kernels;
  if (on_main_thread()) report();
}

// Calls the function of the user, which may throw. On the thread of R only.
void RRuntime::report() const {
  const auto now = std::chrono::steady_clock::now();
  if (advanced_ == 0 || now - last_report_ < std::chrono::milliseconds(100)) return;
  last_report_ = now;
  const Index amount = advanced_.exchange(0);
  Rcpp::Function(static_cast<SEXP>(progress_))(static_cast<double>(amount));
}

void RRuntime::poll() const {
  const auto now = std::chrono::steady_clock::now();
  if (now - last_poll_ < std::chrono::milliseconds(50)) return;
  last_poll_ = now;
  // R_ToplevelExec keeps R's long jump from skipping C++ destructors.
  if (!R_ToplevelExec(check_user_interrupt, nullptr)) interrupted_ = true;
}

void RRuntime::check_interrupt() const {
  if (on_main_thread()) poll();
  if (interrupted_) throw Interrupted();
}

// The solver takes minutes for some thousand rows and never looks up. A thread of its own runs it
// on a matrix that it owns; after an interrupt nobody waits for it any more, and it ends by itself.
void RRuntime::eigen_symmetric(Matrix& a, Vector& values) const {
  struct Job {
    Matrix a;
    Vector values;
    std::mutex mutex;
    std::condition_variable finished;
    bool done = false;
    std::exception_ptr error;
  };
  constexpr Index quick = 300;  // rows: some hundredths of a second
  if (a.rows() <= quick) return Runtime::eigen_symmetric(a, values);
  const auto job = std::make_shared<Job>();
  job->a = std::move(a);
  std::thread([job] {
    std::exception_ptr error;
    try {
      symmetric_eigen(job->a, job->values);
    } catch (...) {
      error = std::current_exception();
    }
    std::lock_guard<std::mutex> lock(job->mutex);
    job->error = error;
    job->done = true;
    job->finished.notify_one();
  }).detach();
  std::unique_lock<std::mutex> lock(job->mutex);
  while (!job->finished.wait_for(lock, std::chrono::milliseconds(50), [&] { return job->done; })) {
    lock.unlock();
    check_interrupt();
    lock.lock();
  }
  if (job->error) std::rethrow_exception(job->error);
  a = std::move(job->a);
  values = std::move(job->values);
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
        poll();
        report();
      } catch (...) {  // the other threads have to end before anything may be thrown
        loop.fail();
      }
      if (interrupted_) loop.stop = true;
      lock.lock();
    }
  }
  leader.join();
  if (interrupted_) throw Interrupted();
  if (loop.error) std::rethrow_exception(loop.error);
}

}  // namespace mk
