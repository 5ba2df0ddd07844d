// The features of a gating model: principal coordinates against their definition.
#include "base/symmetric_eigen.hpp"
#include "check.hpp"
#include "features/dense.hpp"
#include "fixtures.hpp"
#include "learners/gating_features.hpp"
#include "runtime.hpp"

using namespace mk;
using namespace fixtures;

namespace {

GatingOptions with_rank(Index rank) {
  GatingOptions options;
  options.rank = rank;
  return options;
}

GatingFeatures features_of(const Matrix& x, const GatingOptions& options) {
  return gating_features(DenseFeatures(view(x)), all_rows(x.rows()), options, TestRuntime());
}

}  // namespace

TEST(principal_coordinates_are_uncorrelated_with_variance_1) {
  for (Index columns : {4, 30}) {  // fewer and more than rows: either product is decomposed
    Matrix x = normal_matrix(20, columns, 1);
    x.col(1) += 3.0 * x.col(0);
    const GatingFeatures f = features_of(x, with_rank(3));
    CHECK(f.size() == 3 && f.rotation.rows() == columns);
    const Matrix z = f.of(DenseFeatures(view(x)), all_rows(20));
    CHECK_CLOSE(distance(Matrix(z.transpose() * z / 19.0), Matrix(Matrix::Identity(3, 3))), 0.0,
                1e-10);
    CHECK_CLOSE(z.colwise().mean().cwiseAbs().maxCoeff(), 0.0, 1e-10);
    // The variance of the columns along the k-th loading is the k-th largest eigenvalue.
    const Matrix columns_of = features_of(x, with_rank(0)).of(DenseFeatures(view(x)), all_rows(20));
    const Matrix covariance = columns_of.transpose() * columns_of / 19.0;
    Matrix vectors = covariance;
    Vector values;
    symmetric_eigen(vectors, values, TestRuntime());
    for (Index k = 0; k < 3; ++k) {
      const Vector w = f.rotation.col(k).normalized();
      CHECK_CLOSE(w.dot(covariance * w), values[columns - 1 - k], 1e-10);
    }
  }
}

TEST(coordinates_without_variance_are_left_out) {
  Matrix x = normal_matrix(20, 2, 2) * normal_matrix(2, 15, 3);
  const GatingFeatures f = features_of(x, with_rank(9));
  CHECK(f.size() == 2);
  x.setOnes();
  CHECK(features_of(x, with_rank(9)).of(DenseFeatures(view(x)), all_rows(20)).allFinite());
}

TEST(the_rank_follows_the_number_of_columns) {
  CHECK(automatic_rank(50, 100) == 0);
  CHECK(automatic_rank(51, 100) == 2);
  const Matrix x = normal_matrix(10, 6, 4);
  CHECK(features_of(x, GatingOptions()).size() == 2);
  GatingOptions none;
  none.all_columns = false;
  CHECK(features_of(x, none).size() == 0);
}
