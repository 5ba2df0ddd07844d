// The bank of training kernels and the bank of kernels with new rows: every road to the same
// numbers, within any budget, on any number of threads.
#include <algorithm>
#include <cmath>

#include "check.hpp"
#include "fixtures.hpp"
#include "kernels/cross_bank.hpp"

using namespace mk;
using namespace fixtures;

namespace {

// Two panels, the last strip and tile partly filled; enough columns for every way to sum them.
constexpr Index rows = 150, columns = 18;

const Matrix& training() {
  static const Matrix x = histogram_matrix(rows, columns, 1);
  return x;
}
const Matrix& precomputed() {
  static const Matrix k = definite_matrix(rows, 2);
  return k;
}

// All families, products, several columns, stored matrices and chains of normalisers.
std::vector<State> mixed_items() {
  std::vector<State> items = {item("precomputed"),
                              product({item("precomputed"), item("laplacian", {{"sigma", 1.0}})})};
  for (const State& it : every_family()) items.push_back(it);
  items.push_back(item("rbf", {{"gamma", 0.4}}));  // a step of the ladder from rbf(0.2)
  items.push_back(item("rbf", {{"gamma", 0.8}}, {"center", "trace"}));
  items.push_back(on(item("rbf", {{"gamma", 0.2}}), {1, 3}));
  items.push_back(item("polynomial", {{"scale", 1}, {"offset", 1}, {"degree", 2}}, {"cosine"}));
  items.push_back(item("linear", {}, {"center", "cosine"}));
  items.push_back(
      item("rbf_bags", {{"count", 4}, {"max_features", 3}, {"beta", 1.0}, {"seed", 5}}, {"trace"}));
  return items;
}

KernelBank mixed_bank(const TestRuntime& runtime) {
  return make_bank(mixed_items(), training(), runtime, {&precomputed(), &precomputed()});
}

std::vector<Matrix> filled(const KernelBank& bank, const TestRuntime& runtime) {
  std::vector<Matrix> matrices(static_cast<std::size_t>(bank.size()),
                               Matrix::Constant(bank.rows(), bank.rows(), -77.0));
  std::vector<double*> out;
  for (Matrix& m : matrices) out.push_back(m.data());
  bank.fill(all_rows(bank.size()), out, runtime);
  return matrices;
}

Vector some_weights(Index n, std::uint64_t seed) {
  Random random(seed, 3);
  Vector weights(n);
  for (Index m = 0; m < n; ++m) weights[m] = m % 3 == 1 ? 0.0 : random.uniform();
  return weights;
}

Matrix weighted_sum(const std::vector<Matrix>& matrices, const Vector& weights) {
  Matrix sum = Matrix::Zero(matrices[0].rows(), matrices[0].cols());
  for (std::size_t m = 0; m < matrices.size(); ++m)
    sum += weights[static_cast<Index>(m)] * matrices[m];
  return sum;
}

}  // namespace

TEST(fill_against_formulas) {
  const TestRuntime runtime;
  const auto items = mixed_items();
  const KernelBank bank = mixed_bank(runtime);
  CHECK(bank.size() == static_cast<Index>(items.size()) + 3);
  CHECK(bank.rows() == rows);
  const auto matrices = filled(bank, runtime);
  for (std::size_t m = 0; m < items.size(); ++m) {
    const std::string family = items[m].text("family");
    if (family == "rbf_bags" || family == "precomputed" || family == "product") continue;
    const NaiveKernel naive = naive_normalized(items[m], training(), training().topRows(1));
    CHECK_CLOSE(distance(matrices[m], naive.train), 0.0, 1e-12);
  }
  CHECK(identical(matrices[0], precomputed()));
  const Matrix laplacian =
      naive_matrix(item("laplacian", {{"sigma", 1.0}}), training(), training());
  CHECK_CLOSE(distance(matrices[1], laplacian.cwiseProduct(precomputed())), 0.0, 1e-13);
}

TEST(matrices_are_exactly_symmetric) {
  const TestRuntime runtime(2);
  const KernelBank bank = mixed_bank(runtime);
  const auto matrices = filled(bank, runtime);
  for (const Matrix& m : matrices) CHECK(identical(m, m.transpose()));
  const Matrix sum = to_matrix(bank.combination(some_weights(bank.size(), 1), runtime).view);
  CHECK(identical(sum, sum.transpose()));
}

