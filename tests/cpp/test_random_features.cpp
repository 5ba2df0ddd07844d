// Random features: unbiased and of the error that theory gives for each kernel family, exact for
// linear kernels, the same for sparse features, with several threads and in any company.
#include "approximations/random_features.hpp"

#include "check.hpp"
#include "features/dense.hpp"
#include "features/sparse.hpp"
#include "fixtures.hpp"

using namespace mk;
using namespace fixtures;

namespace {

Matrix features_of(const KernelFeatures& features, Index m) {
  return features.matrix(m, TestRuntime());
}

Matrix approximation(const KernelBank& bank, Index m, const FeatureDraw& draw,
                     const Runtime& runtime) {
  const Matrix z = features_of(*make_random_features(bank, draw, runtime).features, m);
  return z * z.transpose();
}

Matrix exact(const KernelBank& bank, Index m, const Runtime& runtime) {
  Matrix k(bank.rows(), bank.rows());
  bank.fill({m}, {k.data()}, runtime);
  return k;
}

State product_item(const std::vector<State>& factors) {
  State state = item("product");
  state.set("factors", Value(factors));
  return state;
}

std::vector<State> families() {
  std::vector<State> items = {item("rbf", {{"gamma", 0.3}}), item("laplacian", {{"sigma", 1.7}}),
                              item("cauchy", {{"sigma", 1.3}})};
  for (const double nu : {0.5, 1.5, 2.5})
    items.push_back(item("matern", {{"nu", nu}, {"sigma", 1.6}}));
  for (const double alpha : {0.4, 3.0})
    items.push_back(item("rational_quadratic", {{"sigma", 1.2}, {"alpha", alpha}}));
  items.push_back(product(
      {on(item("rbf", {{"gamma", 0.2}}), {0, 2}), on(item("laplacian", {{"sigma", 2.0}}), {1})}));
  return items;
}

}  // namespace

// The mean over seeds lies within its standard errors, which are small enough to tell frequencies
// that are a tenth too large, and four times as many features halve the error.
TEST(features_are_unbiased_and_their_error_falls_with_the_root_of_their_number) {
  const TestRuntime runtime;
  const Matrix x = normal_matrix(10, 3, 5);
  const KernelBank bank = make_bank(families(), x, runtime);
  constexpr Index seeds = 1000;
  for (Index m = 0; m < bank.size(); ++m) {
    const Matrix k = exact(bank, m, runtime);
    double squares[2] = {0.0, 0.0};
    Matrix sum = Matrix::Zero(10, 10), sum_squares = sum;
    for (Index s = 0; s < seeds; ++s) {
      const auto seed = static_cast<std::uint64_t>(s + 1);
      const auto features = [&](Index count) {
        Matrix z(panel_rows, count);
        const ExplicitMap map(*bank.fitted(), m, {seed, count}, runtime);
        map.rows(bank.group(), runtime)->values(0, z.data());
        return Matrix(z.topRows(10) * z.topRows(10).transpose());
      };
      const Matrix few = features(36), many = features(144);
      CHECK(distance(Vector(few.diagonal()), Vector(k.diagonal())) < 1e-12);
      sum += many;
      sum_squares += many.cwiseAbs2();
      squares[0] += (few - k).squaredNorm();
      squares[1] += (many - k).squaredNorm();
    }
    const Matrix mean = sum / seeds;
    const Matrix variance = (sum_squares / seeds - mean.cwiseAbs2()) / seeds;
    double worst = 0.0;
    for (Index j = 0; j < 10; ++j)
      for (Index i = j + 1; i < 10; ++i)
        worst = std::max(worst, std::abs(mean(i, j) - k(i, j)) / std::sqrt(variance(i, j)));
    CHECK(worst < 4.5);  // of 45 entries
    CHECK_CLOSE(std::sqrt(squares[0] / squares[1]), 2.0, 0.12);
  }
}

// With h independent frequencies the mean squared error is (1 - k^2)^2 / (2 h) (Rahimi & Recht
// 2007; Sutherland & Schneider 2015); orthogonal ones have a smaller one (Yu et al. 2016).
TEST(orthogonal_frequencies_have_smaller_errors_than_theory_gives_independent_ones) {
  const TestRuntime runtime;
  const Matrix x = normal_matrix(12, 8, 6);
  const KernelBank bank = make_bank({item("rbf", {{"gamma", 0.06}})}, x, runtime);
  const Matrix k = exact(bank, 0, runtime);
  double found = 0.0, independent = 0.0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    found += (approximation(bank, 0, {seed, 16}, runtime) - k).squaredNorm() / 200.0;
  }
  independent = (1.0 - k.array().square()).square().sum() / 16.0;
  CHECK(found < 0.75 * independent);
  CHECK(found > 0.1 * independent);
}

