// The eigendecomposition of symmetric matrices, against its equations and Eigen's solver.
#include "base/symmetric_eigen.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

#include "check.hpp"
#include "runtime.hpp"

using namespace mk;

namespace {

Matrix gaussian(Index n) {
  std::srand(1);
  const Matrix x = Matrix::Random(n, 3);
  Matrix k(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) k(i, j) = std::exp(-(x.row(i) - x.row(j)).squaredNorm());
  return k;
}

// The largest violations of A Q = Q diag(values) and Q'Q = I, relative to the matrix.
double violation(const Matrix& a, const Matrix& q, const Vector& values) {
  const double scale = std::max(a.cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
  const Matrix off = (a * q - q * values.asDiagonal()) / scale;
  const Matrix gram = q.transpose() * q - Matrix::Identity(q.cols(), q.cols());
  return std::max(off.cwiseAbs().maxCoeff(), gram.cwiseAbs().maxCoeff());
}

void check_decomposition(const Matrix& a) {
  const TestRuntime runtime;
  Matrix q = a;
  Vector values;
  symmetric_eigen(q, values, runtime);
  CHECK(violation(a, q, values) < 1e-12 * static_cast<double>(a.rows() + 10));
  for (Index i = 0; i + 1 < values.size(); ++i) CHECK(values[i] <= values[i + 1]);
  const Vector expected =
      Eigen::SelfAdjointEigenSolver<Matrix>(a, Eigen::EigenvaluesOnly).eigenvalues();
  CHECK((values - expected).cwiseAbs().maxCoeff() <= 1e-12 * expected.cwiseAbs().maxCoeff());
}

}  // namespace

TEST(the_equations_hold) {
  for (const Index n : {1, 2, 3, 47, 48, 49, 50, 97, 150}) check_decomposition(gaussian(n));
  const Matrix random = Matrix::Random(60, 60);
  check_decomposition(random + random.transpose());
}

TEST(special_matrices) {
  check_decomposition(Matrix::Zero(7, 7));
  check_decomposition(Matrix::Identity(30, 30));
  check_decomposition(Matrix::Ones(40, 40));
  check_decomposition(Vector::LinSpaced(20, 5.0, -5.0).asDiagonal());
  check_decomposition(gaussian(20) * 1e150);
  check_decomposition(gaussian(20) * 1e-150);
}

TEST(threads_do_not_change_the_result) {
  const Matrix a = gaussian(200);
  const TestRuntime one(1), three(3);
  Matrix q1 = a, q3 = a;
  Vector v1, v3;
  symmetric_eigen(q1, v1, one);
  symmetric_eigen(q3, v3, three);
  CHECK(q1 == q3);
  CHECK(v1 == v3);
}

TEST(every_part_can_be_interrupted) {
  const Matrix a = gaussian(120);
  TestRuntime runtime;
  Matrix q = a;
  Vector values;
  symmetric_eigen(q, values, runtime);
  const long looks = runtime.looks;
  CHECK(looks > 3 * a.rows() / 2);
  for (long after = 0; after < looks; after += 37) {
    runtime.looks = 0;
    runtime.interrupt_after = after;
    q = a;
    CHECK_THROWS(symmetric_eigen(q, values, runtime), Interrupted, "");
  }
}