// Distances are formed from the middle of the rows: wherever they lie, no digits are lost, and new
// rows get the same numbers as training rows.
TEST(rows_far_from_zero) {
  const TestRuntime runtime;
  for (double offset : {0.0, 3.0, 1e6}) {
    Matrix x = normal_matrix(rows, columns, 31).array() + offset;
    x.row(7) = x.row(90);                             // equal rows
    x.row(8) = x.row(91).array() + 1e-7;              // rows that nearly are
    x.col(2).setConstant(offset == 0.0 ? 0.0 : 5.0);  // no spread
    const std::vector<State> items = {item("rbf", {{"gamma", 0.1}})};
    const auto bank = make_bank(items, x, runtime);
    const Origins& origins = bank.group().origins();
    CHECK((origins.empty() || origins.front() == nullptr) == (offset == 0.0));
    const Matrix k = filled(bank, runtime)[0];
    double worst = 0.0;
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < rows; ++j) {
        const double truth = std::exp(-0.1 * (x.row(i) - x.row(j)).squaredNorm());
        worst = std::max(worst, std::fabs(k(i, j) / truth - 1.0));
      }
    CHECK(worst < 1e-13);
    CHECK(k(7, 90) == 1.0);
    CHECK(identical(k, k.transpose()));
    const auto cross = bank.cross(all_rows(rows), all_rows(rows), runtime);
    Matrix again(rows, rows);
    cross->fill({0}, {again.data()});
    CHECK_CLOSE(distance(k, again), 0.0, 1e-13);  // tiles of other shapes, other roundings
  }
}

TEST(fill_of_some_kernels_in_any_order) {
  const TestRuntime runtime;
  const KernelBank bank = mixed_bank(runtime);
  const auto all = filled(bank, runtime);
  const Indices wanted = {14, 3, 12, 0, 3};
  std::vector<Matrix> matrices(wanted.size(), Matrix::Zero(rows, rows));
  std::vector<double*> out;
  for (Matrix& m : matrices) out.push_back(m.data());
  bank.fill(wanted, out, runtime);
  for (std::size_t k = 0; k < wanted.size(); ++k)
    CHECK_CLOSE(distance(matrices[k], all[static_cast<std::size_t>(wanted[k])]), 0.0, 1e-13);
}

TEST(visit_streams_the_matrices_in_order) {
  const TestRuntime runtime;
  const KernelBank bank = mixed_bank(runtime);
  const auto all = filled(bank, runtime);
  Index next = 0;
  bank.visit(
      [&](Index m, const Matrix& k) {
        CHECK(m == next++);
        CHECK_CLOSE(distance(k, all[static_cast<std::size_t>(m)]), 0.0, 1e-13);
      },
      runtime);
  CHECK(next == bank.size());
}

TEST(matrix_is_kept_while_the_budget_lasts) {
  TestRuntime runtime;
  const double bytes = 8.0 * static_cast<double>(rows * rows);
  runtime.memory = 2.5 * bytes;
  const KernelBank bank = mixed_bank(runtime);
  CHECK(bank.matrix_bytes() == bytes);
  CHECK(bank.fits(2.0) && !bank.fits(3.0));
  const auto all = filled(bank, runtime);
  for (Index m = 0; m < bank.size(); ++m) {
    const GramView once = bank.matrix(m, runtime), again = bank.matrix(m, runtime);
    CHECK_CLOSE(distance(to_matrix(once.view), all[static_cast<std::size_t>(m)]), 0.0, 1e-13);
    CHECK(identical(to_matrix(once.view), to_matrix(again.view)));
    const bool kept = m < 3;  // two, and a user's matrix where it is
    CHECK((once.view.data == again.view.data) == kept);
  }
  CHECK(!bank.fits(1.0));
  const GramView own = bank.matrix(0, runtime);
  CHECK(own.owner == nullptr && own.view.data == precomputed().data());
}

TEST(matrix_without_any_budget) {
  TestRuntime runtime;
  runtime.memory = 0.0;
  const KernelBank bank = mixed_bank(runtime);
  CHECK(!bank.fits(1.0));
  const auto all = filled(bank, runtime);
  for (Index m : {1, 5, 13, 16}) {
    const GramView once = bank.matrix(m, runtime), again = bank.matrix(m, runtime);
    CHECK(once.view.data != again.view.data);
    CHECK_CLOSE(distance(to_matrix(once.view), all[static_cast<std::size_t>(m)]), 0.0, 1e-13);
  }
}

TEST(a_subset_gives_its_memory_back) {
  TestRuntime runtime;
  const double bytes = 8.0 * static_cast<double>(rows * rows);
  runtime.memory = 1.9 * bytes;
  const KernelBank bank = mixed_bank(runtime);
  const GramView whole = bank.matrix(2, runtime);
  {
    // Too little for another full matrix, enough for one of 100 rows.
    const KernelBank part = bank.subset(all_rows(100));
    CHECK(part.fits(1.0));
    CHECK(part.matrix(3, runtime).view.data == part.matrix(3, runtime).view.data);
    CHECK(part.fits(1.0) && !part.fits(1.03));
  }
  CHECK(bank.subset(all_rows(100)).fits(2.0));
}

