// The SVM on concatenated maps: the sum of the kernels for full maps, the same for rows made on
// demand, and for any number of threads.
#include "check.hpp"
#include "learning.hpp"

using namespace mk;
using namespace fixtures;

TEST(full_maps_give_the_sum_of_the_kernels) {
  const TestRuntime runtime;
  const Small data(50);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  for (const TargetKind* task : every_task()) {
    const TrainingSet set = data.set(bank, task);
    const auto maps = learner("svm_concatenated", State(), 1e-9)->fit(set, runtime);
    const auto sum =
        learner("svm", with_weights(State(), Vector::Ones(3)), 1e-9)->fit(set, runtime);
    CHECK_CLOSE(maps->report.objective, sum->report.objective, 1e-7);
    CHECK(distance(maps->fitted, sum->fitted) < 1e-5);
    CHECK(maps->support() == sum->support());
    CHECK(distance(decision_on(*maps, bank, runtime), maps->fitted) < 1e-6);
  }
}

TEST(rows_on_demand_give_the_same) {
  const Small data(60);
  TestRuntime stored, on_demand;
  on_demand.memory = 4000.0;  // a few rows
  for (const TargetKind* task : every_task())
    for (double landmarks : {0.0, 15.0}) {
      const auto fit = [&](const TestRuntime& runtime) {
        const auto bank = make_bank(three_kernels(), data.x, runtime);
        return learner("svm_concatenated", parameters({{"landmarks", landmarks}}), 1e-9)
            ->fit(data.set(bank, task), runtime);
      };
      const auto a = fit(stored), b = fit(on_demand);
      CHECK_CLOSE(a->report.objective, b->report.objective, 1e-8);
      CHECK(distance(a->fitted, b->fitted) < 1e-5);
      CHECK(static_cast<double>(a->support().size()) <= (landmarks > 0.0 ? landmarks : 60.0));
    }
}

TEST(threads_change_nothing) {
  const Small data(150);
  const auto fit = [&](const TestRuntime& runtime) {
    const auto bank = make_bank(three_kernels(), data.x, runtime);
    return learner("svm_concatenated", parameters({{"rank", 10.0}}))
        ->fit(data.set(bank, classification()), runtime);
  };
  const auto one = fit(TestRuntime(1)), three = fit(TestRuntime(3));
  CHECK(identical(one->fitted, three->fitted));
  CHECK(one->support() == three->support());
}

TEST(parameters_out_of_range_are_refused) {
  CHECK_THROWS(learner("svm_concatenated", parameters({{"rank", -1.0}})), InvalidArgument,
               "`rank`");
  CHECK_THROWS(learner("svm_concatenated", parameters({{"landmarks", 0.5}})), InvalidArgument,
               "`landmarks`");
  CHECK_THROWS(learner("svm_concatenated", parameters({{"cost", 0.0}})), InvalidArgument, "`cost`");
}
