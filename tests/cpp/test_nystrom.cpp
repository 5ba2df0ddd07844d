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
  return features.matrix(m, TestRuntime());
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

// What the forms have in common, and with the product of features written out.
TEST(features_stored_narrow_or_made_anew_give_the_same_sums) {
  const TestRuntime runtime(2);
  const Matrix x = normal_matrix(1500, 3, 3);
  const KernelBank bank =
      make_bank({item("rbf", {{"gamma", 3.0}}), item("linear", {}, {"cosine"})}, x, runtime);
  const Nystrom nystrom = make_nystrom(bank, spread_rows(1500, 60), runtime);
  Vector weights(2), b = normal_matrix(1500, 1, 4);
  weights << 0.5, 2.0;
  b.head(700).setZero();
  const Indices some = {5, 3, 900, 1400};
  for (const FeatureForm form : {FeatureForm::full, FeatureForm::single, FeatureForm::anew}) {
    const double eps = form == FeatureForm::single ? 1e-5 : 1e-9;
    const auto features =
        std::make_shared<KernelFeatures>(nystrom.maker, bank.shared_group(), form, runtime);
    CHECK(features->form() == form);
    Matrix z(1500, features->columns(0) + features->columns(1));
    z << std::sqrt(0.5) * features_of(*nystrom.features, 0),
        std::sqrt(2.0) * features_of(*nystrom.features, 1);
    const FeatureSum sum(features, weights, runtime);
    const Vector w = normal_matrix(z.cols(), 1, 6);
    CHECK(distance(sum.forward(w), Vector(z * w)) < eps * w.norm());
    CHECK(distance(sum.backward(b), Vector(z.transpose() * b)) < eps * b.norm());
    const Vector d = b.cwiseAbs();
    const Matrix expected = z.transpose() * d.asDiagonal() * z;
    CHECK(distance(sum.curve(d, w), Vector(expected * w)) < 100.0 * eps * w.norm());
    Matrix gram = sum.gram(d);
    gram.triangularView<Eigen::StrictlyUpper>() = gram.transpose();
    CHECK(distance(gram, expected) < 100.0 * eps);
    CHECK(distance(sum.diagonal(), Vector(z.rowwise().squaredNorm())) < 10.0 * eps);
    CHECK(sum.largest() >= sum.diagonal().maxCoeff() * (1.0 - 1e-6));
    CHECK(distance(sum.part(some)->forward(w), Vector(submatrix(z, some, all_rows(z.cols())) * w)) <
          eps * w.norm());
    const auto threads = [&](int count) {
      const TestRuntime own(count);
      const FeatureSum same(features, weights, own);
      return Matrix(same.gram(d) + same.curve(d, w) * w.transpose());
    };
    CHECK(identical(threads(1), threads(3)));
  }
}

TEST(rows_that_are_new_have_the_features_of_the_rows_they_equal) {
  const TestRuntime runtime;
  const Matrix x = normal_matrix(300, 3, 3), y = x.middleRows(100, 150);
  const KernelBank bank = make_bank({item("rbf", {{"gamma", 0.4}}, {"cosine"})}, x, runtime);
  const Nystrom nystrom = make_nystrom(bank, spread_rows(300, 40), runtime);
  const auto fresh = whole_group(dense_examples(view(y)), false, bank.group().origins());
  const KernelFeatures features(nystrom.maker, fresh, FeatureForm::anew, runtime);
  CHECK(distance(Matrix(features.matrix(0, runtime)),
                 Matrix(features_of(*nystrom.features, 0).middleRows(100, 150))) < 1e-8);
}

TEST(the_memory_chooses_the_form) {
  TestRuntime runtime;
  const Matrix x = normal_matrix(80, 3, 3);
  const KernelBank bank = make_bank({item("rbf", {{"gamma", 0.4}})}, x, runtime);
  const auto form = [&](double memory) {
    runtime.memory = memory;
    return make_nystrom(bank, spread_rows(80, 20), runtime).features->form();
  };
  const double bytes = 80.0 * 20.0 * 8.0;
  CHECK(form(1.2 * bytes) == FeatureForm::full);
  CHECK(form(0.6 * bytes) == FeatureForm::single);
  CHECK(form(0.4 * bytes) == FeatureForm::anew);
}
