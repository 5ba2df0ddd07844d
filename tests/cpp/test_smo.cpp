// The solver of all support vector machines: its certificates computed anew, its objective against
// a slow solver written here, and the hard cases.
#include "check.hpp"
#include "fixtures.hpp"
#include "solvers/deferred_q.hpp"
#include "solvers/smo.hpp"

using namespace mk;
using namespace fixtures;

namespace {

// ---- problems ----------------------------------------------------------------------------

struct Instance {
  Matrix k;  // among examples; doubled for regression
  SmoProblem problem;
};

Matrix gram(Index n, std::uint64_t seed, double gamma) {
  const Matrix x = normal_matrix(n, 3, seed);
  return naive_matrix(item("rbf", {{"gamma", gamma}}), x, x);
}

Instance c_svc(Index n, double cost, std::uint64_t seed, double gamma = 0.5) {
  Random random(seed, 2);
  Instance s{gram(n, seed, gamma), {}};
  s.problem.linear.resize(n);
  s.problem.lower = Vector::Zero(n);
  s.problem.upper = Vector::Zero(n);
  for (Index i = 0; i < n; ++i) {
    const double y = i == 0 ? 1.0 : i == 1 ? -1.0 : random.uniform() < 0.6 ? 1.0 : -1.0;
    s.problem.linear[i] = y;
    (y > 0.0 ? s.problem.upper : s.problem.lower)[i] = y * cost;
  }
  return s;
}

Instance svr(Index n, double cost, double epsilon, std::uint64_t seed) {
  const Matrix k = gram(n, seed, 0.5), target = normal_matrix(n, 1, seed + 1);
  Instance s{Matrix(2 * n, 2 * n), {}};
  s.k << k, k, k, k;
  s.problem.linear.resize(2 * n);
  s.problem.lower = Vector::Zero(2 * n);
  s.problem.upper = Vector::Zero(2 * n);
  for (Index i = 0; i < n; ++i) {
    s.problem.linear[i] = target(i, 0) - epsilon;
    s.problem.linear[i + n] = target(i, 0) + epsilon;
    s.problem.upper[i] = cost;
    s.problem.lower[i + n] = -cost;
  }
  return s;
}

Instance one_class(Index n, double nu, std::uint64_t seed) {
  Instance s{gram(n, seed, 0.5), {}};
  s.problem.linear = Vector::Zero(n);
  s.problem.lower = Vector::Zero(n);
  s.problem.upper = Vector::Ones(n);
  s.problem.total = nu * static_cast<double>(n);
  return s;
}

// Two sums: over the first examples 1, over the others -1.
Instance komd(Index n, Index second, std::uint64_t seed) {
  Instance s{gram(n, seed, 0.5), {}};
  s.k.diagonal().array() += 0.01;
  s.problem.linear = Vector::Zero(n);
  s.problem.lower = Vector::Zero(n);
  s.problem.upper = Vector::Ones(n);
  for (Index i = second; i < n; ++i) {
    s.problem.lower[i] = -1.0;
    s.problem.upper[i] = 0.0;
  }
  s.problem.total = 1.0;
  s.problem.second = second;
  s.problem.second_total = -1.0;
  return s;
}

Instance random_instance(std::uint64_t seed, Index most) {
  Random random(seed, 3);
  const Index n = 2 + random.below(most - 1);
  const double cost = std::pow(10.0, 4.0 * random.uniform() - 2.0);
  switch (seed % 4) {
    case 0:
      return c_svc(n, cost, seed);
    case 1:
      return svr((n + 1) / 2, cost, 0.3 * random.uniform(), seed);
    case 2:
      return one_class(n, 0.05 + 0.9 * random.uniform(), seed);
    default:
      return komd(n, 1 + random.below(n - 1), seed);
  }
}

// Where the second group starts: at the end if there is none.
Index boundary_of(const SmoProblem& p) { return p.second < 0 ? p.linear.size() : p.second; }

SmoResult solve(const Instance& s, const SmoOptions& options = {}, const Vector& start = Vector(),
                const TestRuntime& runtime = TestRuntime(), double spare = 1e9) {
  StoredQ q(view(s.k), spare, runtime);
  return solve_smo(q, s.problem, start, options, runtime);
}

SmoOptions tight(double tol = 1e-9) {
  SmoOptions options;
  options.tol = tol;
  return options;
}

double objective_of(const Instance& s, const Vector& beta) {
  return s.problem.linear.dot(beta) - 0.5 * beta.dot(s.k * beta);
}

// ---- certificates, from nothing but beta ----------------------------------------------------

void check_certificate(const Instance& s, const SmoResult& r, double tol) {
  const SmoProblem& p = s.problem;
  const Index n = r.beta.size();
  double size = 1.0;
  for (Index i = 0; i < n; ++i) {
    CHECK(r.beta[i] >= p.lower[i] && r.beta[i] <= p.upper[i]);
    size = std::max(size, std::fabs(r.beta[i]));
  }
  const Vector gradient = s.k * r.beta - p.linear;
  CHECK_CLOSE(distance(gradient, r.gradient), 0.0, 1e-9 * size);
  const Index boundary = boundary_of(p);
  double violation = 0.0, gap = 0.0, range = 0.0;
  for (int group = 0; group < 2; ++group) {
    const Index first = group == 0 ? 0 : boundary, last = group == 0 ? boundary : n;
    CHECK_CLOSE(r.beta.segment(first, last - first).sum(), group == 0 ? p.total : p.second_total,
                1e-10 * size * static_cast<double>(n));
    double up = INFINITY, low = -INFINITY;
    for (Index i = first; i < last; ++i) {
      if (r.beta[i] < p.upper[i]) up = std::min(up, gradient[i]);
      if (r.beta[i] > p.lower[i]) low = std::max(low, gradient[i]);
      range += p.upper[i] - p.lower[i];
    }
    if (std::isfinite(up) && std::isfinite(low)) violation = std::max(violation, low - up);
    // The gap bounds what any other feasible point could gain.
    const double multiplier = group == 0 ? -r.bias : up;
    for (Index i = first; i < last; ++i) {
      const double slope = gradient[i] - (std::isfinite(multiplier) ? multiplier : low);
      gap += std::max(slope * (r.beta[i] - p.lower[i]), slope * (r.beta[i] - p.upper[i]));
    }
  }
  CHECK(violation <= tol + 1e-9 * size);
  CHECK_CLOSE(violation, r.violation, 1e-8 * size);
  CHECK(r.converged);
  CHECK_CLOSE(objective_of(s, r.beta), r.objective, 1e-9);
  CHECK(r.gap >= 0.0);
  CHECK_CLOSE(gap, r.gap, 1e-8 * size);
  CHECK(r.gap <= (tol + 1e-12) * range + 1e-9);
}

// ---- the slow solver: exact steps on all pairs in turn, until nothing moves ------------------

double slow_objective(const Instance& s) {
  const SmoProblem& p = s.problem;
  const Index n = p.linear.size();
  const Index boundary = boundary_of(p);
  Vector beta = p.lower;  // raised in proportion to reach the totals
  for (int group = 0; group < 2; ++group) {
    const Index first = group == 0 ? 0 : boundary, size = (group == 0 ? boundary : n) - first;
    const Vector room = (p.upper - p.lower).segment(first, size);
    const double missing =
        (group == 0 ? p.total : p.second_total) - beta.segment(first, size).sum();
    if (size > 0 && room.sum() > 0.0) beta.segment(first, size) += room * (missing / room.sum());
  }
  Vector gradient = s.k * beta - p.linear;
  for (int sweep = 0; sweep < 20000; ++sweep) {
    double moved = 0.0;
    for (Index i = 0; i < n; ++i)
      for (Index j = i < boundary ? 0 : boundary; j < i; ++j) {
        const double curvature = s.k(i, i) + s.k(j, j) - 2.0 * s.k(i, j);
        const double slope = gradient[j] - gradient[i];
        double step = curvature > 1e-14 ? slope / curvature : slope * 1e14;
        step = std::min(step, std::min(p.upper[i] - beta[i], beta[j] - p.lower[j]));
        step = std::max(step, std::max(p.lower[i] - beta[i], beta[j] - p.upper[j]));
        if (step == 0.0) continue;
        beta[i] += step;
        beta[j] -= step;
        gradient += step * (s.k.col(i) - s.k.col(j));
        moved = std::max(moved, std::fabs(step * slope));
      }
    if (moved < 1e-15) break;
  }
  return objective_of(s, beta);
}

}  // namespace

