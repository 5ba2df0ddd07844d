// The Cholesky factor and products by blocks, against Eigen's own.
#include "base/cholesky.hpp"

#include "base/product.hpp"
#include "check.hpp"
#include "runtime.hpp"

using namespace mk;

namespace {

Matrix definite(Index n) {
  std::srand(2);
  const Matrix z = Matrix::Random(n, n);
  return z * z.transpose() + Matrix::Identity(n, n);
}

}  // namespace

TEST(the_factor_reproduces_the_matrix) {
  for (const Index n : {1, 5, 127, 128, 129, 300}) {
    const Matrix a = definite(n);
    Matrix k = a;
    const TestRuntime runtime;
    const Cholesky factor(k, runtime);
    CHECK(factor.info() == Eigen::Success);
    const Matrix l = k.triangularView<Eigen::Lower>();
    CHECK((l * l.transpose() - a).cwiseAbs().maxCoeff() < 1e-12 * a.cwiseAbs().maxCoeff());
    const Vector x = Vector::Random(n);
    Matrix solved = a * x;
    factor.solveInPlace(solved);
    CHECK((solved.col(0) - x).cwiseAbs().maxCoeff() < 1e-9);
    Matrix lower = l * x;
    factor.matrixL().solveInPlace(lower);
    CHECK((lower.col(0) - x).cwiseAbs().maxCoeff() < 1e-9);
  }
}

TEST(an_indefinite_matrix_has_no_factor) {
  for (const Index n : {3, 200}) {
    Matrix k = definite(n);
    k(n - 1, n - 1) = -1.0;
    CHECK(Cholesky(k, TestRuntime()).info() != Eigen::Success);
  }
}

TEST(threads_do_not_change_factors_and_products) {
  const Matrix a = definite(300), b = Matrix::Random(300, 70);
  Matrix k1 = a, k3 = a;
  const TestRuntime one(1), three(3);
  const Cholesky first(k1, one), second(k3, three);
  CHECK(k1 == k3);
  CHECK(product(a, b, one) == product(a, b, three));
}

TEST(products_are_those_of_eigen) {
  const Matrix a = Matrix::Random(90, 40), b = Matrix::Random(40, 300);
  const TestRuntime runtime;
  CHECK((product(a, b, runtime) - a * b).cwiseAbs().maxCoeff() < 1e-13);
  CHECK((product(a.transpose(), a, runtime) - a.transpose() * a).cwiseAbs().maxCoeff() < 1e-13);
  CHECK(product(a, Matrix(40, 0), runtime).cols() == 0);
}

TEST(they_can_be_interrupted) {
  const Matrix a = definite(300);
  TestRuntime runtime;
  runtime.interrupt_after = 4;
  Matrix k = a;
  CHECK_THROWS(Cholesky(k, runtime), Interrupted, "");
  runtime.looks = 0;
  runtime.interrupt_after = 1;
  CHECK_THROWS(product(a, Matrix(Matrix::Random(300, 600)), runtime), Interrupted, "");
}
