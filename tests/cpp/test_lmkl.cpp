// Localized multiple kernel learning.
#include "check.hpp"
#include "features/dense.hpp"
#include "learners/lmkl.hpp"
#include "learning.hpp"

using namespace mk;
using namespace fixtures;

namespace {

State options(const std::string& gating, Parameters values = {}) {
  State state = parameters(values);
  state.set("gating", gating);
  return state;
}

const char* const every_gating[] = {"softmax", "sigmoid", "rbf"};

const LmklModel& local(const Model& model) { return static_cast<const LmklModel&>(model); }

Matrix local_matrix(const KernelBank& bank, const Matrix& eta, const TestRuntime& runtime) {
  Matrix sum = Matrix::Zero(bank.rows(), bank.rows());
  for (Index m = 0; m < bank.size(); ++m)
    sum +=
        eta.col(m).asDiagonal() * to_matrix(bank.matrix(m, runtime).view) * eta.col(m).asDiagonal();
  return sum;
}

// J at a gating model: the value of the SVM on the locally combined kernel.
double objective(const Gating& gating, const Matrix& z, const TrainingSet& data,
                 const SvmOptions& svm, const TestRuntime& runtime) {
  const Matrix k = local_matrix(data.bank, gating.weights(z), runtime);
  StoredQ q(view(k), 1e9, runtime);
  return svm.losses.of(data).solve(q, data, svm.smo, Vector(), runtime).solved.objective;
}

}  // namespace

// The norm that a fit reports is that of the derivatives of J, found by solving the SVM at shifted
// parameters; and so is every step, whose path would not fall otherwise.
TEST(the_gradient_of_the_objective) {
  const TestRuntime runtime;
  const Small data(30);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  for (const TargetKind* task : every_task())
    for (const char* gating : every_gating) {
      const TrainingSet set = data.set(bank, task);
      State p = options(
          gating, {{"iterations", 2}, {"restarts", 1}, {"cost", 2.0}, {"nu", 0.3}, {"penalty", 0}});
      p.set("columns", Value(Indices{0, 2}));
      const auto model = learner("lmkl", p, 1e-11)->fit(set, runtime);
      const LmklModel& fit = local(*model);
      const Matrix z = fit.features.of(DenseFeatures(view(data.x)), all_rows(30));
      const SvmOptions svm = SvmOptions::read(p, smo_options(1e-11));
      CHECK_CLOSE(objective(fit.gating, z, set, svm, runtime), model->report.objective, 1e-8);
      Matrix g(3, 3);
      const double h = 1e-5;
      for (Index m = 0; m < 3; ++m)
        for (Index f = 0; f < 3; ++f) {
          Gating up = fit.gating, down = fit.gating;
          up.parameters(f, m) += h;
          down.parameters(f, m) -= h;
          g(f, m) = (objective(up, z, set, svm, runtime) - objective(down, z, set, svm, runtime)) /
                    (2.0 * h);
        }
      CHECK(g.norm() > 1e-6);
      CHECK_CLOSE(fit.gradient_norm / g.norm(), 1.0, 1e-4);
    }
}

// A fixed step of length mu changes J by -mu ||grad J||^2, up to its square.
TEST(a_small_step_falls_by_the_squared_gradient) {
  const TestRuntime runtime;
  const Small data(40);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  for (const TargetKind* task : every_task())
    for (const char* gating : every_gating) {
      const double mu = 1e-5;
      const State p = options(gating, {{"iterations", 1},
                                       {"restarts", 1},
                                       {"line_search", 0},
                                       {"step", mu},
                                       {"nu", 0.3},
                                       {"penalty", 0.1}});
      const auto model = learner("lmkl", p, 1e-11)->fit(data.set(bank, task), runtime);
      const Vector path = model->report.path;
      CHECK(path.size() == 2);
      const double norm = local(*model).gradient_norm;
      CHECK_CLOSE((path[0] - path[1]) / (mu * norm * norm), 1.0, 1e-2);
    }
}

