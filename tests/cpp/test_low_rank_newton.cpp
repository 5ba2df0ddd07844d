// Problems on matrices of low rank: Newton's method against sequential minimal optimization on the
// same matrix written out.
#include "approximations/nystrom.hpp"
#include "check.hpp"
#include "fixtures.hpp"
#include "kernels/feature_sum.hpp"
#include "losses/epsilon_insensitive.hpp"
#include "losses/hinge.hpp"
#include "losses/one_class.hpp"
#include "losses/squared_hinge.hpp"

using namespace mk;
using namespace fixtures;

namespace {

State parameters(const Parameters& values) {
  State state;
  for (const auto& v : values) state.set(v.first, v.second);
  return state;
}

struct Case {
  Case(Index n, Index r, std::uint64_t seed, int threads = 1) : runtime(threads) {
    auto z = std::make_shared<RowMatrix>(normal_matrix(n, r, seed));
    auto more = std::make_shared<RowMatrix>(normal_matrix(n, 3, seed + 1));
    weights << 0.7, 0.0, 2.0;
    k = weights[0] * *z * z->transpose() + weights[2] * *more * more->transpose();
    features =
        std::make_shared<KernelFeatures>(std::vector<std::shared_ptr<const RowMatrix>>{z, z, more});
    Random random(seed, 3);
    target.y.resize(n);
    target.weights.resize(n);
    for (Index i = 0; i < n; ++i) {
      target.y[i] = (*z)(i, 0) + normal(random) > 0.3 ? 1.0 : -1.0;
      target.weights[i] = i % 7 == 0 ? 0.0 : 0.5 + random.uniform();
    }
  }
  SvmSolution quick(const Loss& loss, const SmoOptions& options) const {
    CachedQ q(std::make_unique<FeatureSum>(features, weights, runtime), 1e6);
    return loss.solve(q, target, options, Vector(), runtime);
  }
  SvmSolution slow(const Loss& loss, const SmoOptions& options) const {
    StoredQ q(view(k), 1e9, runtime);
    return loss.solve(q, target, options, Vector(), runtime);
  }
  TestRuntime runtime;
  Vector weights = Vector::Zero(3);
  Matrix k;
  std::shared_ptr<const KernelFeatures> features;
  Target target;
};

void check_same(const Case& c, const Loss& loss) {
  SmoOptions options;
  options.tol = 1e-8;
  const SvmSolution a = c.quick(loss, options), b = c.slow(loss, options);
  CHECK(a.solved.converged);
  CHECK(b.solved.converged);
  CHECK_CLOSE(a.solved.objective, b.solved.objective, 1e-8 * std::abs(b.solved.objective) + 1e-12);
  CHECK(distance(a.fitted, b.fitted) < 1e-4);
  CHECK_CLOSE(a.coefficients.sum(), b.coefficients.sum(), 1e-9 * b.coefficients.cwiseAbs().sum());
  // The gap is that of the coefficients and of K, whatever found them.
  CHECK(a.solved.gap >= -1e-9 && a.solved.gap <= 1e-5 * std::abs(a.solved.objective) + 1e-9);
}

}  // namespace

TEST(hinge_losses_have_the_solution_of_smo) {
  for (const Index r : {1, 4, 40})
    for (const double cost : {0.01, 1.0, 100.0}) {
      const Case c(90, r, 5);
      check_same(c, HingeLoss(parameters({{"cost", cost}})));
      check_same(c, SquaredHingeLoss(parameters({{"cost", cost}})));
    }
}

TEST(other_tasks_have_the_solution_of_smo) {
  Case c(90, 6, 8);
  c.target.kind = one_class();
  for (const double nu : {0.05, 0.5, 0.9}) check_same(c, OneClassLoss(parameters({{"nu", nu}})));
  c.target.kind = regression();
  c.target.y = c.features->forward(0, normal_matrix(6, 1, 2), c.runtime) + normal_matrix(90, 1, 9);
  for (const double epsilon : {0.0, 0.1, 2.0})
    check_same(c, EpsilonInsensitiveLoss(parameters({{"cost", 3.0}, {"epsilon", epsilon}})));
}