TEST(random_problems_meet_their_certificates) {
  for (std::uint64_t seed = 1; seed <= 160; ++seed) {
    const Instance s = random_instance(seed, 60);
    for (double tol : {1e-3, 1e-8}) check_certificate(s, solve(s, tight(tol)), tol);
  }
}

TEST(random_problems_against_the_slow_solver) {
  for (std::uint64_t seed = 1; seed <= 48; ++seed) {
    const Instance s = random_instance(seed, 24);
    const double slow = slow_objective(s);
    CHECK_CLOSE(solve(s, tight()).objective, slow, 1e-8);
  }
}

// P - D for the primal problems in their textbook form.
TEST(the_gap_is_primal_minus_dual) {
  for (double tol : {1e-1, 1e-3, 1e-9}) {
    const Index n = 40;
    const double cost = 3.0, epsilon = 0.2, nu = 0.4;
    const Instance c = c_svc(n, cost, 5);
    const SmoResult rc = solve(c, tight(tol));
    double primal = 0.5 * rc.beta.dot(c.k * rc.beta);
    const Vector fc = c.k * rc.beta;
    for (Index i = 0; i < n; ++i)
      primal += cost * std::max(0.0, 1.0 - c.problem.linear[i] * (fc[i] + rc.bias));
    CHECK_CLOSE(rc.gap, primal - rc.objective, 1e-9);

    const Instance e = svr(n, cost, epsilon, 6);
    const SmoResult re = solve(e, tight(tol));
    primal = 0.5 * re.beta.dot(e.k * re.beta);
    const Vector fe = e.k * re.beta;
    for (Index i = 0; i < n; ++i) {
      const double target = e.problem.linear[i] + epsilon;
      primal += cost * std::max(0.0, std::fabs(target - fe[i] - re.bias) - epsilon);
    }
    // A pair of variables that both have weight costs the dual, not the primal.
    CHECK(re.gap >= primal - re.objective - 1e-9);

    const Instance o = one_class(n, nu, 7);
    const SmoResult ro = solve(o, tight(tol));
    const double rho = -ro.bias;
    primal = 0.5 * ro.beta.dot(o.k * ro.beta) - rho * nu * static_cast<double>(n);
    const Vector fo = o.k * ro.beta;
    for (Index i = 0; i < n; ++i) primal += std::max(0.0, rho - fo[i]);
    CHECK_CLOSE(ro.gap, primal - ro.objective, 1e-9);
  }
}

