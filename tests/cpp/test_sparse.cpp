// Sparse features against dense ones: kernels, normalizers, fits, centered and scaled columns, and
// arrays that describe no matrix.
#include "check.hpp"
#include "features/registry.hpp"
#include "features/sparse.hpp"
#include "kernels/width_rule.hpp"
#include "learning.hpp"

using namespace mk;
using namespace fixtures;

namespace {

// About one entry in five, an empty row, an empty column, one without zeros far from 0, one that is
// constant.
Matrix mostly_zeros(Index rows, Index cols, std::uint64_t seed) {
  Random random(seed, 5);
  Matrix x = Matrix::Zero(rows, cols);
  for (Index j = 0; j < cols; ++j)
    for (Index i = 0; i < rows; ++i)
      if (random.uniform() < 0.2) x(i, j) = normal(random);
  if (rows > 2) x.row(2).setZero();
  x.col(1).setZero();
  for (Index i = 0; i < rows; ++i) x(i, 3) = 1e5 + random.uniform();
  x.col(4).setConstant(7.0);
  return x;
}

SparseFeatures::Columns columns_of(const Matrix& x) {
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
  return out;
}

Examples sparse_examples(const Matrix& x) {
  return {{std::make_shared<SparseFeatures>(columns_of(x))}};
}

// Means and standard deviations of the columns; 1 for those that are constant.
struct Scaling {
  explicit Scaling(const Matrix& x) : center(x.colwise().mean()), scale(x.cols()) {
    for (Index j = 0; j < x.cols(); ++j) {
      const double s = std::sqrt((x.col(j).array() - center[j]).square().mean());
      scale[j] = s > 0.0 ? s : 1.0;
    }
  }
  Matrix dense(const Matrix& x) const {
    return (x.rowwise() - center.transpose()) * scale.cwiseInverse().asDiagonal();
  }
  Examples sparse(const Matrix& x) const {
    auto columns = columns_of(x);
    columns.center = center;
    columns.scale = scale;
    return {{std::make_shared<SparseFeatures>(columns)}};
  }
  Vector center, scale;
};

std::vector<State> sparse_kernels() {
  return {item("linear"),
          item("linear", {}, {"center", "cosine"}),
          item("polynomial", {{"scale", 0.1}, {"offset", 1.0}, {"degree", 2}}, {"trace"}),
          item("sigmoid", {{"scale", 0.05}, {"offset", 0.1}}),
          item("rbf", {{"gamma", 0.05}}),
          item("rbf", {{"gamma", 0.1}}, {"center"}),
          on(item("rbf", {{"gamma", 0.1}}), {0, 7, 7, 2}),
          on(item("linear"), {5, 0, 0}),
          product({item("linear"), item("rbf", {{"gamma", 0.02}})})};
}

void check_same_kernels(const Examples& sparse, const Matrix& x, const Examples& sparse_fresh,
                        const Matrix& fresh, double tolerance) {
  for (int threads : {1, 3}) {
    const TestRuntime runtime(threads);
    const auto set = kernel_set(sparse_kernels(), x.cols());
    set->check_domain(sparse, "x");
    const KernelBank bank(set, sparse, runtime), expected(set, dense_examples(view(x)), runtime);
    const CrossBank cross = make_cross(set, bank.normalizers(), sparse_fresh, sparse, runtime);
    const CrossBank expected_cross = make_cross(
        set, expected.normalizers(), dense_examples(view(fresh)), dense_examples(view(x)), runtime);
    for (Index m = 0; m < set->size(); ++m) {
      const Matrix k = to_matrix(bank.matrix(m, runtime).view);
      CHECK(identical(k, Matrix(k.transpose())));
      CHECK_CLOSE(distance(k, to_matrix(expected.matrix(m, runtime).view)), 0.0, tolerance);
      Matrix block(fresh.rows(), x.rows()), expected_block(fresh.rows(), x.rows());
      cross.fill({m}, {block.data()});
      expected_cross.fill({m}, {expected_block.data()});
      CHECK_CLOSE(distance(block, expected_block), 0.0, tolerance);
    }
  }
}

void check_same_fit(const std::string& name, const State& parameters) {
  const TestRuntime runtime(2);
  const Matrix x = mostly_zeros(90, 12, 4).rightCols(7);
  Vector y(x.rows());
  for (Index i = 0; i < y.size(); ++i) y[i] = x(i, 0) + x(i, 3) - x(i, 5) > 0.1 ? 1.0 : -1.0;
  const std::vector<State> kernels = {item("rbf", {{"gamma", 0.2}}), item("linear", {}, {"trace"}),
                                      on(item("rbf", {{"gamma", 1.0}}), {0, 3})};
  const auto set = kernel_set(kernels, x.cols());
  const KernelBank sparse(set, sparse_examples(x), runtime);
  const KernelBank dense(set, dense_examples(view(x)), runtime);
  const Target target{classification(), y, Vector::Ones(x.rows())};
  const auto method = learner(name, parameters, 1e-13);
  const auto found = method->fit({sparse, target}, runtime);
  const auto expected = method->fit({dense, target}, runtime);
  CHECK_CLOSE(distance(found->kernel_weights(), expected->kernel_weights()), 0.0, 1e-10);
  CHECK_CLOSE(distance(found->fitted, expected->fitted), 0.0, 1e-10);
  CHECK_CLOSE(distance(decision_on(*found, sparse, runtime), expected->fitted), 0.0, 1e-10);
}

State sparse_state() {
  State state;
  state.set("type", "sparse");
  state.set("rows", 3.0);
  state.set("starts", Value(Indices{0, 2, 2, 3}));
  state.set("positions", Value(Indices{0, 2, 1}));
  state.set("values", Value(Vector(Vector::LinSpaced(3, 1.0, 3.0))));
  return state;
}

template <class T>
State sparse_state_with(const char* name, T value) {
  State state = sparse_state();
  state.set(name, Value(std::move(value)));
  return state;
}

}  // namespace