TEST(the_line_search_never_rises) {
  const TestRuntime runtime;
  const Small data(60);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  for (const TargetKind* task : every_task())
    for (const char* gating : every_gating)
      for (double cost : {0.5, 20.0}) {
        const auto model =
            learner("lmkl", options(gating, {{"cost", cost}}))->fit(data.set(bank, task), runtime);
        const Vector& path = model->report.path;
        CHECK(path.size() >= 1 && path.size() <= 501 && path.allFinite());
        // A more exact SVM on the way may raise the value by what was missing.
        for (Index t = 1; t < path.size(); ++t)
          CHECK(path[t] <= path[t - 1] + 1e-4 * std::abs(path[t]));
        CHECK(path[path.size() - 1] == model->report.objective);
        CHECK(model->report.violation <= 1e-3 && model->report.gap >= 0.0);
      }
}

// What counts as converged is a minimum: a descent from there with a tolerance of 0 stays.
TEST(converged_fits_are_stationary) {
  const TestRuntime runtime;
  const Small data(60);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  int converged = 0;
  for (const TargetKind* task : every_task())
    for (const char* gating : every_gating) {
      const TrainingSet set = data.set(bank, task);
      const auto fit = learner("lmkl", options(gating, {{"nu", 0.3}}))->fit(set, runtime);
      if (!local(*fit).descended) continue;
      ++converged;
      const auto more =
          learner("lmkl", options(gating, {{"nu", 0.3}, {"tolerance", 0}, {"iterations", 2000}}))
              ->fit(set, runtime);
      const double best = more->report.objective;
      CHECK(fit->report.objective <= best + 0.01 * std::abs(best));
    }
  CHECK(converged >= 7);
}

TEST(one_kernel_is_the_svm) {
  const TestRuntime runtime;
  const Small data(60);
  const auto bank = make_bank({item("rbf", {{"gamma", 0.3}})}, data.x, runtime);
  for (const TargetKind* task : every_task())
    for (const char* gating : {"softmax", "rbf"}) {
      const TrainingSet set = data.set(bank, task);
      const auto model = learner("lmkl", options(gating), 1e-9)->fit(set, runtime);
      const auto svm = learner("svm", State(), 1e-9)->fit(set, runtime);
      CHECK_CLOSE(model->report.objective, svm->report.objective, 1e-9);
      CHECK_CLOSE(distance(model->fitted, svm->fitted), 0.0, 1e-6);
      CHECK(model->support() == svm->support());
      CHECK(model->report.path.size() == 1 && model->report.converged);
    }
  // A sigmoid scales even a single kernel, towards 1 for a lower objective.
  const TrainingSet set = data.set(bank, classification());
  const auto scaled = learner("lmkl", options("sigmoid"))->fit(set, runtime);
  CHECK(scaled->report.objective >= learner("svm")->fit(set, runtime)->report.objective - 1e-3);
  CHECK(scaled->kernel_weights()[0] > 0.5);
}

TEST(a_constant_gating_model_is_the_svm_with_squared_weights) {
  const TestRuntime runtime;
  Small data(50);
  data.x.col(3).setConstant(7.0);
  for (const char* gating : every_gating) {
    const auto bank =
        make_bank({item("rbf", {{"gamma", 0.3}}), on(item("linear", {}, {"trace"}), {0, 1})},
                  data.x, runtime);
    for (const TargetKind* task : every_task()) {
      const TrainingSet set = data.set(bank, task);
      State p = options(gating, {{"cost", 3.0}, {"penalty", 0}});
      p.set("columns", Value(Indices{3}));
      const auto model = learner("lmkl", p, 1e-9)->fit(set, runtime);
      const Matrix eta = local(*model).gating_weights(DenseFeatures(view(data.x)), all_rows(50));
      for (Index i = 1; i < 50; ++i) CHECK(eta.row(i) == eta.row(0));
      const Vector squares = eta.row(0).array().square().matrix().transpose();
      const auto svm = learner("svm", with_weights(parameters({{"cost", 3.0}}), squares), 1e-9)
                           ->fit(set, runtime);
      CHECK_CLOSE(model->report.objective, svm->report.objective, 1e-9);
      CHECK_CLOSE(distance(model->fitted, svm->fitted), 0.0, 1e-6);
    }
  }
}

