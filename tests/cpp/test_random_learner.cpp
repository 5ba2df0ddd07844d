// The SVM on one kernel drawn at random: the draw depends on the seed alone.
#include "check.hpp"
#include "learning.hpp"

using namespace mk;
using namespace fixtures;

TEST(one_kernel_with_weight_one) {
  const Small data(40);
  for (const TargetKind* task : every_task()) {
    std::vector<int> drawn(3, 0);
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      TestRuntime runtime;
      runtime.seed = seed;
      const auto bank = make_bank(three_kernels(), data.x, runtime);
      const auto model = learner("random")->fit(data.set(bank, task), runtime);
      const Vector weights = model->kernel_weights();
      Index chosen = -1;
      CHECK(weights.maxCoeff(&chosen) == 1.0 && weights.sum() == 1.0 && weights.minCoeff() == 0.0);
      ++drawn[static_cast<std::size_t>(chosen)];
      if (seed > 3) continue;
      const auto svm =
          learner("svm", with_weights(State(), weights))->fit(data.set(bank, task), runtime);
      CHECK(identical(model->fitted, svm->fitted));
      CHECK(model->report.objective == svm->report.objective);
    }
    for (int count : drawn) CHECK(count > 8);
  }
}

TEST(the_draw_is_the_same_for_every_part_of_a_problem) {
  const Small data(40);
  TestRuntime one, three(3);
  one.seed = three.seed = 17;
  const auto bank = make_bank(three_kernels(), data.x, one);
  const TrainingSet set = data.set(bank, classification());
  const Vector weights = learner("random")->fit(set, one)->kernel_weights();
  CHECK(identical(weights, learner("random")->fit(set, one)->kernel_weights()));
  CHECK(identical(weights, learner("random")->fit(set, three)->kernel_weights()));
  const KernelBank part = bank.subset({0, 1, 2, 3, 20, 21});
  const TrainingSet small = {
      part, {classification(), (Vector(6) << 1, -1, 1, -1, 1, -1).finished(), Vector::Ones(6)}};
  CHECK(identical(weights, learner("random")->fit(small, one)->kernel_weights()));
}

TEST(one_kernel_leaves_no_choice) {
  const TestRuntime runtime;
  const Small data(20);
  const auto bank = make_bank({item("linear")}, data.x, runtime);
  CHECK(learner("random")->fit(data.set(bank, regression()), runtime)->kernel_weights()[0] == 1.0);
}
