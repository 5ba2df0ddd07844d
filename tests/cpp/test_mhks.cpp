// MHKS and MultiK-MHKS: the core against the algorithm written out with explicit matrices.
#include "check.hpp"

#include <Eigen/Cholesky>

#include "learners/mhks.hpp"
#include "learning.hpp"

using namespace fixtures;
using namespace mk;

namespace {

std::vector<State> two_views() {
  return {item("rbf", {{"gamma", 0.2}}), item("linear"),
          item("polynomial", {{"scale", 0.5}, {"offset", 1.0}, {"degree", 2}})};
}

MhksOptions options(double tolerance = 1e-3) {
  MhksOptions o;
  o.tolerance = tolerance;
  return o;
}

// Table 1 of the paper, by the normal equations of each view.
struct Plain {
  std::vector<Matrix> y;  // Y_l
  std::vector<Vector> w, b;
  std::vector<double> path;
  double a, c, lambda;

  Plain(const KernelBank& bank, const Vector& labels, const MhksPoint& p, const MhksOptions& o,
        const Runtime& runtime)
      : c(p.c), lambda(p.lambda) {
    const Index m = bank.size(), n = bank.rows();
    a = 1.0 + lambda * static_cast<double>(m - 1) / static_cast<double>(m);
    for (Index l = 0; l < m; ++l) {
      const Matrix z = make_empirical_map(bank, l, {}, 0, runtime).training;
      Matrix with_one(n, z.cols() + 1);
      with_one << z, Vector::Ones(n);
      y.push_back(labels.asDiagonal() * with_one);
      Vector start = Vector::Zero(z.cols() + 1);
      start[z.cols()] = 1.0;
      w.push_back(start);
      b.push_back(Vector::Constant(n, o.margin));
    }
    solve(0);
    path.push_back(value());
    do {
      for (Index l = 0; l < m; ++l) {
        const Vector e = y[at(l)] * w[at(l)] - b[at(l)] - Vector::Ones(n);
        b[at(l)] += o.rho * (e + e.cwiseAbs());
        solve(l);
      }
      path.push_back(value());
    } while (std::abs(path[path.size() - 1] - path[path.size() - 2]) > o.tolerance);
  }

  Vector output(Index l) const { return y[at(l)] * w[at(l)]; }  // times the labels
  Vector mean() const {
    Vector sum = Vector::Zero(y[0].rows());
    for (std::size_t l = 0; l < y.size(); ++l) sum += output(static_cast<Index>(l));
    return sum / static_cast<double>(y.size());
  }
  void solve(Index l) {
    const double m = static_cast<double>(y.size());
    const Matrix& yl = y[at(l)];
    const Vector others = m * mean() - output(l);
    Matrix normal = a * yl.transpose() * yl;
    for (Index j = 0; j + 1 < normal.cols(); ++j) normal(j, j) += c;
    const Vector target = b[at(l)] + Vector::Ones(yl.rows()) + lambda / m * others;
    w[at(l)] = normal.ldlt().solve(yl.transpose() * target);
  }
  double value() const {
    const Vector centre = mean();
    double total = 0.0;
    for (std::size_t l = 0; l < y.size(); ++l) {
      const Vector f = output(static_cast<Index>(l));
      total += (f - b[l] - Vector::Ones(f.size())).squaredNorm() +
               c * w[l].head(w[l].size() - 1).squaredNorm() + lambda * (f - centre).squaredNorm();
    }
    return total;
  }
};

}  // namespace

TEST(it_is_the_algorithm_of_the_paper) {
  const TestRuntime runtime;
  const Small data(50);
  for (const auto& kernels : {two_views(), std::vector<State>{item("rbf", {{"gamma", 0.5}})}}) {
    const KernelBank bank = make_bank(kernels, data.x, runtime);
    for (double lambda : {0.0, 0.0625, 3.0}) {
      const MhksPoint point = {0.25, lambda};
      const auto views = make_views(bank, options(), runtime);
      const MhksSolution s = solve_mhks(views, data.labels, {point}, options(), runtime).front();
      const Plain plain(bank, data.labels, point, options(), runtime);
      CHECK(s.converged && s.path.size() == plain.path.size());
      for (std::size_t k = 0; k < s.path.size(); ++k) CHECK_CLOSE(s.path[k], plain.path[k], 1e-8);
      for (Index l = 0; l < bank.size(); ++l) {
        const Vector f = data.labels.array() * s.outputs.col(l).array();
        CHECK(distance(f, plain.output(l)) < 1e-8);
        CHECK(distance(Vector(s.margins.col(l)), plain.b[at(l)]) < 1e-8);
      }
    }
  }
}