TEST(combination_is_the_sum) {
  const TestRuntime runtime;
  const KernelBank bank = mixed_bank(runtime);
  const auto all = filled(bank, runtime);
  const Vector weights = some_weights(bank.size(), 2);
  CHECK_CLOSE(
      distance(to_matrix(bank.combination(weights, runtime).view), weighted_sum(all, weights)), 0.0,
      1e-12);
  const Vector none = Vector::Zero(bank.size());
  CHECK(to_matrix(bank.combination(none, runtime).view).isZero(0.0));
  for (Index m : {4, 0}) {
    Vector one = none;
    one[m] = 1.0;
    CHECK_CLOSE(
        distance(to_matrix(bank.combination(one, runtime).view), all[static_cast<std::size_t>(m)]),
        0.0, 1e-13);
    one[m] = 0.5;
    CHECK_CLOSE(distance(to_matrix(bank.combination(one, runtime).view),
                         0.5 * all[static_cast<std::size_t>(m)]),
                0.0, 1e-13);
  }
}

TEST(sum_into_given_memory) {
  const TestRuntime runtime(2);
  const KernelBank bank = mixed_bank(runtime);
  for (const Vector& weights : {some_weights(bank.size(), 8), Vector(Vector::Zero(bank.size()))}) {
    Matrix out = Matrix::Constant(rows, rows, -77.0);
    bank.sum(weights, out.data(), runtime);
    CHECK(identical(out, to_matrix(bank.combination(weights, runtime).view)));
    const Indices fresh = {0, 140, 3}, train = all_rows(70);
    Matrix part = Matrix::Constant(3, 70, -77.0);
    bank.cross(fresh, train, runtime)->sum(weights, part.data());
    CHECK_CLOSE(distance(part, submatrix(out, fresh, train)), 0.0, 1e-12);
  }
}

TEST(quadratic_forms_of_every_kernel) {
  const TestRuntime one, three(3);
  const KernelBank bank = mixed_bank(one);
  const auto all = filled(bank, one);
  Vector b = normal_matrix(rows, 1, 12).col(0);
  b[0] = b[33] = b[149] = 0.0;
  const Vector forms = bank.quadratic_forms(all_rows(bank.size()), b, one);
  CHECK(forms.size() == bank.size());
  for (Index m = 0; m < bank.size(); ++m) {
    const Matrix& k = all[static_cast<std::size_t>(m)];
    double sum = 0.0, size = 0.0;
    for (Index j = 0; j < rows; ++j)
      for (Index i = 0; i < rows; ++i) {
        sum += b[i] * k(i, j) * b[j];
        size += std::fabs(b[i] * k(i, j) * b[j]);
      }
    CHECK(std::fabs(forms[m] - sum) <= 1e-12 * size);
  }
  CHECK(identical(forms, bank.quadratic_forms(all_rows(bank.size()), b, three)));
  CHECK(bank.quadratic_forms(all_rows(bank.size()), Vector::Zero(rows), one).isZero(0.0));
}

// More kernels than one block holds.
TEST(many_kernels) {
  const TestRuntime runtime(2);
  const Matrix x = normal_matrix(40, 6, 3);
  const auto bank =
      make_bank({item("linear"),
                 item("rbf_bags", {{"count", 600}, {"max_features", 3}, {"beta", 0.5}, {"seed", 2}},
                      {"center"})},
                x, runtime);
  const auto all = filled(bank, runtime);
  const Vector weights = some_weights(bank.size(), 4);
  CHECK_CLOSE(
      distance(to_matrix(bank.combination(weights, runtime).view), weighted_sum(all, weights)), 0.0,
      1e-12);
  const Indices fresh = {4, 9, 39}, train = {0, 7, 21, 30};
  const auto cross = bank.cross(fresh, train, runtime);
  Expansion e;
  e.weights = weights;
  e.rows = {2, 0};
  e.coefficients = Vector::LinSpaced(2, 1.0, -2.0);
  e.bias = 0.25;
  const Matrix k = weighted_sum(all, weights);
  const Matrix f = cross->expand({e});
  for (Index i = 0; i < 3; ++i) {
    const Index r = fresh[static_cast<std::size_t>(i)];
    CHECK_CLOSE(f(i, 0), 0.25 + k(r, train[2]) - 2.0 * k(r, train[0]), 1e-12);
  }
  Matrix total(3, 4);
  cross->sum(weights, total.data());
  CHECK_CLOSE(distance(total, submatrix(k, fresh, train)), 0.0, 1e-12);
  std::vector<Matrix> part(static_cast<std::size_t>(bank.size()), Matrix::Zero(3, 4));
  std::vector<double*> out;
  for (Matrix& m : part) out.push_back(m.data());
  cross->fill(all_rows(bank.size()), out);
  double worst = 0.0;
  for (std::size_t m = 0; m < part.size(); ++m)
    worst = std::max(worst, distance(part[m], submatrix(all[m], fresh, train)));
  CHECK_CLOSE(worst, 0.0, 1e-13);
}

