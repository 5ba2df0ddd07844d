// Radius and other measures of kernels on points whose values are known.
#include "check.hpp"
#include "learners/kernel_measures.hpp"
#include "learning.hpp"

using namespace mk;
using namespace fixtures;

TEST(the_ball_around_a_square_has_half_its_diagonal) {
  const TestRuntime runtime;
  Matrix x(5, 2);
  x << 0, 0, 2, 0, 0, 2, 2, 2, 1, 0.5;
  const Matrix k = x * x.transpose();
  const EnclosingBall ball = enclosing_ball(view(k), smo_options(1e-8), runtime);
  CHECK_CLOSE(ball.squared, 2.0, 1e-6);
  CHECK(ball.gap < 1e-5);
  CHECK(((x.transpose() * ball.a) - Vector::Ones(2)).norm() < 1e-3);
}

TEST(measures_of_the_identity_are_extreme) {
  const TestRuntime runtime;
  const Matrix x = Matrix::Identity(6, 6);
  const auto bank = make_bank({item("linear")}, x, runtime);
  Vector y = Vector::Ones(6);
  y.tail(3).setConstant(-1.0);
  MeasureOptions options;
  options.smo = smo_options(1e-8);
  const KernelMeasures found = kernel_measures(bank, y, y, options, runtime);
  CHECK_CLOSE(found.spectral_ratio[0], std::sqrt(6.0), 1e-12);
  CHECK_CLOSE(found.alignment[0], 1.0 / std::sqrt(6.0), 1e-12);
  CHECK_CLOSE(found.radius[0], std::sqrt(5.0 / 6.0), 1e-6);
  CHECK_CLOSE(found.margin[0], std::sqrt(2.0 / 3.0), 1e-6);
  CHECK_CLOSE(found.dimension[0], 6.0 / 1.06, 1e-9);
}
