// Every stage of normalisation and chains of them, on training rows and on new ones, against the
// definitions in kernels/normalizer.hpp.
#include "check.hpp"
#include "features/dense.hpp"
#include "features/stored_gram.hpp"
#include "fixtures.hpp"
#include "kernels/cross_bank.hpp"

using namespace mk;
using namespace fixtures;

namespace {

using Chain = std::vector<std::string>;

const std::vector<Chain>& chains() {
  static const std::vector<Chain> all = {
      {"trace"},
      {"unit_trace"},
      {"cosine"},
      {"center"},
      {"trace", "unit_trace"},
      {"center", "trace"},
      {"center", "cosine"},
      {"cosine", "center"},
      {"cosine", "center", "cosine", "trace"},
      {"trace", "center", "unit_trace", "cosine", "center"},
      {"center", "center"},
  };
  return all;
}

Matrix bank_matrix(const KernelBank& bank, Index m, const TestRuntime& runtime) {
  return to_matrix(bank.matrix(m, runtime).view);
}

// The kernels of new rows with training rows, from normalisers that went through a state.
Matrix cross_matrix(const std::vector<State>& items, const Normalizers& fitted, const Matrix& fresh,
                    const Matrix& x, const TestRuntime& runtime, Index m = 0) {
  Normalizers restored;
  for (const ItemNormalizer& one : fitted)
    restored.push_back(restore_normalizer(normalizer_state(one)));
  const CrossBank cross = make_cross(kernel_set(items, x.cols()), restored,
                                     dense_examples(view(fresh)), dense_examples(view(x)), runtime);
  Matrix out = Matrix::Zero(fresh.rows(), x.rows());
  cross.fill({m}, {out.data()});
  return out;
}

}  // namespace

TEST(chains_on_training_and_new_rows) {
  const Matrix x = histogram_matrix(45, 4, 1), fresh = histogram_matrix(19, 4, 2);
  const std::vector<std::pair<std::string, Parameters>> kernels = {
      {"linear", {}},
      {"rbf", {{"gamma", 0.3}}},
      {"polynomial", {{"scale", 1.0}, {"offset", 0.5}, {"degree", 2}}},
      {"intersection", {}}};
  for (int threads : {1, 2}) {
    const TestRuntime runtime(threads);
    for (const Chain& chain : chains())
      for (const auto& kernel : kernels) {
        const State it = item(kernel.first, kernel.second, chain);
        const NaiveKernel naive = naive_normalized(it, x, fresh);
        const KernelBank bank = make_bank({it}, x, runtime);
        CHECK_CLOSE(distance(bank_matrix(bank, 0, runtime), naive.train), 0.0, 1e-11);
        CHECK_CLOSE(
            distance(cross_matrix({it}, bank.normalizers(), fresh, x, runtime), naive.cross), 0.0,
            1e-11);
      }
  }
}

TEST(properties_of_the_stages) {
  const TestRuntime runtime;
  const Matrix x = normal_matrix(33, 3, 5);
  const KernelBank bank =
      make_bank({item("linear", {}, {"trace"}), item("linear", {}, {"unit_trace"}),
                 item("linear", {}, {"cosine"}), item("linear", {}, {"center"})},
                x, runtime);
  CHECK_CLOSE(bank_matrix(bank, 0, runtime).trace(), 33.0, 1e-12);
  CHECK_CLOSE(bank_matrix(bank, 1, runtime).trace(), 1.0, 1e-13);
  const Matrix cosine = bank_matrix(bank, 2, runtime), center = bank_matrix(bank, 3, runtime);
  for (Index i = 0; i < 33; ++i) CHECK_CLOSE(cosine(i, i), 1.0, 1e-14);
  CHECK_CLOSE(center.rowwise().sum().cwiseAbs().maxCoeff(), 0.0, 1e-11);
}