TEST(row_evaluator_against_the_matrix) {
  const TestRuntime runtime;
  const KernelBank bank = mixed_bank(runtime);
  const Vector weights = some_weights(bank.size(), 5);
  const Matrix k = to_matrix(bank.combination(weights, runtime).view);
  const auto evaluator = bank.row_evaluator(weights, runtime);
  CHECK(evaluator->size() == rows);
  CHECK_CLOSE(distance(evaluator->diagonal(), Vector(k.diagonal())), 0.0, 1e-12);
  const std::vector<Indices> active_sets = {
      all_rows(rows), {149},         {0, 1, 2, 3, 4, 5, 6, 7, 8}, {140, 3, 77, 12, 128, 127},
      all_rows(131),  all_rows(rows)};
  for (const Indices& active : active_sets) {
    evaluator->activate(active);
    CHECK(evaluator->diagonal().size() == rows);
    for (Index i : {0, 5, 8, 127, 128, 149}) {
      std::vector<double> row(active.size(), -77.0);
      evaluator->row(i, row.data());
      double worst = 0.0;
      for (std::size_t j = 0; j < active.size(); ++j)
        worst = std::max(worst,
                         std::fabs(row[j] - k(active[j], i)) / (1.0 + std::fabs(k(active[j], i))));
      CHECK_CLOSE(worst, 0.0, 1e-12);
    }
  }
}

TEST(subset_is_a_submatrix) {
  for (double budget : {0.0, 1e9}) {
    TestRuntime runtime;
    runtime.memory = budget;
    const KernelBank bank = mixed_bank(runtime);
    const auto all = filled(bank, runtime);
    const Indices positions = {3, 149, 10, 11, 12, 90, 91, 0, 64, 65};
    const KernelBank part = bank.subset(positions);
    CHECK(part.rows() == 10 && part.size() == bank.size());
    const KernelBank inner = part.subset({9, 1, 4});
    const Indices inner_rows = {65, 149, 12};
    const Vector weights = some_weights(bank.size(), 6);
    const Matrix sum = weighted_sum(all, weights);
    for (Index m = 0; m < bank.size(); ++m) {
      const Matrix& whole = all[static_cast<std::size_t>(m)];
      CHECK_CLOSE(
          distance(to_matrix(part.matrix(m, runtime).view), submatrix(whole, positions, positions)),
          0.0, 1e-13);
      CHECK_CLOSE(distance(to_matrix(inner.matrix(m, runtime).view),
                           submatrix(whole, inner_rows, inner_rows)),
                  0.0, 1e-13);
    }
    CHECK_CLOSE(distance(to_matrix(part.combination(weights, runtime).view),
                         submatrix(sum, positions, positions)),
                0.0, 1e-12);
    CHECK_CLOSE(distance(to_matrix(inner.combination(weights, runtime).view),
                         submatrix(sum, inner_rows, inner_rows)),
                0.0, 1e-12);
    const auto evaluator = part.row_evaluator(weights, runtime);
    std::vector<double> row(10);
    evaluator->row(1, row.data());
    for (Index j = 0; j < 10; ++j)
      CHECK_CLOSE(row[static_cast<std::size_t>(j)],
                  sum(149, positions[static_cast<std::size_t>(j)]), 1e-12);
    CHECK(part.subset({}).rows() == 0);
  }
}

TEST(cross_of_training_rows) {
  const TestRuntime runtime;
  const KernelBank bank = mixed_bank(runtime);
  const auto all = filled(bank, runtime);
  const Indices fresh = {149, 0, 77}, train = {5, 4, 3, 148, 100};
  for (bool nested : {false, true}) {
    // In a subset positions count in the subset.
    const Indices front = {149, 0, 77, 5, 4, 3, 148, 100};
    const auto cross = nested ? bank.subset(front).cross({0, 1, 2}, {3, 4, 5, 6, 7}, runtime)
                              : bank.cross(fresh, train, runtime);
    CHECK(cross->rows() == 3 && cross->training_rows() == 5 && cross->size() == bank.size());
    std::vector<Matrix> matrices(all.size(), Matrix::Zero(3, 5));
    std::vector<double*> out;
    for (Matrix& m : matrices) out.push_back(m.data());
    cross->fill(all_rows(bank.size()), out);
    for (std::size_t m = 0; m < all.size(); ++m)
      CHECK_CLOSE(distance(matrices[m], submatrix(all[m], fresh, train)), 0.0, 1e-13);
  }
}