TEST(matrices_of_any_size_are_solved) {
  for (const double unit : {1e-80, 1e-6, 1e6, 1e80}) {
    Case c(60, 4, 6);
    c.weights *= unit;
    c.k *= unit;
    check_same(c, HingeLoss(parameters({{"cost", 1.0 / unit}})));
  }
}

TEST(features_are_products_of_rows) {
  const Case c(2500, 30, 4);
  const FeatureSum sum(c.features, c.weights, c.runtime);
  CHECK(sum.columns() == 33);
  const Vector b = normal_matrix(2500, 1, 7);
  CHECK(distance(sum.multiply(b), Vector(c.k * b)) < 1e-9);
  CHECK(distance(sum.diagonal(), Vector(c.k.diagonal())) < 1e-10);
  Matrix z(2500, 33);
  for (Index j = 0; j < 33; ++j) z.col(j) = sum.forward(Vector::Unit(33, j));
  Vector weights = b.cwiseAbs();
  weights.head(20).setZero();
  const Matrix expected = z.transpose() * weights.asDiagonal() * z;
  Matrix gram = sum.gram(weights);
  gram.triangularView<Eigen::StrictlyUpper>() = gram.transpose();
  CHECK(distance(gram, expected) < 1e-10);
  Vector row(2500);
  sum.row(17, row.data());
  CHECK(distance(row, Vector(c.k.col(17))) < 1e-10);
}

TEST(matrices_of_low_rank_in_name_only_are_formed) {
  Case c(600, 290, 7);
  const HingeLoss loss(parameters({{"cost", 2.0}}));
  const auto check_rows = [&](bool low_rank) {
    FeatureSum sum(c.features, c.weights, c.runtime);
    CHECK((sum.low_rank() != nullptr) == low_rank);
    Vector row(600);
    sum.row(17, row.data());
    CHECK(distance(row, Vector(c.k.col(17))) < 1e-9);
    sum.activate({5, 17, 599});
    sum.row(400, row.data());
    CHECK_CLOSE(row[2], c.k(599, 400), 1e-9);
  };
  check_rows(false);
  check_same(c, loss);
  // Neither the matrix nor those of Newton's method have room: rows one by one.
  c.runtime.memory = 1e6;
  check_rows(false);
  check_same(c, loss);
  // Those of Newton's method alone have.
  c.runtime.memory = 3e6;
  check_rows(true);
  SmoOptions options;
  Case four(600, 290, 7, 4);
  CHECK(identical(Case(600, 290, 7).quick(loss, options).coefficients,
                  four.quick(loss, options).coefficients));
}

// Double precision, single precision, made anew in each pass; on kernels whose matrix of landmarks
// is far from singular, and nearly so.
TEST(each_form_of_features_has_the_solution_of_smo) {
  const Matrix x = normal_matrix(700, 3, 5);
  Target target;
  target.y = x.col(0).unaryExpr([](double v) { return std::sin(3.0 * v) > 0.2 ? 1.0 : -1.0; });
  target.weights = Vector::Ones(700);
  SmoOptions options;
  options.tol = 1e-7;
  for (const double gamma : {2.0, 0.002}) {
    const TestRuntime runtime;
    const KernelBank bank = make_bank({item("rbf", {{"gamma", gamma}})}, x, runtime);
    const Nystrom nystrom = make_nystrom(bank, spread_rows(700, 40), runtime);
    const Matrix z = nystrom.features->matrix(0, runtime), k = z * z.transpose();
    for (const FeatureForm form : {FeatureForm::full, FeatureForm::single, FeatureForm::anew}) {
      const auto features =
          std::make_shared<KernelFeatures>(nystrom.maker, bank.shared_group(), form, runtime);
      const auto solve = [&](const Loss& loss, int threads) {
        const TestRuntime own(threads);
        CachedQ q(std::make_unique<FeatureSum>(features, Vector::Ones(1), own), 1e6);
        return loss.solve(q, target, options, Vector(), own);
      };
      const auto check = [&](const Loss& loss) {
        StoredQ q(view(k), 1e9, runtime);
        const SvmSolution exact = loss.solve(q, target, options, Vector(), runtime);
        const SvmSolution near = solve(loss, 1);
        CHECK(near.solved.converged);
        CHECK_CLOSE(near.solved.objective, exact.solved.objective, 1e-6 * exact.solved.objective);
        CHECK(identical(solve(loss, 3).coefficients, near.coefficients));
      };
      check(HingeLoss(parameters({{"cost", 3.0}})));
      check(SquaredHingeLoss(parameters({{"cost", 3.0}})));
    }
  }
}

