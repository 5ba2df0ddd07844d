// GMKL: the gradient against finite differences, the product kernel against its definition, bounds
// from below, and the same optimum by both solvers, for streamed kernels and for any threads.
#include "check.hpp"
#include "learners/gmkl.hpp"
#include "learners/product_problem.hpp"
#include "learning.hpp"

using namespace mk;
using namespace fixtures;

namespace {

// One Gaussian kernel per column, and one of another family.
std::vector<State> positive_kernels() {
  return {on(item("rbf", {{"gamma", 0.5}}), {0}), on(item("rbf", {{"gamma", 0.5}}), {1}),
          on(item("cauchy", {{"sigma", 1.0}}, {"trace"}), {2, 3})};
}

State options(const char* combine, const char* regularizer, const char* solver = "spg",
              double cost = 2.0, double lambda = 1.5) {
  State s = parameters({{"cost", cost}, {"lambda", lambda}, {"tolerance", 1e-4}});
  s.set("combine", combine);
  s.set("regularizer", regularizer);
  s.set("solver", solver);
  return s;
}

// T by its parts: the objective of the search without the search.
struct Probe {
  Probe(const TrainingSet& set, bool product, const Regularizer& regularizer,
        const Runtime& runtime)
      : svm(SvmOptions::read(parameters({{"cost", 2.0}}), SmoOptions())),
        sum_of(set, svm, runtime),
        objective(machine(product), regularizer, 1e-10) {
    if (product) product_of = std::make_unique<ProductProblem>(set, svm, runtime);
  }
  GmklObjective::Machine machine(bool product) {
    return [this, product](const Vector& d, const Vector& start, double tol) {
      return product ? product_of->evaluate(d, start, tol) : sum_of.evaluate(d, start, tol);
    };
  }
  SvmOptions svm;
  MklProblem sum_of;
  std::unique_ptr<ProductProblem> product_of;
  GmklObjective objective;
};

}  // namespace

TEST(the_gradient_is_that_of_finite_differences) {
  const TestRuntime runtime;
  const Small data(40);
  std::vector<State> items = positive_kernels();
  items.push_back(item("anova", {{"sigma", 0.4}, {"degree", 1}}));  // not 1 on the diagonal
  const auto bank = make_bank(items, data.x, runtime);
  Vector d(4);
  d << 0.7, 0.2, 1.1, 0.4;
  for (const TargetKind* task : {classification(), regression()})
    for (bool product : {false, true})
      for (bool squared : {false, true}) {
        const TrainingSet set = data.set(bank, task);
        Probe probe(set, product, {squared, 1.5}, runtime);
        const Vector g = probe.objective.evaluate(d).gradient;
        for (Index m = 0; m < d.size(); ++m) {
          const double h = 1e-5;
          Vector up = d, down = d;
          up[m] += h;
          down[m] -= h;
          const double slope =
              (probe.objective.evaluate(up).value - probe.objective.evaluate(down).value) /
              (2.0 * h);
          CHECK_CLOSE(g[m], slope, 1e-5);
        }
      }
}

TEST(the_product_is_the_product_of_powers) {
  const TestRuntime runtime;
  const Small data(30);
  const auto bank = make_bank(positive_kernels(), data.x, runtime);
  Vector d(3);
  d << 0.3, 1.7, 0.0;
  Matrix power = Matrix::Ones(30, 30);
  for (Index m = 0; m < 3; ++m)
    power.array() *= to_matrix(bank.matrix(m, runtime).view).array().pow(d[m]);
  const auto stored_bank = make_bank({item("precomputed")}, data.x, runtime, {&power});
  const auto expected = learner("svm", parameters({{"cost", 1.0}}), 1e-10)
                            ->fit(data.set(stored_bank, classification()), runtime);
  const TrainingSet set = data.set(bank, classification());
  ProductProblem problem(set, SvmOptions(), runtime);
  const MklProblem::Value value = problem.evaluate(d, Vector(), 1e-10);
  CHECK_CLOSE(value.objective, expected->report.objective, 1e-9);
  // and for new rows
  const ProductModel model(make_expansion(value.svm.coefficients, d, value.svm.solved.bias));
  CHECK(distance(decision_on(model, bank, runtime), value.svm.fitted) < 1e-9);
  CHECK(distance(ProductModel::restore(model.state())
                     ->decision(*bank.cross(all_rows(30), all_rows(30), runtime)),
                 value.svm.fitted) < 1e-9);
}

