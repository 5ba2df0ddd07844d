// Newton's method on sums over rows: against closed forms, derivatives by differences, a grid of
// weights, and a duality gap that is computed here from the rows.
#include <algorithm>
#include <numeric>

#include <Eigen/Cholesky>

#include "base/random.hpp"
#include "check.hpp"
#include "learners/sums_newton.hpp"
#include "runtime.hpp"

using namespace mk;

namespace {

using Kind = RowLoss::Kind;

struct Rows {
  Rows(Index n, Index columns, bool classes) : z(n, columns), target{Vector(n), Vector(n), {}} {
    Random random(7, static_cast<std::uint64_t>(n + columns));
    for (Index i = 0; i < n; ++i) {
      for (Index c = 0; c < columns; ++c) z(i, c) = random.normal();
      const double f = z(i, 0) - 0.5 * z(i, 1) + 0.4 + 0.8 * random.normal();
      target.y[i] = classes ? (f > 0.0 ? 1.0 : -1.0) : f;
      target.weights[i] = i % 9 == 0 ? 0.0 : 0.5 + random.uniform();
    }
  }

  double objective(const BlockNorm& norm, const RowLoss& loss, const Vector& x) const {
    double sum = norm.value(x);
    for (Index i = 0; i < z.rows(); ++i)
      sum +=
          loss.exact(z.row(i).dot(x.head(z.cols())) + x[z.cols()], target.y[i], target.weights[i]);
    return sum;
  }

  FeatureRowsMatrix z;
  SumsTarget target;
};

// The rows in blocks, as other processes would have them.
SumsNewton solve(Rows& rows, const BlockNorm& norm, const RowLoss& loss, const SumsOptions& options,
                 const std::vector<Index>& bounds, const Runtime& runtime) {
  std::vector<SumsNewton> problems;
  problems.emplace_back(norm, loss, options, Vector());
  std::vector<SumsTarget> targets;
  std::vector<FeatureRowsMatrix> blocks;
  for (std::size_t b = 0; b + 1 < bounds.size(); ++b) {
    const Index first = bounds[b], count = bounds[b + 1] - first;
    targets.push_back(
        {rows.target.y.segment(first, count), rows.target.weights.segment(first, count), {}});
    blocks.emplace_back(rows.z.middleRows(first, count));
  }
  minimize_sums(
      problems,
      [&](const std::vector<Index>&, const std::vector<SumsRequest>& requests) {
        RowSums sums(rows.z.cols(), requests[0].steps.size());
        for (std::size_t b = 0; b < blocks.size(); ++b)
          add_rows(blocks[b], targets[b], requests[0], sums, runtime);
        return std::vector<RowSums>{sums};
      },
      runtime);
  return problems.front();
}

SumsOptions exact_options() {
  SumsOptions options;
  options.tol = 1e-8;
  options.reach = 5.0;
  return options;
}

}  // namespace

TEST(squared_loss_is_ridge_regression) {
  Rows rows(400, 11, false);
  const TestRuntime runtime;
  const RowLoss loss{Kind::squared, 0.7, 0.0};
  Vector d(2);
  d << 0.6, 1.7;
  const BlockNorm norm({0, 4, 11}, 0.0, d);
  const SumsNewton found = solve(rows, norm, loss, exact_options(), {0, 150, 400}, runtime);
  CHECK(found.report().converged);
  // Normal equations with the bias as a column that is not penalized.
  Matrix one(400, 12);
  one << Matrix(rows.z), Vector::Ones(400);
  Matrix a = loss.cost * one.transpose() * rows.target.weights.asDiagonal() * one;
  for (Index c = 0; c < 11; ++c) a(c, c) += 1.0 / d[c < 4 ? 0 : 1];
  const Vector right =
      loss.cost * one.transpose() * rows.target.weights.cwiseProduct(rows.target.y);
  const Vector x = a.ldlt().solve(right);
  CHECK((found.solution() - x).cwiseAbs().maxCoeff() < 1e-9);
  CHECK(found.report().iterations <= 3.0);
  CHECK(found.report().gap <= 1e-8 * rows.objective(norm, loss, x));
}

TEST(gradients_are_those_of_the_losses) {
  Rows rows(60, 3, true);
  const TestRuntime runtime;
  for (const Kind kind :
       {Kind::hinge, Kind::squared_hinge, Kind::squared, Kind::epsilon_insensitive}) {
    const RowLoss loss{kind, 1.3, 0.2};
    SumsRequest request;
    request.loss = loss;
    request.w = Vector::LinSpaced(4, -0.3, 0.5);
    request.direction = Vector::LinSpaced(4, 0.8, -0.4);
    request.steps = Vector::Zero(2);
    request.steps[1] = 1e-6;
    request.sigma = 3.0;
    rows.target.center = Vector::Constant(60, 0.1).cwiseProduct(rows.target.y);
    RowSums sums(3, 2);
    add_rows(rows.z, rows.target, request, sums, runtime);
    const double slope = -(sums.gradient.col(0) + sums.gradient.col(1)).dot(request.direction);
    CHECK_CLOSE(sums.slope[0], slope, 1e-10);
    CHECK_CLOSE((sums.loss[1] - sums.loss[0]) / 1e-6, slope, 1e-3);
    const Matrix h = sums.hessian.selfadjointView<Eigen::Lower>();
    CHECK_CLOSE((sums.slope[1] - sums.slope[0]) / 1e-6,
                request.direction.dot(h * request.direction), 1e-3);
  }
}