TEST(expansions_of_new_rows) {
  const TestRuntime runtime;
  const Matrix fresh_x = histogram_matrix(141, columns, 9);
  const std::vector<State> items = {item("rbf", {{"gamma", 0.3}}, {"center"}),
                                    item("linear", {}, {"trace"}),
                                    item("anova", {{"sigma", 1.0}, {"degree", 2}}, {"cosine"})};
  const auto bank = make_bank(items, training(), runtime);
  std::vector<Matrix> k;
  for (const State& it : items) k.push_back(naive_normalized(it, training(), fresh_x).cross);
  const CrossBank cross =
      make_cross(kernel_set(items, columns), bank.normalizers(), dense_examples(view(fresh_x)),
                 dense_examples(view(training())), runtime);
  std::vector<Expansion> expansions(4);
  Random random(1, 2);
  for (std::size_t e = 0; e < 4; ++e) {
    expansions[e].weights = Vector::Zero(3);
    expansions[e].bias = static_cast<double>(e) - 1.5;
    if (e == 3) continue;  // a bias alone
    expansions[e].weights[static_cast<Index>(e)] = 0.7;
    expansions[e].weights[2] = -0.1;
    for (Index i = static_cast<Index>(e); i < rows; i += 3) expansions[e].rows.push_back(i);
    expansions[e].coefficients.resize(static_cast<Index>(expansions[e].rows.size()));
    for (Index i = 0; i < expansions[e].coefficients.size(); ++i)
      expansions[e].coefficients[i] = random.uniform() - 0.5;
  }
  expansions[0].rows[1] = expansions[0].rows[0];                       // a row may occur twice
  std::reverse(expansions[1].rows.begin(), expansions[1].rows.end());  // in any order
  const Matrix f = cross.expand(expansions);
  CHECK(f.rows() == 141 && f.cols() == 4);
  double worst = 0.0;
  for (std::size_t e = 0; e < 4; ++e)
    for (Index i = 0; i < 141; ++i) {
      double value = expansions[e].bias;
      for (std::size_t s = 0; s < expansions[e].rows.size(); ++s)
        for (std::size_t m = 0; m < 3; ++m)
          value += expansions[e].weights[static_cast<Index>(m)] *
                   expansions[e].coefficients[static_cast<Index>(s)] *
                   k[m](i, expansions[e].rows[s]);
      worst = std::max(worst, std::fabs(f(i, static_cast<Index>(e)) - value));
    }
  CHECK_CLOSE(worst, 0.0, 1e-12);
  CHECK(cross.expand({}).cols() == 0);
}

TEST(results_do_not_depend_on_threads) {
  const TestRuntime one(1);
  const KernelBank bank = mixed_bank(one);
  const auto all = filled(bank, one);
  const Vector weights = some_weights(bank.size(), 7);
  const Matrix sum = to_matrix(bank.combination(weights, one).view);
  Expansion e;
  e.weights = weights;
  e.rows = all_rows(rows);
  e.coefficients = Vector::LinSpaced(rows, -1.0, 1.0);
  const Matrix f = bank.cross(all_rows(rows), all_rows(rows), one)->expand({e});
  for (int threads : {2, 3}) {
    const TestRuntime many(threads);
    const KernelBank other = mixed_bank(many);  // the normalisers are fitted in parallel too
    const auto matrices = filled(other, many);
    for (std::size_t m = 0; m < all.size(); ++m) CHECK(identical(matrices[m], all[m]));
    CHECK(identical(to_matrix(other.combination(weights, many).view), sum));
    CHECK(identical(other.cross(all_rows(rows), all_rows(rows), many)->expand({e}), f));
    for (Index m : {2, 14})
      CHECK(identical(to_matrix(other.matrix(m, many).view), to_matrix(bank.matrix(m, one).view)));
  }
}

TEST(instruction_sets_agree) {
  TestRuntime baseline, other;
  baseline.simd = &simd_baseline();
  const auto a = filled(mixed_bank(baseline), baseline);
  for (const std::string& level : simd_levels()) {
    other.simd = &choose_simd(level);
    const auto b = filled(mixed_bank(other), other);
    for (std::size_t m = 0; m < a.size(); ++m) CHECK_CLOSE(distance(a[m], b[m]), 0.0, 1e-12);
  }
}