// Logarithms last where the values themselves have become 0.
TEST(kernels_that_round_to_zero_keep_their_powers) {
  const TestRuntime runtime;
  const Small data(20);
  const auto narrow = make_bank({item("rbf", {{"gamma", 5000.0}})}, data.x, runtime);
  const auto wide = make_bank({item("rbf", {{"gamma", 0.5}})}, data.x, runtime);
  CHECK(to_matrix(narrow.matrix(0, runtime).view).minCoeff() == 0.0);
  const TrainingSet set = data.set(narrow, classification());
  ProductProblem problem(set, SvmOptions(), runtime);
  const auto expected = learner("svm", parameters({{"cost", 1.0}}), 1e-9)
                            ->fit(data.set(wide, classification()), runtime);
  CHECK_CLOSE(problem.evaluate(Vector::Constant(1, 1e-4), Vector(), 1e-9).objective,
              expected->report.objective, 1e-8);
}

// log K_m, with every normaliser that keeps values positive, for training and for new rows.
TEST(logarithms_are_those_of_the_values) {
  const TestRuntime runtime;
  const Matrix x = histogram_matrix(150, 4, 3).array() + 0.01;  // a row of zeros has no cosine
  std::vector<State> items;
  for (const char* stage : {"trace", "unit_trace", "cosine"})
    for (State it : every_family()) {
      if (it.text("family") == "sigmoid") continue;
      State one = item(it.text("family"), {}, {stage});
      one.set("parameters", Value(it.list("parameters")));
      items.push_back(one);
    }
  items.push_back(
      product({item("rbf", {{"gamma", 0.1}}), item("laplacian", {{"sigma", 2.0}})}, {"trace"}));
  const auto bank = make_bank(items, x, runtime);
  Matrix values(150, 150);
  const auto check_logs = [&](Index m, const Matrix& logs) {
    bank.fill({m}, {values.data()}, runtime);
    CHECK(distance(logs, Matrix(values.array().log())) < 1e-12);
  };
  bank.visit_logs(check_logs, runtime);
  Expansion e;
  e.weights = Vector::Constant(bank.size(), 0.03);
  e.rows = {3, 77};
  e.coefficients = Vector::LinSpaced(2, 1.0, -2.0);
  e.bias = 0.25;
  Vector expected = Vector::Constant(150, 0.25);
  for (std::size_t r = 0; r < 2; ++r) {
    Vector sum = Vector::Zero(150);
    for (Index m = 0; m < bank.size(); ++m) {
      bank.fill({m}, {values.data()}, runtime);
      sum += 0.03 * values.col(e.rows[r]).array().log().matrix();
    }
    expected += e.coefficients[static_cast<Index>(r)] * sum.array().exp().matrix();
  }
  const auto cross = bank.cross(all_rows(150), all_rows(150), runtime);
  CHECK(distance(cross->expand_product(e), expected) < 1e-10);
}

TEST(weights_meet_the_conditions_of_a_stationary_point) {
  const TestRuntime runtime;
  const Small data(60);
  const auto bank = make_bank(positive_kernels(), data.x, runtime);
  for (const char* combine : {"sum", "product"})
    for (const char* regularizer : {"l1", "l2"})
      for (const char* solver : {"spg", "projected"})
        for (const TargetKind* task : every_task()) {
          if (task == one_class() && (*combine == 'p' || regularizer[1] == '1')) continue;
          const TrainingSet set = data.set(bank, task);
          const auto model =
              learner("gmkl", options(combine, regularizer, solver), 1e-4)->fit(set, runtime);
          CHECK(model->report.converged);
          CHECK(model->report.violation <= 1e-4);
          const Vector d = model->kernel_weights();
          CHECK(d.minCoeff() >= 0.0);
          // At an SVM of full accuracy: weights and slopes are >= 0, and one of them is 0.
          Probe exact(set, *combine == 'p', {regularizer[1] == '2', 1.5}, runtime);
          const InexactValue at = exact.objective.evaluate(d);
          CHECK_CLOSE(at.value, model->report.objective, 1e-5);
          const double unit = std::fabs(at.value) / d.sum();
          for (Index m = 0; m < 3; ++m) {
            CHECK(at.gradient[m] >= -3e-4 * unit);
            CHECK(std::min(d[m] / d.maxCoeff(), at.gradient[m] / unit) <= 3e-4);
          }
          CHECK(distance(decision_on(*model, bank, runtime), model->fitted) < 1e-9);
          CHECK(std::isnan(model->report.gap) == (*combine == 'p'));
          if (*combine == 's') CHECK(model->report.gap <= 1e-3);
          CHECK(model->report.path.size() == static_cast<Index>(model->report.iterations) + 1);
        }
}

