// Tanimoto and Bray-Curtis kernels on dense and sparse features, against their definitions.
#include <Eigen/Eigenvalues>

#include "check.hpp"
#include "features/dense.hpp"
#include "features/ratio.hpp"
#include "features/sparse.hpp"
#include "learning.hpp"

using namespace mk;
using namespace fixtures;

namespace {

// Counts, most of them 0; rows 1 and 3 hold nothing.
Matrix counts(Index rows, Index cols, std::uint64_t seed) {
  Random random(seed, 9);
  Matrix x = Matrix::Zero(rows, cols);
  for (Index j = 0; j < cols; ++j)
    for (Index i = 0; i < rows; ++i)
      if (random.uniform() < 0.3) x(i, j) = 1.0 + static_cast<double>(random.below(4));
  for (Index i : {1, 3})
    if (i < rows) x.row(i).setZero();
  return x;
}

SharedFeatures sparse_of(const Matrix& x) {
  SparseFeatures::Columns out;
  std::vector<double> values;
  out.rows = x.rows();
  for (Index j = 0; j < x.cols(); ++j) {
    out.starts.push_back(static_cast<Index>(values.size()));
    for (Index i = 0; i < x.rows(); ++i) {
      if (x(i, j) == 0.0) continue;
      out.positions.push_back(i);
      values.push_back(x(i, j));
    }
  }
  out.starts.push_back(static_cast<Index>(values.size()));
  out.values = Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
  out.center = Vector::Zero(x.cols());
  out.scale = Vector::Ones(x.cols());
  return std::make_shared<SparseFeatures>(out);
}

double expected(const std::string& family, const Vector& a, const Vector& b) {
  const double shared = family == "tanimoto" ? a.dot(b) : 2.0 * a.cwiseMin(b).sum();
  const double both =
      family == "tanimoto" ? a.squaredNorm() + b.squaredNorm() - a.dot(b) : a.sum() + b.sum();
  return a.isZero() && b.isZero() ? 1.0 : shared / both;
}

Matrix expected(const State& it, const Matrix& x, const Matrix& z) {
  const Indices columns = it.has("columns") ? it.indices("columns") : all_rows(x.cols());
  const Matrix a = take(view(x), all_rows(x.rows()), columns),
               b = take(view(z), all_rows(z.rows()), columns);
  Matrix k(x.rows(), z.rows());
  for (Index j = 0; j < z.rows(); ++j)
    for (Index i = 0; i < x.rows(); ++i)
      k(i, j) = expected(it.text("family"), a.row(i).transpose(), b.row(j).transpose());
  return k;
}

Examples completed(const SharedFeatures& x, const KernelSet& set, const Runtime& runtime) {
  Examples examples = feature_examples(x);
  set.complete(examples, "x", runtime);
  return examples;
}

}  // namespace

TEST(definitions_dense_and_sparse_with_any_number_of_threads) {
  const std::vector<State> items = {item("tanimoto"), item("bray_curtis"),
                                    on(item("tanimoto"), {5, 0, 2}),
                                    on(item("bray_curtis"), {5, 0, 0, 2})};
  for (Index rows : {1, 2, 40, 150}) {
    const Matrix x = counts(rows, 30, 1), fresh = counts(9, 30, 2);
    const auto set = kernel_set(items, x.cols());
    std::vector<Matrix> first;
    for (int threads : {1, 3})
      for (bool sparse : {false, true}) {
        const TestRuntime runtime(threads);
        const auto features = [&](const Matrix& a) {
          return sparse ? sparse_of(a) : SharedFeatures(std::make_shared<DenseFeatures>(view(a)));
        };
        const Examples training = completed(features(x), *set, runtime);
        set->check_domain(training, "x");
        const KernelBank bank(set, training, runtime);
        const CrossBank cross = make_cross(
            set, bank.normalizers(), completed(features(fresh), *set, runtime), training, runtime);
        for (Index m = 0; m < set->size(); ++m) {
          const Matrix k = to_matrix(bank.matrix(m, runtime).view);
          CHECK_CLOSE(distance(k, expected(items[at(m)], x, x)), 0.0, 1e-14);
          CHECK(identical(k, Matrix(k.transpose())));
          Matrix block(fresh.rows(), x.rows());
          cross.fill({m}, {block.data()});
          CHECK_CLOSE(distance(block, expected(items[at(m)], fresh, x)), 0.0, 1e-14);
          // Counts are added up without rounding, in any order.
          if (first.size() < items.size()) first.push_back(k);
          CHECK(identical(k, first[at(m)]));
        }
      }
  }
}

TEST(positive_semidefinite_with_rows_of_zeros) {
  const TestRuntime runtime;
  const Matrix x = counts(60, 8, 4);
  const auto set = kernel_set({item("tanimoto"), item("bray_curtis")}, x.cols());
  const KernelBank bank(set, completed(sparse_of(x), *set, runtime), runtime);
  for (Index m = 0; m < 2; ++m) {
    const Matrix k = to_matrix(bank.matrix(m, runtime).view);
    CHECK(Eigen::SelfAdjointEigenSolver<Matrix>(k).eigenvalues()[0] > -1e-12);
    CHECK(identical(Vector(k.diagonal()), Vector(Vector::Ones(x.rows()))));
    CHECK(k(1, 3) == 1.0 && k(0, 1) == 0.0);
  }
}

TEST(minima_of_negative_entries_are_refused) {
  Matrix x = counts(6, 4, 1);
  const PairSum sum = {PairKind::minimum, 0.0, {0, 1, 2, 3}};
  sparse_of(x)->check(sum, "k", "x");
  x(2, 1) = -1.0;
  CHECK_THROWS(sparse_of(x)->check(sum, "k", "x"), InvalidArgument, "negative");
  sparse_of(x)->check({PairKind::minimum, 0.0, {0, 2, 3}}, "k", "x");
}