TEST(the_gap_closes) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const SmoResult r = solve(random_instance(seed, 50), tight(1e-10));
    CHECK(r.gap >= 0.0);
    CHECK(r.gap <= 1e-6 * (1.0 + std::fabs(r.objective)));
  }
}

TEST(shrinking_changes_nothing) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Instance s = seed % 3 == 0   ? c_svc(120, 50.0, seed, 0.05)
                       : seed % 3 == 1 ? svr(60, 20.0, 0.01, seed)
                                       : komd(120, 50, seed);
    for (double tol : {1e-3, 1e-7}) {
      SmoOptions on = tight(tol), off = tight(tol);
      off.shrinking = false;
      const SmoResult a = solve(s, on), b = solve(s, off),
                      c = solve(s, on, Vector(), TestRuntime(), 0.0);
      check_certificate(s, a, tol);
      check_certificate(s, b, tol);
      CHECK_CLOSE(a.objective, b.objective, 10.0 * (a.gap + b.gap) + 1e-9);
      CHECK_CLOSE(a.objective, c.objective, 1e-12);  // gathered columns instead of copies
    }
  }
}

// Shrunk problems of a given size or more in single precision, and how often that was asked for and
// done.
class NarrowQ final : public QMatrix {
 public:
  NarrowQ(const Matrix& k, Index from) : base_(view(k), 1e9, runtime_, from) {}
  Index size() const override { return base_.size(); }
  double diagonal(Index variable) const override { return base_.diagonal(variable); }
  const double* column(Index position) override { return base_.column(position); }
  const float* narrow_column(Index position) override { return base_.narrow_column(position); }
  Vector multiply(const Vector& b, const Runtime& runtime) override {
    return base_.multiply(b, runtime);
  }
  void activate(const Indices& variables) override { base_.activate(variables); }
  bool activate_narrow(const Indices& variables) override {
    ++asked;
    const bool done = base_.activate_narrow(variables);
    taken += done;
    return done;
  }
  int asked = 0, taken = 0;

 private:
  TestRuntime runtime_;
  StoredQ base_;
};