TEST(the_criterion_falls_at_every_step) {
  const TestRuntime runtime;
  const Small data(60);
  const auto views = make_views(make_bank(two_views(), data.x, runtime), options(), runtime);
  for (double rho : {0.01, 0.25, 0.5, 0.75, 0.99, 0.9999}) {
    MhksOptions o = options(1e-6);
    o.rho = rho;
    for (const MhksSolution& s :
         solve_mhks(views, data.labels, {{0.0, 0.0}, {0.1, 1.0}, {1.0, 10.0}}, o, runtime)) {
      for (std::size_t k = 1; k < s.path.size(); ++k)
        CHECK(s.path[k] <= s.path[k - 1] * (1.0 + 1e-12));
      CHECK(s.margins.minCoeff() >= 1e-6);
    }
  }
}

TEST(it_ends_in_a_stationary_point) {
  const TestRuntime runtime;
  const Small data(40);
  const KernelBank bank = make_bank(two_views(), data.x, runtime);
  const auto views = make_views(bank, options(), runtime);
  const MhksPoint point = {0.5, 2.0};
  const MhksSolution s = solve_mhks(views, data.labels, {point}, options(1e-13), runtime).front();
  CHECK(s.converged);
  const Vector mean = s.outputs.rowwise().mean();
  for (Index l = 0; l < bank.size(); ++l) {
    const MhksView& view = views[at(l)];
    const Vector f = s.outputs.col(l);
    const Vector target = data.labels.array() * (1.0 + s.margins.col(l).array());
    const Vector pull = f - target + point.lambda * (f - mean);  // half the gradient in f
    const Vector gradient =
        (view.map->values.cwiseSqrt().array() * (view.map->u.transpose() * pull).array()).matrix() +
        point.c * s.weights[at(l)];
    CHECK(gradient.cwiseAbs().maxCoeff() < 1e-5);
    CHECK(std::fabs(pull.sum()) < 1e-5);
    const Vector e = data.labels.array() * f.array() - 1.0 - s.margins.col(l).array();
    CHECK(e.maxCoeff() < 1e-5);  // no margin is left to raise
  }
}

TEST(a_grid_gives_what_its_points_give_alone) {
  const Small data(45);
  std::vector<MhksPoint> points;
  for (double c : {0.0, 0.0625, 0.5, 1.0, 4.0, 16.0})
    for (double lambda : {0.0, 0.1, 1.0, 16.0}) points.push_back({c, lambda});
  std::vector<MhksSolution> first;
  for (int threads : {1, 3}) {
    const TestRuntime runtime(threads);
    const KernelBank bank = make_bank(two_views(), data.x, runtime);
    const auto views = make_views(bank, options(), runtime);
    const auto all = solve_mhks(views, data.labels, points, options(), runtime);
    CHECK(all.size() == points.size());
    for (std::size_t p = 0; p < points.size(); ++p) {
      const MhksSolution s =
          solve_mhks(views, data.labels, {points[p]}, options(), runtime).front();
      CHECK(s.path.size() == all[p].path.size());
      CHECK(distance(s.outputs, all[p].outputs) < 1e-8);
      CHECK(distance(s.biases, all[p].biases) < 1e-6);
      if (threads > 1) CHECK(identical(all[p].outputs, first[p].outputs));
    }
    if (threads == 1) first = all;
  }
}

TEST(the_models_of_a_grid_are_those_of_the_learner) {
  const Small data(40);
  const std::vector<MhksPoint> points = {{0.1, 0.0}, {0.1, 2.0}, {1.0, 2.0}};
  for (double landmarks : {0.0, 12.0}) {
    const TestRuntime runtime(2);
    const KernelBank bank = make_bank(two_views(), data.x, runtime);
    const KernelBank part = bank.subset(spread_rows(40, 25));
    Vector labels(25);
    for (Index i = 0; i < 25; ++i) labels[i] = data.labels[spread_rows(40, 25)[at(i)]];
    std::vector<State> grid;
    for (const MhksPoint& p : points)
      grid.push_back(parameters({{"c", p.c}, {"lambda", p.lambda}, {"landmarks", landmarks}}));
    for (bool whole : {true, false}) {
      const TrainingSet set = {
          whole ? bank : part,
          {classification(), whole ? data.labels : labels, Vector::Ones(whole ? 40 : 25)}};
      const Models models = fit_points("mhks", grid, set, runtime);
      for (std::size_t p = 0; p < grid.size(); ++p) {
        const auto alone = learner("mhks", grid[p])->fit(set, runtime);
        CHECK(distance(models[p]->fitted, alone->fitted) < 1e-8);
        CHECK(models[p]->support() == alone->support());
        CHECK(models[p]->report.iterations == alone->report.iterations);
      }
    }
  }
}

TEST(points_of_other_margins_are_groups_of_their_own) {
  const TestRuntime runtime;
  const Small data(40);
  const KernelBank bank = make_bank(two_views(), data.x, runtime);
  const TrainingSet set = data.set(bank, classification());
  const std::vector<State> grid = {parameters({{"c", 0.1}}), parameters({{"c", 0.1}, {"rank", 3}}),
                                   parameters({{"c", 1.0}}),
                                   parameters({{"c", 1.0}, {"rho", 0.5}})};
  const Models models = fit_points("mhks", grid, set, runtime);
  for (std::size_t p = 0; p < grid.size(); ++p)
    CHECK(distance(models[p]->fitted, learner("mhks", grid[p])->fit(set, runtime)->fitted) < 1e-8);
}

