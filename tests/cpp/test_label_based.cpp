// The transformation of a kernel by labels, against its definition.
#include "kernels/label_based.hpp"

#include "check.hpp"
#include "fixtures.hpp"

using namespace mk;
using namespace fixtures;

TEST(the_square_is_the_product_of_its_definition) {
  const Index n = 137;  // two blocks of columns and a bit
  Random random(1, 2);
  Matrix k(n, n), near(n, n);
  Vector y(n);
  for (Index i = 0; i < n; ++i) {
    y[i] = random.uniform() < 0.4 ? 1.0 : -1.0;
    for (Index j = 0; j <= i; ++j) {
      k(i, j) = k(j, i) = random.uniform() - 0.3;
      near(i, j) = near(j, i) = random.uniform();
    }
  }
  const Matrix local = k.cwiseProduct(near);
  const Matrix star = label_star(view(k), view(local), y);
  Matrix expected(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) expected(i, j) = (1.0 + y[i] * y[j] * near(i, j)) * k(i, j);
  CHECK_CLOSE((star - expected).cwiseAbs().maxCoeff(), 0.0, 1e-14);
  TestRuntime one, three(3);
  const Matrix square = label_square(star, one);
  CHECK_CLOSE((square - expected * expected).cwiseAbs().maxCoeff(), 0.0, 1e-12);
  CHECK(identical(label_square(star, three), square));
  CHECK((square - square.transpose()).cwiseAbs().maxCoeff() == 0.0);
}

TEST(labels_must_fit_the_kernel) {
  const Matrix k = Matrix::Identity(3, 3);
  CHECK_THROWS(label_star(view(k), view(k), Vector::Ones(2)), InvalidArgument, "label");
}
