// The squared loss, alone, below the learners that rest on the SVM, and on condensed rows.
#include "check.hpp"
#include "learners/condensed_rows.hpp"
#include "learners/mkl_problem.hpp"
#include "learning.hpp"

using namespace mk;
using namespace fixtures;

namespace {

State squared(Parameters values = {{"cost", 2.0}}) {
  State state = parameters(values);
  state.set("loss", "squared");
  return state;
}

Vector coefficients(const Model& model, Index n) {
  const Expansion& e = *model.expansion();
  return spread(e.coefficients, e.rows, n);
}

// What the equations leave at these coefficients, and the objectives of both problems.
struct Textbook {
  double primal = 0.0, dual = 0.0, residual = 0.0;
};

Textbook textbook(const TrainingSet& data, const Matrix& k, const Model& model, double cost) {
  const Vector b = coefficients(model, k.rows()), f = k * b;
  const double bias = model.expansion()->bias;
  Textbook out;
  out.primal = 0.5 * b.dot(f);
  out.dual = data.y.dot(b) - 0.5 * b.dot(f);
  out.residual = std::fabs(b.sum());
  for (Index i = 0; i < k.rows(); ++i) {
    const double w = data.weights[i], error = data.y[i] - f[i] - bias;
    out.primal += 0.5 * cost * w * error * error;
    if (w == 0.0) {
      CHECK(b[i] == 0.0);
      continue;
    }
    out.dual -= 0.5 * b[i] * b[i] / (cost * w);
    out.residual = std::max(out.residual, std::fabs(error - b[i] / (cost * w)));
  }
  return out;
}

// Random features of two kernels as an approximated bank.
struct Explicit {
  std::shared_ptr<const KernelFeatures> features;
  KernelBank bank;

  Explicit(const KernelBank& plain, Index columns, std::uint64_t seed)
      : features(draw(plain, columns, seed)), bank(plain.approximate(features)) {}

  static std::shared_ptr<const KernelFeatures> draw(const KernelBank& plain, Index columns,
                                                    std::uint64_t seed) {
    std::vector<std::shared_ptr<const RowMatrix>> parts;
    for (Index m = 0; m < plain.size(); ++m)
      parts.push_back(std::make_shared<const RowMatrix>(
          normal_matrix(plain.rows(), columns, seed + static_cast<std::uint64_t>(m))));
    return std::make_shared<const KernelFeatures>(std::move(parts));
  }
  Matrix matrix(Index m) const {
    const TestRuntime runtime;
    const Index columns = features->columns(m);
    Matrix z(features->rows(), columns);
    for (Index c = 0; c < columns; ++c)
      z.col(c) = features->forward(m, Vector::Unit(columns, c), runtime);
    return z * z.transpose();
  }
};

}  // namespace

TEST(fits_solve_the_equations) {
  Small data(60);
  for (Index i = 0; i < 60; i += 7) data.weights[i] = i % 2 == 0 ? 3.0 : 0.0;
  const Vector weights = (Vector(3) << 0.5, 0.25, 1.0).finished();
  TestRuntime stored, streamed;
  streamed.memory = 0.0;
  for (const TargetKind* kind : {classification(), regression()})
    for (const TestRuntime* runtime : {&stored, &streamed})
      for (double cost : {1e-3, 1.0, 30.0}) {
        const auto bank = make_bank(three_kernels(), data.x, *runtime);
        const TrainingSet set = data.set(bank, kind);
        const Matrix k = to_matrix(bank.combination(weights, *runtime).view);
        const auto model = learner("svm", with_weights(squared({{"cost", cost}}), weights), 1e-8)
                               ->fit(set, *runtime);
        const Report& report = model->report;
        CHECK(report.converged && !report.indefinite && report.violation <= 1e-8);
        const Textbook exact = textbook(set, k, *model, cost);
        CHECK(exact.residual <= 1e-7);
        CHECK_CLOSE(exact.dual, report.objective, 1e-9);
        CHECK(report.gap >= 0.0);
        CHECK_CLOSE(exact.primal - exact.dual, report.gap, 1e-9 * exact.primal);
        CHECK(distance(decision_on(*model, bank, *runtime), model->fitted) <= 1e-7);
      }
}

TEST(forms_are_the_derivatives_of_the_objective) {
  const TestRuntime runtime;
  const Small data(45);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  const TrainingSet set = data.set(bank, regression());
  MklProblem problem(set, SvmOptions::read(squared(), SmoOptions()), runtime);
  const Vector d = (Vector(3) << 0.3, 0.2, 0.5).finished();
  const auto value = problem.evaluate(d, Vector(), 1e-10);
  for (Index m = 0; m < 3; ++m) {
    const double h = 1e-4;
    Vector up = d, down = d;
    up[m] += h;
    down[m] -= h;
    const double slope = (problem.solve(up, Vector(), 1e-10).objective -
                          problem.solve(down, Vector(), 1e-10).objective) /
                         (2.0 * h);
    CHECK_CLOSE(-0.5 * value.forms[m], slope, 1e-5);
  }
}