TEST(kernels_of_dense_features) {
  for (Index rows : {1, 2, 40, 150}) {
    const Matrix x = mostly_zeros(rows, 30, 1).rightCols(25),
                 fresh = mostly_zeros(9, 30, 2).rightCols(25);
    if (rows < 3 || x.isZero()) continue;
    check_same_kernels(sparse_examples(x), x, sparse_examples(fresh), fresh, 1e-13);
  }
}

// Means of 1e5 standard deviations and constant columns lose no digits either.
TEST(kernels_of_scaled_columns) {
  const Matrix x = mostly_zeros(70, 30, 3), fresh = mostly_zeros(9, 30, 4);
  const Scaling scaling(x);
  check_same_kernels(scaling.sparse(x), scaling.dense(x), scaling.sparse(fresh),
                     scaling.dense(fresh), 1e-10);
}

TEST(one_row_and_no_entries) {
  const TestRuntime runtime;
  for (const Matrix& x : {Matrix(Matrix::Zero(1, 3)), Matrix(Matrix::Zero(4, 3)),
                          Matrix(Matrix::Constant(1, 3, 2.0))}) {
    const auto set = kernel_set({item("linear"), item("rbf", {{"gamma", 1.0}})}, 3);
    const KernelBank bank(set, sparse_examples(x), runtime);
    CHECK(identical(to_matrix(bank.matrix(0, runtime).view), Matrix(x * x.transpose())));
    CHECK(identical(to_matrix(bank.matrix(1, runtime).view),
                    Matrix(Matrix::Ones(x.rows(), x.rows()))));
  }
}

// Distances that are small against the lengths come from differences.
TEST(near_rows_keep_their_distance) {
  const TestRuntime runtime;
  Matrix x = Matrix::Constant(40, 20, 1e4);
  for (Index i = 0; i < x.rows(); ++i) x(i, i % 20) += 1e-3 * static_cast<double>(i);
  const auto set = kernel_set({item("rbf", {{"gamma", 1e4}})}, 20);
  const KernelBank bank(set, sparse_examples(x), runtime);
  CHECK_CLOSE(distance(to_matrix(bank.matrix(0, runtime).view),
                       naive_matrix(item("rbf", {{"gamma", 1e4}}), x, x)),
              0.0, 1e-8);
}

TEST(fits_of_dense_features) {
  check_same_fit("svm", with_weights(parameters({{"cost", 2.0}}), Vector::Constant(3, 0.5)));
  check_same_fit("simplemkl", parameters({{"cost", 2.0}}));
  check_same_fit("easymkl", parameters({{"lambda", 0.3}}));
}

