// KOMD: the two simplices, the certificate, the limits of lambda, the bias.
#include "check.hpp"
#include "fixtures.hpp"
#include "learners/komd.hpp"

using namespace mk;
using namespace fixtures;

namespace {

Vector labels(Index n, std::uint64_t seed) {
  Random random(seed, 5);
  Vector y(n);
  for (Index i = 0; i < n; ++i) y[i] = random.uniform() < 0.4 ? 1.0 : -1.0;
  y[0] = 1.0;
  y[1] = -1.0;
  return y;
}

State parameters(double lambda) {
  State state;
  state.set("lambda", lambda);
  return state;
}

KomdOptions options(double lambda, double tol = 1e-6) {
  SmoOptions smo;
  smo.tol = tol;
  return KomdOptions::read(parameters(lambda), smo);
}

struct Case {
  Case(Index n, std::uint64_t seed)
      : x(normal_matrix(n, 3, seed)),
        y(labels(n, seed)),
        bank(make_bank({item("rbf", {{"gamma", 0.3}}), item("linear")}, x, runtime)),
        data{bank, {classification(), y, Vector::Ones(n)}},
        k(n, n) {
    weights << 0.8, 0.1;
    bank.sum(weights, k.data(), runtime);
  }
  double value(const Vector& beta, double lambda) const {
    return (1.0 - lambda) * beta.dot(k * beta) + lambda * beta.squaredNorm();
  }
  TestRuntime runtime;
  Matrix x;
  Vector y;
  KernelBank bank;
  TrainingSet data;
  Vector weights = Vector::Ones(2);
  Matrix k;
};

void check_feasible(const Vector& beta, const Vector& y) {
  double positive = 0.0, negative = 0.0;
  for (Index i = 0; i < y.size(); ++i) {
    CHECK(beta[i] * y[i] >= 0.0);
    (y[i] > 0.0 ? positive : negative) += std::abs(beta[i]);
  }
  CHECK_CLOSE(positive, 1.0, 1e-12);
  CHECK_CLOSE(negative, 1.0, 1e-12);
}

// A feasible point by chance.
Vector any_point(const Vector& y, std::uint64_t seed) {
  Random random(seed, 9);
  Vector gamma(y.size());
  double sums[2] = {0.0, 0.0};
  for (Index i = 0; i < y.size(); ++i)
    sums[y[i] > 0.0] += gamma[i] = std::pow(random.uniform(), 4.0);
  for (Index i = 0; i < y.size(); ++i) gamma[i] *= y[i] / sums[y[i] > 0.0];
  return gamma;
}

}  // namespace

TEST(solutions_are_feasible_and_none_is_better) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Case c(45, seed);
    for (double lambda : {0.0, 0.1, 0.5, 0.99, 1.0}) {
      const KomdSolution s = solve_komd(c.data, c.weights, options(lambda), c.runtime);
      check_feasible(s.beta, c.y);
      CHECK(s.solved.converged);
      CHECK_CLOSE(s.solved.objective, c.value(s.beta, lambda), 1e-10);
      CHECK(s.solved.gap >= 0.0 && s.solved.gap < 1e-7);
      CHECK(distance(s.score, Vector(c.k * s.beta)) < 1e-10);
      for (std::uint64_t other = 1; other <= 30; ++other) {
        const Vector far = any_point(c.y, other);
        const Vector near = 0.999 * s.beta + 0.001 * far;
        CHECK(c.value(far, lambda) >= s.solved.objective - s.solved.gap);
        CHECK(c.value(near, lambda) >= s.solved.objective - s.solved.gap);
      }
    }
  }
}

TEST(lambda_one_gives_the_means) {
  const Case c(31, 2);
  const KomdSolution s = solve_komd(c.data, c.weights, options(1.0), c.runtime);
  const double positive = static_cast<double>((c.y.array() > 0.0).count());
  for (Index i = 0; i < c.y.size(); ++i)
    CHECK_CLOSE(std::abs(s.beta[i]), 1.0 / (c.y[i] > 0.0 ? positive : 31.0 - positive), 1e-14);
}

TEST(a_start_does_not_change_the_solution) {
  const Case c(60, 3);
  for (double lambda : {0.1, 0.6}) {
    const KomdSolution cold = solve_komd(c.data, c.weights, options(lambda), c.runtime);
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const KomdSolution warm =
          solve_komd(c.data, c.weights, options(lambda), c.runtime, any_point(c.y, seed));
      check_feasible(warm.beta, c.y);
      CHECK_CLOSE(warm.solved.objective, cold.solved.objective, 1e-8);
      CHECK(distance(warm.beta, cold.beta) < 1e-4);
    }
    const KomdSolution again = solve_komd(c.data, c.weights, options(lambda), c.runtime, cold.beta);
    CHECK(again.solved.iterations <= cold.solved.iterations);
  }
}

TEST(no_memory_and_any_order_give_the_same) {
  const Case c(50, 4);
  const KomdSolution stored = solve_komd(c.data, c.weights, options(0.2), c.runtime);
  TestRuntime poor;
  poor.memory = 1.0;
  const KernelBank bank = make_bank({item("rbf", {{"gamma", 0.3}}), item("linear")}, c.x, poor);
  const KomdSolution rows =
      solve_komd({bank, {classification(), c.y, Vector::Ones(50)}}, c.weights, options(0.2), poor);
  CHECK(distance(rows.beta, stored.beta) < 1e-5);
  const Indices order = positives_first(c.y);
  const KernelBank sorted = c.bank.subset(order);
  Vector y(50);
  for (Index i = 0; i < 50; ++i) y[i] = c.y[order[static_cast<std::size_t>(i)]];
  const KomdSolution ordered = solve_komd({sorted, {classification(), y, Vector::Ones(50)}},
                                          c.weights, options(0.2), c.runtime);
  for (Index i = 0; i < 50; ++i)
    CHECK_CLOSE(ordered.beta[i], stored.beta[order[static_cast<std::size_t>(i)]], 1e-5);
}

TEST(the_model_has_its_boundary_in_the_middle) {
  const Case c(40, 5);
  SmoOptions smo;
  State state = parameters(0.1);
  state.set("weights", Value(c.weights));
  const auto model =
      std::move(KomdLearner::fit_path({KomdLearner(state, smo)}, c.data, c.runtime).front());
  const Expansion& e = *model->expansion();
  Vector beta = Vector::Zero(40);
  for (std::size_t i = 0; i < e.rows.size(); ++i)
    beta[e.rows[i]] = e.coefficients[static_cast<Index>(i)];
  CHECK_CLOSE(e.bias, -0.5 * beta.cwiseAbs().dot(c.k * beta), 1e-10);
  const auto cross = c.bank.cross(all_rows(40), all_rows(40), c.runtime);
  CHECK(distance(model->fitted, model->decision(*cross)) < 1e-10);
}

TEST(bad_parameters) {
  for (double lambda : {-0.1, 1.1, std::nan("")})
    CHECK_THROWS(options(lambda), InvalidArgument, "`lambda`");
  const Case c(10, 1);
  const KomdLearner learner(parameters(0.1), SmoOptions());
  CHECK_THROWS(KomdLearner::fit_path({learner}, c.data, c.runtime), InvalidArgument, "`weights`");
  const TrainingSet wrong = {c.bank, {regression(), c.y, Vector::Ones(10)}};
  CHECK_THROWS(KomdLearner::fit_path({learner}, wrong, c.runtime), InvalidArgument, "classifier");
}