TEST(linear_features_are_exact_and_normalizers_are_those_of_the_kernel) {
  const TestRuntime runtime;
  const Matrix x = normal_matrix(150, 4, 7);
  const KernelBank bank = make_bank(
      {on(item("linear", {}, {"cosine"}), {1, 3}), item("linear", {}, {"trace"}),
       item("linear", {}, {"cosine", "unit_trace"}), item("linear", {}, {"trace", "cosine"}),
       item("rbf", {{"gamma", 0.4}}, {"unit_trace", "cosine", "unit_trace"})},
      x, runtime);
  const RandomFeatures made = make_random_features(bank, {1, 101}, runtime);
  CHECK(made.features->columns(0) == 2);
  CHECK(made.features->columns(1) == 4);
  CHECK(made.features->columns(4) == 102);  // pairs
  for (Index m = 0; m < 4; ++m) {
    const Matrix z = features_of(*made.features, m);
    CHECK(distance(Matrix(z * z.transpose()), exact(bank, m, runtime)) < 1e-13);
    CHECK(made.error[m] < 1e-14);
  }
  const Matrix z = features_of(*made.features, 4), k = exact(bank, 4, runtime);
  CHECK(distance(Matrix(z.rowwise().squaredNorm()), Matrix(k.diagonal())) < 1e-14);
  CHECK_CLOSE(made.error[4], (z * z.transpose() - k).norm() / k.norm(), 1e-12);
}

TEST(sparse_features_give_the_approximation_of_dense_ones) {
  const TestRuntime runtime;
  const Index n = 40, p = 6;
  Matrix x = histogram_matrix(n, p, 8);
  SparseFeatures::Columns columns;
  columns.rows = n;
  columns.starts = {0};
  std::vector<double> values;
  for (Index f = 0; f < p; ++f) {
    for (Index i = 0; i < n; ++i)
      if (x(i, f) != 0.0) {
        columns.positions.push_back(i);
        values.push_back(x(i, f));
      }
    columns.starts.push_back(static_cast<Index>(values.size()));
  }
  columns.values = Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
  columns.center = Vector::LinSpaced(p, 0.0, 0.3);
  columns.scale = Vector::LinSpaced(p, 0.7, 1.4);
  Matrix dense = x;
  for (Index f = 0; f < p; ++f)
    dense.col(f) = (x.col(f).array() - columns.center[f]) / columns.scale[f];
  const std::vector<State> items = {on(item("rbf", {{"gamma", 0.3}}), {4, 0, 2}), item("linear"),
                                    item("cauchy", {{"sigma", 2.0}}, {"trace"})};
  const auto set = std::make_shared<KernelSet>(items, FeatureShape(p));
  const KernelBank sparse(set, feature_examples(std::make_shared<SparseFeatures>(columns)),
                          runtime);
  const KernelBank full(set, feature_examples(own_dense(dense)), runtime);
  for (Index m = 0; m < 3; ++m)
    CHECK(distance(approximation(sparse, m, {3, 60}, runtime),
                   approximation(full, m, {3, 60}, runtime)) < 1e-12);
}

TEST(features_depend_on_seed_kernel_and_row_alone) {
  const TestRuntime one(1), three(3);
  const Matrix x = normal_matrix(500, 5, 9);
  const auto items = families();
  const std::vector<State> some(items.begin(), items.begin() + 3);
  const KernelBank bank = make_bank(some, x, one);
  const auto made = make_random_features(bank, {4, 300}, one).features;
  const auto again = make_random_features(bank, {4, 300}, three).features;
  const auto other = make_random_features(bank, {5, 300}, one).features;
  const Indices rows = {7, 499, 0, 130};
  const auto group = bank.group().part(rows);
  for (Index m = 0; m < 3; ++m) {
    CHECK(identical(features_of(*made, m), features_of(*again, m)));
    CHECK(!identical(features_of(*made, m), features_of(*other, m)));
    Matrix part(panel_rows, 300);
    const ExplicitMap map(*bank.fitted(), m, {4, 300}, three);
    map.rows(*group, three)->values(0, part.data());
    CHECK(
        identical(Matrix(part.topRows(4)), submatrix(features_of(*made, m), rows, all_rows(300))));
  }
}

TEST(kernels_without_features_are_named) {
  const TestRuntime runtime;
  const Matrix x = normal_matrix(20, 3, 10).cwiseAbs();
  for (const State& kernel :
       {item("polynomial", {{"degree", 2.0}, {"scale", 1.0}, {"offset", 1.0}}),
        item("chisq", {{"gamma", 1.0}}), item("rbf", {{"gamma", 1.0}}, {"center"}),
        product_item({item("rbf", {{"gamma", 1.0}}), item("linear")}),
        product_item({item("linear"), item("linear")})}) {
    const KernelBank bank = make_bank({kernel}, x, runtime);
    CHECK_THROWS(make_random_features(bank, {1, 10}, runtime), InvalidArgument, "nystrom");
  }
}

TEST(features_beyond_the_memory_are_made_anew) {
  const TestRuntime runtime;
  TestRuntime small;
  small.memory = 1000.0;
  const Matrix x = normal_matrix(200, 3, 10);
  const KernelBank bank = make_bank(families(), x, runtime);
  const auto made = make_random_features(bank, {1, 10}, small).features;
  CHECK(made->form() == FeatureForm::anew);
  const auto stored = make_random_features(bank, {1, 10}, runtime).features;
  const Vector b = normal_matrix(200, 1, 4);
  for (Index m = 0; m < bank.size(); ++m)
    CHECK(distance(made->backward(m, b, runtime), stored->backward(m, b, runtime)) < 1e-10);
}
