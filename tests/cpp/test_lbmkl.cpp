// Label-based kernels against their definition, written out with dense matrices.
#include "check.hpp"
#include "kernels/label_based.hpp"
#include "learning.hpp"
#include "reduction/label_based.hpp"

using namespace mk;
using namespace fixtures;

namespace {

State label_based(const State& kernel, double beta) {
  State s = item("label_based", {}, {"trace"});
  s.set("kernel", Value(std::vector<State>{kernel}));
  s.set("beta", beta);
  return s;
}

std::vector<State> label_items(double beta) {
  return {label_based(item("rbf", {{"gamma", 0.3}}, {"trace"}), beta)};
}

Models fit_all(const std::string& name, const std::vector<State>& points, const TrainingSet& set,
               const Runtime& runtime, double tol = 1e-3) {
  return fit_points(make_path({name, points, smo_options(tol), nullptr}), set, runtime);
}

std::unique_ptr<Model> fit_one(const std::string& name, const State& point, const TrainingSet& set,
                               const Runtime& runtime, double tol = 1e-3) {
  return std::move(fit_all(name, {point}, set, runtime, tol).front());
}

const State costs_two = parameters({{"cost", 2.0}});

}  // namespace

TEST(the_squared_kernel_is_what_is_trained_on) {
  const TestRuntime runtime;
  const Small data(30);
  const auto bank = make_bank(label_items(2.0), data.x, runtime);
  const TrainingSet set = data.set(bank, classification());
  const auto model = fit_one("svm", costs_two, set, runtime, 1e-9);

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
  const SvmOptions options = SvmOptions::read(parameters({{"cost", 2.0}}), smo_options(1e-9));
  const SvmSolution direct = options.losses.of(set).solve(q, set, options.smo, Vector(), runtime);
  CHECK_CLOSE(model->report.objective, direct.solved.objective, 1e-7);
  CHECK(model->support().size() == 30u);
  CHECK((decision_on(*model, bank, runtime) - model->fitted).norm() < 1e-9);
}

TEST(a_state_restores_the_model_and_an_assumed_label_changes_the_score) {
  const TestRuntime runtime;
  const Small data(25);
  const auto bank = make_bank(label_items(1.0), data.x, runtime);
  const auto model = fit_one("svm", costs_two, data.set(bank, classification()), runtime);
  const Vector mean = decision_on(*restore_model(model->state()), bank, runtime);
  CHECK((mean - decision_on(*model, bank, runtime)).norm() < 1e-12);
  PredictOptions options;
  options.assumed = 1.0;
  model->prepare(options);
  const Vector up = decision_on(*model, bank, runtime);
  options.assumed = -1.0;
  model->prepare(options);
  const Vector down = decision_on(*model, bank, runtime);
  options.assumed = 0.5;
  CHECK_THROWS(model->prepare(options), InvalidArgument, "`assumed` must be -1, 0 or 1");
  CHECK((0.5 * (up + down) - mean).norm() < 1e-10);
  CHECK((up - down).norm() > 1e-3);
}

TEST(points_share_the_squares_and_are_as_if_alone) {
  const TestRuntime runtime;
  const Small data(40);
  const auto bank = make_bank(label_items(2.0), data.x, runtime);
  const TrainingSet set = data.set(bank, classification());
  const std::vector<State> points = {parameters({{"cost", 0.5}}), parameters({{"cost", 5.0}})};
  const Models models = fit_all("average", points, set, runtime, 1e-9);
  for (std::size_t p = 0; p < points.size(); ++p)
    CHECK((models[p]->fitted - fit_one("average", points[p], set, runtime, 1e-9)->fitted).norm() <
          1e-6);
}

