// The squared hinge loss, alone and below the learners that rest on the SVM.
#include "check.hpp"
#include "learners/mkl_problem.hpp"
#include "learning.hpp"

using namespace mk;
using namespace fixtures;

namespace {

State squared(Parameters values = {{"cost", 2.0}}) {
  State state = parameters(values);
  state.set("loss", "squared_hinge");
  return state;
}

Vector coefficients(const Model& model, Index n) {
  const Expansion& e = *model.expansion();
  Vector out = Vector::Zero(n);
  for (std::size_t i = 0; i < e.rows.size(); ++i)
    out[e.rows[i]] = e.coefficients[static_cast<Index>(i)];
  return out;
}

// Those that the convex solvers minimize over.
struct Bounds {
  double primal, dual, violation;
};

// The textbook at these coefficients, without the diagonal that the solver adds.
Bounds textbook(const Small& data, const Matrix& k, const Model& model, double cost) {
  const Vector b = coefficients(model, k.rows()), f = k * b;
  const double bias = model.expansion()->bias;
  Bounds out = {0.5 * b.dot(f), data.labels.dot(b) - 0.5 * b.dot(f), 0.0};
  for (Index i = 0; i < k.rows(); ++i) {
    const double w = data.weights[i], slack = 1.0 - data.labels[i] * (f[i] + bias);
    out.primal += cost * w * std::pow(std::max(0.0, slack), 2);
    if (w == 0.0) {
      CHECK(b[i] == 0.0);
      continue;
    }
    const double alpha = data.labels[i] * b[i];
    CHECK(alpha >= 0.0);
    out.dual -= 0.25 * alpha * alpha / (cost * w);
    // alpha = 2 C w max(0, slack)
    out.violation =
        std::max(out.violation, std::fabs(std::max(0.0, slack) - 0.5 * alpha / (cost * w)));
  }
  return out;
}

}  // namespace

TEST(fits_meet_the_conditions_of_an_optimum) {
  Small data(60);
  for (Index i = 0; i < 60; i += 7) data.weights[i] = i % 2 == 0 ? 3.0 : 0.0;
  const Vector weights = (Vector(3) << 0.5, 0.25, 1.0).finished();
  TestRuntime stored, streamed;
  streamed.memory = 0.0;
  for (const TestRuntime* runtime : {&stored, &streamed})
    for (double cost : {1e-3, 0.1, 1.0, 30.0, 1e4}) {
      const auto bank = make_bank(three_kernels(), data.x, *runtime);
      const Matrix k = to_matrix(bank.combination(weights, *runtime).view);
      const auto model = learner("svm", with_weights(squared({{"cost", cost}}), weights), 1e-8)
                             ->fit(data.set(bank, classification()), *runtime);
      const Report& report = model->report;
      CHECK(report.converged && !report.indefinite && report.violation <= 1e-8);
      const Bounds exact = textbook(data, k, *model, cost);
      CHECK(exact.violation <= 1e-7);
      CHECK_CLOSE(exact.dual, report.objective, 1e-9);
      CHECK(report.gap >= 0.0);
      CHECK_CLOSE(exact.primal - exact.dual, report.gap, 1e-9 * exact.primal);
      CHECK(report.gap <= 1e-6 * exact.primal);
      CHECK(distance(decision_on(*model, bank, *runtime), model->fitted) <= 1e-7);
    }
}

TEST(the_gap_is_that_of_the_primal_far_from_the_optimum) {
  const TestRuntime runtime;
  const Small data(60);
  const auto bank = make_bank({item("rbf", {{"gamma", 0.2}})}, data.x, runtime);
  const Matrix k = to_matrix(bank.matrix(0, runtime).view);
  for (double steps : {1.0, 10.0, 50.0}) {
    SmoOptions few;
    few.max_iter = steps;
    const auto model =
        learner("average", squared(), few)->fit(data.set(bank, classification()), runtime);
    const Bounds exact = textbook(data, k, *model, 2.0);
    CHECK(!model->report.converged);
    CHECK_CLOSE(exact.primal - exact.dual, model->report.gap, 1e-9 * exact.primal);
  }
}