TEST(every_kernel_of_an_item_has_its_own_numbers) {
  const TestRuntime runtime;
  const Matrix x = normal_matrix(20, 4, 6), fresh = normal_matrix(7, 4, 8);
  const State bags =
      item("rbf_bags", {{"count", 6}, {"max_features", 3}, {"beta", 1.0}, {"seed", 1}},
           {"center", "trace"});
  const std::vector<State> items = {item("linear", {}, {"trace"}), bags};
  const KernelBank bank = make_bank(items, x, runtime);
  CHECK(bank.normalizers().size() == 2);
  CHECK(bank.normalizers()[1].size() == 2);
  CHECK(bank.normalizers()[1][0].value.size() == 6);
  CHECK(bank.normalizers()[1][0].means.rows() == 20 && bank.normalizers()[1][0].means.cols() == 6);
  for (Index m = 0; m < 6; ++m) {
    const auto features = bank.set().kernel(m + 1).factors[0].sum.features;
    const State same = on(
        item("rbf", {{"gamma", 1.0 / static_cast<double>(features.size())}}, {"center", "trace"}),
        Indices(features.begin(), features.end()));
    const NaiveKernel naive = naive_normalized(same, x, fresh);
    CHECK_CLOSE(distance(bank_matrix(bank, m + 1, runtime), naive.train), 0.0, 1e-12);
    CHECK_CLOSE(
        distance(cross_matrix(items, bank.normalizers(), fresh, x, runtime, m + 1), naive.cross),
        0.0, 1e-12);
  }
}

TEST(normalised_products_and_stored_matrices) {
  const TestRuntime runtime;
  const Matrix x = normal_matrix(18, 3, 7), k = definite_matrix(18, 8), fresh(0, 3);
  for (const Chain& chain : chains()) {
    const State rbf = item("rbf", {{"gamma", 0.4}});
    const KernelBank bank =
        make_bank({product({item("precomputed"), rbf}, chain)}, x, runtime, {&k});
    NaiveKernel naive{naive_matrix(rbf, x, x).cwiseProduct(k), Matrix(0, 18), Vector(0)};
    for (const std::string& stage : chain) naive.apply(stage);
    CHECK_CLOSE(distance(bank_matrix(bank, 0, runtime), naive.train), 0.0, 1e-11);
  }
}

// The rows of new examples with the training rows are stored; their diagonal must be given.
TEST(new_rows_of_a_stored_matrix) {
  const TestRuntime runtime;
  const Index n = 14, m = 5;
  const Matrix whole = definite_matrix(n + m, 9);
  const Matrix train = whole.topLeftCorner(n, n), between = whole.bottomLeftCorner(m, n);
  const Vector own = whole.diagonal().tail(m);
  for (const Chain& chain : chains()) {
    const auto set = kernel_set({item("precomputed", {}, chain)}, 0);
    const KernelBank bank(set, stored_examples({view(train)}), runtime);
    NaiveKernel naive{train, between, own};
    for (const std::string& stage : chain) naive.apply(stage);
    // Training examples that meet none but new ones have no matrix of their own.
    const Examples kept{{std::make_shared<DenseFeatures>(MatrixView{nullptr, n, 0}),
                         std::make_shared<StoredGram>(MatrixView{}, train.diagonal())}};
    const auto fill = [&](const Vector& diagonal) {
      const Examples fresh{{std::make_shared<DenseFeatures>(MatrixView{nullptr, m, 0}),
                            std::make_shared<StoredGram>(view(between), diagonal)}};
      const CrossBank cross = make_cross(set, bank.normalizers(), fresh, kept, runtime);
      Matrix out = Matrix::Zero(m, n);
      cross.fill({0}, {out.data()});
      return out;
    };
    CHECK_CLOSE(distance(fill(own), naive.cross), 0.0, 1e-11);
    if (std::find(chain.begin(), chain.end(), "cosine") == chain.end()) {
      CHECK_CLOSE(distance(fill(Vector()), naive.cross), 0.0, 1e-11);
    } else {
      CHECK_THROWS(fill(Vector()), InvalidArgument, "\"diagonal\"");
    }
  }
}