TEST(width_rules) {
  const TestRuntime runtime;
  const Matrix x = mostly_zeros(60, 12, 6);
  const Scaling scaling(x);
  const Matrix scaled = scaling.dense(x);
  for (const char* rule : {"mean_distance", "nearest", "median"})
    CHECK_CLOSE(width_by_rule(scaling.sparse(x).features(), {0, 3, 5, 7}, rule, runtime),
                width_by_rule(dense_examples(view(scaled)).features(), {0, 3, 5, 7}, rule, runtime),
                1e-9);
}

TEST(values_of_some_columns) {
  const Matrix x = mostly_zeros(20, 9, 8);
  const Scaling scaling(x);
  const Indices rows = {5, 0, 5, 2}, columns = {8, 0, 3, 1};
  CHECK_CLOSE(distance(scaling.sparse(x).features().values(rows, columns),
                       submatrix(scaling.dense(x), rows, columns)),
              0.0, 1e-10);
}

TEST(sums_that_need_dense_features) {
  const Matrix x = histogram_matrix(10, 3, 1);
  for (const State& it : every_family()) {
    const PairKind kind = KernelSet({it}, 3).kernel(0).factors.front().sum.kind;
    if (kind == PairKind::dot || kind == PairKind::squared_distance || kind == PairKind::minimum) {
      KernelSet({it}, 3).check_domain(sparse_examples(x), "x");
      continue;
    }
    CHECK_THROWS(KernelSet({it}, 3).check_domain(sparse_examples(x), "x"), InvalidArgument,
                 "dense matrix for kernel `" + it.text("family") + "`");
  }
}

TEST(groups_of_two_types_do_not_meet) {
  const TestRuntime runtime;
  const Matrix x = histogram_matrix(10, 3, 1);
  const auto set = kernel_set({item("linear")}, 3);
  CHECK_THROWS(
      make_cross(set, Normalizers(1), dense_examples(view(x)), sparse_examples(x), runtime),
      InvalidArgument, "sparse");
}

TEST(features_by_their_type) {
  const auto sparse = make_features(sparse_state());
  CHECK(sparse->rows() == 3 && sparse->columns() == 3);
  Matrix expected(3, 3);
  expected << 1, 0, 0, 0, 0, 3, 2, 0, 0;
  CHECK(identical(sparse->values(all_rows(3), all_rows(3)), expected));
  State dense;
  dense.set("type", "dense");
  dense.set("x", Value(expected));
  CHECK(identical(make_features(dense)->values(all_rows(3), all_rows(3)), expected));
  CHECK_THROWS(make_features(sparse_state_with("type", Texts{"tree"})), InvalidArgument,
               "\"tree\"");
}

TEST(damaged_arrays) {
  const auto refused = [](const State& state, const char* argument) {
    CHECK_THROWS(make_features(state), InvalidArgument, argument);
  };
  refused(sparse_state_with("positions", Indices{2, 0, 1}), "positions");  // not sorted
  refused(sparse_state_with("positions", Indices{0, 0, 1}), "positions");  // twice
  refused(sparse_state_with("positions", Indices{0, 3, 1}), "positions");
  refused(sparse_state_with("positions", Indices{0, -1, 1}), "positions");
  refused(sparse_state_with("positions", Indices{0, 2}), "positions");
  refused(sparse_state_with("starts", Indices{0, 2, 1, 3}), "starts");
  refused(sparse_state_with("starts", Indices{1, 2, 2, 3}), "starts");
  refused(sparse_state_with("starts", Indices{0, 2, 2, 4}), "starts");
  refused(sparse_state_with("starts", Indices{}), "starts");
  refused(sparse_state_with("values", Vector(Vector::Constant(3, NAN))), "values");
  refused(sparse_state_with("rows", Vector(Vector::Constant(1, -1.0))), "rows");
  refused(sparse_state_with("rows", Vector(Vector::Constant(1, 2.0))), "positions");
  // A center without its scale would give other values, not none.
  refused(sparse_state_with("center", Vector(Vector::Zero(3))), "both or none");
  refused(sparse_state_with("scale", Vector(Vector::Ones(3))), "both or none");
  const auto scaled = [&](const Vector& center, const Vector& scale) {
    State state = sparse_state_with("center", center);
    state.set("scale", Value(scale));
    return state;
  };
  refused(scaled(Vector::Zero(2), Vector::Ones(3)), "of length 3");
  refused(scaled(Vector::Zero(3), Vector::Zero(3)), "positive");
}
