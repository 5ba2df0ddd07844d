// The SVM on the kernel with the best inner cross-validation score.
#include "check.hpp"
#include "learners/folds.hpp"
#include "learning.hpp"

using namespace mk;
using namespace fixtures;

namespace {

// The loss of every kernel as the header promises it, by plain fits on matrices.
// `balanced`: the mean over the two classes.
Vector naive_losses(const Small& data, const TargetKind* task, const std::vector<State>& items,
                    Index folds, const TestRuntime& runtime, bool balanced = false) {
  const KernelBank bank = make_bank(items, data.x, runtime);
  const Vector& y = task == classification() ? data.labels : data.response;
  Vector losses = Vector::Zero(bank.size());
  for (Index m = 0; m < bank.size(); ++m) {
    const Matrix k = to_matrix(bank.matrix(m, runtime).view);
    for (const Indices& test : make_folds({task, y, data.weights}, folds, runtime.seed)) {
      const Indices train = complement(test, y.size());
      const Matrix part = submatrix(k, train, train), between = submatrix(k, test, train);
      const Matrix nothing(part.rows(), 0);
      const KernelBank inner = make_bank({item("precomputed")}, nothing, runtime, {&part});
      const TrainingSet set = {inner, {task, take(y, train), take(data.weights, train)}};
      const auto model = learner("svm")->fit(set, runtime);
      Vector beta = Vector::Zero(part.rows());
      for (std::size_t i = 0; i < model->support().size(); ++i)
        beta[model->support()[i]] = model->expansion()->coefficients[static_cast<Index>(i)];
      const Vector f = between * beta;
      for (std::size_t i = 0; i < test.size(); ++i) {
        const double value = f[static_cast<Index>(i)] + model->expansion()->bias,
                     truth = y[test[i]];
        const double own = balanced ? (y.array() == truth).select(data.weights, 0.0).sum()
                                    : 0.5 * data.weights.sum();
        losses[m] +=
            0.5 * data.weights[test[i]] / own *
            (task == regression()
                 ? (truth - value) * (truth - value)
                 : static_cast<double>((value >= 0.0) != (task == one_class() || truth > 0.0)));
      }
    }
  }
  return task == regression() ? Vector(losses.cwiseSqrt()) : losses;
}

// The second kernel sees the columns that matter.
std::vector<State> good_and_bad() {
  return {on(item("rbf", {{"gamma", 5.0}}), {2, 3}), on(item("rbf", {{"gamma", 0.3}}), {0, 1}),
          on(item("linear"), {3})};
}

}  // namespace

TEST(the_best_kernel_is_chosen) {
  const Small data(60, 3);
  for (const TargetKind* task : {classification(), regression()})
    for (int threads : {1, 2, 3})
      for (double memory : {1e9, 0.0}) {
        TestRuntime runtime(threads);
        runtime.memory = memory;
        const auto bank = make_bank(good_and_bad(), data.x, runtime);
        const TrainingSet set = data.set(bank, task);
        const auto model = learner("best", parameters({{"folds", 4}}))->fit(set, runtime);
        CHECK(identical(model->kernel_weights(), Vector((Vector(3) << 0, 1, 0).finished())));
        CHECK_CLOSE(
            distance(model->report.path, naive_losses(data, task, good_and_bad(), 4, runtime)), 0.0,
            1e-4);
        const auto svm =
            learner("svm", with_weights(State(), model->kernel_weights()))->fit(set, runtime);
        CHECK(identical(model->fitted, svm->fitted));
      }
}

TEST(weights_count_in_the_fits_and_in_the_losses) {
  Small data(60, 3);
  for (Index i = 0; i < 60; ++i)
    data.weights[i] = i % 3 == 0 ? 2.5 : 0.25 * static_cast<double>(i % 5);
  const TestRuntime runtime;
  const auto bank = make_bank(good_and_bad(), data.x, runtime);
  const auto path = [&](const TargetKind* task, const char* metric) {
    State state = parameters({{"folds", 4}});
    if (*metric) state.set("metric", metric);
    return learner("best", state)->fit(data.set(bank, task), runtime)->report.path;
  };
  for (const TargetKind* task : {classification(), regression()}) {
    const Vector mean = naive_losses(data, task, good_and_bad(), 4, runtime);
    CHECK(distance(path(task, "accuracy"), mean) <= 1e-4);
  }
  const TargetKind* two = classification();
  const Vector by_class = naive_losses(data, two, good_and_bad(), 4, runtime, true);
  CHECK(distance(path(two, "balanced_accuracy"), by_class) <= 1e-4);
  CHECK(identical(path(two, "balanced_accuracy"), path(two, "")));
  data.weights.setConstant(2.0);
  CHECK(identical(path(two, "accuracy"), path(two, "")));
  State wrong;
  wrong.set("metric", "auc");
  CHECK_THROWS(learner("best", wrong), InvalidArgument, "`metric`");
}