// Many threads ask for the same matrices at once.
TEST(matrices_asked_for_in_parallel) {
  TestRuntime runtime(3);
  runtime.memory = 3.5 * 8.0 * static_cast<double>(rows * rows);
  const KernelBank bank = mixed_bank(runtime);
  const auto all = filled(bank, runtime);
  std::atomic<int> wrong{0};
  runtime.parallel_for(40, [&](Index t) {
    const Index m = t * 7 % 5;
    const KernelBank part = bank.subset(all_rows(60 + t));
    const Indices front = all_rows(60 + t);
    if (distance(to_matrix(part.matrix(m, runtime).view),
                 submatrix(all[static_cast<std::size_t>(m)], front, front)) > 1e-13)
      ++wrong;
    if (distance(to_matrix(bank.matrix(m, runtime).view), all[static_cast<std::size_t>(m)]) > 1e-13)
      ++wrong;
  });
  CHECK(wrong == 0);
}

// exp(-gamma d) for gamma = 2^-6 .. 2^7 comes from few exponentials and many squarings.
TEST(ladder_of_widths) {
  std::vector<State> items;
  for (int power = 7; power >= -6; --power)  // in any order
    items.push_back(item("rbf", {{"gamma", std::ldexp(1.0, power)}}));
  for (std::size_t scale = 0; scale < 2; ++scale) {
    Matrix x = normal_matrix(70, 4, 11);
    if (scale == 1) x *= 0.05;
    for (const std::string& level : simd_levels()) {
      TestRuntime runtime;
      runtime.simd = &choose_simd(level);
      const auto matrices = filled(make_bank(items, x, runtime), runtime);
      double worst = 0.0;
      for (std::size_t m = 0; m < items.size(); ++m)
        for (Index j = 0; j < x.rows(); ++j)
          for (Index i = 0; i < x.rows(); ++i) {
            long double d = 0.0;
            for (Index f = 0; f < x.cols(); ++f) {
              const long double difference = static_cast<long double>(x(i, f)) - x(j, f);
              d += difference * difference;
            }
            const double truth =
                static_cast<double>(std::exp(-std::ldexp(d, 7 - static_cast<int>(m))));
            if (truth < 1e-290) {
              CHECK(matrices[m](i, j) < 1e-289);
              continue;
            }
            worst = std::max(worst, std::fabs(matrices[m](i, j) / truth - 1.0));
          }
      CHECK(worst < 1e-12);
    }
  }
}

// Large matrices are written past the caches, sooner so if they are for others. Numbers stay.
TEST(matrices_for_any_reader) {
  const Index n = 523;  // beyond the size from which those for others are; columns of any alignment
  const Matrix x = histogram_matrix(n, columns, 17);
  const TestRuntime runtime(1), several(3);
  // Of the first four each is the square of the one before, which is on its way by then, as it is
  // or centred.
  const std::vector<State> items = {item("rbf", {{"gamma", 0.05}}),
                                    item("rbf", {{"gamma", 0.1}}),
                                    item("rbf", {{"gamma", 0.2}}, {"center"}),
                                    item("rbf", {{"gamma", 0.4}}),
                                    product({item("linear"), item("laplacian", {{"sigma", 1.0}})}),
                                    item("linear", {}, {"cosine"})};
  const KernelBank bank = make_bank(items, x, runtime);
  const Index count = bank.size();
  const Vector weights = Vector::LinSpaced(count, 0.25, 3.0);
  const auto matrices = [&](const Runtime& on, Reader reader) {
    std::vector<Matrix> made(static_cast<std::size_t>(count + 1), Matrix::Constant(n, n, -77.0));
    std::vector<double*> out;
    for (Matrix& matrix : made) out.push_back(matrix.data());
    bank.fill(all_rows(count), out, on, reader);
    bank.sum(weights, out.back(), on, reader);
    return made;
  };
  const std::vector<Matrix> soon = matrices(runtime, Reader::soon),
                            later = matrices(several, Reader::later),
                            alone = matrices(runtime, Reader::later);
  for (std::size_t k = 0; k < soon.size(); ++k) {
    CHECK(identical(soon[k], later[k]));
    CHECK(identical(soon[k], alone[k]));
  }
  for (std::size_t k : {0u, 1u, 3u, 4u})
    CHECK_CLOSE(distance(later[k], naive_matrix(items[k], x, x)), 0.0, 1e-13);
  CHECK_CLOSE(distance(later[2], naive_normalized(items[2], x, x.topRows(1)).train), 0.0, 1e-13);
}

// An interrupt while a tile is on its way to a matrix that is gone afterwards.
TEST(interrupted_between_tiles) {
  const Index n = 600;
  const Matrix x = histogram_matrix(n, columns, 18);
  TestRuntime runtime;
  const KernelBank bank = make_bank({item("rbf", {{"gamma", 0.05}})}, x, runtime);
  {
    std::vector<double> gone(static_cast<std::size_t>(n * n));
    runtime.interrupt_after = runtime.looks + 5;
    CHECK_THROWS(bank.fill({0}, {gone.data()}, runtime, Reader::later), Interrupted, "");
  }
  runtime.interrupt_after = -1;
  Matrix k(n, n);
  bank.fill({0}, {k.data()}, runtime, Reader::later);
  CHECK_CLOSE(distance(k, naive_matrix(item("rbf", {{"gamma", 0.05}}), x, x)), 0.0, 1e-13);
}

