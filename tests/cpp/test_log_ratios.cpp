// Aitchison kernels against centered log ratios by their definition.
#include "check.hpp"
#include "features/dense.hpp"
#include "features/log_ratios.hpp"
#include "features/views.hpp"
#include "learning.hpp"

using namespace mk;
using namespace fixtures;

namespace {

Matrix compositions(Index rows, std::uint64_t seed) {
  return normal_matrix(rows, 20, seed).array().exp();
}

Matrix log_ratios(const Matrix& x, const Indices& columns, double pseudocount) {
  Matrix out = (take(view(x), all_rows(x.rows()), columns).array() + pseudocount).log();
  for (Index i = 0; i < out.rows(); ++i) out.row(i).array() -= out.row(i).mean();
  return out;
}

Examples completed(const Matrix& x, const KernelSet& set, const Runtime& runtime) {
  Examples examples = dense_examples(view(x));
  set.complete(examples, "x", runtime);
  return examples;
}

}  // namespace

TEST(kernels_of_log_ratios) {
  const Matrix x = compositions(70, 1), fresh = compositions(9, 2);
  const std::vector<State> items = {
      item("aitchison", {{"pseudocount", 0.0}}),
      item("aitchison", {{"pseudocount", 0.5}, {"gamma", 0.1}}),
      on(item("aitchison", {{"pseudocount", 0.0}, {"gamma", 0.1}}), {7, 2, 5})};
  const std::vector<State> plain = {item("linear"), item("rbf", {{"gamma", 0.1}}),
                                    item("rbf", {{"gamma", 0.1}})};
  const auto set = kernel_set(items, 20);
  for (int threads : {1, 3}) {
    const TestRuntime runtime(threads);
    const Examples training = completed(x, *set, runtime);
    set->check_domain(training, "x");
    const KernelBank bank(set, training, runtime);
    const CrossBank cross =
        make_cross(set, bank.normalizers(), completed(fresh, *set, runtime), training, runtime);
    for (Index m = 0; m < set->size(); ++m) {
      const Indices columns = m == 2 ? Indices{7, 2, 5} : all_rows(20);
      const double pseudocount = m == 1 ? 0.5 : 0.0;
      const Matrix u = log_ratios(x, columns, pseudocount),
                   v = log_ratios(fresh, columns, pseudocount);
      CHECK_CLOSE(
          distance(to_matrix(bank.matrix(m, runtime).view), naive_matrix(plain[at(m)], u, u)), 0.0,
          1e-12);
      Matrix block(fresh.rows(), x.rows());
      cross.fill({m}, {block.data()});
      CHECK_CLOSE(distance(block, naive_matrix(plain[at(m)], v, u)), 0.0, 1e-12);
    }
  }
}

TEST(nearly_equal_pseudocounts_are_different_maps) {
  CHECK(LogRatioMap(0.5).key() == LogRatioMap(0.5).key());
  CHECK(LogRatioMap(0.5).key() != LogRatioMap(0.5 + 1e-12).key());
}

TEST(parts_that_are_not_positive_are_refused) {
  const TestRuntime runtime;
  Matrix x = compositions(5, 1);
  x(3, 2) = 0.0;
  const auto apply = [&](double pseudocount) {
    const auto set = kernel_set({item("aitchison", {{"pseudocount", pseudocount}})}, 20);
    return completed(x, *set, runtime);
  };
  CHECK_THROWS(apply(0.0), InvalidArgument, "row 4, column 3");
  CHECK(apply(0.1).sources.size() == 2);
  CHECK_THROWS(apply(-1.0), InvalidArgument, "pseudocount");
  x(3, 2) = -1.0;
  CHECK_THROWS(apply(0.1), InvalidArgument, "positive");
}

TEST(examples_without_the_view_need_no_positive_parts) {
  const TestRuntime runtime;
  Matrix x = compositions(5, 1);
  const Matrix expected = log_ratios(x, all_rows(20), 0.0);
  x.row(3).setZero();
  Matrix present = Matrix::Ones(5, 2);
  present(3, 0) = 0.0;
  const ViewFeatures views({own_dense(Matrix(x)), own_dense(Matrix(x))}, {"a", "b"}, present);
  std::vector<int> columns(20);
  for (int f = 0; f < 20; ++f) columns[at(f)] = f;
  const auto mapped =
      LogRatioMap(0.0).apply({*views.view(0), columns, "k", "x", &views, 0}, runtime);
  const Matrix found = mapped->values(all_rows(5), all_rows(20));
  for (Index i : {0, 1, 2, 4}) CHECK_CLOSE((found.row(i) - expected.row(i)).norm(), 0.0, 1e-12);
  CHECK(found.row(3).allFinite());
}
