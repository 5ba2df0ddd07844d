// CCA+MHKS: new rows get what training rows get, votes are counted as they should be, and neither
// threads nor storage change a fit.
#include "check.hpp"
#include "learners/cca_mhks.hpp"
#include "learning.hpp"

using namespace mk;
using namespace fixtures;

namespace {

State options(const char* combine, const Parameters& others = {}) {
  State s = parameters(others);
  s.set("combine", combine);
  return s;
}

std::unique_ptr<Model> fit(const Small& data, const State& state, const TestRuntime& runtime) {
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  return learner("cca_mhks", state)->fit(data.set(bank, classification()), runtime);
}

}  // namespace

TEST(training_rows_get_the_same_as_new_ones) {
  const TestRuntime runtime;
  const Small data(45);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  for (const char* combine : {"concatenate", "vote"})
    for (double components : {0.0, 2.0, 100.0})
      for (double landmarks : {0.0, 20.0}) {
        const auto model =
            learner("cca_mhks",
                    options(combine, {{"components", components}, {"landmarks", landmarks}}))
                ->fit(data.set(bank, classification()), runtime);
        CHECK(model->report.converged);
        CHECK(distance(decision_on(*model, bank, runtime), model->fitted) < 1e-7);
        const auto restored = restore_model(model->state());
        CHECK(identical(decision_on(*restored, bank, runtime), decision_on(*model, bank, runtime)));
        CHECK_CLOSE(model->kernel_weights().sum(), 1.0, 1e-12);
        for (Index t = 1; t < model->report.path.size(); ++t)
          CHECK(model->report.path[t] <= model->report.path[t - 1] + 1e-9);
      }
}

TEST(votes_are_counted) {
  Matrix scores(5, 3);
  scores << 9.0, -0.1, -0.1,  // two small against one large
      -9.0, 0.1, 0.1,         //
      0.0, 0.0, -1.0,         // 0 is positive
      5.0, 6.0, 7.0,          //
      1.0, 2.0, 3.0;
  const Vector f = VoteModel::vote(scores);
  CHECK(f[0] < 0.0);
  CHECK(f[1] > 0.0);
  CHECK(f[2] > 0.0);
  CHECK(f[3] > f[4] && f[4] > 1.0);
  // A tie goes to the mean.
  Matrix tie(2, 2);
  tie << 2.0, -1.0, -2.0, 1.0;
  CHECK(VoteModel::vote(tie)[0] > 0.0);
  CHECK(VoteModel::vote(tie)[1] < 0.0);
}

TEST(threads_change_nothing) {
  const Small data(150);
  for (const char* combine : {"concatenate", "vote"}) {
    const auto one = fit(data, options(combine), TestRuntime(1));
    const auto three = fit(data, options(combine), TestRuntime(3));
    CHECK(identical(one->fitted, three->fitted));
  }
}

TEST(bad_parameters_and_tasks_are_refused) {
  const TestRuntime runtime;
  const Small data(20);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  CHECK_THROWS(learner("cca_mhks", options("mean")), InvalidArgument, "`combine`");
  CHECK_THROWS(learner("cca_mhks", parameters({{"kappa", -1.0}})), InvalidArgument, "`kappa`");
  CHECK_THROWS(learner("cca_mhks", parameters({{"components", 1.5}})), InvalidArgument,
               "`components`");
  CHECK_THROWS(learner("cca_mhks")->fit(data.set(bank, regression()), runtime), InvalidArgument,
               "classifier");
  State broken = fit(data, options("vote"), runtime)->state();
  broken.set("biases", Value(Vector(Vector::Ones(2))));
  CHECK_THROWS(restore_model(broken), InvalidArgument, "`state`");
}