// The size from which those for solvers are written past the caches.
TEST(large_matrices_for_solvers) {
  const Index n = 1449;
  const Matrix x = histogram_matrix(n, 2, 18);
  const TestRuntime runtime(2);
  Matrix k(n, n);
  make_bank({item("linear")}, x, runtime).fill({0}, {k.data()}, runtime);
  CHECK_CLOSE((k - x * x.transpose()).cwiseAbs().maxCoeff(), 0.0, 1e-14);
}

// A sum over more kernels than one block holds reads back what was written past the caches.
TEST(long_sums_for_users) {
  const Index n = 515, count = 260;
  const Matrix x = histogram_matrix(n, 2, 19);
  const TestRuntime runtime(2);
  const KernelBank bank = make_bank(std::vector<State>(count, item("linear")), x, runtime);
  Matrix total(n, n);
  bank.sum(Vector::Ones(count), total.data(), runtime, Reader::later);
  CHECK_CLOSE((total / count - x * x.transpose()).cwiseAbs().maxCoeff(), 0.0, 1e-13);
}

TEST(small_numbers_of_rows) {
  const TestRuntime runtime;
  for (Index n : {1, 2, 7, 8, 9, 31, 32, 33, 127, 128, 129}) {
    const Matrix x = normal_matrix(n, 3, static_cast<std::uint64_t>(n));
    const State rbf = item("rbf", {{"gamma", 0.6}}, {"center"});
    const auto bank = make_bank({rbf}, x, runtime);
    const Matrix naive = naive_normalized(rbf, x, x.topRows(1)).train;
    CHECK_CLOSE(distance(to_matrix(bank.matrix(0, runtime).view), naive), 0.0, 1e-13);
    const auto evaluator = bank.row_evaluator(Vector::Ones(1), runtime);
    std::vector<double> row(static_cast<std::size_t>(n));
    evaluator->row(n - 1, row.data());
    for (Index j = 0; j < n; ++j)
      CHECK_CLOSE(row[static_cast<std::size_t>(j)], naive(n - 1, j), 1e-13);
  }
}

TEST(features_are_not_needed_for_stored_kernels) {
  const TestRuntime runtime;
  const Matrix k = definite_matrix(12, 3);
  const KernelBank bank(kernel_set({item("precomputed", {}, {"center", "cosine"})}, 0),
                        stored_examples({view(k)}), runtime);
  NaiveKernel naive{k, Matrix(0, 12), Vector(0)};
  naive.apply("center");
  naive.apply("cosine");
  CHECK_CLOSE(distance(to_matrix(bank.matrix(0, runtime).view), naive.train), 0.0, 1e-13);
}

TEST(interrupts_come_through) {
  for (int threads : {1, 2}) {
    TestRuntime runtime(threads);
    const KernelBank bank = mixed_bank(runtime);
    runtime.looks = 0;
    runtime.interrupt_after = 0;
    CHECK_THROWS(mixed_bank(runtime), Interrupted, "");
  }
  TestRuntime runtime;
  const KernelBank bank = mixed_bank(runtime);
  runtime.interrupt_after = runtime.looks + 3;
  CHECK_THROWS(filled(bank, runtime), Interrupted, "");
}

TEST(nonzero_weights) {
  Vector weights(5);
  weights << 0.0, 1.0, -2.0, 0.0, 1e-300;
  CHECK(nonzero(weights) == (Indices{1, 2, 4}));
  CHECK(nonzero(Vector::Zero(3)).empty());
}

TEST(kept_sums_are_the_same_sums) {
  for (int threads : {1, 3}) {
    TestRuntime runtime(threads);
    const KernelBank plain = mixed_bank(runtime);
    KernelBank keeping = mixed_bank(runtime);
    keeping.keep_sums();
    const Indices some = {5, 140, 7, 33, 34, 90, 12};
    for (std::uint64_t seed : {1, 2}) {
      const Vector weights = some_weights(plain.size(), seed);
      const GramView expected = plain.combination(weights, runtime);
      const GramView first = keeping.combination(weights, runtime);
      const GramView again = keeping.combination(weights, runtime);
      CHECK(first.view.data == again.view.data);  // not computed twice
      const GramView part = keeping.subset(some).combination(weights, runtime);
      const GramView alone = plain.subset(some).combination(weights, runtime);
      for (Index j = 0; j < rows; ++j)
        for (Index i = 0; i < rows; ++i) CHECK(first.view(i, j) == expected.view(i, j));
      for (Index j = 0; j < 7; ++j)
        for (Index i = 0; i < 7; ++i)
          CHECK_CLOSE(part.view(i, j), alone.view(i, j),
                      1e-13 * (1.0 + std::abs(alone.view(i, j))));
    }
  }
}

