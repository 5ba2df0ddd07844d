// Kernels of tables against their definition: numbers, categories, ranks, unknown levels, constant
// columns, new rows outside of the range, damaged parameters.
#include <Eigen/Eigenvalues>

#include "check.hpp"
#include "features/table.hpp"
#include "learning.hpp"

using namespace mk;
using namespace fixtures;

namespace {

State table_item(const Vector& kinds, const Vector& sizes, const Vector& lows,
                 const Vector& ranges) {
  State parameters;
  parameters.set("kinds", Value(kinds));
  parameters.set("sizes", Value(sizes));
  parameters.set("lows", Value(lows));
  parameters.set("ranges", Value(ranges));
  return parameters;
}

Vector numbers(std::initializer_list<double> values) {
  return Eigen::Map<const Vector>(values.begin(), static_cast<Index>(values.size()));
}

// A number, a category of 3 levels, a rank of 4 levels, a constant; level 0: unknown.
struct Table {
  Matrix x;
  std::vector<int> category, rank;

  Table(Index rows, std::uint64_t seed, double spread, bool unknown) : x(Matrix::Zero(rows, 9)) {
    Random random(seed, 3);
    for (Index i = 0; i < rows; ++i) {
      x(i, 0) = 1e6 + spread * random.uniform();
      category.push_back(static_cast<int>(random.below(3)) + 1);
      rank.push_back(static_cast<int>(random.below(4)) + 1);
      if (unknown && i % 3 == 0) category.back() = rank.back() = 0;
      if (category.back() > 0) x(i, category.back()) = 1.0;
      if (rank.back() > 0) x(i, 3 + rank.back()) = 1.0;
      x(i, 8) = unknown && i % 2 == 0 ? 8.0 : 7.0;
    }
  }
};

double similarity(const Table& a, Index i, const Table& b, Index j) {
  const auto triangle = [](double x, double z, double r) {
    return std::max(0.0, (r - std::abs(x - z)) / r);
  };
  const int rank_a = a.rank[at(i)], rank_b = b.rank[at(j)];
  double sum = triangle(a.x(i, 0), b.x(j, 0), 2.0);
  if (a.category[at(i)] == b.category[at(j)] && a.category[at(i)] > 0) sum += 1.0;
  if (rank_a > 0 && rank_b > 0) sum += triangle(rank_a, rank_b, 3.0);
  if (a.x(i, 8) == b.x(j, 8)) sum += 1.0;
  return sum / 4.0;
}

State table_kernel() {
  State state = item("clinical");
  state.set("parameters",
            Value(std::vector<State>{table_item(numbers({0, 1, 2, 0}), numbers({1, 3, 4, 1}),
                                                numbers({1e6, 0, 1, 7}), numbers({2, 0, 3, 0}))}));
  return state;
}

Examples table_examples(const Table& table, const KernelSet& set, const Runtime& runtime) {
  Examples examples = dense_examples(view(table.x));
  set.complete(examples, "x", runtime);
  return examples;
}

}  // namespace

TEST(definition_for_training_and_new_rows) {
  for (Index rows : {1, 2, 40, 150}) {
    const Table table(rows, 1, 2.0, false), fresh(11, 2, 9.0, true);
    const auto set = kernel_set({table_kernel()}, 9);
    Matrix first;
    for (int threads : {1, 3}) {
      const TestRuntime runtime(threads);
      const Examples training = table_examples(table, *set, runtime);
      const KernelBank bank(set, training, runtime);
      const Matrix k = to_matrix(bank.matrix(0, runtime).view);
      const CrossBank cross = make_cross(set, bank.normalizers(),
                                         table_examples(fresh, *set, runtime), training, runtime);
      Matrix block(fresh.x.rows(), rows);
      cross.fill({0}, {block.data()});
      for (Index j = 0; j < rows; ++j) {
        for (Index i = 0; i < rows; ++i) CHECK_CLOSE(k(i, j), similarity(table, i, table, j), 1e-9);
        for (Index i = 0; i < fresh.x.rows(); ++i)
          CHECK_CLOSE(block(i, j), similarity(fresh, i, table, j), 1e-9);
        CHECK(k(j, j) == 1.0);
      }
      CHECK(identical(k, Matrix(k.transpose())));
      CHECK(Eigen::SelfAdjointEigenSolver<Matrix>(k).eigenvalues()[0] > -1e-12);
      if (first.size() == 0) first = k;
      CHECK(identical(k, first));
    }
  }
}

TEST(damaged_parameters_are_refused) {
  const auto read = [](const Vector& kinds, const Vector& sizes, const Vector& lows,
                       const Vector& ranges) {
    return read_table_variables(table_item(kinds, sizes, lows, ranges));
  };
  const Vector one = numbers({1}), none = Vector(), nan = numbers({std::nan("")});
  CHECK(read(one, one, one, one).size() == 1);
  CHECK_THROWS(read(none, none, none, none), InvalidArgument, "kinds");
  CHECK_THROWS(read(one, numbers({1, 2}), one, one), InvalidArgument, "sizes");
  CHECK_THROWS(read(numbers({3}), one, one, one), InvalidArgument, "kinds");
  CHECK_THROWS(read(nan, one, one, one), InvalidArgument, "kinds");
  CHECK_THROWS(read(numbers({0}), numbers({2}), one, one), InvalidArgument, "sizes");
  CHECK_THROWS(read(one, numbers({1.5}), one, one), InvalidArgument, "sizes");
  CHECK_THROWS(read(one, numbers({0}), one, one), InvalidArgument, "sizes");
  CHECK_THROWS(read(one, one, nan, one), InvalidArgument, "lows");
  CHECK_THROWS(read(one, one, one, numbers({-1})), InvalidArgument, "ranges");
  CHECK_THROWS(read(one, one, one, nan), InvalidArgument, "ranges");
  const TestRuntime runtime;
  const Table table(5, 1, 2.0, false);
  const auto set = kernel_set({on(table_kernel(), {0, 1, 2})}, 9);
  Examples examples = dense_examples(view(table.x));
  CHECK_THROWS(set->complete(examples, "x", runtime), InvalidArgument, "sizes");
}
