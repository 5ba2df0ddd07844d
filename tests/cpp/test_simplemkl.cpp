// SimpleMKL, SILP and the level method: one convex problem. Their certificates hold, they agree, no
// other weights are better, and threads and the memory budget do not change the result.
#include "check.hpp"
#include "learning.hpp"

using namespace mk;
using namespace fixtures;

namespace {

struct Solver {
  const char* name;
  const char* direction;
};

const std::vector<Solver>& solvers() {
  static const std::vector<Solver> all = {{"simplemkl", "newton"},
                                          {"simplemkl", "gradient"},
                                          {"silpmkl", ""},
                                          {"levelmkl", ""},
                                          {"glmkl", ""}};
  return all;
}

State options(const Solver& solver, double cost, double gap) {
  State state = parameters({{"cost", cost}, {"gap", gap}});
  if (*solver.direction) state.set("direction", solver.direction);
  return state;
}

std::unique_ptr<Model> fit(const Solver& solver, const TrainingSet& set, const Runtime& runtime,
                           double cost = 3.0, double gap = 1e-4) {
  return learner(solver.name, options(solver, cost, gap))->fit(set, runtime);
}

}  // namespace

TEST(all_agree_within_their_gaps_for_every_task_and_cost) {
  const TestRuntime runtime;
  const Small data(60);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  for (const TargetKind* task : every_task())
    for (double cost : {0.1, 10.0, 1000.0}) {
      const TrainingSet set = data.set(bank, task);
      double least = 0.0, most = 0.0;
      for (const Solver& solver : solvers()) {
        const auto model = fit(solver, set, runtime, cost);
        CHECK(model->report.converged);
        CHECK(model->report.gap <= 1e-4);
        const Vector d = model->kernel_weights();
        CHECK_CLOSE(d.sum(), 1.0, 1e-9);
        CHECK(d.minCoeff() >= 0.0);
        const double j = model->report.objective;
        if (&solver == &solvers().front()) least = most = j;
        least = std::min(least, j);
        most = std::max(most, j);
      }
      CHECK(most - least <= 2e-4 * std::abs(least));
    }
}

TEST(no_weights_are_better_by_more_than_the_gap) {
  const TestRuntime runtime;
  const Small data(40);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  const TrainingSet set = data.set(bank, classification());
  const auto model = fit(solvers()[0], set, runtime, 2.0, 1e-5);
  Random random(7, 0);
  for (int trial = 0; trial < 40; ++trial) {
    Vector d(3);
    for (Index m = 0; m < 3; ++m) d[m] = -std::log(random.uniform());
    const auto other = learner("svm", with_weights(parameters({{"cost", 2.0}}), d / d.sum()), 1e-7)
                           ->fit(set, runtime);
    CHECK(other->report.objective >= model->report.objective * (1.0 - 1e-4));
  }
}

TEST(threads_do_not_change_a_bit_and_streaming_changes_little) {
  const Small data(50);
  TestRuntime one, streamed;
  const TestRuntime three(3);
  streamed.memory = 0.0;
  for (const Solver& solver : solvers()) {
    const auto result = [&](const TestRuntime& runtime) {
      return fit(solver, data.set(make_bank(three_kernels(), data.x, runtime), classification()),
                 runtime);
    };
    const auto a = result(one), b = result(three), c = result(streamed);
    CHECK(a->report.objective == b->report.objective);
    CHECK(a->kernel_weights() == b->kernel_weights());
    CHECK_CLOSE(a->report.objective, c->report.objective, 2e-4);
  }
}

TEST(part_of_the_kernels_in_memory_changes_little) {
  const Small data(50);
  for (const Solver& solver : solvers()) {
    double known = 0.0;
    for (const double room : {100.0, 3.9, 3.2, 2.0}) {
      TestRuntime runtime;
      runtime.memory = room * 8.0 * 50.0 * 50.0;
      const auto bank = make_bank(three_kernels(), data.x, runtime);
      const auto model = fit(solver, data.set(bank, classification()), runtime);
      CHECK(model->report.converged);
      if (room == 100.0) known = model->report.objective;
      CHECK_CLOSE(model->report.objective, known, 2e-4);
    }
  }
}

TEST(more_kernels_than_the_second_order_model_takes) {
  const TestRuntime runtime;
  const Small data(60);
  const auto bank = make_bank(
      {item("rbf_bags", {{"count", 450}, {"max_features", 3}, {"beta", 1.0}, {"seed", 5}})}, data.x,
      runtime);
  for (const TargetKind* task : {classification(), regression()}) {
    const TrainingSet set = data.set(bank, task);
    const auto newton = fit(solvers()[0], set, runtime), other = fit(solvers()[4], set, runtime);
    CHECK(newton->report.converged && other->report.converged);
    CHECK(newton->report.iterations < 40.0);
    CHECK_CLOSE(newton->report.objective, other->report.objective,
                2e-4 * std::abs(other->report.objective));
  }
}

TEST(a_fit_after_another_cost_is_as_good_and_sooner_done) {
  const TestRuntime runtime;
  const Small data(60);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  double with_start = 0.0, without = 0.0;
  for (const TargetKind* task : every_task())
    for (const Solver& solver : solvers()) {
      const TrainingSet set = data.set(bank, task);
      // The gap of the last point is another: nothing is taken over.
      const std::vector<State> points = {options(solver, 2.0, 1e-4), options(solver, 3.0, 1e-4),
                                         options(solver, 2.0, 1e-3)};
      const Models fits = fit_points(solver.name, points, set, runtime);
      const auto& warm = fits[1];
      const auto cold = learner(solver.name, points[1])->fit(set, runtime);
      CHECK(warm->report.converged && warm->report.gap <= 1e-4);
      CHECK_CLOSE(warm->report.objective, cold->report.objective,
                  2e-4 * std::abs(cold->report.objective));
      CHECK_CLOSE(warm->kernel_weights().sum(), 1.0, 1e-9);
      CHECK(identical(fits[2]->fitted, learner(solver.name, points[2])->fit(set, runtime)->fitted));
      if (std::string(solver.name) != "simplemkl") continue;
      with_start += warm->report.iterations;
      without += cold->report.iterations;
    }
  CHECK(with_start < 0.9 * without);
}

TEST(a_limit_of_iterations_is_honest) {
  const TestRuntime runtime;
  const Small data(50);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  for (const Solver& solver : solvers()) {
    State state = options(solver, 10.0, 1e-9);
    state.set("iterations", 1.0);
    const auto model = learner(solver.name, state)->fit(data.set(bank, classification()), runtime);
    CHECK(!model->report.converged);
    CHECK(model->report.gap > 1e-9);
  }
}

TEST(parameters_out_of_range_are_refused) {
  CHECK_THROWS(learner("simplemkl", parameters({{"gap", -1.0}})), InvalidArgument, "`gap`");
  CHECK_THROWS(learner("silpmkl", parameters({{"cost", 0.0}})), InvalidArgument, "`cost`");
  CHECK_THROWS(learner("levelmkl", parameters({{"level", 1.0}})), InvalidArgument, "`level`");
  State state;
  state.set("direction", "up");
  CHECK_THROWS(learner("simplemkl", state), InvalidArgument, "`direction`");
}