TEST(single_precision_on_the_way_changes_nothing_at_the_end) {
  int used = 0;
  for (std::uint64_t seed = 1; seed < 80; ++seed) {
    Instance s = random_instance(seed, 300);
    // Rows that are there twice: rounded to floats they are not indefinite.
    if (s.problem.second < 0 && s.k.rows() > 2) {
      s.k.row(1) = s.k.row(0).eval();
      s.k.col(1) = s.k.col(0).eval();
    }
    NarrowQ q(s.k, seed % 3 == 0 ? 2 : s.k.rows() / 2);  // all or the first, larger ones
    const TestRuntime runtime;
    const SmoResult narrow = solve_smo(q, s.problem, {}, {}, runtime);
    check_certificate(s, narrow, 1e-3);
    const SmoResult wide = solve(s);
    CHECK(narrow.converged == wide.converged && narrow.indefinite == wide.indefinite);
    const double rounding = 1e-9 * (1.0 + std::fabs(wide.objective));
    CHECK(narrow.objective + narrow.gap >= wide.objective - rounding);
    CHECK(wide.objective + wide.gap >= narrow.objective - rounding);
    used += q.taken;
    const int before = q.asked;
    solve_smo(q, s.problem, {}, tight(), runtime);  // not for exact solutions
    Instance large = s;
    large.k *= 1e30;
    NarrowQ out_of_range(large.k, 2);
    solve_smo(out_of_range, large.problem, {}, {}, runtime);
    CHECK(q.asked == before && out_of_range.asked == 0);
  }
  CHECK(used > 5);
}

// Where floats round K_ii by as much as rows differ, they are left when they do not help any more,
// instead of steps that go round in circles.
TEST(single_precision_that_does_not_suffice_is_left) {
  const Index n = 400;
  for (double cost : {10.0, 1000.0}) {
    const Matrix x = normal_matrix(n, 10, 1);
    const Matrix shifted = x.array() + 100.0;
    Instance s = c_svc(n, cost, 1);
    s.k = shifted * shifted.transpose() + naive_matrix(item("rbf", {{"gamma", 0.1}}), x, x);
    Random random(1, 4);
    for (Index i = 0; i < n; ++i) {
      const bool side = std::sin(2.0 * x(i, 0)) * std::sin(2.0 * x(i, 1)) + 0.3 * x(i, 2) > 0.0;
      const double y = side != (random.uniform() < 0.15) ? 1.0 : -1.0;
      s.problem.linear[i] = y;
      s.problem.lower[i] = std::min(0.0, y * cost);
      s.problem.upper[i] = std::max(0.0, y * cost);
    }
    NarrowQ q(s.k, 2);
    const TestRuntime runtime;
    const SmoResult narrow = solve_smo(q, s.problem, {}, {}, runtime);
    const SmoResult wide = solve(s);
    CHECK(q.taken > 0 && narrow.converged && wide.converged);
    CHECK_CLOSE(narrow.objective / wide.objective, 1.0, 1e-4);
    CHECK(narrow.iterations < 1.3 * wide.iterations);
  }
}

TEST(warm_equals_cold) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Instance s = random_instance(seed, 50);
    const SmoResult cold = solve(s, tight());
    const SmoResult again = solve(s, tight(), cold.beta);
    CHECK_CLOSE(cold.objective, again.objective, 1e-9);
    CHECK(again.iterations <= 3.0);
    // From anywhere, feasible or not.
    const Vector start = 3.0 * normal_matrix(cold.beta.size(), 1, seed + 9).col(0);
    const SmoResult warm = solve(s, tight(), start);
    check_certificate(s, warm, 1e-9);
    CHECK_CLOSE(cold.objective, warm.objective, 1e-8);
  }
}

// All variables at their bounds: one that misses its bound by rounding must not count as free and
// set the bias alone.
TEST(a_start_at_rounded_bounds_keeps_the_bias) {
  for (double cost : {0.01, 0.02, 0.03, 0.07}) {
    Instance s = c_svc(40, cost, 5);
    for (Index i = 0; i < 40; ++i) s.problem.linear[i] = i % 2 == 0 ? 1.0 : -1.0;
    for (Index i = 0; i < 40; ++i) {
      s.problem.lower[i] = i % 2 == 0 ? 0.0 : -cost;
      s.problem.upper[i] = i % 2 == 0 ? cost : 0.0;
    }
    const SmoResult cold = solve(s);
    Index bounded = 0;
    for (Index i = 0; i < 40; ++i)
      if (cold.beta[i] == s.problem.lower[i] || cold.beta[i] == s.problem.upper[i]) ++bounded;
    CHECK(bounded == 40);
    for (Index i : {Index(0), Index(1), Index(39)}) {
      Vector nudged = cold.beta;
      nudged[i] *= 1.0 - 2e-16;
      CHECK_CLOSE(solve(s, SmoOptions(), nudged).bias, cold.bias, 1e-12);
    }
  }
}

