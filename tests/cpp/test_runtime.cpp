// Waiting for what another thread holds.
#include "base/runtime.hpp"

#include "check.hpp"
#include "runtime.hpp"

using namespace mk;

TEST(a_wait_can_be_interrupted) {
  TestRuntime runtime;
  std::timed_mutex mutex;
  CHECK(lock_patiently(mutex, runtime).owns_lock());
  CHECK(runtime.looks == 0);  // it was free
  std::unique_lock<std::timed_mutex> held(mutex);
  runtime.interrupt_after = 1;
  std::thread other([&] { CHECK_THROWS(lock_patiently(mutex, runtime), Interrupted, ""); });
  other.join();
  CHECK(runtime.looks == 2);
  runtime.interrupt_after = -1;
  bool taken = false;
  std::thread patient([&] {
    const auto lock = lock_patiently(mutex, runtime);
    taken = true;
  });
  held.unlock();
  patient.join();
  CHECK(taken);
}
