// GRAM: the bound of its certificate against other weights.
#include "check.hpp"
#include "learners/gram.hpp"
#include "learners/kernel_measures.hpp"
#include "learners/komd.hpp"
#include "learning.hpp"

using namespace mk;
using namespace fixtures;

TEST(no_weights_have_a_smaller_ratio) {
  const TestRuntime runtime;
  const Small data(24);
  const auto bank = make_bank(
      {item("rbf", {{"gamma", 2.0}}), item("rbf", {{"gamma", 0.5}}), item("rbf", {{"gamma", 0.1}})},
      data.x, runtime);
  const TrainingSet set = data.set(bank, classification());
  ProjectedOptions search;
  search.tolerance = 1e-3;
  const RatioWeights found = ratio_weights(set, search, smo_options(1e-6), runtime);
  CHECK(found.converged);
  CHECK_CLOSE(found.weights.sum(), 1.0, 1e-12);
  KomdOptions options;
  options.lambda = 0.0;
  options.smo = smo_options(1e-8);
  Random random(1, 9);
  for (int i = 0; i < 20; ++i) {
    Vector d(3);
    for (Index m = 0; m < 3; ++m) d[m] = random.uniform();
    d /= d.sum();
    const GramView sum = bank.combination(d, runtime);
    const double ratio = enclosing_ball(sum.view, smo_options(1e-8), runtime).squared /
                         solve_komd(set, d, options, runtime).solved.objective;
    CHECK(ratio >= found.ratio * (1.0 - 1.1e-3));
  }
}