TEST(decisions_are_the_dense_sum) {
  const TestRuntime runtime;
  const Small data(45);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  for (const TargetKind* task : every_task())
    for (const char* gating : every_gating) {
      const auto model =
          learner("lmkl", options(gating, {{"cost", 5.0}}))->fit(data.set(bank, task), runtime);
      const LmklModel& fit = local(*model);
      const Matrix eta = fit.gating_weights(DenseFeatures(view(data.x)), all_rows(45));
      Vector f = Vector::Constant(45, fit.bias);
      for (Index m = 0; m < 3; ++m) {
        const Matrix k = to_matrix(bank.matrix(m, runtime).view);
        for (std::size_t s = 0; s < fit.rows.size(); ++s)
          f.array() += eta.col(m).array() * k.col(fit.rows[s]).array() *
                       fit.coefficients(static_cast<Index>(s), m);
      }
      CHECK_CLOSE(distance(f, decision_on(*model, bank, runtime)), 0.0, 1e-9);
      CHECK_CLOSE(distance(f, model->fitted), 0.0, 1e-9);
      CHECK_CLOSE(distance(fit.kernel_weights(), Vector(eta.colwise().mean().transpose())), 0.0,
                  1e-12);
    }
}

TEST(kernels_that_no_row_uses_are_left_out) {
  const TestRuntime runtime;
  const Small data(40);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  const auto model =
      learner("lmkl", options("softmax"))->fit(data.set(bank, classification()), runtime);
  State state = model->state();
  Matrix all_on_one = Matrix::Zero(5, 3);
  all_on_one(4, 0) = 4000.0;
  Matrix coefficients = local(*model).coefficients;
  coefficients.rightCols(2).setZero();
  state.set("parameters", Value(all_on_one));
  state.set("coefficients", Value(coefficients));
  const auto changed = restore_model(state);
  const Matrix k = to_matrix(bank.matrix(0, runtime).view);
  Vector f = Vector::Constant(40, local(*model).bias);
  for (std::size_t s = 0; s < model->support().size(); ++s)
    f += coefficients(static_cast<Index>(s), 0) * k.col(model->support()[s]);
  CHECK_CLOSE(distance(f, decision_on(*changed, bank, runtime)), 0.0, 1e-12);
}

// A gate of exactly 0 at a new row leaves the kernel out there: its value may even be infinite.
TEST(kernels_are_left_out_where_their_gate_is_shut) {
  const TestRuntime runtime;
  const Small data(40);
  Matrix x(41, 4);
  x.topRows(40) = data.x;
  x.row(40) << 1e200, 0.0, 0.0, 0.0;
  const std::vector<State> kernels = {
      item("rbf", {{"gamma", 0.2}}),
      item("polynomial", {{"scale", 1.0}, {"offset", 1.0}, {"degree", 2}}), item("linear")};
  const auto bank = make_bank(kernels, data.x, runtime), wide = make_bank(kernels, x, runtime);
  const auto model =
      learner("lmkl", options("softmax"))->fit(data.set(bank, classification()), runtime);
  State state = model->state();
  Matrix steep = Matrix::Zero(5, 3);
  steep(0, 0) = 4000.0;  // on the right the first kernel alone, on the left the two others
  state.set("parameters", Value(steep));
  const auto changed = restore_model(state);
  const Vector f = decision_on(*changed, wide, runtime);
  const Matrix eta = local(*changed).gating_weights(DenseFeatures(view(x)), all_rows(41));
  CHECK((eta.col(0).array() == 0.0).any() && (eta.col(1).array() == 0.0).any());
  for (Index i = 0; i < 40; ++i) {
    double dense = local(*model).bias;
    for (Index m = 0; m < 3; ++m)
      for (std::size_t s = 0; s < model->support().size(); ++s)
        dense +=
            eta(i, m) *
            naive_kernel(kernels[static_cast<std::size_t>(m)], x, i, data.x, model->support()[s]) *
            local(*model).coefficients(static_cast<Index>(s), m);
    CHECK_CLOSE(f[i], dense, 1e-10);
  }
  CHECK(eta(40, 0) == 1.0);
  CHECK_CLOSE(f[40], local(*model).bias, 1e-12);
  // in other company, and alone
  const Indices some = {40, 3, 17};
  const auto few = wide.cross(all_rows(41), all_rows(41), runtime)->part(some);
  const Vector g = changed->decision(few);
  for (std::size_t i = 0; i < some.size(); ++i)
    CHECK_CLOSE(g[static_cast<Index>(i)], f[some[i]], 1e-12);
}

