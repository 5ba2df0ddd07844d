// The SVM on the mean of all kernels is the SVM with weights 1/M, to the last bit.
#include "check.hpp"
#include "learning.hpp"

using namespace mk;
using namespace fixtures;

TEST(average_is_svm_with_equal_weights) {
  const Small data(70);
  for (double memory : {1e9, 0.0})
    for (int threads : {1, 3}) {
      TestRuntime runtime(threads);
      runtime.memory = memory;
      const auto bank = make_bank(three_kernels(), data.x, runtime);
      for (const TargetKind* task : every_task()) {
        const TrainingSet set = data.set(bank, task);
        const State p = parameters({{"cost", 3.0}, {"epsilon", 0.05}, {"nu", 0.2}});
        const auto average = learner("average", p)->fit(set, runtime);
        const auto svm =
            learner("svm", with_weights(p, Vector::Constant(3, 1.0 / 3.0)))->fit(set, runtime);
        CHECK(identical(average->kernel_weights(), Vector(Vector::Constant(3, 1.0 / 3.0))));
        CHECK(average->support() == svm->support());
        CHECK(identical(average->expansion()->coefficients, svm->expansion()->coefficients));
        CHECK(average->expansion()->bias == svm->expansion()->bias);
        CHECK(average->report.objective == svm->report.objective);
        CHECK(average->report.iterations == svm->report.iterations);
        CHECK(identical(average->fitted, svm->fitted));
      }
    }
}

TEST(one_kernel_is_its_own_average) {
  const TestRuntime runtime;
  const Small data(30);
  const auto bank = make_bank({item("rbf", {{"gamma", 0.5}})}, data.x, runtime);
  const TrainingSet set = data.set(bank, classification());
  CHECK(identical(learner("average")->fit(set, runtime)->fitted,
                  learner("svm")->fit(set, runtime)->fitted));
}

TEST(the_parameters_are_used) {
  const TestRuntime runtime;
  const Small data(40);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  const auto objective = [&](const TargetKind* task, const Parameters& p) {
    return learner("average", parameters(p), 1e-8)
        ->fit(data.set(bank, task), runtime)
        ->report.objective;
  };
  CHECK(objective(classification(), {{"cost", 1.0}}) <
        objective(classification(), {{"cost", 2.0}}));
  CHECK(objective(regression(), {{"epsilon", 0.3}}) < objective(regression(), {{"epsilon", 0.0}}));
  CHECK(objective(one_class(), {{"nu", 0.2}}) > objective(one_class(), {{"nu", 0.8}}));
}