// Starts from parts of the examples and rounds on open ones: the primal objective, from the
// definition of the loss, and the dual one enclose the solution.
TEST(many_examples_are_solved_part_by_part) {
  Case c(9000, 16, 5);
  SmoOptions options;
  options.tol = 1e-6;
  const Matrix z = [&] {
    const FeatureSum sum(c.features, c.weights, c.runtime);
    Matrix all(9000, sum.columns());
    for (Index j = 0; j < all.cols(); ++j) all.col(j) = sum.forward(Vector::Unit(all.cols(), j));
    return all;
  }();
  const auto check = [&](const Loss& loss, const auto& error) {
    const SvmSolution s = c.quick(loss, options);
    CHECK(s.solved.converged);
    const Vector w = z.transpose() * s.coefficients;
    CHECK(distance(s.fitted, Vector((z * w).array() + s.solved.bias)) < 1e-6);
    double primal = 0.5 * w.squaredNorm();
    for (Index i = 0; i < 9000; ++i)
      primal += loss.cost * c.target.weights[i] * error(c.target.y[i], s.fitted[i]);
    CHECK_CLOSE(primal, s.solved.objective, 1e-6 * primal);
  };
  check(HingeLoss(parameters({{"cost", 2.0}})),
        [](double y, double f) { return std::max(0.0, 1.0 - y * f); });
  check(SquaredHingeLoss(parameters({{"cost", 2.0}})),
        [](double y, double f) { return std::pow(std::max(0.0, 1.0 - y * f), 2); });
  c.target.kind = regression();
  c.target.y = z * normal_matrix(z.cols(), 1, 2) + normal_matrix(9000, 1, 9);
  check(EpsilonInsensitiveLoss(parameters({{"cost", 3.0}, {"epsilon", 0.1}})),
        [](double y, double f) { return std::max(0.0, std::abs(y - f) - 0.1); });
}

TEST(solutions_short_of_the_tolerance_are_not_converged) {
  const Case c(90, 20, 5);
  SmoOptions options;
  options.tol = 1e-8;
  options.max_iter = 3;
  const HingeLoss loss(parameters({{"cost", 10.0}}));
  const SvmSolution early = c.quick(loss, options);
  CHECK(!early.solved.converged && early.solved.iterations == 3.0);
  options.max_iter = 1e8;
  const SvmSolution late = c.quick(loss, options);
  CHECK(early.solved.objective <= late.solved.objective);
  CHECK(early.solved.objective + early.solved.gap >= late.solved.objective);
  CHECK(early.solved.violation > 1e-8);
}

TEST(threads_change_nothing) {
  SmoOptions options;
  const HingeLoss loss(parameters({{"cost", 2.0}}));
  const SvmSolution one = Case(3000, 140, 2, 1).quick(loss, options),
                    four = Case(3000, 140, 2, 4).quick(loss, options);
  CHECK(identical(one.coefficients, four.coefficients));
}

TEST(interrupts_are_heard) {
  Case c(3000, 20, 2);
  c.runtime.interrupt_after = 30;
  CHECK_THROWS(c.quick(HingeLoss(parameters({{"cost", 2.0}})), SmoOptions()), Interrupted, "");
}