TEST(the_best_start_is_kept) {
  const Small data(60);
  double before = INFINITY;
  for (double restarts : {1.0, 2.0, 5.0}) {
    const TestRuntime runtime;
    const auto bank = make_bank(three_kernels(), data.x, runtime);
    const auto model = learner("lmkl", options("softmax", {{"restarts", restarts}, {"cost", 10.0}}))
                           ->fit(data.set(bank, classification()), runtime);
    CHECK(model->report.objective <= before);
    before = model->report.objective;
  }
}

TEST(a_fixed_number_of_steps) {
  const TestRuntime runtime;
  const Small data(40);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  const State p = options(
      "softmax", {{"line_search", 0}, {"standardize", 0}, {"restarts", 1}, {"iterations", 17}});
  const auto model = learner("lmkl", p)->fit(data.set(bank, classification()), runtime);
  CHECK(model->report.path.size() == 18 && model->report.iterations == 17.0);
  CHECK(local(*model).descended);
  CHECK(identical(local(*model).features.scale, Vector(Vector::Ones(4))));
  CHECK(identical(local(*model).features.center, Vector(Vector::Zero(4))));
}

TEST(a_limit_of_steps_is_reported) {
  const TestRuntime runtime;
  const Small data(60);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  const TrainingSet set = data.set(bank, classification());
  const auto two = learner("lmkl", options("softmax", {{"iterations", 2}, {"tolerance", 0}}));
  CHECK(!local(*two->fit(set, runtime)).descended);
  const auto loose = learner("lmkl", options("softmax", {{"tolerance", 0.5}}));
  CHECK(local(*two->fit(set, runtime)).open == Vector(Vector::Ones(3)));
  const auto model = loose->fit(set, runtime);
  CHECK(local(*model).descended && local(*restore_model(model->state())).descended);
  SmoOptions smo = smo_options(1e-9);
  smo.max_iter = 3;
  CHECK(!learner("lmkl", options("softmax"), smo)->fit(set, runtime)->report.converged);
}

TEST(threads_and_memory_do_not_change_the_model) {
  const Small data(150);
  for (const TargetKind* task : every_task()) {
    Matrix first;
    double objective = 0.0;
    for (double memory : {1e9, 8.0 * 150 * 150 * 1.5, 0.0})
      for (int threads : {1, 3}) {
        TestRuntime runtime(threads);
        runtime.memory = memory;
        const auto bank = make_bank(three_kernels(), data.x, runtime);
        const auto model = learner("lmkl", options("softmax", {{"iterations", 5}}))
                               ->fit(data.set(bank, task), runtime);
        if (memory == 1e9 && threads == 1) {
          first = local(*model).coefficients;
          objective = model->report.objective;
        }
        CHECK(identical(local(*model).coefficients, first));
        CHECK(model->report.objective == objective);
      }
  }
}

TEST(many_columns_become_principal_coordinates) {
  const TestRuntime runtime;
  const Small data(7);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  const auto model =
      learner("lmkl", options("softmax"))->fit(data.set(bank, classification()), runtime);
  const LmklModel& fit = local(*model);
  CHECK(fit.features.rotation.cols() == 2 && fit.gating.parameters.rows() == 3);
  const auto again = restore_model(model->state());
  CHECK(identical(decision_on(*model, bank, runtime), decision_on(*again, bank, runtime)));
  CHECK_CLOSE(distance(decision_on(*model, bank, runtime), model->fitted), 0.0, 1e-9);
  State broken = model->state();
  broken.set("rotation", Value(Matrix(Matrix::Ones(3, 2))));
  CHECK_THROWS(restore_model(broken), InvalidArgument, "localized");
}

TEST(features_of_any_size_are_standardised) {
  for (double size : {1e-300, 1e-160, 1.0, 1e160, 1e307}) {
    const TestRuntime runtime;
    Small data(40);
    Matrix x = data.x;
    x.col(3) = size * (data.x.col(3).array() / data.x.col(3).cwiseAbs().maxCoeff()).matrix();
    const auto bank = make_bank(
        {on(item("linear", {}, {"trace"}), {0, 1}), on(item("rbf", {{"gamma", 0.5}}), {0})}, x,
        runtime);
    const auto model =
        learner("lmkl", options("softmax"))->fit(data.set(bank, classification()), runtime);
    const LmklModel& fit = local(*model);
    const Matrix z = fit.features.of(DenseFeatures(view(x)), all_rows(40));
    CHECK(z.allFinite());
    CHECK_CLOSE(z.col(3).mean(), 0.0, 1e-12);
    CHECK_CLOSE(z.col(3).squaredNorm() / 39.0, 1.0, 1e-12);
    CHECK(model->fitted.allFinite());
  }
}

