// lp-norm MKL: the duality gap is a certificate, the closed form keeps the norm, and the memory
// budget changes the road but not the result.
#include "check.hpp"
#include "learning.hpp"

using namespace mk;
using namespace fixtures;

namespace {

double norm_p(const Vector& d, double p) { return std::pow(d.array().pow(p).sum(), 1.0 / p); }

std::unique_ptr<Model> fit_lp(const TrainingSet& set, double p, double gap,
                              const Runtime& runtime) {
  return learner("lpmkl", parameters({{"cost", 2.0}, {"p", p}, {"gap", gap}}), 1e-7)
      ->fit(set, runtime);
}

}  // namespace

TEST(weights_have_norm_one_and_the_gap_is_reached) {
  const TestRuntime runtime;
  const Small data(50);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  for (double p : {1.0, 1.5, 2.0, 8.0})
    for (const TargetKind* task : every_task()) {
      const auto model = fit_lp(data.set(bank, task), p, 1e-3, runtime);
      CHECK_CLOSE(norm_p(model->kernel_weights(), p), 1.0, 1e-9);
      CHECK(model->kernel_weights().minCoeff() >= 0.0);
      CHECK(model->report.converged);
      CHECK(model->report.gap <= 1e-3);
    }
}

// J is convex in d: no other weights of norm 1 give less than J minus the gap.
TEST(no_weights_are_better_by_more_than_the_gap) {
  const TestRuntime runtime;
  const Small data(40);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  const TrainingSet set = data.set(bank, classification());
  Random random(5, 0);
  for (double p : {1.0, 2.0}) {
    const auto model = fit_lp(set, p, 1e-4, runtime);
    for (int trial = 0; trial < 40; ++trial) {
      Vector d(3);
      for (Index m = 0; m < 3; ++m) d[m] = -std::log(random.uniform());
      d /= norm_p(d, p);
      const auto other =
          learner("svm", with_weights(parameters({{"cost", 2.0}}), d), 1e-7)->fit(set, runtime);
      CHECK(other->report.objective >= model->report.objective * (1.0 - 2e-4));
    }
  }
}

TEST(streamed_kernels_give_the_same) {
  const Small data(45);
  TestRuntime stored, streamed;
  streamed.memory = 0.0;
  const auto a = fit_lp(data.set(make_bank(three_kernels(), data.x, stored), classification()), 1.0,
                        1e-4, stored);
  const auto b = fit_lp(data.set(make_bank(three_kernels(), data.x, streamed), classification()),
                        1.0, 1e-4, streamed);
  CHECK_CLOSE(a->report.objective, b->report.objective, 1e-6 * a->report.objective);
  CHECK((a->kernel_weights() - b->kernel_weights()).norm() < 1e-3);
}

TEST(parameters_out_of_range_are_refused) {
  CHECK_THROWS(learner("lpmkl", parameters({{"p", 0.5}})), InvalidArgument, "`p`");
  CHECK_THROWS(learner("lpmkl", parameters({{"gap", 0.0}})), InvalidArgument, "`gap`");
  CHECK_THROWS(learner("lpmkl", parameters({{"iterations", 0.0}})), InvalidArgument,
               "`iterations`");
}
