// The gating models of LMKL: weights against their formulas, gradients against finite differences.
#include "check.hpp"
#include "fixtures.hpp"
#include "learners/gating.hpp"

using namespace mk;
using namespace fixtures;

namespace {

const GatingKind every_kind[] = {GatingKind::softmax, GatingKind::sigmoid, GatingKind::rbf};

Gating random_gating(GatingKind kind, Index features, Index kernels, std::uint64_t seed) {
  Gating gating(kind, features, kernels);
  gating.parameters = normal_matrix(features + 1, kernels, seed);
  return gating;
}

double loss(const Gating& gating, const Matrix& z, const Matrix& c) {
  return -(c.array() * gating.weights(z).array().log()).sum();
}

}  // namespace

TEST(weights_are_those_of_the_formulas) {
  const Matrix z = normal_matrix(9, 2, 1);
  for (GatingKind kind : every_kind) {
    const Gating gating = random_gating(kind, 2, 3, 2);
    const Matrix& v = gating.parameters;
    const Matrix eta = gating.weights(z);
    for (Index i = 0; i < 9; ++i) {
      Vector a(3);
      for (Index m = 0; m < 3; ++m) {
        const double d0 = z(i, 0) - v(0, m), d1 = z(i, 1) - v(1, m);
        a[m] = kind == GatingKind::rbf ? -std::exp(v(2, m)) * (d0 * d0 + d1 * d1)
                                       : v(0, m) * z(i, 0) + v(1, m) * z(i, 1) + v(2, m);
      }
      const double sum = a.array().exp().sum();
      for (Index m = 0; m < 3; ++m)
        CHECK_CLOSE(
            eta(i, m),
            kind == GatingKind::sigmoid ? 1.0 / (1.0 + std::exp(-a[m])) : std::exp(a[m]) / sum,
            1e-14);
    }
  }
}

TEST(gradients_are_those_of_finite_differences) {
  const Matrix z = normal_matrix(12, 3, 3), c = normal_matrix(12, 4, 4);
  for (GatingKind kind : every_kind) {
    Gating gating = random_gating(kind, 3, 4, 5);
    const Matrix g = gating.gradient(z, gating.weights(z), c);
    CHECK(g.rows() == 4 && g.cols() == 4);
    const double h = 1e-6;
    for (Index m = 0; m < 4; ++m)
      for (Index f = 0; f < 4; ++f) {
        Gating up = gating, down = gating;
        up.parameters(f, m) += h;
        down.parameters(f, m) -= h;
        CHECK_CLOSE(g(f, m), (loss(up, z, c) - loss(down, z, c)) / (2.0 * h), 1e-6);
      }
  }
}

TEST(no_size_of_features_makes_a_weight_other_than_finite) {
  for (double size : {1e3, 1e100, 1e200, 1e300}) {
    Matrix z = size * normal_matrix(20, 3, 6);
    z.row(0).setZero();
    for (GatingKind kind : every_kind) {
      const Gating gating = random_gating(kind, 3, 3, 7);
      const Matrix eta = gating.weights(z);
      CHECK(eta.allFinite() && eta.minCoeff() >= 0.0 && eta.maxCoeff() <= 1.0);
      if (kind == GatingKind::sigmoid) continue;
      for (Index i = 0; i < 20; ++i) CHECK_CLOSE(eta.row(i).sum(), 1.0, 1e-12);
    }
  }
  // A row on a centre of any precision.
  Gating gating(GatingKind::rbf, 2, 2);
  gating.parameters.row(2).setConstant(1e5);
  CHECK(gating.weights(Matrix::Zero(3, 2)).allFinite());
}

TEST(all_weight_on_one_kernel_leaves_a_gradient_of_zero) {
  const Matrix z = normal_matrix(6, 2, 8);
  Gating gating(GatingKind::softmax, 2, 3);
  gating.parameters(2, 1) = 5000.0;
  const Matrix eta = gating.weights(z);
  CHECK(eta.col(1) == Vector(Vector::Ones(6)) && eta.col(0).isZero(0.0));
  Matrix c = Matrix::Zero(6, 3);  // c_ik holds the factor eta_ik
  c.col(1) = normal_matrix(6, 1, 9);
  CHECK(gating.gradient(z, eta, c).isZero(0.0));
}

TEST(without_features_the_weights_are_the_same_everywhere) {
  const Matrix z(5, 0);
  for (GatingKind kind : {GatingKind::softmax, GatingKind::sigmoid}) {
    const Gating gating = random_gating(kind, 0, 3, 10);
    const Matrix eta = gating.weights(z);
    for (Index i = 1; i < 5; ++i) CHECK(eta.row(i) == eta.row(0));
    CHECK(gating.gradient(z, eta, normal_matrix(5, 3, 11)).rows() == 1);
  }
}

TEST(starts_are_small_and_follow_the_seed) {
  const Matrix z = normal_matrix(15, 4, 12);
  for (GatingKind kind : every_kind) {
    Gating a(kind, 4, 3), b(kind, 4, 3), other(kind, 4, 3);
    Random first(1, 1), again(1, 1), second(2, 1);
    a.initialise(z, first);
    b.initialise(z, again);
    other.initialise(z, second);
    CHECK(identical(a.parameters, b.parameters) && !identical(a.parameters, other.parameters));
    if (kind != GatingKind::rbf) CHECK(a.parameters.cwiseAbs().maxCoeff() <= 0.1);
  }
}

TEST(neutral_parameters_give_equal_weights) {
  const Matrix z = normal_matrix(9, 3, 13);
  for (GatingKind kind : every_kind) {
    Gating gating = random_gating(kind, 3, 4, 14);
    gating.neutralize();
    const double weight = kind == GatingKind::sigmoid ? 0.5 : 0.25;
    CHECK_CLOSE((gating.weights(z).array() - weight).abs().maxCoeff(), 0.0, 1e-15);
  }
}

TEST(names) {
  for (GatingKind kind : every_kind) CHECK(read_gating(gating_name(kind)) == kind);
  CHECK_THROWS(read_gating("max"), std::exception, "`gating`");
}
