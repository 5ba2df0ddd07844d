// Weights of fused kernels: closed forms and bounds.
#include "check.hpp"
#include "fixtures.hpp"
#include "unsupervised/fusion.hpp"

using namespace mk;
using namespace fixtures;

TEST(the_leading_eigenvector_of_equal_cosines_is_flat) {
  const TestRuntime runtime;
  const FusionWeights found = statis_weights(Matrix::Ones(3, 3), runtime);
  for (Index m = 0; m < 3; ++m) CHECK_CLOSE(found.weights[m], 1.0 / 3.0, 1e-12);
  CHECK_CLOSE(found.objective, 3.0, 1e-12);
}

TEST(diagonal_matrices_have_inverse_weights_on_the_simplex) {
  const TestRuntime runtime;
  const Vector s = (Vector(3) << 1.0, 2.0, 4.0).finished();
  const FusionWeights found = simplex_weights(s.asDiagonal(), runtime);
  const double total = s.cwiseInverse().sum();
  for (Index m = 0; m < 3; ++m) CHECK_CLOSE(found.weights[m], 1.0 / s[m] / total, 1e-9);
  CHECK_CLOSE(found.objective, 1.0 / total, 1e-9);
  CHECK(found.gap < 1e-9);
}

TEST(no_point_of_the_simplex_is_better) {
  const TestRuntime runtime;
  const Matrix s = definite_matrix(6, 3);
  const FusionWeights found = simplex_weights(s, runtime);
  Random random(1, 2);
  for (int i = 0; i < 200; ++i) {
    Vector b(6);
    for (Index m = 0; m < 6; ++m) b[m] = random.uniform();
    b /= b.sum();
    CHECK(b.dot(s * b) >= found.objective * (1.0 - 1e-9));
  }
}

TEST(no_point_of_the_sphere_is_better) {
  const TestRuntime runtime;
  const Matrix s = definite_matrix(6, 4);
  const FusionWeights found = sphere_weights(s, 100000, runtime);
  CHECK(found.gap < 1e-9);
  Random random(1, 5);
  for (int i = 0; i < 500; ++i) {
    Vector b(6);
    for (Index m = 0; m < 6; ++m) b[m] = std::max(0.0, normal(random));
    if (b.norm() == 0.0) continue;
    b.normalize();
    CHECK(b.dot(s * b) >= found.objective - 1e-9);
  }
  // Without negative entries a single kernel is best.
  const FusionWeights one =
      sphere_weights(Matrix::Ones(3, 3) + Matrix::Identity(3, 3), 10, runtime);
  CHECK_CLOSE(one.weights.maxCoeff(), 1.0, 1e-12);
}