// Steps from bound to bound: there is no free variable that a Newton step could move.
TEST(a_warm_start_without_free_variables) {
  Instance s = c_svc(60, 1e-4, 5);  // every variable ends at its upper bound
  const SmoResult warm = solve(s, tight(), Vector::Zero(60));
  check_certificate(s, warm, 1e-9);
  CHECK(warm.iterations >= 20.0);
}

// A linear kernel of few columns at a high cost: pairs alone would take hundreds of thousands of
// steps, Newton steps know the way.
TEST(badly_conditioned_problems_end_soon) {
  for (std::uint64_t seed : {1, 2, 3}) {
    Instance s = c_svc(100, 1000.0, seed);
    const Matrix x = normal_matrix(100, 10, seed + 50);
    s.k = x * x.transpose() / 10.0;
    const SmoResult r = solve(s, SmoOptions());
    check_certificate(s, r, SmoOptions().tol);
    CHECK(r.converged);
    CHECK(r.iterations < 40000.0);
  }
}

TEST(make_feasible_reaches_the_box_and_the_total) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Instance s = random_instance(seed, 30);
    const Vector start = 5.0 * normal_matrix(s.problem.linear.size(), 1, seed).col(0);
    const Vector beta = make_feasible(s.problem, start);
    for (Index i = 0; i < beta.size(); ++i)
      CHECK(beta[i] >= s.problem.lower[i] && beta[i] <= s.problem.upper[i]);
    const Index boundary = boundary_of(s.problem);
    const double slack = 1e-12 * static_cast<double>(beta.size());
    CHECK_CLOSE(beta.head(boundary).sum(), s.problem.total, slack);
    CHECK_CLOSE(beta.tail(beta.size() - boundary).sum(), s.problem.second_total, slack);
    CHECK_CLOSE(distance(make_feasible(s.problem, beta), beta), 0.0, 1e-12);
  }
}

TEST(fixed_variables) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Instance s = c_svc(20, 2.0, seed);
    for (Index i = 4; i < 20; i += 3) s.problem.lower[i] = s.problem.upper[i] = 0.0;  // weight 0
    s.problem.lower[3] = s.problem.upper[3] = 0.25;
    const SmoResult r = solve(s, tight());
    check_certificate(s, r, 1e-9);
    CHECK(r.beta[3] == 0.25 && r.beta[4] == 0.0);
    CHECK_CLOSE(r.objective, slow_objective(s), 1e-8);
  }
  // Nothing may move at all.
  Instance s = c_svc(6, 1.0, 1);
  s.problem.lower.setZero();
  s.problem.upper.setZero();
  const SmoResult r = solve(s);
  CHECK(r.converged && r.iterations == 0.0 && r.beta.isZero(0.0) && r.objective == 0.0);
  CHECK(std::isfinite(r.bias) && r.gap == 0.0);
}

TEST(one_variable_and_one_sign) {
  Instance s = c_svc(2, 1.0, 1);
  s.k = Matrix::Ones(1, 1);
  for (Vector* v : {&s.problem.linear, &s.problem.lower, &s.problem.upper})
    v->conservativeResize(1);
  const SmoResult one = solve(s);
  CHECK(one.converged && one.beta[0] == 0.0);
  Instance same = c_svc(8, 1.0, 3);
  same.problem.linear.setOnes();
  same.problem.lower.setZero();
  same.problem.upper.setOnes();
  const SmoResult r = solve(same);
  CHECK(r.converged && r.beta.isZero(0.0));
  CHECK_CLOSE(r.bias, 1.0, 1e-12);  // every example on its margin
}

