// SVM-2K: without coupling two SVMs, with it functions that come together, and the gap between the
// primal and the dual problem closed.
#include "check.hpp"
#include "learning.hpp"

using namespace mk;
using namespace fixtures;

namespace {

std::vector<State> two_views() {
  return {on(item("rbf", {{"gamma", 0.4}}), {0, 1}), on(item("rbf", {{"gamma", 0.3}}), {2, 3})};
}

std::unique_ptr<Model> fit(const TrainingSet& set, double cost, double coupling, double epsilon,
                           const Runtime& runtime) {
  return learner("svm2k",
                 parameters({{"cost", cost}, {"coupling", coupling}, {"epsilon", epsilon}}))
      ->fit(set, runtime);
}

}  // namespace

TEST(without_coupling_two_machines) {
  const TestRuntime runtime;
  const Small data(50);
  const auto both = make_bank(two_views(), data.x, runtime);
  const auto model = fit(data.set(both, classification()), 2.0, 0.0, 0.1, runtime);
  double sum = 0.0;
  for (const State& view : two_views()) {
    const auto bank = make_bank({view}, data.x, runtime);
    sum += learner("svm", parameters({{"cost", 2.0}}), 1e-8)
               ->fit(data.set(bank, classification()), runtime)
               ->report.objective;
  }
  CHECK_CLOSE(model->report.objective, sum, 1e-6);
}

TEST(the_gap_closes_for_all_sizes_of_the_costs) {
  const TestRuntime runtime;
  const Small data(45);
  const auto bank = make_bank(two_views(), data.x, runtime);
  for (double cost : {0.01, 1.0, 100.0})
    for (double ratio : {0.0, 0.1, 1.0, 10.0})
      for (double epsilon : {0.0, 0.1}) {
        const auto model =
            fit(data.set(bank, classification()), cost, ratio * cost, epsilon, runtime);
        CHECK(model->report.converged);
        CHECK(model->report.gap <= 1e-3 * model->report.objective);
        CHECK(model->fitted.allFinite());
      }
}

TEST(decisions_on_the_training_rows_are_the_fitted_values) {
  const TestRuntime runtime;
  const Small data(40);
  const auto bank = make_bank(two_views(), data.x, runtime);
  const auto model = fit(data.set(bank, classification()), 1.0, 1.0, 0.1, runtime);
  CHECK((decision_on(*model, bank, runtime) - model->fitted).norm() < 1e-8);
}

TEST(one_or_three_kernels_are_refused) {
  const TestRuntime runtime;
  const Small data(20);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  CHECK_THROWS(fit(data.set(bank, classification()), 1.0, 1.0, 0.1, runtime), InvalidArgument,
               "kernels");
}
