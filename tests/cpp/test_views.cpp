// Several sources of data, some of which an example may lack: kernels against their masked
// definitions, with normalizers of the examples that have the view; views that do not fit together.
#include "features/views.hpp"

#include <algorithm>
#include <cmath>

#include "check.hpp"
#include "features/dense.hpp"
#include "fixtures.hpp"

using namespace mk;
using namespace fixtures;

namespace {

constexpr Index rows = 40, fresh_rows = 9;

// Every example has at least one of the two views.
Matrix some_present(Index n) {
  Matrix present = Matrix::Ones(n, 2);
  for (Index i = 0; i < n; ++i) {
    if (i % 3 == 1) present(i, 0) = 0.0;
    else if (i % 5 == 2) present(i, 1) = 0.0;
  }
  return present;
}

struct TwoViews {
  Matrix first, second, present;
  explicit TwoViews(Index n, std::uint64_t seed)
      : first(normal_matrix(n, 4, seed)),
        second(normal_matrix(n, 3, seed + 1)),
        present(some_present(n)) {}
  SharedFeatures features() const {
    return std::make_shared<ViewFeatures>(
        std::vector<SharedFeatures>{own_dense(first), own_dense(second)}, Texts{"a", "b"}, present);
  }
  Vector mask(const Indices& seen) const {
    Vector out(present.rows());
    for (Index i = 0; i < out.size(); ++i) {
      out[i] = std::sqrt(2.0 / present.row(i).sum());
      for (Index v : seen) out[i] *= present(i, v);
    }
    return out;
  }
};

State in_view(State state, Index view) {
  state.set("view", Value(Indices{view}));
  return state;
}

const TwoViews& training() {
  static const TwoViews x(rows, 1);
  return x;
}
const TwoViews& fresh() {
  static const TwoViews x(fresh_rows, 11);
  return x;
}

KernelBank views_bank(const std::vector<State>& items, const TestRuntime& runtime) {
  const SharedFeatures x = training().features();
  return KernelBank(std::make_shared<KernelSet>(items, FeatureShape(*x)), feature_examples(x),
                    runtime);
}

Matrix filled(const KernelBank& bank, Index m, const TestRuntime& runtime) {
  Matrix out(bank.rows(), bank.rows());
  bank.fill({m}, {out.data()}, runtime);
  return out;
}

Matrix crossed(const KernelBank& bank, Index m, const TestRuntime& runtime) {
  const CrossBank cross(bank.fitted(), whole_group(feature_examples(fresh().features()), false),
                        bank.fitted()->training, runtime);
  Matrix out(fresh_rows, rows);
  cross.fill({m}, {out.data()});
  return out;
}

// The same kernel on the examples that have the view, by its definition, and 0 elsewhere.
struct Masked {
  Matrix train = Matrix::Zero(rows, rows), cross = Matrix::Zero(fresh_rows, rows);
};

Masked by_definition(const State& it, const Matrix& x, const Matrix& z, Index view) {
  const Vector a = training().mask({view}), b = fresh().mask({view});
  Indices has, fresh_has;
  for (Index i = 0; i < rows; ++i)
    if (a[i] != 0.0) has.push_back(i);
  for (Index i = 0; i < fresh_rows; ++i)
    if (b[i] != 0.0) fresh_has.push_back(i);
  const NaiveKernel part = naive_normalized(it, submatrix(x, has, all_rows(x.cols())),
                                            submatrix(z, fresh_has, all_rows(z.cols())));
  Masked out;
  for (Index j = 0; j < part.train.cols(); ++j) {
    const Index column = has[static_cast<std::size_t>(j)];
    for (Index i = 0; i < part.train.rows(); ++i) {
      const Index row = has[static_cast<std::size_t>(i)];
      out.train(row, column) = a[row] * part.train(i, j) * a[column];
    }
    for (Index i = 0; i < part.cross.rows(); ++i) {
      const Index row = fresh_has[static_cast<std::size_t>(i)];
      out.cross(row, column) = b[row] * part.cross(i, j) * a[column];
    }
  }
  return out;
}

}  // namespace

TEST(kernels_of_views_are_masked_kernels_of_the_examples_that_have_them) {
  const TestRuntime runtime;
  std::vector<State> items;
  for (const char* stage : {"", "trace", "unit_trace", "cosine", "center"})
    for (const State& family :
         {item("linear"), item("rbf", {{"gamma", 0.3}}), item("laplacian", {{"sigma", 2.0}})}) {
      State one = family;
      one.set("normalize", Value(*stage == 0 ? Texts{} : Texts{stage}));
      items.push_back(in_view(one, 0));
      items.push_back(in_view(one, 1));
    }
  const KernelBank bank = views_bank(items, runtime);
  for (Index m = 0; m < bank.size(); ++m) {
    const bool second = m % 2 == 1;
    const Masked expected =
        by_definition(items[at(m)], second ? training().second : training().first,
                      second ? fresh().second : fresh().first, second ? 1 : 0);
    CHECK_CLOSE(distance(filled(bank, m, runtime), expected.train), 0.0, 1e-12);
    CHECK_CLOSE(distance(crossed(bank, m, runtime), expected.cross), 0.0, 1e-12);
  }
}

