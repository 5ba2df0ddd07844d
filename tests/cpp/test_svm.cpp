// Support vector machines on a fixed combination of kernels.
#include "check.hpp"
#include "learning.hpp"

using namespace mk;
using namespace fixtures;

namespace {

// Primal objective of the textbook, from decision values alone; its value at the optimum equals
// that of the dual.
double primal(const Small& data, const TargetKind* task, const Matrix& k, const Model& model,
              double cost, double epsilon, double nu) {
  const Index n = k.rows();
  const Expansion& e = *model.expansion();
  Vector beta = Vector::Zero(n);
  for (std::size_t i = 0; i < e.rows.size(); ++i)
    beta[e.rows[i]] = e.coefficients[static_cast<Index>(i)];
  const Vector f = k * beta;
  double value = 0.5 * beta.dot(f);
  for (Index i = 0; i < n; ++i) {
    const double w = data.weights[i], decision = f[i] + e.bias;
    if (task == classification())
      value += cost * w * std::max(0.0, 1.0 - data.labels[i] * decision);
    else if (task == regression())
      value += cost * w * std::max(0.0, std::fabs(data.response[i] - decision) - epsilon);
    else value += w * std::max(0.0, -decision) + e.bias * nu * w;
  }
  return value;
}

}  // namespace

TEST(fits_reach_the_primal_optimum) {
  const TestRuntime runtime;
  Small data(60);
  for (Index i = 0; i < 60; i += 7) data.weights[i] = i % 2 == 0 ? 3.0 : 0.0;
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  const Vector weights = (Vector(3) << 0.5, 0.25, 1.0).finished();
  const Matrix k = to_matrix(bank.combination(weights, runtime).view);
  for (const TargetKind* task : every_task())
    for (double cost : {0.1, 1.0, 30.0}) {
      const State p =
          with_weights(parameters({{"cost", cost}, {"epsilon", 0.2}, {"nu", 0.3}}), weights);
      const auto model = learner("svm", p, 1e-8)->fit(data.set(bank, task), runtime);
      CHECK(model->report.converged && !model->report.indefinite);
      const double unit = task == one_class() ? k.diagonal().mean() : 1.0;
      CHECK(model->report.gap >= 0.0 && model->report.violation <= 1e-8 * unit);
      CHECK_CLOSE(primal(data, task, k, *model, cost, 0.2, 0.3), model->report.objective, 1e-5);
      CHECK(identical(model->kernel_weights(), weights));
      CHECK(model->report.seconds >= 0.0 && model->report.iterations > 0.0);
    }
}

TEST(fitted_values_are_decisions) {
  const TestRuntime runtime;
  const Small data(50);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  for (const TargetKind* task : every_task()) {
    const auto model =
        learner("svm", with_weights(State(), Vector::Ones(3)))->fit(data.set(bank, task), runtime);
    CHECK_CLOSE(distance(model->fitted, decision_on(*model, bank, runtime)), 0.0, 1e-9);
    // Rows without a coefficient are not kept.
    for (Index i = 0; i < model->expansion()->coefficients.size(); ++i)
      CHECK(model->expansion()->coefficients[i] != 0.0);
    CHECK(model->support() == model->expansion()->rows);
    CHECK(!model->support().empty());
  }
}

TEST(nu_bounds_the_outliers) {
  const TestRuntime runtime;
  const Small data(80);
  const auto bank = make_bank({item("rbf", {{"gamma", 0.5}})}, data.x, runtime);
  for (double nu : {0.1, 0.5, 0.9}) {
    const auto model =
        learner("svm", parameters({{"nu", nu}}), 1e-8)->fit(data.set(bank, one_class()), runtime);
    Index outside = 0;
    for (Index i = 0; i < 80; ++i) outside += model->fitted[i] < -1e-6;
    CHECK(static_cast<double>(outside) <= nu * 80.0 + 1e-9);
    CHECK(static_cast<double>(model->support().size()) >= nu * 80.0 - 1e-9);
  }
}