// T is convex for sums: no other weights give less than T minus the gap.
TEST(no_weights_of_a_sum_are_better_by_more_than_the_gap) {
  const TestRuntime runtime;
  const Small data(40);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  Random random(5, 0);
  for (const char* regularizer : {"l1", "l2"})
    for (const TargetKind* task : every_task()) {
      if (task == one_class() && regularizer[1] == '1') continue;
      const TrainingSet set = data.set(bank, task);
      const auto model = learner("gmkl", options("sum", regularizer), 1e-4)->fit(set, runtime);
      const double best = model->report.objective, gap = model->report.gap;
      CHECK(gap <= 1e-3);
      const Regularizer r = {regularizer[1] == '2', 1.5};
      for (int trial = 0; trial < 20; ++trial) {
        Vector d = model->kernel_weights();
        for (Index m = 0; m < 3; ++m) d[m] = std::max(0.0, d[m] * (1.0 + normal(random)));
        if (d.sum() == 0.0) continue;
        const auto other =
            learner("svm", with_weights(parameters({{"cost", 2.0}}), d), 1e-9)->fit(set, runtime);
        CHECK(other->report.objective + r.value(d) >= best - (gap + 1e-9) * std::fabs(best));
      }
    }
}

// The bound from below, by trying all scales of the coefficients.
TEST(the_gap_is_that_of_the_best_scale) {
  const TestRuntime runtime;
  const Small data(40);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  for (bool squared : {false, true})
    for (const TargetKind* task : every_task())
      for (double size : {0.05, 1.0, 20.0}) {
        if (task == one_class() && !squared) continue;
        const Regularizer r = {squared, 1.5};
        const TrainingSet set = data.set(bank, task);
        Probe probe(set, false, r, runtime);
        Vector d(3);
        d << 0.7 * size, 0.0, 0.3 * size;
        const InexactValue at = probe.objective.evaluate(d);
        const MklProblem::Value& value = probe.objective.last();
        const double linear = value.objective + 0.5 * d.dot(value.forms);
        double best = -INFINITY;
        for (double t = task == one_class() ? 1.0 : 0.0; t <= 1.0; t += 1e-5) {
          double penalty = 0.0;
          for (Index m = 0; m < 3; ++m) {
            const double pull = 0.5 * t * t * value.forms[m];
            if (squared) penalty += 0.5 * pull * pull / 1.5;
            else if (pull > 1.5) penalty = INFINITY;
          }
          best = std::max(best, t * linear - penalty);
        }
        CHECK_CLOSE(gmkl_gap(value, d, r, probe.svm.losses.of(set), set),
                    (at.value - best) / std::fabs(at.value), 1e-4);
      }
}

TEST(both_solvers_and_any_memory_reach_the_same) {
  const Small data(50);
  TestRuntime stored, streamed;
  streamed.memory = 0.0;
  for (const char* combine : {"sum", "product"}) {
    const auto fit = [&](const char* solver, const TestRuntime& runtime) {
      const auto bank = make_bank(positive_kernels(), data.x, runtime);
      return learner("gmkl", options(combine, "l1", solver), 1e-5)
          ->fit(data.set(bank, classification()), runtime);
    };
    const auto a = fit("spg", stored), b = fit("projected", stored), c = fit("spg", streamed);
    CHECK_CLOSE(a->report.objective, b->report.objective, 1e-5);
    CHECK_CLOSE(a->report.objective, c->report.objective, 1e-5);
    CHECK((a->kernel_weights() - b->kernel_weights()).norm() < 2e-2);
    CHECK((a->kernel_weights() - c->kernel_weights()).norm() < 2e-2);
  }
}