TEST(forms_are_the_derivatives_of_the_objective) {
  const TestRuntime runtime;
  const Small data(45);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  const TrainingSet set = data.set(bank, classification());
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

// At a small cost the diagonal of the loss is larger than the kernels: without it in the model of
// second order, Newton's steps are far too long, and there are several times as many.
TEST(newton_steps_know_the_diagonal_of_the_loss) {
  const TestRuntime runtime;
  const Small data(60);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  const TrainingSet set = data.set(bank, classification());
  for (double cost : {0.01, 0.1, 3.0}) {
    const State p = squared({{"cost", cost}, {"gap", 1e-5}});
    const auto newton = learner("simplemkl", p)->fit(set, runtime);
    CHECK(newton->report.converged && newton->report.iterations <= 6.0);
    Random random(7, 0);
    for (int trial = 0; trial < 20; ++trial) {
      Vector d(3);
      for (Index m = 0; m < 3; ++m) d[m] = -std::log(random.uniform());
      const auto other = learner("svm", with_weights(squared({{"cost", cost}}), d / d.sum()), 1e-7)
                             ->fit(set, runtime);
      CHECK(other->report.objective >= newton->report.objective * (1.0 - 2e-5));
    }
  }
}

TEST(convex_solvers_agree) {
  const TestRuntime runtime;
  Small data(50);
  for (Index i = 0; i < 50; i += 9) data.weights[i] = i % 2 == 0 ? 2.5 : 0.0;
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  const TrainingSet set = data.set(bank, classification());
  for (double cost : {0.1, 5.0}) {
    const State p = squared({{"cost", cost}, {"gap", 1e-5}});
    const double known = learner("simplemkl", p)->fit(set, runtime)->report.objective;
    for (const char* name : {"silpmkl", "levelmkl", "glmkl"}) {
      const auto model = learner(name, p)->fit(set, runtime);
      CHECK(model->report.converged && model->report.gap <= 1e-5);
      CHECK_CLOSE(model->report.objective, known, 3e-5 * known);
    }
    State gradient = p;
    gradient.set("direction", "gradient");
    const auto model = learner("simplemkl", gradient)->fit(set, runtime);
    CHECK(model->report.converged);
    CHECK_CLOSE(model->report.objective, known, 3e-5 * known);
    const Matrix k = to_matrix(bank.combination(model->kernel_weights(), runtime).view);
    const Bounds exact = textbook(data, k, *model, cost);
    CHECK_CLOSE(exact.dual, model->report.objective, 1e-9 * known);
    CHECK(exact.primal - exact.dual <= 2e-5 * known);
  }
}

// Varma and Babu's objective bounds itself from below by its dual, with the loss's own part.
TEST(generalized_learning_closes_its_gap) {
  const TestRuntime runtime;
  const Small data(50);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  const TrainingSet set = data.set(bank, classification());
  for (const char* regularizer : {"l1", "l2"})
    for (double cost : {0.1, 5.0}) {
      State p = squared({{"cost", cost}, {"lambda", 1.5}, {"tolerance", 1e-5}});
      p.set("regularizer", regularizer);
      const auto model = learner("gmkl", p)->fit(set, runtime);
      CHECK(model->report.converged && model->report.gap <= 1e-3);
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
    CHECK(
        !identical(model->fitted, fit(one, parameters({{"cost", 2.0}, {"trials", 5.0}}))->fitted));
  }
}

TEST(rows_without_weight_are_as_if_absent) {
  const TestRuntime runtime;
  Small data(40);
  Indices kept;
  for (Index i = 0; i < 40; ++i) {
    if (i % 4 == 0) data.weights[i] = 0.0;
    else kept.push_back(i);
  }
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  const TrainingSet set = data.set(bank, classification());
  const auto learn = learner("svm", with_weights(squared(), Vector::Ones(3)), 1e-9);
  const auto with = learn->fit(set, runtime);
  const auto without = learn->fit({bank.subset(kept), set.rows(kept)}, runtime);
  CHECK_CLOSE(with->report.objective, without->report.objective, 1e-7);
}

TEST(costs_at_the_ends_of_the_range) {
  const TestRuntime runtime;
  const Small data(30);
  const auto bank = make_bank({item("rbf", {{"gamma", 0.2}})}, data.x, runtime);
  const TrainingSet set = data.set(bank, classification());
  for (double cost : {1e-300, 1e-100, 1e100, 1e290}) {
    const auto model = learner("average", squared({{"cost", cost}}))->fit(set, runtime);
    CHECK(model->fitted.allFinite() && std::isfinite(model->report.objective));
    CHECK(model->report.gap >= 0.0);
  }
}

TEST(the_loss_is_for_classes_and_has_a_known_name) {
  const TestRuntime runtime;
  const Small data(20);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  for (const TargetKind* task : {regression(), one_class()})
    for (const char* name : {"average", "simplemkl", "gmkl", "lmkl"})
      CHECK_THROWS(learner(name, squared())->fit(data.set(bank, task), runtime), InvalidArgument,
                   "`loss` must be one for " + task->name() + ", not \"squared_hinge\"");
  State other;
  other.set("loss", "logistic");
  CHECK_THROWS(learner("average", other), InvalidArgument, "\"squared_hinge\", not \"logistic\"");
  CHECK_THROWS(learner("average", squared({{"cost", 0.0}})), InvalidArgument, "`cost`");
}