TEST(duplicates) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Matrix x = normal_matrix(24, 2, seed);
    for (Index i = 12; i < 24; ++i) x.row(i) = x.row(i - 12);
    Instance s = c_svc(24, 10.0, seed);
    s.k = naive_matrix(item("rbf", {{"gamma", 0.5}}), x, x);
    for (double sign : {1.0, -1.0}) {  // repeated, then contradicted
      for (Index i = 12; i < 24; ++i) {
        const double y = sign * s.problem.linear[i - 12];
        s.problem.linear[i] = y;
        s.problem.lower[i] = y > 0.0 ? 0.0 : -10.0;
        s.problem.upper[i] = y > 0.0 ? 10.0 : 0.0;
      }
      const SmoResult r = solve(s, tight());
      check_certificate(s, r, 1e-9);
      CHECK_CLOSE(r.objective, slow_objective(s), 1e-7);
    }
  }
  Instance all = c_svc(30, 1.0, 1);
  all.k.setOnes();
  const SmoResult r = solve(all, tight());
  check_certificate(all, r, 1e-9);
  CHECK_CLOSE(r.objective, slow_objective(all), 1e-8);
  Instance zero = c_svc(30, 1.0, 2);
  zero.k.setZero();
  check_certificate(zero, solve(zero, tight()), 1e-9);
}

TEST(indefinite_matrices_end_and_say_so) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Instance s = c_svc(30, 1.0, seed);
    const Matrix a = normal_matrix(30, 30, seed + 50);
    s.k = a + a.transpose();
    SmoOptions options;
    options.max_iter = 1e5;
    const SmoResult r = solve(s, options);
    CHECK(r.indefinite);
    CHECK(r.beta.allFinite() && std::isfinite(r.objective));
    CHECK(r.iterations < 1e5);
    CHECK(r.converged);  // a local optimum, with its conditions
  }
  CHECK(!solve(c_svc(30, 1.0, 1)).indefinite);
  Instance negative = c_svc(10, 1.0, 1);
  negative.k = -Matrix::Identity(10, 10);
  CHECK(solve(negative).indefinite);
}

TEST(a_limit_on_the_iterations) {
  const Instance s = c_svc(60, 100.0, 4);
  for (double limit : {0.0, 1.0, 17.0}) {
    SmoOptions options = tight();
    options.max_iter = limit;
    const SmoResult r = solve(s, options);
    CHECK(!r.converged);
    CHECK(r.iterations == limit);
    CHECK(r.violation > options.tol);
    CHECK_CLOSE(r.objective, objective_of(s, r.beta), 1e-9);
    CHECK(r.gap > 0.0);
  }
}

// Whatever the number of examples, the solver listens while it iterates.
TEST(interrupts_come_through) {
  for (Index n : {16, 50, 64, 100, 128}) {
    const Instance s = c_svc(n, 1e5, 3, 0.01);
    SmoOptions options = tight(1e-12);
    options.max_iter = 3000;
    TestRuntime runtime;
    const SmoResult r = solve(s, options, Vector(), runtime);
    CHECK(r.iterations > 200.0);
    const auto in_the_loop = static_cast<long>(r.iterations / 64.0);
    CHECK(runtime.looks >= in_the_loop / 2);
    runtime.looks = 0;
    runtime.interrupt_after = 1;
    CHECK_THROWS(solve(s, options, Vector(), runtime), Interrupted, "");
  }
}

TEST(instruction_sets_find_the_same_optimum) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Instance s = random_instance(seed, 60);
    double objective = 0.0;
    for (const std::string& level : simd_levels()) {
      TestRuntime runtime;
      runtime.simd = &choose_simd(level);
      const SmoResult r = solve(s, tight(), Vector(), runtime);
      if (level == "baseline") objective = r.objective;
      CHECK_CLOSE(r.objective, objective, 1e-9);
    }
  }
}

TEST(rows_on_demand_find_the_same_optimum) {
  TestRuntime runtime;
  const Matrix x = normal_matrix(90, 3, 8);
  const auto bank = make_bank({item("rbf", {{"gamma", 0.5}})}, x, runtime);
  Instance s = c_svc(90, 5.0, 8);
  s.k = to_matrix(bank.matrix(0, runtime).view);
  const SmoResult stored = solve(s, tight());
  for (double bytes : {0.0, 8.0 * 90 * 10, 1e9}) {
    CachedQ q(bank.row_evaluator(Vector::Ones(1), runtime), bytes);
    const SmoResult r = solve_smo(q, s.problem, Vector(), tight(), runtime);
    check_certificate(s, r, 1e-9);
    CHECK_CLOSE(r.objective, stored.objective, 1e-9);
  }
}