TEST(state_round_trip) {
  const TestRuntime runtime;
  const KernelBank bank =
      make_bank({item("linear", {}, {"trace", "center", "cosine", "unit_trace"}),
                 item("rbf", {{"gamma", 1.0}})},
                normal_matrix(11, 2, 3), runtime);
  for (const ItemNormalizer& one : bank.normalizers()) {
    const ItemNormalizer again = restore_normalizer(normalizer_state(one));
    CHECK(again.size() == one.size());
    for (std::size_t s = 0; s < again.size() && s < one.size(); ++s) {
      CHECK(again[s].kind == one[s].kind);
      CHECK(identical(again[s].value, one[s].value));
      CHECK(identical(again[s].means, one[s].means));
    }
  }
  CHECK(bank.normalizers()[0].size() == 4 && bank.normalizers()[1].empty());
  State broken;
  CHECK_THROWS(restore_normalizer(broken), InvalidArgument, "`stages`");
  State stage;
  stage.set("name", "mystery");
  broken.set("stages", Value(std::vector<State>{stage}));
  CHECK_THROWS(restore_normalizer(broken), InvalidArgument, "\"mystery\"");
}

TEST(what_cannot_be_normalised) {
  const TestRuntime runtime;
  const Matrix zero = Matrix::Zero(6, 2);
  Matrix one_zero = normal_matrix(6, 2, 4);
  one_zero.row(3).setZero();
  const Matrix same_rows = Matrix::Ones(6, 2);
  Matrix huge = normal_matrix(6, 2, 4);
  huge *= 1e200;
  CHECK_THROWS(make_bank({item("linear", {}, {"center"})}, huge, runtime), InvalidArgument,
               "Kernel `linear` cannot be normalised by \"center\"");
  for (const char* stage : {"trace", "unit_trace"}) {
    CHECK_THROWS(make_bank({item("linear", {}, {stage})}, zero, runtime), InvalidArgument,
                 "Kernel `linear` cannot be normalised by its trace: it is 0");
    CHECK_THROWS(make_bank({item("linear", {}, {stage})}, huge, runtime), InvalidArgument, "Inf");
    CHECK_THROWS(make_bank({item("sigmoid", {{"scale", 1.0}, {"offset", -9.0}}, {stage})}, one_zero,
                           runtime),
                 InvalidArgument, "trace");
    // Centred, all rows are the same row: nothing is left.
    CHECK_THROWS(make_bank({item("linear", {}, {"center", stage})}, same_rows, runtime),
                 InvalidArgument, "trace");
    // The same where sums of equal numbers are rounded.
    for (double value : {0.1, 0.7, 1e10 / 3.0})
      for (Index n : {7, 40, 100}) {
        const Matrix equal = Matrix::Constant(n, 2, value);
        CHECK_THROWS(make_bank({item("linear", {}, {"center", stage})}, equal, runtime),
                     InvalidArgument, "trace: it is 0");
        CHECK_THROWS(make_bank({item("linear", {}, {"center", "cosine"})}, equal, runtime),
                     InvalidArgument, "with itself is 0");
      }
    make_bank({item("linear", {}, {stage})}, one_zero, runtime);
  }
  CHECK_THROWS(make_bank({item("linear", {}, {"cosine"})}, one_zero, runtime), InvalidArgument,
               "example 4 with itself is 0");
  CHECK_THROWS(make_bank({item("linear", {}, {"cosine"})}, huge, runtime), InvalidArgument, "Inf");
  Matrix k = definite_matrix(6, 1);
  k(2, 2) = -1.0;
  CHECK_THROWS(make_bank({item("precomputed", {}, {"cosine"})}, zero, runtime, {&k}),
               InvalidArgument, "example 3 with itself is -1");
}

// A new row may have no length although every training row has one.
TEST(new_row_with_zero_diagonal) {
  const TestRuntime runtime;
  const Matrix x = normal_matrix(8, 2, 4), fresh = Matrix::Zero(2, 2);
  const State it = item("linear", {}, {"cosine"});
  const KernelBank bank = make_bank({it}, x, runtime);
  CHECK_THROWS(cross_matrix({it}, bank.normalizers(), fresh, x, runtime), InvalidArgument,
               "example 1 with itself is 0");
}

TEST(plain_factors) {
  CHECK(is_plain_factor({}));
  CHECK(is_plain_factor({Normalization::trace, Normalization::unit_trace}));
  CHECK(!is_plain_factor({Normalization::trace, Normalization::cosine}));
  CHECK(!is_plain_factor({Normalization::center}));
}