TEST(state_round_trip) {
  const TestRuntime runtime;
  const Small data(40);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  const auto model =
      learner("lmkl", options("rbf"))->fit(data.set(bank, classification()), runtime);
  const auto again = restore_model(model->state());
  CHECK(identical(decision_on(*model, bank, runtime), decision_on(*again, bank, runtime)));
  CHECK(identical(again->kernel_weights(), model->kernel_weights()));
  CHECK(local(*again).gradient_norm == local(*model).gradient_norm);
  CHECK(identical(local(*again).starts, local(*model).starts));
  const Indices support = model->support();
  Indices position(40, -1);
  for (std::size_t k = 0; k < support.size(); ++k)
    position[static_cast<std::size_t>(support[k])] = static_cast<Index>(k);
  again->remap(position);
  CHECK(again->support() == all_rows(static_cast<Index>(support.size())));
  for (const char* part : {"center", "scale", "mean_weights"}) {
    State broken = model->state();
    broken.set(part, Value(Vector(Vector::Ones(1))));
    CHECK_THROWS(restore_model(broken), InvalidArgument, "localized");
  }
  State beyond = model->state();
  beyond.set("columns", Value(Indices{0, 1, 2, 9}));
  const auto lost = restore_model(beyond);
  CHECK_THROWS(local(*lost).gating_weights(DenseFeatures(view(data.x)), all_rows(40)),
               InvalidArgument, "`columns`");
}

TEST(parameters_out_of_range) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const char* name : {"iterations", "restarts"})
    for (double bad : {0.0, -1.0, 1.5, nan, 1e9})
      CHECK_THROWS(learner("lmkl", parameters({{name, bad}})), InvalidArgument, name);
  for (double bad : {0.0, -1.0, nan})
    CHECK_THROWS(learner("lmkl", parameters({{"step", bad}})), InvalidArgument, "`step`");
  for (double bad : {-1.0, nan})
    CHECK_THROWS(learner("lmkl", parameters({{"tolerance", bad}})), InvalidArgument, "`tolerance`");
  CHECK_THROWS(learner("lmkl", options("tanh")), InvalidArgument, "\"tanh\"");
  CHECK_THROWS(learner("lmkl", parameters({{"cost", 0.0}})), InvalidArgument, "`cost`");
  const TestRuntime runtime;
  const Small data(10);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  State p;
  p.set("columns", Value(Indices{4}));
  CHECK_THROWS(learner("lmkl", p)->fit(data.set(bank, classification()), runtime), InvalidArgument,
               "`columns`");
}

TEST(degenerate_problems) {
  const TestRuntime runtime;
  for (Index n : {1, 2, 3}) {
    const Small data(n);
    const auto bank = make_bank({item("rbf", {{"gamma", 1.0}}), item("linear")}, data.x, runtime);
    for (const TargetKind* task : every_task())
      for (const char* gating : every_gating) {
        if (n == 1 && task == classification()) continue;
        const auto model = learner("lmkl", options(gating))->fit(data.set(bank, task), runtime);
        CHECK(model->fitted.allFinite());
      }
  }
}

TEST(an_interrupt_ends_the_fit_and_messages_tell_of_the_starts) {
  TestRuntime runtime;
  const Small data(100);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  runtime.verbose = true;
  learner("lmkl", options("softmax", {{"restarts", 2}, {"iterations", 2}}))
      ->fit(data.set(bank, classification()), runtime);
  long starts = 0;
  for (const std::string& text : runtime.messages)
    if (text.find("lmkl: start") == 0) ++starts;
  CHECK(starts == 2);
  runtime.interrupt_after = runtime.looks + 3;
  CHECK_THROWS(learner("lmkl", options("softmax"))->fit(data.set(bank, classification()), runtime),
               Interrupted, "");
}