TEST(squared_hinge_ends_where_no_direction_falls) {
  Rows rows(500, 8, true);
  const TestRuntime runtime;
  for (const double cost : {0.01, 1.0, 300.0}) {
    const RowLoss loss{Kind::squared_hinge, cost, 0.0};
    const BlockNorm norm({0, 8}, 0.0, Vector::Ones(1));
    const SumsNewton found = solve(rows, norm, loss, exact_options(), {0, 500}, runtime);
    CHECK(found.report().converged);
    const double best = rows.objective(norm, loss, found.solution());
    CHECK(found.report().gap <= 1e-8 * best);
    CHECK_CLOSE(found.report().objective, best, 1e-7 * best);
    for (Index c = 0; c < 9; ++c)
      for (const double step : {-1e-4, 1e-4})
        CHECK(rows.objective(norm, loss, found.solution() + step * Vector::Unit(9, c)) > best);
  }
}

// Any feasible dual point bounds the optimum: a primal objective near it is one.
TEST(rounded_losses_reach_their_dual_bound) {
  const TestRuntime runtime;
  for (const Kind kind : {Kind::hinge, Kind::epsilon_insensitive}) {
    Rows rows(300, 6, kind == Kind::hinge);
    for (const double cost : {0.05, 2.0, 50.0}) {
      const RowLoss loss{kind, cost, 0.1};
      const BlockNorm norm({0, 6}, 0.0, Vector::Ones(1));
      SumsOptions options = exact_options();
      options.tol = 1e-5;
      const SumsNewton found = solve(rows, norm, loss, options, {0, 100, 300}, runtime);
      CHECK(found.report().converged);
      const double best = rows.objective(norm, loss, found.solution());
      CHECK(found.report().objective <= best + 1e-12);
      CHECK(best - found.report().objective <= 1e-5 * best);
      for (Index c = 0; c < 7; ++c)
        for (const double step : {-3e-2, 3e-2})
          CHECK(rows.objective(norm, loss, found.solution() + step * Vector::Unit(7, c)) >
                best - 1e-5 * best);
    }
  }
}

TEST(blocks_add_up_to_all_rows) {
  Rows rows(300, 5, true);
  const TestRuntime one(1), three(3);
  const RowLoss loss{Kind::squared_hinge, 2.0, 0.0};
  const BlockNorm norm({0, 5}, 0.0, Vector::Ones(1));
  const Vector whole = solve(rows, norm, loss, exact_options(), {0, 300}, one).solution();
  const Vector parts = solve(rows, norm, loss, exact_options(), {0, 90, 91, 300}, one).solution();
  CHECK((whole - parts).cwiseAbs().maxCoeff() < 1e-10);
  CHECK(whole == solve(rows, norm, loss, exact_options(), {0, 300}, three).solution());
}

// With two kernels the minimum over the weights can be looked up on a line.
TEST(weights_of_kernels_are_the_best) {
  Rows rows(400, 7, true);
  const TestRuntime runtime;
  const RowLoss loss{Kind::squared_hinge, 0.05, 0.0};
  const Indices offsets = {0, 3, 7};
  for (const double p : {1.0, 2.0, 4.0}) {
    SumsOptions options = exact_options();
    options.gap = 1e-8;
    const SumsNewton found =
        solve(rows, BlockNorm(offsets, p, Vector()), loss, options, {0, 400}, runtime);
    CHECK(found.report().converged);
    const Vector d = found.weights();
    CHECK_CLOSE(d.array().pow(p).sum(), 1.0, 1e-10);
    const double best = found.report().path[found.report().path.size() - 1];
    double least = infinity;
    for (int step = 1; step < 100; ++step) {
      Vector trial(2);
      trial[0] = step / 100.0;
      trial[1] = std::pow(1.0 - std::pow(trial[0], p), 1.0 / p);
      const BlockNorm fixed(offsets, 0.0, trial);
      const Vector x = solve(rows, fixed, loss, exact_options(), {0, 400}, runtime).solution();
      least = std::min(least, rows.objective(fixed, loss, x));
    }
    CHECK(best <= least * (1.0 + 1e-8));
    CHECK(best >= least * (1.0 - 1e-3));
  }
}

TEST(a_class_of_its_own_does_not_end_the_search) {
  Rows rows(50, 3, true);
  rows.target.y.setOnes();
  const TestRuntime runtime;
  const BlockNorm norm({0, 3}, 0.0, Vector::Ones(1));
  const SumsNewton found =
      solve(rows, norm, {Kind::squared_hinge, 1.0, 0.0}, exact_options(), {0, 50}, runtime);
  CHECK(found.report().converged);
  CHECK(found.solution().head(3).norm() < 1e-8);
}