TEST(stored_and_on_demand_agree) {
  const Small data(90);
  for (const TargetKind* task : every_task()) {
    double objective = 0.0;
    Vector fitted;
    for (double memory : {1e9, 8.0 * 90 * 89, 8.0 * 90 * 6, 0.0}) {
      TestRuntime runtime;
      runtime.memory = memory;
      const auto bank = make_bank(three_kernels(), data.x, runtime);
      const auto model =
          learner("svm", with_weights(parameters({{"cost", 5.0}}), Vector::Ones(3)), 1e-8)
              ->fit(data.set(bank, task), runtime);
      CHECK(model->report.converged);
      if (memory == 1e9) {
        objective = model->report.objective;
        fitted = model->fitted;
      }
      CHECK_CLOSE(model->report.objective, objective, 1e-8);
      CHECK_CLOSE(distance(model->fitted, fitted), 0.0, 1e-5);
    }
  }
}

TEST(threads_do_not_change_the_model) {
  const Small data(140);
  for (const TargetKind* task : every_task()) {
    Vector coefficients;
    for (int threads : {1, 2, 3}) {
      const TestRuntime runtime(threads);
      const auto bank = make_bank(three_kernels(), data.x, runtime);
      const auto model = learner("svm", with_weights(State(), Vector::Ones(3)))
                             ->fit(data.set(bank, task), runtime);
      if (threads == 1) coefficients = model->expansion()->coefficients;
      CHECK(identical(model->expansion()->coefficients, coefficients));
    }
  }
}

TEST(a_warm_start_ends_where_a_cold_one_does) {
  const TestRuntime runtime;
  const Small data(50);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  for (const TargetKind* task : every_task()) {
    const TrainingSet set = data.set(bank, task);
    const SvmOptions options = SvmOptions::read(State(), smo_options(1e-9));
    const auto cold = fit_svm(set, Vector::Ones(3), options, runtime);
    Vector start = Vector::Zero(50);
    for (std::size_t i = 0; i < cold->support().size(); ++i)
      start[cold->support()[i]] = cold->expansion()->coefficients[static_cast<Index>(i)];
    const auto warm = fit_svm(set, Vector::Ones(3), options, runtime, start);
    CHECK_CLOSE(warm->report.objective, cold->report.objective, 1e-9);
    CHECK(warm->report.iterations <= 5.0);
  }
}

TEST(weights_of_zero_remove_rows) {
  const TestRuntime runtime;
  Small data(40);
  for (Index i = 0; i < 40; i += 4) data.weights[i] = 0.0;
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  for (const TargetKind* task : {classification(), regression()}) {
    const auto model = learner("svm", with_weights(State(), Vector::Ones(3)), 1e-8)
                           ->fit(data.set(bank, task), runtime);
    for (Index row : model->support()) CHECK(row % 4 != 0);
    // As if they were not there.
    Indices kept;
    for (Index i = 0; i < 40; ++i)
      if (i % 4 != 0) kept.push_back(i);
    const KernelBank part = bank.subset(kept);
    TrainingSet set = {part, {task, Vector(30), Vector::Ones(30)}};
    for (Index i = 0; i < 30; ++i)
      set.y[i] = (task == classification() ? data.labels
                                           : data.response)[kept[static_cast<std::size_t>(i)]];
    const auto without =
        learner("svm", with_weights(State(), Vector::Ones(3)), 1e-8)->fit(set, runtime);
    CHECK_CLOSE(model->report.objective, without->report.objective, 1e-7);
  }
}