TEST(a_bank_keeps_decompositions_within_its_budget) {
  const Small data(40);
  for (const double matrices : {0.0, 100.0}) {
    TestRuntime runtime(2);
    runtime.memory = matrices * 8.0 * 40 * 40;
    const KernelBank bank = make_bank(two_views(), data.x, runtime);
    const auto first = decompose_map(bank, 0, {}, 0, runtime);
    CHECK((first == decompose_map(bank, 0, {}, 0, runtime)) == (matrices > 0.0));
    CHECK(first != decompose_map(bank, 0, {}, 5, runtime));
    CHECK(first != decompose_map(bank, 1, {}, 0, runtime));
  }
}

TEST(decision_values_and_state_agree_with_the_fit) {
  const TestRuntime runtime;
  const Small data(40);
  const KernelBank bank = make_bank(three_kernels(), data.x, runtime);
  for (double landmarks : {0.0, 15.0, 100.0}) {
    const auto model = learner("mhks", parameters({{"landmarks", landmarks}, {"rank", 7}}))
                           ->fit(data.set(bank, classification()), runtime);
    CHECK(model->report.converged && std::isnan(model->report.gap));
    CHECK(model->support().size() == (landmarks == 15.0 ? 15u : 40u));
    CHECK(distance(decision_on(*model, bank, runtime), model->fitted) < 1e-8);
    const auto restored = restore_model(model->state());
    CHECK(identical(decision_on(*restored, bank, runtime), decision_on(*model, bank, runtime)));
    CHECK_CLOSE(model->kernel_weights().sum(), 1.0, 1e-12);
  }
}

TEST(c_of_zero_is_least_squares_also_where_the_matrix_is_singular) {
  const TestRuntime runtime;
  const Small data(30);
  Matrix twice(30, 9);
  twice << data.x, data.x, Vector::Ones(30);
  const State zero = parameters({{"c", 0.0}, {"lambda", 0.0}});
  const KernelBank plain = make_bank({item("linear")}, data.x, runtime);
  const KernelBank singular = make_bank({item("linear")}, twice, runtime);
  const auto a = learner("mhks", zero)->fit(data.set(plain, classification()), runtime);
  const auto b = learner("mhks", zero)->fit(data.set(singular, classification()), runtime);
  CHECK(distance(a->fitted, b->fitted) < 1e-7);
}

TEST(hard_cases_end) {
  const TestRuntime runtime;
  Small same(12);
  same.x.setOnes();
  const KernelBank bank =
      make_bank({item("linear"), item("rbf", {{"gamma", 1.0}})}, same.x, runtime);
  for (double c : {0.0, 1.0}) {
    const auto model =
        learner("mhks", parameters({{"c", c}}))->fit(same.set(bank, classification()), runtime);
    CHECK(model->report.converged && model->fitted.allFinite());
  }
  SmoOptions few = smo_options(1e-12);
  few.max_iter = 2;
  const Small data(30);
  const KernelBank other = make_bank(two_views(), data.x, runtime);
  const auto model = learner("mhks", State(), few)->fit(data.set(other, classification()), runtime);
  CHECK(!model->report.converged && model->report.iterations == 2.0 &&
        model->report.path.size() == 3 && model->report.violation > 0.0);
  TestRuntime loud;
  loud.verbose = true;
  learner("mhks")->fit(data.set(other, classification()), loud);
  CHECK(!loud.messages.empty());
}

TEST(interrupts_come_through) {
  const Small data(30);
  for (int threads : {1, 2}) {
    TestRuntime runtime(threads);
    const KernelBank bank = make_bank(two_views(), data.x, runtime);
    runtime.interrupt_after = runtime.looks + 20;
    CHECK_THROWS(learner("mhks", State(), 1e-14)->fit(data.set(bank, classification()), runtime),
                 Interrupted, "");
  }
}

TEST(wrong_parameters_are_named) {
  const auto bad = [](const char* name, double value) {
    CHECK_THROWS(learner("mhks", parameters({{name, value}})), InvalidArgument, name);
  };
  for (double value : {-1.0, double(NAN), double(INFINITY)}) {
    bad("c", value);
    bad("lambda", value);
    bad("margin", value);
    bad("rank", value);
    bad("landmarks", value);
  }
  bad("rank", 1.5);
  for (double value : {0.0, 1.0, -0.5, double(NAN)}) bad("rho", value);
  const TestRuntime runtime;
  const Small data(10);
  const KernelBank bank = make_bank(two_views(), data.x, runtime);
  CHECK_THROWS(learner("mhks")->fit(data.set(bank, regression()), runtime), InvalidArgument,
               "classes");
}