// With few support vectors the whole matrix is not made, with many it is; the number of threads has
// no part in it.
TEST(deferred_matrices_find_the_same_optimum) {
  for (const double gamma : {0.05, 20.0}) {
    const Matrix x = normal_matrix(1100, 3, 8);
    Instance s = c_svc(1100, 5.0, 8);
    for (Index i = 0; i < 1100; ++i) {
      const bool positive = x(i, 0) + 0.3 * x(i, 1) > 0.0;
      s.problem.linear[i] = positive ? 1.0 : -1.0;
      s.problem.upper[i] = positive ? 5.0 : 0.0;
      s.problem.lower[i] = positive ? 0.0 : -5.0;
    }
    Vector beta;
    for (int threads : {1, 3}) {
      const TestRuntime runtime(threads);
      const auto bank = make_bank({item("rbf", {{"gamma", gamma}})}, x, runtime);
      s.k = to_matrix(bank.matrix(0, runtime).view);
      const SmoResult stored = solve(s, SmoOptions());
      DeferredQ q(
          bank.row_evaluator(Vector::Ones(1), runtime), bank.matrix_bytes(),
          [&] { return view(s.k); }, 1e9, runtime);
      const SmoResult r = solve_smo(q, s.problem, Vector(), SmoOptions(), runtime);
      CHECK(q.formed() == (gamma > 1.0));
      CHECK(r.converged);
      CHECK_CLOSE(r.objective, stored.objective, 1e-4 * stored.objective);
      CHECK(threads == 1 || identical(r.beta, beta));
      beta = r.beta;
    }
  }
}

// Steps too small to change anything must end the loop, not fill it up to the limit.
TEST(scales_far_from_one) {
  SmoOptions options;
  options.max_iter = 20000;
  for (double scale : {1e-250, 1e-100, 1e-6, 1e6, 1e100, 1e250}) {
    Instance s = c_svc(30, 1.0, 6);
    s.k *= scale;
    const SmoResult r = solve(s, options);
    CHECK(r.beta.allFinite() && r.gradient.allFinite() && std::isfinite(r.objective));
    CHECK(r.iterations < options.max_iter);
  }
  Instance overflow = c_svc(30, 1.0, 6);
  overflow.k = Matrix::Identity(30, 30) * 1e308;  // K_ii + K_jj is infinite
  CHECK(solve(overflow, options).iterations < options.max_iter);
  for (double scale : {1e8, 1e16, 1e30, 1e150}) {
    Instance s = svr(15, 1.0, 0.1, 6);
    s.problem.linear *= scale;
    s.problem.upper *= scale;
    s.problem.lower *= scale;
    const SmoResult r = solve(s, options);  // the tolerance is below what rounding allows
    CHECK(r.beta.allFinite() && std::isfinite(r.objective));
    CHECK(r.iterations < options.max_iter);
  }
}

TEST(messages_when_verbose) {
  TestRuntime runtime;
  solve(c_svc(40, 10.0, 1), tight(), Vector(), runtime);
  CHECK(runtime.messages.empty());
  runtime.verbose = true;
  solve(c_svc(40, 10.0, 1), tight(), Vector(), runtime);
  CHECK(!runtime.messages.empty());
  CHECK(runtime.messages.back().find("converged") != std::string::npos);
}

TEST(problems_that_cannot_be_solved) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Instance good = c_svc(6, 1.0, 1);
  Instance s = good;
  s.problem.lower.conservativeResize(5);
  CHECK_THROWS(solve(s), InvalidArgument, "of length 6");
  s = good;
  s.problem.lower[2] = 7.0;
  CHECK_THROWS(solve(s), InvalidArgument, "lower <= upper");
  for (double bad : {nan, static_cast<double>(INFINITY)}) {
    s = good;
    s.problem.upper[3] = bad;
    CHECK_THROWS(solve(s), InvalidArgument, "position 4");
    s = good;
    s.problem.linear[0] = bad;
    CHECK_THROWS(solve(s), InvalidArgument, "position 1");
    s = good;
    s.problem.total = bad;
    CHECK_THROWS(solve(s), InvalidArgument, "`total`");
  }
  s = good;
  s.problem.total = 100.0;
  CHECK_THROWS(solve(s), InvalidArgument, "between the sums");
  s = komd(6, 3, 1);
  s.problem.second_total = -4.0;
  CHECK_THROWS(solve(s), InvalidArgument, "between the sums");
}