TEST(threads_change_nothing) {
  const Small data(150);
  for (const char* combine : {"sum", "product"}) {
    const auto fit = [&](const TestRuntime& runtime) {
      const auto bank = make_bank(positive_kernels(), data.x, runtime);
      return learner("gmkl", options(combine, "l2"))
          ->fit(data.set(bank, classification()), runtime);
    };
    const auto one = fit(TestRuntime(1)), three = fit(TestRuntime(3));
    CHECK(identical(one->kernel_weights(), three->kernel_weights()));
    CHECK(identical(one->fitted, three->fitted));
  }
}

TEST(useless_kernels_get_no_weight) {
  const TestRuntime runtime;
  const Small data(40);
  const Matrix zero = Matrix::Zero(40, 40);
  const auto bank =
      make_bank({item("rbf", {{"gamma", 0.2}}), item("precomputed")}, data.x, runtime, {&zero});
  const auto model =
      learner("gmkl", options("sum", "l1"), 1e-4)->fit(data.set(bank, classification()), runtime);
  CHECK(model->report.converged);
  CHECK(model->kernel_weights()[1] == 0.0);
  CHECK(model->kernel_weights()[0] > 0.0);
}

TEST(values_that_have_no_power_are_refused) {
  const TestRuntime runtime;
  const Small data(20);
  const auto linear = make_bank({item("linear")}, data.x, runtime);
  CHECK_THROWS(
      learner("gmkl", options("product", "l1"))->fit(data.set(linear, classification()), runtime),
      InvalidArgument, "kernel `linear` is -");
  Matrix k = Matrix::Ones(20, 20);
  k(2, 4) = k(4, 2) = 0.0;
  const auto zero = make_bank({item("precomputed")}, data.x, runtime, {&k});
  CHECK_THROWS(
      learner("gmkl", options("product", "l1"))->fit(data.set(zero, classification()), runtime),
      InvalidArgument, "is 0 for rows 3 and 5");
  const auto centred = make_bank({item("rbf", {{"gamma", 0.2}}, {"center"})}, data.x, runtime);
  CHECK_THROWS(
      learner("gmkl", options("product", "l1"))->fit(data.set(centred, classification()), runtime),
      InvalidArgument, "positive values");
  const auto bank = make_bank(positive_kernels(), data.x, runtime);
  CHECK_THROWS(learner("gmkl", options("product", "l2"))->fit(data.set(bank, one_class()), runtime),
               InvalidArgument, "one class");
  CHECK_THROWS(learner("gmkl", options("sum", "l1"))->fit(data.set(bank, one_class()), runtime),
               InvalidArgument, "one class");
}

TEST(parameters_out_of_range_are_refused) {
  CHECK_THROWS(learner("gmkl", options("mean", "l1")), InvalidArgument, "`combine`");
  CHECK_THROWS(learner("gmkl", options("sum", "l3")), InvalidArgument, "`regularizer`");
  CHECK_THROWS(learner("gmkl", options("sum", "l1", "newton")), InvalidArgument, "`solver`");
  CHECK_THROWS(learner("gmkl", parameters({{"lambda", 0.0}})), InvalidArgument, "`lambda`");
  CHECK_THROWS(learner("gmkl", parameters({{"tolerance", -1.0}})), InvalidArgument, "`tolerance`");
  CHECK_THROWS(learner("gmkl", parameters({{"iterations", 0.0}})), InvalidArgument, "`iterations`");
}

TEST(an_interrupt_is_heard) {
  TestRuntime runtime;
  const Small data(60);
  const auto bank = make_bank(positive_kernels(), data.x, runtime);
  runtime.interrupt_after = runtime.looks + 60;
  CHECK_THROWS(learner("gmkl", options("product", "l1"), 1e-6)
                   ->fit(data.set(bank, classification()), runtime),
               Interrupted, "");
}