TEST(the_losses_do_not_depend_on_threads) {
  const Small data(50, 4);
  Vector path;
  for (int threads : {1, 2, 3}) {
    const TestRuntime runtime(threads);
    const auto bank = make_bank(good_and_bad(), data.x, runtime);
    const auto model = learner("best")->fit(data.set(bank, regression()), runtime);
    if (threads == 1) path = model->report.path;
    CHECK(identical(model->report.path, path));
  }
}

// One class: of the kernels that reject few enough of the rows left out, that with the shortest w.
TEST(the_most_complex_consistent_kernel) {
  const Small data(60, 3);
  std::vector<State> items = {item("linear")};
  for (double gamma : {0.01, 0.1, 0.5, 2.0, 10.0, 100.0})
    items.push_back(item("rbf", {{"gamma", gamma}}));
  for (double nu : {0.1, 0.3})
    for (int threads : {1, 2}) {
      const TestRuntime runtime(threads);
      const auto bank = make_bank(items, data.x, runtime);
      const TrainingSet set = data.set(bank, one_class());
      const auto model = learner("best", parameters({{"nu", nu}, {"folds", 4}}))->fit(set, runtime);
      const double most = nu + 2.0 * std::sqrt(nu * (1.0 - nu) / 60.0);
      Index expected = -1;
      double shortest = std::numeric_limits<double>::infinity();
      for (Index m = 0; m < bank.size(); ++m) {
        if (model->report.path[m] > most) continue;
        Vector weights = Vector::Zero(bank.size());
        weights[m] = 1.0;
        const auto svm =
            learner("svm", with_weights(parameters({{"nu", nu}}), weights))->fit(set, runtime);
        Vector beta = Vector::Zero(60);
        for (std::size_t i = 0; i < svm->support().size(); ++i)
          beta[svm->support()[i]] = svm->expansion()->coefficients[static_cast<Index>(i)];
        const Matrix k = to_matrix(bank.matrix(m, runtime).view);
        const double length = beta.dot(k * beta) / k.diagonal().mean();
        if (length < shortest) {
          shortest = length;
          expected = m;
        }
      }
      CHECK(expected > 0 && expected < bank.size() - 1);
      CHECK(model->kernel_weights()[expected] == 1.0);
    }
}

TEST(the_first_of_equals_wins) {
  const TestRuntime runtime;
  const Small data(30);
  const State rbf = item("rbf", {{"gamma", 0.3}});
  const auto bank = make_bank({on(item("linear"), {3}), rbf, rbf}, data.x, runtime);
  const auto model = learner("best")->fit(data.set(bank, classification()), runtime);
  CHECK(model->report.path[1] == model->report.path[2]);
  CHECK(model->kernel_weights()[2] == 0.0);
}

// Too few rows of a class for folds: the first kernel, and no scores to show.
TEST(without_folds) {
  const TestRuntime runtime;
  Small data(9);
  data.labels.setConstant(-1.0);
  data.labels[4] = 1.0;
  const auto bank = make_bank(good_and_bad(), data.x, runtime);
  const auto model = learner("best")->fit(data.set(bank, classification()), runtime);
  CHECK(model->kernel_weights()[0] == 1.0);
  CHECK(model->report.path.isZero(0.0));
}

TEST(what_cannot_be_asked) {
  for (double bad : {0.0, 1.0, 2.5, -3.0, std::numeric_limits<double>::quiet_NaN()})
    CHECK_THROWS(learner("best", parameters({{"folds", bad}})), InvalidArgument, "`folds`");
}

TEST(interrupts_come_through) {
  for (int threads : {1, 2}) {
    TestRuntime runtime(threads);
    const Small data(60);
    const auto bank = make_bank(good_and_bad(), data.x, runtime);
    runtime.interrupt_after = runtime.looks + 1;
    CHECK_THROWS(learner("best", parameters({{"cost", 1e4}}), 1e-9)
                     ->fit(data.set(bank, classification()), runtime),
                 Interrupted, "");
  }
}