TEST(kept_matrices_and_sums_obey_the_budget) {
  TestRuntime runtime;
  const double one = 8.0 * rows * rows;
  const std::vector<State> items = {item("linear"), item("rbf", {{"gamma", 0.2}}),
                                    item("rbf", {{"gamma", 0.8}})};
  for (double room : {0.0, 1.0, 2.0, 3.0, 4.0, 5.0}) {
    runtime.memory = (room + 0.5) * one;
    KernelBank bank = make_bank(items, training(), runtime);
    bank.keep_sums();
    CHECK(bank.fits_all(0.0, runtime) == (room >= 3.0));
    const Vector weights = Vector::LinSpaced(3, 0.1, 0.9);
    {
      // Both are alive, so that the second cannot be given the memory of the first.
      const GramView kept = bank.combination(weights, runtime);
      const GramView again = bank.combination(weights, runtime);
      CHECK((kept.view.data == again.view.data) == (room >= 2.0));
    }
    CHECK(bank.fits(room - (room >= 2.0 ? 1.0 : 0.0)));
    CHECK(!bank.fits(room + (room >= 2.0 ? 0.0 : 1.0)));
    bank.matrix(0, runtime);
    // A matrix that is kept needs no more room.
    if (room >= 5.0) CHECK(bank.fits_all(1.0, runtime) && !bank.fits_all(2.0, runtime));
    // Other weights take the place of the first.
    bank.combination(Vector::Ones(3), runtime);
    if (room >= 4.0) CHECK(bank.fits(room - 2.0));
  }
}

namespace {

Matrix to_matrix(const TriangleView& triangle) {
  Matrix k(triangle.rows, triangle.rows);
  for (Index j = 0; j < k.cols(); ++j)
    for (Index i = j; i < k.rows(); ++i) k(i, j) = k(j, i) = triangle.column(j)[i - j];
  return k;
}

}  // namespace

TEST(triangles_are_kept_as_far_as_the_budget_goes) {
  TestRuntime runtime;
  const double matrix = 8.0 * static_cast<double>(rows * rows);
  for (const double room : {0.0, 1.7, 100.0}) {
    runtime.memory = room * matrix;
    const KernelBank bank = mixed_bank(runtime);
    const auto all = filled(bank, runtime);
    const auto once = bank.triangles(runtime), again = bank.triangles(runtime);
    Index kept = 0;
    for (std::size_t m = 0; m < all.size(); ++m) {
      CHECK(once[m].data == again[m].data);
      if (once[m].data == nullptr) continue;
      ++kept;
      CHECK_CLOSE(distance(to_matrix(once[m]), all[m]), 0.0, 1e-13);
    }
    CHECK(once[0].data == precomputed().data());  // a user's matrix where it is
    CHECK(kept == (room == 0.0 ? 1 : room == 1.7 ? 4 : bank.size()));
    if (room < 100.0) CHECK(!bank.fits(0.6));
  }
}

TEST(triangles_of_some_rows_in_any_order) {
  TestRuntime runtime;
  const Indices some = {140, 3, 77, 78, 20, 149, 0, 65};
  for (const bool known : {false, true}) {
    const KernelBank bank = mixed_bank(runtime);
    if (known) bank.triangles(runtime);
    const KernelBank part = bank.subset(some);
    const auto all = filled(part, runtime);
    const auto triangles = part.triangles(runtime);
    for (std::size_t m = 0; m < all.size(); ++m)
      CHECK_CLOSE(distance(to_matrix(triangles[m]), all[m]), 0.0, 1e-12);
  }
}

TEST(a_reservation_lasts_as_long_as_its_handle) {
  TestRuntime runtime;
  runtime.memory = 3.5 * 8.0 * static_cast<double>(rows * rows);
  const KernelBank bank = mixed_bank(runtime);
  {
    const auto handle = bank.reserve(2.0);
    CHECK(bank.fits(1.5) && !bank.fits(1.6));
  }
  CHECK(bank.fits(3.5));
}

TEST(forms_of_some_kernels) {
  const TestRuntime runtime;
  const KernelBank bank = mixed_bank(runtime);
  const Vector b = some_weights(rows, 8);
  const Vector all = bank.quadratic_forms(all_rows(bank.size()), b, runtime);
  const Vector some = bank.quadratic_forms({4, 0, 7}, b, runtime);
  CHECK_CLOSE(some[0], all[4], 1e-12);
  CHECK_CLOSE(some[1], all[0], 1e-12);
  CHECK_CLOSE(some[2], all[7], 1e-12);
}