TEST(labels_are_those_of_classes_and_kernels_are_single) {
  const TestRuntime runtime;
  const Small data(20);
  const auto bank = make_bank(label_items(1.0), data.x, runtime);
  CHECK_THROWS(fit_one("svm", costs_two, data.set(bank, regression()), runtime), InvalidArgument,
               "classes");
  const State bags =
      item("rbf_bags", {{"count", 3}, {"max_features", 2}, {"beta", 1}, {"seed", 1}});
  CHECK_THROWS(kernel_set({bags, label_items(1.0).front()}, 4), InvalidArgument, "single");
  CHECK_THROWS(kernel_set(label_items(-1.0), 4), InvalidArgument, "`beta`");
  CHECK_THROWS(kernel_set({label_based(item("precomputed"), 1.0)}, 0), InvalidArgument,
               "`distance`");
}

// Without columns the squared distances come as a matrix.
TEST(distances_may_be_given) {
  const TestRuntime runtime;
  const Small data(25);
  Matrix distances(25, 25);
  for (Index i = 0; i < 25; ++i)
    for (Index j = 0; j < 25; ++j)
      distances(i, j) = (data.x.row(i) - data.x.row(j)).squaredNorm() / 4.0;
  const Matrix k = (-0.3 * 4.0 * distances).array().exp();
  State given = label_based(item("precomputed", {}, {"trace"}), 2.0);
  given.set("distance", Value(std::vector<State>{item("precomputed")}));
  const KernelBank bank(kernel_set({given}, 0), stored_examples({view(k), view(distances)}),
                        runtime);
  const auto columns = make_bank(label_items(2.0), data.x, runtime);
  const auto ours = fit_one("svm", costs_two, data.set(bank, classification()), runtime, 1e-9);
  const auto want = fit_one("svm", costs_two, data.set(columns, classification()), runtime, 1e-9);
  CHECK((ours->fitted - want->fitted).norm() < 1e-6);
  CHECK((decision_on(*ours, bank, runtime) - ours->fitted).norm() < 1e-9);
}

// A plain kernel, and one of the label-based kind with its product: the base sees the first as it
// is.
TEST(plain_kernels_may_stand_beside_label_based_ones) {
  const TestRuntime runtime;
  const Small data(30);
  std::vector<State> items = label_items(2.0);
  items.insert(items.begin(), item("linear", {}, {"trace"}));
  const auto bank = make_bank(items, data.x, runtime);
  const TrainingSet set = data.set(bank, classification());
  const auto model = fit_one("average", costs_two, set, runtime, 1e-9);

  const GramView linear = bank.matrix(0, runtime), plain = bank.matrix(1, runtime),
                 local = bank.matrix(2, runtime);
  Matrix square = label_square(label_star(plain.view, local.view, set.y), runtime);
  square *= 30.0 / square.trace();
  const Matrix mean = 0.5 * (Eigen::Map<const Matrix>(linear.view.data, 30, 30) + square);
  StoredQ q(view(mean), 1e9, runtime);
  const SvmOptions options = SvmOptions::read(parameters({{"cost", 2.0}}), smo_options(1e-9));
  CHECK_CLOSE(model->report.objective,
              options.losses.of(set).solve(q, set, options.smo, Vector(), runtime).solved.objective,
              1e-7);
  CHECK((decision_on(*restore_model(model->state()), bank, runtime) - model->fitted).norm() < 1e-9);
  CHECK(model->kernel_weights().size() == 3 && model->kernel_weights()[2] == 0.0);
}

// A base that gives coefficients for each kernel, and one whose decision is not linear.
TEST(bases_must_be_linear_in_the_kernels) {
  const TestRuntime runtime;
  const Small data(20);
  const auto bank = make_bank(label_items(1.0), data.x, runtime);
  const TrainingSet set = data.set(bank, classification());
  const auto model = fit_one("mhks", parameters({{"c", 1.0}, {"lambda", 0.0}}), set, runtime);
  CHECK((decision_on(*model, bank, runtime) - model->fitted).norm() < 1e-8);
  CHECK_THROWS(fit_one("mkboost", parameters({{"trials", 2.0}, {"sampling", 0.5}}), set, runtime),
               InvalidArgument, "linear");
}
