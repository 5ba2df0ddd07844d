// J(d), its derivatives and what the solvers see of them: the same by every road, with any memory.
#include "check.hpp"
#include "learners/mkl_problem.hpp"
#include "learning.hpp"

using namespace mk;
using namespace fixtures;

namespace {

constexpr double tol = 1e-9;

// A runtime with the memory of so many matrices.
struct Memory {
  TestRuntime runtime;
  explicit Memory(double room) { runtime.memory = room * 8.0 * 45.0 * 45.0; }
};

struct Case {
  Memory memory;
  const TestRuntime& runtime = memory.runtime;
  Small data{45};
  KernelBank bank;
  TrainingSet set;
  SvmOptions options = SvmOptions::read(parameters({{"cost", 2.0}}), SmoOptions());

  explicit Case(double room, const TargetKind* task = classification())
      : memory(room),
        bank(make_bank(three_kernels(), data.x, runtime)),
        set(data.set(bank, task)) {}
  Matrix kernel(Index m) const {
    Matrix k(bank.rows(), bank.rows());
    bank.fill({m}, {k.data()}, runtime);
    return k;
  }
};

// No matrix at all, K(d) alone, no kernel, one of three, all of them.
const std::vector<double>& rooms() {
  static const std::vector<double> all = {0.0, 2.0, 3.2, 3.8, 100.0};
  return all;
}

Vector weights(double a, double b, double c) {
  Vector d(3);
  d << a, b, c;
  return d;
}

}  // namespace

TEST(values_and_forms_are_those_of_the_definition) {
  for (const double room : rooms())
    for (const TargetKind* task : every_task()) {
      const Case c(room, task);
      MklProblem problem(c.set, c.options, c.runtime);
      // Often enough for sums to be updated and formed anew; a weight of 0 comes and goes.
      for (int t = 0; t < 30; ++t) {
        const Vector d = weights(0.5, t % 4 == 0 ? 0.0 : 0.01 * t, 0.3);
        const auto value = problem.evaluate(d, Vector(), tol);
        const Vector& b = value.svm.coefficients;
        for (Index m = 0; m < 3; ++m) CHECK_CLOSE(value.forms[m], b.dot(c.kernel(m) * b), 1e-9);
        if (t % 10 != 0) continue;
        const auto alone = learner("svm", with_weights(parameters({{"cost", 2.0}}), d), tol)
                               ->fit(c.set, c.runtime);
        CHECK_CLOSE(value.objective, alone->report.objective, 1e-7);
      }
    }
}

TEST(a_line_is_the_same_problem_and_its_slope_the_derivative) {
  const Vector from = weights(0.3, 0.3, 0.4), direction = weights(0.5, -0.2, -0.3);
  for (const double room : rooms()) {
    const Case c(room);
    MklProblem problem(c.set, c.options, c.runtime);
    MklProblem other(c.set, c.options, c.runtime);
    problem.solve(from, Vector(), tol);
    problem.aim(from, direction);
    for (int k = 0; k < 30; ++k) {
      const double t = 0.03 * ((7 * k) % 30), step = 1e-4;
      const auto along = [&](double s) {
        return problem.solve_along(from + s * direction, s, Vector(), tol);
      };
      const auto value = along(t);
      CHECK_CLOSE(value.objective, other.solve(from + t * direction, Vector(), tol).objective,
                  1e-7);
      const double numeric = (along(t + step).objective - along(t - step).objective) / (2.0 * step);
      CHECK_CLOSE(problem.slope(value), numeric, 1e-4);
    }
  }
}

TEST(products_and_sums_of_some_rows) {
  for (const double room : rooms()) {
    const Case c(room);
    MklProblem problem(c.set, c.options, c.runtime);
    const Vector d = weights(0.2, 0.5, 0.3);
    const Vector b = problem.solve(d, Vector(), tol).svm.coefficients;
    Indices rows;
    for (Index i = 0; i < b.size(); ++i)
      if (b[i] != 0.0 && i % 3 != 0) rows.push_back(i);
    CHECK(rows.size() > 5);
    const Matrix products = problem.products({0, 2}, b, rows);
    const Matrix sum = problem.hessian(d, rows);
    const Matrix whole = 0.2 * c.kernel(0) + 0.5 * c.kernel(1) + 0.3 * c.kernel(2);
    const Vector first = c.kernel(0) * b, second = c.kernel(2) * b;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const Index i = static_cast<Index>(r);
      CHECK_CLOSE(products(i, 0), first[rows[r]], 1e-10);
      CHECK_CLOSE(products(i, 1), second[rows[r]], 1e-10);
      for (std::size_t s = 0; s < rows.size(); ++s)
        CHECK_CLOSE(sum(i, static_cast<Index>(s)), whole(rows[r], rows[s]), 1e-12);
    }
  }
}

TEST(memory_is_taken_from_the_budget_and_given_back) {
  const Case c(5.0);
  {
    const MklProblem problem(c.set, c.options, c.runtime);
    CHECK(!c.bank.fits(0.5));  // 3.1, and three triangles
  }
  CHECK(c.bank.fits(3.4) && !c.bank.fits(3.6));  // the kernels stay with the bank
}
