// Global alignment kernels against the sum over all alignments written out, and against the
// recursion in logarithms where the values are beyond the range of numbers.
#include "kernels/global_alignment.hpp"

#include <algorithm>

#include "check.hpp"
#include "features/registry.hpp"
#include "runtime.hpp"

using namespace mk;

namespace {

double local_log(const Matrix& x, Index i, const Matrix& z, Index j, const AlignmentRule& rule) {
  const double gap = static_cast<double>(std::abs(i - j));
  const double w = rule.band > 0 ? std::max(0.0, 1.0 - gap / static_cast<double>(rule.band)) : 1.0;
  const double log_g = std::log(w) - rule.rate * (x.row(i) - z.row(j)).squaredNorm();
  return log_g - std::log(2.0 - std::exp(log_g));
}

// The sum over all alignments that end at (i, j), one by one.
double all_alignments(const Matrix& x, Index i, const Matrix& z, Index j,
                      const AlignmentRule& rule) {
  if (i < 0 || j < 0) return 0.0;
  const double here = std::exp(local_log(x, i, z, j, rule));
  if (i == 0 && j == 0) return here;
  return here * (all_alignments(x, i - 1, z, j, rule) + all_alignments(x, i, z, j - 1, rule) +
                 all_alignments(x, i - 1, z, j - 1, rule));
}

double log_recursion(const Matrix& x, const Matrix& z, const AlignmentRule& rule) {
  Matrix m = Matrix::Constant(x.rows() + 1, z.rows() + 1, -infinity);
  m(0, 0) = 0.0;
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < z.rows(); ++j) {
      const double top = std::max({m(i, j), m(i, j + 1), m(i + 1, j)});
      const double sum =
          std::exp(m(i, j) - top) + std::exp(m(i, j + 1) - top) + std::exp(m(i + 1, j) - top);
      m(i + 1, j + 1) = std::isinf(top) ? top : top + std::log(sum) + local_log(x, i, z, j, rule);
    }
  return m(x.rows(), z.rows());
}

Matrix wave(Index length, double phase, double size, Index channels = 1) {
  Matrix x(length, channels);
  for (Index t = 0; t < length; ++t)
    for (Index c = 0; c < channels; ++c)
      x(t, c) = size * std::sin(0.3 * static_cast<double>(t * (c + 1)) + phase);
  return x;
}

Series series_of(const std::vector<Matrix>& examples) {
  Series series(examples.front().cols());
  for (const Matrix& x : examples) series.add(x);
  return series;
}

}  // namespace

TEST(sum_over_all_alignments) {
  const TestRuntime runtime;
  for (const Index band : {0, 2, 4}) {
    const AlignmentRule rule = {0.7, band};
    const std::vector<Matrix> x = {wave(1, 0.3, 1.0, 2), wave(4, 0.1, 1.0, 2),
                                   wave(5, 1.1, 2.0, 2)};
    const Series series = series_of(x);
    for (Index i = 0; i < 3; ++i)
      for (Index j = 0; j < 3; ++j) {
        const double k = log_alignment(series, i, series, j, rule, runtime);
        const double expected = std::log(
            all_alignments(x[at(i)], x[at(i)].rows() - 1, x[at(j)], x[at(j)].rows() - 1, rule));
        CHECK_CLOSE(k, expected, 1e-12);
        CHECK(k == log_alignment(series, j, series, i, rule, runtime));
      }
  }
}

TEST(values_beyond_the_range_of_numbers) {
  const TestRuntime runtime;
  for (const double size : {1e-3, 1.0, 30.0, 1e4})
    for (const Index band : {0, 40}) {
      const AlignmentRule rule = {0.5, band};
      const Matrix x = wave(600, 0.0, size), z = wave(580, 2.0, size);
      const Series series = series_of({x, z});
      const double k = log_alignment(series, 0, series, 1, rule, runtime);
      CHECK(std::isfinite(k));
      CHECK_CLOSE(k / log_recursion(x, z, rule), 1.0, 1e-12);
    }
  const Series far = series_of({wave(3, 0.5, 1e200), wave(3, -0.5, 1e200)});
  CHECK(log_alignment(far, 0, far, 1, {1.0, 0}, runtime) < -1e15);
}

TEST(the_same_number_with_both_exchanged) {
  const TestRuntime runtime;
  std::vector<Matrix> x;
  for (Index i = 0; i < 20; ++i) x.push_back(wave(3 + i % 3, 0.7 * static_cast<double>(i), 1.0));
  const Series series = series_of(x);
  for (Index i = 0; i < 20; ++i)
    for (Index j = 0; j < i; ++j)
      CHECK(log_alignment(series, i, series, j, {0.5, 0}, runtime) ==
            log_alignment(series, j, series, i, {0.5, 0}, runtime));
}

TEST(lengths_beyond_the_band_do_not_meet) {
  const TestRuntime runtime;
  const Series series = series_of({wave(9, 0.0, 1.0), wave(5, 0.0, 1.0)});
  CHECK(log_alignment(series, 0, series, 1, {1.0, 4}, runtime) == -infinity);
  CHECK(std::isfinite(log_alignment(series, 0, series, 1, {1.0, 5}, runtime)));
}

TEST(width_is_the_median_of_distances) {
  const TestRuntime runtime;
  Matrix a(2, 1), b(1, 1), c(3, 1);
  a << 0.0, 1.0;
  b << 3.0;
  c << 7.0, 7.0, 8.0;
  // |a - b| = 3, 2; |a - c| = 7, 7, 8, 6, 6, 7; |b - c| = 4, 4, 5: the median is 6
  CHECK_CLOSE(alignment_width(series_of({a, b, c}), runtime), 6.0 * std::sqrt(2.0), 1e-15);
}

TEST(damaged_series_are_refused) {
  const Matrix good = wave(3, 0.0, 1.0), wide = wave(3, 0.0, 1.0, 2);
  Matrix bad = good;
  bad(1, 0) = std::nan("");
  const auto state = [](const std::vector<const Matrix*>& examples) {
    std::vector<State> values;
    for (const Matrix* x : examples) {
      values.emplace_back();
      values.back().set("x", view(*x));
    }
    State out;
    out.set("type", "series");
    out.set("values", Value(std::move(values)));
    return out;
  };
  CHECK(make_features(state({&good, &good}))->rows() == 2);
  CHECK_THROWS(make_features(state({&good, &bad})), InvalidArgument, "example 2");
  CHECK_THROWS(make_features(state({&good, &wide})), InvalidArgument, "example 2");
}

TEST(long_pairs_look_at_the_interrupt) {
  TestRuntime runtime;
  runtime.interrupt_after = 3;
  const Series series = series_of({wave(1000, 0.0, 1.0)});
  CHECK_THROWS(log_alignment(series, 0, series, 0, {1.0, 0}, runtime), Interrupted, "");
}
