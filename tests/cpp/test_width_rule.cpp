// Widths from the distances among training rows, against plain loops over all pairs.
#include "check.hpp"
#include "features/dense.hpp"
#include "features/strings.hpp"
#include "fixtures.hpp"
#include "kernels/width_rule.hpp"

using namespace mk;
using namespace fixtures;

namespace {

double pair_distance(const Matrix& x, const std::vector<int>& features, Index i, Index j) {
  double sum = 0.0;
  for (int f : features) sum += (x(i, f) - x(j, f)) * (x(i, f) - x(j, f));
  return std::sqrt(sum);
}

double naive_width(const Matrix& x, const std::vector<int>& features, const std::string& rule) {
  const Index n = x.rows();
  std::vector<double> pairs;
  double sum = 0.0, nearest_sum = 0.0;
  for (Index i = 0; i < n; ++i) {
    double nearest = INFINITY;
    for (Index j = 0; j < n; ++j) {
      const double d = pair_distance(x, features, i, j);
      sum += d;
      if (j < i) pairs.push_back(d);
      if (j != i) nearest = std::min(nearest, d);
    }
    nearest_sum += nearest;
  }
  const double count = static_cast<double>(n);
  if (rule == "mean_distance") return sum / (count * count);
  if (rule == "nearest") return nearest_sum / count / std::sqrt(2.0);
  std::sort(pairs.begin(), pairs.end());
  const std::size_t half = pairs.size() / 2;
  return pairs.size() % 2 == 1 ? pairs[half] : 0.5 * (pairs[half - 1] + pairs[half]);
}

const std::vector<std::string> rules = {"mean_distance", "nearest", "median"};

}  // namespace

TEST(rules_against_plain_loops) {
  for (Index n : {2, 3, 4, 5, 31, 32, 130, 200}) {
    const Matrix x = normal_matrix(n, 4, static_cast<std::uint64_t>(n));
    for (const std::vector<int>& features :
         {std::vector<int>{0, 1, 2, 3}, std::vector<int>{2}, std::vector<int>{3, 1, 1}})
      for (const std::string& rule : rules) {
        const TestRuntime one(1), three(3);
        const double width = width_by_rule(DenseFeatures(view(x)), features, rule, one);
        CHECK_CLOSE(width, naive_width(x, features, rule), 1e-13);
        CHECK(width == width_by_rule(DenseFeatures(view(x)), features, rule, three));
      }
  }
}

TEST(median_of_many_rows_takes_2000_of_them) {
  const TestRuntime runtime(2);
  const Index n = 3001;
  Matrix x = normal_matrix(n, 1, 1), part(2000, 1);
  for (Index k = 0; k < 2000; ++k) part(k, 0) = x(k * n / 2000, 0);
  CHECK_CLOSE(width_by_rule(DenseFeatures(view(x)), {0}, "median", runtime),
              naive_width(part, {0}, "median"), 1e-13);
}

TEST(constant_rows_have_no_width) {
  const TestRuntime runtime;
  const Matrix x = Matrix::Constant(9, 2, 3.0);
  for (const std::string& rule : rules)
    CHECK(width_by_rule(DenseFeatures(view(x)), {0, 1}, rule, runtime) == 0.0);
  const Matrix y = normal_matrix(9, 2, 1);
  for (const std::string& rule : rules)
    CHECK(width_by_rule(DenseFeatures(view(y)), {}, rule, runtime) == 0.0);
}

TEST(what_cannot_be_asked) {
  const TestRuntime runtime;
  const Matrix one = normal_matrix(1, 2, 1), two = normal_matrix(2, 2, 1);
  CHECK_THROWS(width_by_rule(DenseFeatures(view(one)), {0}, "median", runtime), InvalidArgument,
               "two rows");
  CHECK_THROWS(width_by_rule(DenseFeatures(view(two)), {0}, "mode", runtime), InvalidArgument,
               "\"mode\"");
  for (const char* rule : {"median", "mean_distance", "nearest"})
    CHECK_THROWS(width_by_rule(Strings({"a", "b"}), {0}, rule, runtime), InvalidArgument,
                 "must be numbers");
}

TEST(interrupts_come_through) {
  TestRuntime runtime;
  runtime.interrupt_after = 0;
  const Matrix x = normal_matrix(300, 2, 1);
  CHECK_THROWS(width_by_rule(DenseFeatures(view(x)), {0, 1}, "nearest", runtime), Interrupted, "");
}