TEST(products_over_views_need_both) {
  const TestRuntime runtime;
  const State a = in_view(item("rbf", {{"gamma", 0.3}}), 0), b = in_view(item("linear"), 1);
  const KernelBank bank = views_bank({product({a, b})}, runtime);
  const Vector mask = training().mask({0, 1});
  Matrix expected =
      naive_matrix(item("rbf", {{"gamma", 0.3}}), training().first, training().first)
          .cwiseProduct(naive_matrix(item("linear"), training().second, training().second));
  expected = mask.asDiagonal() * expected * mask.asDiagonal();
  CHECK_CLOSE(distance(filled(bank, 0, runtime), expected), 0.0, 1e-12);
}

TEST(products_of_kernels_refuse_examples_that_lack_a_view) {
  const TestRuntime runtime;
  TwoViews whole = training();
  whole.present.setOnes();
  const SharedFeatures x = whole.features();
  const State kernel = in_view(item("rbf", {{"gamma", 0.3}}), 0);
  const KernelBank bank(std::make_shared<KernelSet>(std::vector<State>{kernel}, FeatureShape(*x)),
                        feature_examples(x), runtime);
  const Expansion e = {Vector::Ones(1), {0}, Vector::Ones(1), 0.5};
  CHECK(bank.cross({1, 2}, all_rows(rows), runtime)->expand_product(e).size() == 2);
  const CrossBank cross(bank.fitted(), whole_group(feature_examples(fresh().features()), false),
                        bank.fitted()->training, runtime);
  CHECK_THROWS(cross.expand_product(e), InvalidArgument, "needs all views");
}

TEST(series_are_not_read_from_all_views_at_once) {
  const TestRuntime runtime;
  const SharedFeatures x = training().features();
  const KernelSet set({item("alignment", {{"sigma", 1.0}})}, FeatureShape(*x));
  Examples examples = feature_examples(x);
  CHECK_THROWS(set.complete(examples, "x", runtime), InvalidArgument, "sees no view");
}

TEST(sums_are_the_same_on_any_number_of_threads) {
  const std::vector<State> items = {in_view(item("rbf", {{"gamma", 0.3}}, {"trace"}), 0),
                                    in_view(item("linear", {}, {"center"}), 1)};
  Matrix sums[2];
  const int threads[] = {1, 4};
  for (int k = 0; k < 2; ++k) {
    const TestRuntime runtime(threads[k]);
    const KernelBank bank = views_bank(items, runtime);
    sums[k] = 0.25 * filled(bank, 0, runtime) + 0.75 * filled(bank, 1, runtime);
  }
  CHECK(identical(sums[0], sums[1]));
}

TEST(masks_are_left_out_where_nothing_is_absent) {
  TwoViews whole(rows, 1);
  whole.present.setOnes();
  const SharedFeatures x = whole.features();
  CHECK(!x->views()->masked());
  CHECK_CLOSE(x->views()->share(3), 1.0, 0.0);
  CHECK(training().features()->views()->masked());
  CHECK_CLOSE(training().features()->views()->share(1), std::sqrt(2.0), 0.0);
}

TEST(values_are_those_of_the_columns_side_by_side) {
  const SharedFeatures x = training().features();
  CHECK(x->columns() == 7);
  const Matrix found = x->values({3, 0}, {6, 1, 4});
  CHECK(found(0, 0) == training().second(3, 2));
  CHECK(found(1, 1) == training().first(0, 1));
  CHECK(found(1, 2) == training().second(0, 0));
}

TEST(views_that_do_not_fit_together_are_refused) {
  const auto make = [](Texts names, Matrix present) {
    return ViewFeatures({own_dense(training().first), own_dense(training().second)},
                        std::move(names), std::move(present));
  };
  CHECK_THROWS(ViewFeatures({}, {}, Matrix()), InvalidArgument, "views");
  CHECK_THROWS(make({"a"}, some_present(rows)), InvalidArgument, "names");
  CHECK_THROWS(make({"a", "b"}, some_present(rows - 1)), InvalidArgument, "present");
  CHECK_THROWS(make({"a", "b"}, Matrix::Constant(rows, 2, 0.5)), InvalidArgument, "present");
  Matrix nobody = some_present(rows);
  nobody.row(4).setZero();
  CHECK_THROWS(make({"a", "b"}, nobody), InvalidArgument, "example 5");
  CHECK_THROWS(
      ViewFeatures({own_dense(training().first), own_dense(fresh().first)}, {"a", "b"}, Matrix()),
      InvalidArgument, "same examples");
  const TestRuntime runtime;
  CHECK_THROWS(views_bank({in_view(item("linear"), 2)}, runtime), InvalidArgument, "view");
  const SharedFeatures x = training().features();
  const KernelSet nowhere({item("linear")}, FeatureShape(*x));
  CHECK_THROWS(nowhere.check_domain(feature_examples(x), "x"), InvalidArgument, "sees no view");
  CHECK_THROWS(views_bank({on(in_view(item("linear"), 1), {3})}, runtime), InvalidArgument,
               "columns");
}