TEST(convex_solvers_agree) {
  const TestRuntime runtime;
  Small data(50);
  for (Index i = 0; i < 50; i += 9) data.weights[i] = i % 2 == 0 ? 2.5 : 0.0;
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  for (const TargetKind* kind : {classification(), regression()}) {
    const TrainingSet set = data.set(bank, kind);
    const State p = squared({{"cost", 5.0}, {"gap", 1e-5}});
    const double known = learner("simplemkl", p)->fit(set, runtime)->report.objective;
    for (const char* name : {"silpmkl", "levelmkl", "glmkl"}) {
      const auto model = learner(name, p)->fit(set, runtime);
      CHECK(model->report.converged && model->report.gap <= 1e-5);
      CHECK_CLOSE(model->report.objective, known, 3e-5 * known);
    }
  }
}

TEST(every_learner_on_the_svm_takes_it) {
  const Small data(50);
  TestRuntime one;
  const TestRuntime three(3);
  const auto positive =
      std::vector<State>{item("rbf", {{"gamma", 0.2}}), item("rbf", {{"gamma", 0.5}})};
  for (const char* name : {"average", "random", "best", "simplemkl", "silpmkl", "levelmkl", "lpmkl",
                           "glmkl", "gmkl", "product", "lmkl", "svm_concatenated", "mkboost"}) {
    State p = squared({{"cost", 2.0}, {"trials", 5.0}});
    const bool product = std::string(name) == "product";
    if (product) p.set("combine", name);
    const auto fit = [&](const TestRuntime& runtime, const State& with) {
      return learner(product ? "gmkl" : name, with)
          ->fit(data.set(make_bank(positive, data.x, runtime), classification()), runtime);
    };
    const auto model = fit(one, p);
    CHECK(model->report.converged);
    CHECK(identical(model->fitted, fit(three, p)->fitted));
  }
}

// The rows of the features by the normal equations, the condensed rows by matrices, and the
// matrices Z Z' of all rows.
TEST(condensed_rows_stand_for_all) {
  const TestRuntime runtime;
  Small data(90);
  for (Index i = 0; i < 90; i += 5) data.weights[i] = i % 2 == 0 ? 2.5 : 0.0;
  const auto plain =
      make_bank({item("rbf", {{"gamma", 0.2}}), item("rbf", {{"gamma", 0.5}})}, data.x, runtime);
  const Explicit near(plain, 6, 3);
  const Vector weights = (Vector(2) << 0.7, 0.2).finished();
  const Matrix k = weights[0] * near.matrix(0) + weights[1] * near.matrix(1);
  for (const TargetKind* kind : {classification(), regression()})
    for (double cost : {0.01, 10.0}) {
      const TrainingSet set = data.set(near.bank, kind);
      const State p = with_weights(squared({{"cost", cost}}), weights);
      const CondensedRows condensed(*near.features, moments_of(set, runtime), runtime);
      CHECK(condensed.data().size() == 14);
      const auto few = learner("svm", p, 1e-8)->fit(condensed.data(), runtime);
      const auto model = condensed.expand(*few, runtime);
      const auto rows = learner("svm", p, 1e-8)->fit(set, runtime);
      const Textbook exact = textbook(set, k, *rows, cost);
      CHECK(exact.residual <= 1e-8);
      CHECK_CLOSE(exact.dual, rows->report.objective, 1e-9);
      CHECK_CLOSE(model->report.objective, rows->report.objective, 1e-9 * exact.dual);
      CHECK(distance(model->fitted, rows->fitted) <= 1e-8);
    }
}

// Columns that repeat others, and a response that they explain to the last digit.
TEST(condensed_rows_of_dependent_columns) {
  const TestRuntime runtime;
  Small data(60);
  const auto plain = make_bank({item("rbf", {{"gamma", 0.2}})}, data.x, runtime);
  RowMatrix z = normal_matrix(60, 6, 4);
  z.col(3) = z.col(1);
  z.col(4).setConstant(2.0);
  z.col(5).setZero();
  data.response = z.col(0) - 2.0 * z.col(1);
  const auto features = std::make_shared<const KernelFeatures>(
      std::vector<std::shared_ptr<const RowMatrix>>{std::make_shared<const RowMatrix>(z)});
  const KernelBank bank = plain.approximate(features);
  const TrainingSet set = data.set(bank, regression());
  const CondensedRows condensed(*features, moments_of(set, runtime), runtime);
  for (double cost : {1.0, 1e4}) {
    const State p = squared({{"cost", cost}});
    const auto few = learner("average", p, 1e-8)->fit(condensed.data(), runtime);
    const auto rows = learner("average", p, 1e-8)->fit(set, runtime);
    CHECK(few->report.converged && rows->report.converged);
    CHECK_CLOSE(few->report.objective, rows->report.objective, 1e-8 * rows->report.objective);
    CHECK(distance(condensed.expand(*few, runtime)->fitted, rows->fitted) <= 1e-7);
  }
}
