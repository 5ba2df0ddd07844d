// The interior point method: optimality conditions of random programmes, known linear programmes,
// fixed variables, programmes without a solution.
#include <limits>

#include "check.hpp"
#include "fixtures.hpp"
#include "solvers/interior_point.hpp"

using namespace mk;
using namespace fixtures;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

QpProblem simplex(const Vector& linear) {
  const Index n = linear.size();
  return {linear, Matrix::Ones(1, n), Vector::Ones(1), Vector::Zero(n),
          Vector::Constant(n, infinity)};
}

// x is optimal if the reduced gradient Hx + c - A'y is >= 0 at lower bounds, <= 0 at upper ones and
// 0 between.
void check_optimal(const QpProblem& p, const Matrix& h, const QpResult& r, double tolerance) {
  const Vector gradient = h * r.x + p.linear - p.equality.transpose() * r.multipliers;
  CHECK((p.equality * r.x - p.right).norm() < tolerance);
  for (Index i = 0; i < r.x.size(); ++i) {
    const bool at_lower = r.x[i] < p.lower[i] + tolerance;
    const bool at_upper = r.x[i] > p.upper[i] - tolerance;
    CHECK(at_lower || gradient[i] < tolerance);
    CHECK(at_upper || gradient[i] > -tolerance);
    CHECK(r.x[i] >= p.lower[i] && r.x[i] <= p.upper[i]);
  }
}

}  // namespace

TEST(random_programmes_satisfy_the_optimality_conditions) {
  const TestRuntime runtime;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Index n = 3 + static_cast<Index>(seed), m = 1 + static_cast<Index>(seed % 3);
    const Matrix root = normal_matrix(n, n / 2 + 1, seed);
    const Matrix h = root * root.transpose();  // without full rank
    QpProblem p;
    p.linear = normal_matrix(n, 1, seed + 100).col(0);
    p.equality = normal_matrix(m, n, seed + 200);
    p.right = p.equality * Vector::Constant(n, 0.1);
    p.lower = Vector::Constant(n, -0.5);
    p.upper = Vector::Ones(n);
    DenseHessian hessian(h);
    const QpResult r = solve_qp(p, hessian, QpOptions(), runtime);
    CHECK(r.converged);
    check_optimal(p, h, r, 1e-5);
  }
}

TEST(a_linear_programme_ends_at_the_least_cost) {
  const TestRuntime runtime;
  Vector cost(4);
  cost << 2.0, -1.0, 0.5, -1.0;  // a tie
  DiagonalHessian none(Vector::Zero(4));
  const QpResult r = solve_qp(simplex(cost), none, QpOptions(), runtime);
  CHECK(r.converged);
  CHECK_CLOSE(r.objective, -1.0, 1e-8);
  CHECK_CLOSE(r.x[1] + r.x[3], 1.0, 1e-7);
}

TEST(a_diagonal_is_a_dense_matrix) {
  const TestRuntime runtime;
  const Vector h = Vector::LinSpaced(5, 0.5, 3.0);
  const QpProblem p = simplex(Vector::LinSpaced(5, -1.0, 1.0));
  DiagonalHessian diagonal(h);
  DenseHessian dense(h.asDiagonal());
  const QpResult a = solve_qp(p, diagonal, QpOptions(), runtime);
  const QpResult b = solve_qp(p, dense, QpOptions(), runtime);
  CHECK((a.x - b.x).norm() < 1e-7);
}

TEST(bounds_alone) {
  const TestRuntime runtime;
  QpProblem p = simplex((Vector(2) << -3.0, 0.5).finished());
  p.equality.resize(0, 2);
  p.right.resize(0);
  p.upper.setOnes();
  DenseHessian hessian(Matrix::Identity(2, 2));
  const QpResult r = solve_qp(p, hessian, QpOptions(), runtime);
  CHECK(r.converged);
  CHECK_CLOSE(r.x[0], 1.0, 1e-7);
  CHECK_CLOSE(r.x[1], 0.0, 1e-7);
}

TEST(equal_bounds_hold_a_variable) {
  const TestRuntime runtime;
  QpProblem p = simplex(Vector::Zero(3));
  p.lower[1] = p.upper[1] = 0.75;
  DenseHessian hessian(Matrix::Identity(3, 3));
  const QpResult r = solve_qp(p, hessian, QpOptions(), runtime);
  CHECK(r.converged);
  CHECK_CLOSE(r.x[1], 0.75, 1e-12);
  CHECK_CLOSE(r.x[0], 0.125, 1e-7);
}

TEST(no_solution_is_not_called_one) {
  const TestRuntime runtime;
  QpProblem p = simplex(Vector::Zero(2));
  p.upper.setConstant(0.25);
  DenseHessian hessian(Matrix::Identity(2, 2));
  CHECK(!solve_qp(p, hessian, QpOptions(), runtime).converged);
}