TEST(state_round_trip) {
  const TestRuntime runtime;
  const Small data(30);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  const auto model = learner("svm", with_weights(State(), Vector::Ones(3)))
                         ->fit(data.set(bank, classification()), runtime);
  const auto again = restore_model(model->state());
  CHECK(identical(decision_on(*model, bank, runtime), decision_on(*again, bank, runtime)));
  CHECK(again->support() == model->support());
  // Only the support is kept: positions change, decisions do not.
  const Indices support = model->support();
  Indices position(30, -1);
  for (std::size_t k = 0; k < support.size(); ++k)
    position[static_cast<std::size_t>(support[k])] = static_cast<Index>(k);
  again->remap(position);
  CHECK(again->support() == all_rows(static_cast<Index>(support.size())));
  const Vector f = again->decision(*bank.cross(all_rows(30), support, runtime));
  CHECK_CLOSE(distance(f, model->fitted), 0.0, 1e-9);
  State unknown = model->state();
  unknown.set("type", "oracle");
  CHECK_THROWS(restore_model(unknown), InvalidArgument, "\"oracle\"");
  State broken = model->state();
  broken.set("coefficients", Value(Vector(Vector::Ones(2))));
  CHECK_THROWS(restore_model(broken), InvalidArgument, "coefficients");
}

TEST(parameters_out_of_range) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const char* name : {"svm", "average", "random", "best"}) {
    for (double bad : {0.0, -1.0, nan, static_cast<double>(INFINITY)})
      CHECK_THROWS(learner(name, parameters({{"cost", bad}})), InvalidArgument, "`cost`");
    for (double bad : {-1.0, nan, static_cast<double>(INFINITY)})
      CHECK_THROWS(learner(name, parameters({{"epsilon", bad}})), InvalidArgument, "`epsilon`");
    for (double bad : {0.0, -0.1, 1.01, nan})
      CHECK_THROWS(learner(name, parameters({{"nu", bad}})), InvalidArgument, "`nu`");
    learner(name, parameters({{"epsilon", 0.0}, {"nu", 1.0}, {"cost", 1e-9}}));
  }
  CHECK_THROWS(learner("svn"), InvalidArgument, "\"svn\"");
  const TestRuntime runtime;
  const Small data(10);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  const TrainingSet set = data.set(bank, classification());
  CHECK_THROWS(learner("svm")->fit(set, runtime), InvalidArgument, "each of the 3 kernels");
  for (double bad : {-1.0, nan, static_cast<double>(INFINITY)}) {
    const Vector weights = (Vector(3) << 1.0, bad, 0.0).finished();
    CHECK_THROWS(learner("svm", with_weights(State(), weights))->fit(set, runtime), InvalidArgument,
                 "position 2");
  }
}

TEST(kernels_that_are_not_finite_are_named) {
  Small data(20);
  data.x *= 1e200;
  for (double memory : {1e9, 0.0}) {
    TestRuntime runtime;
    runtime.memory = memory;
    const auto bank = make_bank({item("rbf", {{"gamma", 1.0}}), item("linear")}, data.x, runtime);
    for (const TargetKind* task : every_task()) {
      const TrainingSet set = data.set(bank, task);
      CHECK_THROWS(learner("svm", with_weights(State(), Vector::Ones(2)))->fit(set, runtime),
                   InvalidArgument, "Kernel `linear` has values that are not finite");
      const Vector only_rbf = (Vector(2) << 1.0, 0.0).finished();
      CHECK(learner("svm", with_weights(State(), only_rbf))->fit(set, runtime)->fitted.allFinite());
    }
  }
}

TEST(degenerate_problems) {
  const TestRuntime runtime;
  for (Index n : {1, 2, 3}) {
    const Small data(n);
    const auto bank = make_bank({item("rbf", {{"gamma", 1.0}})}, data.x, runtime);
    for (const TargetKind* task : every_task()) {
      const auto model = learner("svm")->fit(data.set(bank, task), runtime);
      CHECK(model->report.converged && model->fitted.allFinite());
    }
  }
  Small same(12);
  same.x.setOnes();
  same.response.setConstant(3.0);
  const auto bank = make_bank({item("linear")}, same.x, runtime);
  for (const TargetKind* task : every_task()) {
    const auto model = learner("svm")->fit(same.set(bank, task), runtime);
    CHECK(model->report.converged && model->fitted.allFinite());
    if (task == regression()) CHECK_CLOSE(model->fitted[0], 3.0, 0.11);
  }
  const auto none = learner("svm", with_weights(State(), Vector::Zero(1)))
                        ->fit(same.set(bank, classification()), runtime);
  CHECK(none->fitted.allFinite());
}

