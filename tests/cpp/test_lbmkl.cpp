// Label-based kernels against their definition, written out with dense matrices.
#include "check.hpp"
#include "kernels/label_based.hpp"
#include "learning.hpp"

using namespace mk;
using namespace fixtures;

namespace {

// A kernel and its product with the Gaussian of the distance, as the R side sends them.
std::vector<State> label_items(double beta) {
  const State plain = item("rbf", {{"gamma", 0.3}}, {"trace"});
  const State near = item("rbf", {{"gamma", beta / 4.0}});
  return {plain, product({item("rbf", {{"gamma", 0.3}}), near}, {"trace"})};
}

State lb_parameters() {
  State p = parameters({{"cost", 2.0}});
  p.set("base", Value(std::string("svm")));
  p.set("weights", Value(Vector(Vector::Ones(1))));
  return p;
}

}  // namespace

TEST(the_squared_kernel_is_what_is_trained_on) {
  const TestRuntime runtime;
  const Small data(30);
  const auto bank = make_bank(label_items(2.0), data.x, runtime);
  const TrainingSet set = data.set(bank, Task::classification);
  const auto model = learner("lbmkl", lb_parameters(), 1e-9)->fit(set, runtime);

  Matrix star(30, 30);
  for (Index i = 0; i < 30; ++i)
    for (Index j = 0; j < 30; ++j) {
      const double d2 = (data.x.row(i) - data.x.row(j)).squaredNorm();
      star(i, j) =
          (1.0 + data.labels[i] * data.labels[j] * std::exp(-2.0 * d2 / 4.0)) * std::exp(-0.3 * d2);
    }
  Matrix square = star * star;
  square *= 30.0 / square.trace();
  StoredQ q(view(square), 1e9, runtime);
  SvmOptions options;
  options.cost = 2.0;
  options.smo.tol = 1e-9;
  const SvmSolution direct = solve_svm(q, set, options, runtime);
  CHECK_CLOSE(model->report.objective, direct.solved.objective, 1e-7);
  CHECK(model->support().size() == 30u);
  CHECK((decision_on(*model, bank, runtime) - model->fitted).norm() < 1e-9);
}

TEST(a_state_restores_the_model_and_an_assumed_label_changes_the_score) {
  const TestRuntime runtime;
  const Small data(25);
  const auto bank = make_bank(label_items(1.0), data.x, runtime);
  const auto model =
      learner("lbmkl", lb_parameters())->fit(data.set(bank, Task::classification), runtime);
  const Vector mean = decision_on(*restore_model(model->state()), bank, runtime);
  CHECK((mean - decision_on(*model, bank, runtime)).norm() < 1e-12);
  State plus = model->state(), minus = model->state();
  plus.set("assumed", 1.0);
  minus.set("assumed", -1.0);
  const Vector up = decision_on(*restore_model(plus), bank, runtime);
  const Vector down = decision_on(*restore_model(minus), bank, runtime);
  CHECK((0.5 * (up + down) - mean).norm() < 1e-10);
  CHECK((up - down).norm() > 1e-3);
}

TEST(kernels_must_come_in_pairs_and_with_classes) {
  const TestRuntime runtime;
  const Small data(20);
  const auto single = make_bank({item("rbf", {{"gamma", 1.0}})}, data.x, runtime);
  const auto method = learner("lbmkl", lb_parameters());
  CHECK_THROWS(method->fit(data.set(single, Task::classification), runtime), InvalidArgument,
               "pairs");
  const auto bank = make_bank(label_items(1.0), data.x, runtime);
  CHECK_THROWS(method->fit(data.set(bank, Task::regression), runtime), InvalidArgument, "classes");
}

// A plain kernel, and one of the label-based kind with its product: the base sees the first as it
// is.
TEST(plain_kernels_may_stand_beside_label_based_ones) {
  const TestRuntime runtime;
  const Small data(30);
  std::vector<State> items = label_items(2.0);
  items.insert(items.begin(), item("linear", {}, {"trace"}));
  const auto bank = make_bank(items, data.x, runtime);
  const TrainingSet set = data.set(bank, Task::classification);
  State p = parameters({{"cost", 2.0}});
  p.set("base", Value(std::string("average")));
  p.set("labelled", Value(Vector((Vector(2) << 0.0, 1.0).finished())));
  const auto model = learner("lbmkl", p, 1e-9)->fit(set, runtime);

  const GramView linear = bank.matrix(0, runtime), plain = bank.matrix(1, runtime),
                 local = bank.matrix(2, runtime);
  Matrix square = label_square(label_star(plain.view, local.view, set.y), runtime);
  square *= 30.0 / square.trace();
  const Matrix mean = 0.5 * (Eigen::Map<const Matrix>(linear.view.data, 30, 30) + square);
  StoredQ q(view(mean), 1e9, runtime);
  SvmOptions options;
  options.cost = 2.0;
  options.smo.tol = 1e-9;
  CHECK_CLOSE(model->report.objective, solve_svm(q, set, options, runtime).solved.objective, 1e-7);
  CHECK((decision_on(*restore_model(model->state()), bank, runtime) - model->fitted).norm() < 1e-9);
  CHECK(model->kernel_weights().size() == 3 && model->kernel_weights()[2] == 0.0);
}

// A base that gives coefficients for each kernel, and one whose decision is not linear.
TEST(bases_must_be_linear_in_the_kernels) {
  const TestRuntime runtime;
  const Small data(20);
  const auto bank = make_bank(label_items(1.0), data.x, runtime);
  const TrainingSet set = data.set(bank, Task::classification);
  State p = parameters({{"c", 1.0}, {"lambda", 0.0}, {"rho", 0.99}, {"margin", 1e-6}});
  p.set("base", Value(std::string("mhks")));
  const auto model = learner("lbmkl", p)->fit(set, runtime);
  CHECK((decision_on(*model, bank, runtime) - model->fitted).norm() < 1e-8);
  State boost = parameters({{"cost", 1.0}, {"trials", 2.0}, {"sampling", 0.5}, {"decay", 0.5}});
  boost.set("base", Value(std::string("mkboost")));
  boost.set("variant", Value(std::string("D1")));
  CHECK_THROWS(learner("lbmkl", boost)->fit(set, runtime), InvalidArgument, "linear");
}
