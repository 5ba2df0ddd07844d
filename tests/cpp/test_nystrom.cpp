// The Nystrom approximation: Z Z' against its definition, landmarks, what is refused.
#include <Eigen/Eigenvalues>

#include "approximations/landmarks.hpp"
#include "approximations/nystrom.hpp"
#include "check.hpp"
#include "fixtures.hpp"

using namespace mk;
using namespace fixtures;

namespace {

Matrix features_of(const KernelFeatures& features, Index m) {
  Matrix z(features.rows(), features.columns(m));
  for (Index i = 0; i < z.rows(); ++i)
    z.row(i) = Eigen::Map<const Eigen::RowVectorXd>(features.row(m, i), z.cols());
  return z;
}

}  // namespace

TEST(features_are_those_of_the_definition) {
  const TestRuntime runtime(2);
  const Matrix x = normal_matrix(700, 4, 3);
  const KernelBank bank =
      make_bank({item("rbf", {{"gamma", 0.4}}), item("linear", {}, {"trace"})}, x, runtime);
  const Indices landmarks = spread_rows(700, 150);
  const Nystrom nystrom = make_nystrom(bank, landmarks, runtime);
  CHECK(nystrom.features->columns(1) == 4);  // the rank of the linear kernel
  for (Index m = 0; m < 2; ++m) {
    Matrix k(700, 700);
    bank.fill({m}, {k.data()}, runtime);
    const Matrix outer = submatrix(k, all_rows(700), landmarks);
    const Eigen::SelfAdjointEigenSolver<Matrix> inner(submatrix(k, landmarks, landmarks));
    const double least = 1e-10 * inner.eigenvalues().maxCoeff();
    const Vector inverse =
        (inner.eigenvalues().array() > least).select(inner.eigenvalues().cwiseInverse(), 0.0);
    const Matrix half = outer * inner.eigenvectors();
    const Matrix expected = half * inverse.asDiagonal() * half.transpose();
    const Matrix z = features_of(*nystrom.features, m);
    CHECK(distance(Matrix(z * z.transpose()), expected) < 1e-6);
    CHECK(distance(Matrix(outer * nystrom.back[at(m)]), z) < 1e-9);
    CHECK_CLOSE(nystrom.error[m], 1.0 - expected.trace() / k.trace(), 1e-6);
  }
}

TEST(approximated_banks_have_forms_and_parts_but_no_matrices) {
  const TestRuntime runtime;
  const Matrix x = normal_matrix(80, 3, 3);
  const KernelBank exact = make_bank({item("rbf", {{"gamma", 0.4}})}, x, runtime);
  const Nystrom nystrom = make_nystrom(exact, spread_rows(80, 20), runtime);
  const KernelBank bank = exact.approximate(nystrom.features);
  const Vector b = normal_matrix(80, 1, 4);
  const Matrix z = features_of(*nystrom.features, 0);
  CHECK_CLOSE(bank.quadratic_forms({0}, b, runtime)[0], (z.transpose() * b).squaredNorm(), 1e-9);
  const Indices some = {5, 3, 70};
  const KernelBank part = bank.subset(some);
  CHECK(distance(features_of(*part.features(), 0), submatrix(z, some, all_rows(z.cols()))) == 0.0);
  CHECK(!bank.fits(1.0) && !bank.fits_all(0.0, runtime));
  CHECK_THROWS(bank.matrix(0, runtime), InvalidArgument, "approximate");
  Matrix out(80, 80);
  CHECK_THROWS(bank.sum(Vector::Ones(1), out.data(), runtime), InvalidArgument, "approximate");
}

TEST(indefinite_kernels_are_told_from_those_of_low_rank) {
  const TestRuntime runtime;
  const Matrix x = normal_matrix(50, 3, 3);
  const Indices landmarks = spread_rows(50, 20);
  const auto flags = [&](const State& kernel) {
    return make_nystrom(make_bank({kernel}, x, runtime), landmarks, runtime);
  };
  CHECK(!flags(item("linear")).indefinite[0]);
  CHECK(!flags(item("rbf", {{"gamma", 0.4}})).indefinite[0]);
  const Nystrom lost = flags(item("sigmoid", {{"scale", 1.0}, {"offset", -1.0}}));
  CHECK(lost.indefinite[0]);
  CHECK(lost.error[0] > 0.01);
}

TEST(landmarks_are_different_rows) {
  const TestRuntime runtime;
  Matrix x = normal_matrix(60, 2, 3);
  x.bottomRows(40) = x.row(0).replicate(40, 1);  // 20 different rows
  const KernelBank bank = make_bank({item("rbf", {{"gamma", 2.0}})}, x, runtime);
  for (const char* method : {"uniform", "kmeans++", "rpcholesky"}) {
    const Indices chosen = choose_landmarks(method, 30, bank, runtime);
    for (std::size_t k = 1; k < chosen.size(); ++k) CHECK(chosen[k - 1] < chosen[k]);
    CHECK(static_cast<Index>(chosen.size()) == (method[0] == 'u' ? 30 : 20));
  }
  CHECK_THROWS(choose_landmarks("uniform", 61, bank, runtime), InvalidArgument, "60");
  CHECK_THROWS(choose_landmarks("other", 6, bank, runtime), InvalidArgument, "rpcholesky");
}

TEST(features_beyond_the_memory_are_refused) {
  TestRuntime runtime;
  const Matrix x = normal_matrix(80, 3, 3);
  const KernelBank bank = make_bank({item("rbf", {{"gamma", 0.4}})}, x, runtime);
  runtime.memory = 80.0 * 20.0 * 8.0;
  CHECK_THROWS(make_nystrom(bank, spread_rows(80, 20), runtime), InvalidArgument, "landmarks");
}