TEST(an_iteration_limit_is_reported) {
  const TestRuntime runtime;
  const Small data(60);
  const auto bank = make_bank({item("rbf", {{"gamma", 1.0}})}, data.x, runtime);
  SmoOptions smo = smo_options(1e-9);
  smo.max_iter = 3;
  for (const TargetKind* task : every_task()) {
    const auto model = learner("svm", State(), smo)->fit(data.set(bank, task), runtime);
    CHECK(!model->report.converged && model->report.iterations == 3.0);
  }
}

TEST(interrupts_come_through) {
  for (double memory : {1e9, 0.0}) {
    TestRuntime runtime;
    runtime.memory = memory;
    const Small data(100);
    const auto bank = make_bank({item("rbf", {{"gamma", 0.01}})}, data.x, runtime);
    runtime.interrupt_after = runtime.looks + 2;
    CHECK_THROWS(learner("svm", parameters({{"cost", 1e5}}), 1e-9)
                     ->fit(data.set(bank, classification()), runtime),
                 Interrupted, "");
  }
}

TEST(a_path_of_costs_finds_each_optimum) {
  const TestRuntime runtime;
  const Small data(80);
  for (const char* name : {"average", "random", "svm", "komd"})
    for (const TargetKind* task : every_task()) {
      const bool komd = std::string(name) == "komd";
      if (komd && task != classification()) continue;
      KernelBank bank = make_bank(three_kernels(), data.x, runtime);
      bank.keep_sums();
      const TrainingSet set = data.set(bank, task);
      const char* along = komd ? "lambda" : "cost";
      const Vector weights = Vector::LinSpaced(3, 0.2, 0.7);
      std::vector<State> points;
      for (double value : {0.05, 0.2, 0.5, 0.51})
        points.push_back(with_weights(parameters({{along, value}, {"epsilon", 0.05}}), weights));
      const Models warm = fit_points(name, points, set, runtime, 1e-8);
      double saved = 0.0;
      for (std::size_t p = 0; p < points.size(); ++p) {
        const auto alone = learner(name, points[p], 1e-8)->fit(set, runtime);
        CHECK(warm[p]->report.converged);
        CHECK_CLOSE(warm[p]->report.objective, alone->report.objective, 1e-6);
        for (Index i = 0; i < 80; ++i) CHECK_CLOSE(warm[p]->fitted[i], alone->fitted[i], 1e-4);
        saved = alone->report.iterations - warm[p]->report.iterations;
      }
      CHECK(saved > 0.0);  // from 0.5 to 0.51 is a short way
    }
}

TEST(points_start_from_others_that_differ_in_their_cost_alone) {
  const TestRuntime runtime;
  const Small data(60);
  const KernelBank bank = make_bank(three_kernels(), data.x, runtime);
  const TrainingSet set = data.set(bank, regression());
  const std::vector<State> points = {
      parameters({{"cost", 1.0}, {"epsilon", 0.1}}), parameters({{"cost", 2.0}, {"epsilon", 0.2}}),
      parameters({{"cost", 2.0}, {"epsilon", 0.3}}), parameters({{"cost", 1.5}, {"epsilon", 0.1}})};
  const Models all = fit_points("average", points, set, runtime);
  for (std::size_t p = 0; p < 3; ++p)
    CHECK(identical(all[p]->fitted, learner("average", points[p])->fit(set, runtime)->fitted));
  const Models two = fit_points("average", {points[0], points[3]}, set, runtime);
  CHECK(identical(all[3]->fitted, two[1]->fitted));
  const TrainingSet classes = data.set(bank, classification());
  State squared = parameters({{"cost", 2.0}});
  squared.set("loss", "squared_hinge");
  const Models by_loss =
      fit_points("average", {parameters({{"cost", 1.0}}), squared}, classes, runtime);
  CHECK(identical(by_loss[1]->fitted, learner("average", squared)->fit(classes, runtime)->fitted));
}
