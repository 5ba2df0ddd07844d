// The interior point method: optimality conditions of random programmes, known linear programmes,
// fixed variables, programmes without a solution.
#include "check.hpp"
#include "fixtures.hpp"
#include "solvers/interior_point.hpp"

using namespace mk;
using namespace fixtures;

namespace {

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

// The same for multipliers of any size: x is within the rounding of the optimum.
void check_gap(const QpProblem& p, const Matrix& h, const QpResult& r) {
  const Vector gradient = h * r.x + p.linear - p.equality.transpose() * r.multipliers;
  const double size = 1.0 + h.cwiseAbs().maxCoeff() + p.linear.cwiseAbs().maxCoeff();
  double gap = 0.0;
  for (Index i = 0; i < r.x.size(); ++i) {
    CHECK(r.x[i] >= p.lower[i] && r.x[i] <= p.upper[i]);
    const double bound = gradient[i] > 0.0 ? p.lower[i] : p.upper[i];
    if (std::isinf(bound)) CHECK(std::abs(gradient[i]) < 1e-6 * size);
    else gap += std::abs(gradient[i] * (r.x[i] - bound));
  }
  CHECK(gap < 1e-6 * (1.0 + std::abs(r.objective)));
  CHECK((p.equality * r.x - p.right).norm() < 1e-6);
}

// Variables from 0 on.
QpResult solve(const Matrix& h, const Vector& linear, const Matrix& equality, const Vector& right,
               const Vector& upper) {
  const TestRuntime runtime;
  DenseHessian hessian(h);
  const QpResult r =
      solve_qp({linear, equality, right, Vector::Zero(linear.size()), upper}, hessian, runtime);
  CHECK(r.converged);
  return r;
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
    const QpResult r = solve_qp(p, hessian, runtime);
    CHECK(r.converged);
    check_optimal(p, h, r, 1e-5);
  }
}

TEST(a_linear_programme_ends_at_the_least_cost) {
  const TestRuntime runtime;
  Vector cost(4);
  cost << 2.0, -1.0, 0.5, -1.0;  // a tie
  DiagonalHessian none(Vector::Zero(4));
  const QpResult r = solve_qp(simplex(cost), none, runtime);
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
  const QpResult a = solve_qp(p, diagonal, runtime);
  const QpResult b = solve_qp(p, dense, runtime);
  CHECK((a.x - b.x).norm() < 1e-7);
}

TEST(bounds_alone) {
  const TestRuntime runtime;
  QpProblem p = simplex((Vector(2) << -3.0, 0.5).finished());
  p.equality.resize(0, 2);
  p.right.resize(0);
  p.upper.setOnes();
  DenseHessian hessian(Matrix::Identity(2, 2));
  const QpResult r = solve_qp(p, hessian, runtime);
  CHECK(r.converged);
  CHECK_CLOSE(r.x[0], 1.0, 1e-7);
  CHECK_CLOSE(r.x[1], 0.0, 1e-7);
}

TEST(equal_bounds_hold_a_variable) {
  const TestRuntime runtime;
  QpProblem p = simplex(Vector::Zero(3));
  p.lower[1] = p.upper[1] = 0.75;
  DenseHessian hessian(Matrix::Identity(3, 3));
  const QpResult r = solve_qp(p, hessian, runtime);
  CHECK(r.converged);
  CHECK_CLOSE(r.x[1], 0.75, 1e-12);
  CHECK_CLOSE(r.x[0], 0.125, 1e-7);
}

TEST(no_solution_is_not_called_one) {
  const TestRuntime runtime;
  QpProblem p = simplex(Vector::Zero(2));
  p.upper.setConstant(0.25);
  DenseHessian hessian(Matrix::Identity(2, 2));
  CHECK(!solve_qp(p, hessian, runtime).converged);
}

TEST(programmes_of_all_sizes_with_and_without_bounds) {
  const TestRuntime runtime;
  Random random(4, 1);
  const auto from = [&](double least, double most) {
    return least + (most - least) * random.uniform();
  };
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Index n = 2 + random.below(24), m = 1 + random.below(std::min<Index>(n - 1, 4));
    const Matrix root = normal_matrix(n, n, seed);
    const Matrix h = std::pow(10.0, from(-3.0, 3.0)) * root.transpose() * root;
    QpProblem p;
    p.linear = std::pow(10.0, from(-2.0, 2.0)) * normal_matrix(n, 1, seed + 100).col(0);
    p.equality = normal_matrix(m, n, seed + 200);
    p.lower = Vector::Constant(n, -infinity);
    p.upper = Vector::Constant(n, infinity);
    for (Index i = 0; i < n; ++i) {
      if (random.uniform() < 0.7) p.lower[i] = -random.uniform();
      if (random.uniform() < 0.7) p.upper[i] = random.uniform();
    }
    p.right = 0.5 * p.equality * (p.lower.cwiseMax(-1.0) + p.upper.cwiseMin(1.0));
    DenseHessian hessian(h);
    const QpResult r = solve_qp(p, hessian, runtime);
    CHECK(r.converged);
    check_gap(p, h, r);
  }
}

TEST(degenerate_programmes) {
  const Vector two = Vector::Ones(2), three = Vector::Ones(3);
  // The least of c'x over the simplex is the least c, at a vertex or, with ties, on a face.
  for (const Vector& cost :
       {Vector(Eigen::Vector3d(3.0, 1.0, 2.0)), Vector(Eigen::Vector3d(1.0, 1.0, 2.0)),
        Vector(Eigen::Vector3d(1.0, 1.0, 1.0)), Vector(Eigen::Vector3d(-5.0, 0.0, 5.0))}) {
    const QpResult r = solve(Matrix::Zero(3, 3), cost, Matrix::Ones(1, 3), Vector::Ones(1),
                             Vector::Constant(3, infinity));
    CHECK_CLOSE(r.objective, cost.minCoeff(), 1e-7);
    CHECK_CLOSE(r.x.sum(), 1.0, 1e-8);
  }
  // An equality twice, a feasible set of one point, a matrix without full rank.
  const QpResult twice =
      solve(Matrix::Identity(2, 2), Vector::Zero(2), Matrix::Ones(2, 2), two, two);
  CHECK((twice.x - 0.5 * two).norm() < 1e-6);
  const Vector point = Eigen::Vector2d(0.25, 0.75);
  const QpResult single =
      solve(Matrix::Zero(2, 2), Eigen::Vector2d(1.0, 2.0), Matrix::Identity(2, 2), point, two);
  CHECK((single.x - point).norm() < 1e-6);
  const QpResult flat = solve(Matrix::Ones(3, 3), -three, Matrix(0, 3), Vector(), 2.0 * three);
  CHECK_CLOSE(flat.x.sum(), 1.0, 1e-6);
}
