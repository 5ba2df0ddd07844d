// Every loop of every instruction set against a plain loop, at all remainders and alignments.
// Buffers are exactly as long as promised, so that the sanitizer sees a step too far.
#include "base/errors.hpp"
#include "base/random.hpp"
#include "base/simd.hpp"
#include "check.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>

using namespace mk;

namespace {

constexpr Index longest = 72;

std::vector<const Simd*> tables() {
  std::vector<const Simd*> all = {&simd_baseline()};
  if (simd_avx2() != nullptr) all.push_back(simd_avx2());
  if (simd_avx512() != nullptr) all.push_back(simd_avx512());
  return all;
}

std::vector<double> random_values(Index n, std::uint64_t seed, double low = -2.0,
                                  double high = 2.0) {
  Random random(seed, 5);
  std::vector<double> values(static_cast<std::size_t>(n));
  for (double& v : values) v = low + (high - low) * random.uniform();
  return values;
}

// f(table, n, offset) for every length and for pointers off any alignment.
template <class F>
void each_length(const F& f) {
  for (const Simd* simd : tables())
    for (Index n = 0; n <= longest; ++n)
      for (Index offset = 0; offset < 8; offset += 1 + offset / 4) f(*simd, n, offset);
}

double relative_error(double value, long double truth) {
  return static_cast<double>(std::fabs((static_cast<long double>(value) - truth) / truth));
}

}  // namespace

TEST(levels) {
  CHECK(choose_simd("baseline").name == std::string("baseline"));
  CHECK_THROWS(choose_simd("sse9"), InvalidArgument, "`simd` must be");
  const auto levels = simd_levels();
  CHECK(levels.front() == "baseline");
  CHECK(levels.size() == tables().size());
  for (const std::string& level : levels) CHECK(choose_simd(level).name == level);
  // The last one, unless it is there but does not pay.
  const bool passed_over = simd_avx512() != nullptr && !avx512_pays();
  CHECK(choose_simd("auto").name == levels[levels.size() - (passed_over ? 2 : 1)]);
  if (simd_avx2() == nullptr) CHECK_THROWS(choose_simd("avx2"), InvalidArgument, "avx2");
  if (simd_avx512() == nullptr) CHECK_THROWS(choose_simd("avx512"), InvalidArgument, "avx512");
}

// ---- pair reductions -------------------------------------------------------------------------

namespace {

// What the tables promise, term by term; `size` is the sum of the terms' magnitudes.
double naive_sum(PairKind kind, const double* a, const double* b, const std::vector<int>& features,
                 double parameter, double& size) {
  long double sum = 0.0;
  size = 0.0;
  for (int f : features) {
    const long double x = a[f], z = b[f], d = x - z;
    long double term = 0.0;
    switch (kind) {
      case PairKind::stored:  // is no sum over features
        break;
      case PairKind::dot:
        term = x * z;
        break;
      case PairKind::squared_distance:
        term = d * d;
        break;
      case PairKind::absolute_distance:
        term = std::fabs(d);
        break;
      case PairKind::minimum:
        term = std::min(x, z);
        break;
      case PairKind::chi_squared:
        term = x + z > 0 ? d * d / (x + z) : 0;
        break;
      case PairKind::anova:
        term = std::exp(-parameter * d * d);
        break;
    }
    sum += term;
    size += static_cast<double>(std::fabs(term));
  }
  return static_cast<double>(sum);
}

// Examples by rows, and the same packed in strips as base/simd.hpp describes.
struct Examples {
  Examples(Index n, Index n_features, std::uint64_t seed, bool histogram)
      : count(n), features(n_features), rows(random_values(n * n_features, seed)) {
    Random random(seed, 6);
    if (histogram)
      for (double& v : rows) v = random.uniform() < 0.3 ? 0.0 : std::fabs(v);
    const Index strips = (n + strip_rows - 1) / strip_rows;
    packed.assign(static_cast<std::size_t>(strips * strip_rows * features), 0.0);
    for (Index i = 0; i < n; ++i)
      for (Index f = 0; f < features; ++f)
        packed[static_cast<std::size_t>(i / strip_rows * strip_rows * features + f * strip_rows +
                                        i % strip_rows)] = row(i)[f];
  }
  const double* row(Index i) const { return rows.data() + i * features; }

  Index count, features;
  std::vector<double> rows, packed;
};

struct Shape {
  Index a_count, b_count, b_offset;
};

// Squared lengths, 0 for the rows that fill up the last strip.
std::vector<double> lengths_of(const Examples& x) {
  const Index strips = (x.count + strip_rows - 1) / strip_rows;
  std::vector<double> lengths(static_cast<std::size_t>(strips * strip_rows), 0.0);
  for (Index i = 0; i < x.count; ++i)
    for (Index f = 0; f < x.features; ++f)
      lengths[static_cast<std::size_t>(i)] += x.row(i)[f] * x.row(i)[f];
  return lengths;
}

// Some of eleven columns, in any order, or all columns with all that is known of them.
enum class Listed { some, all };

void check_reduction(const Simd& simd, PairKind kind, const Shape& shape, Index n_listed,
                     std::uint64_t seed, Listed which = Listed::some) {
  const Index columns = which == Listed::all ? n_listed : 11;
  const bool histogram = kind == PairKind::chi_squared || kind == PairKind::minimum;
  const Examples a(shape.a_count, columns, seed, histogram);
  const Examples b(shape.b_offset + shape.b_count, columns, seed + 1, histogram);
  Random random(seed, 9);
  std::vector<int> listed(static_cast<std::size_t>(n_listed));
  for (int& f : listed) f = static_cast<int>(random.below(columns));  // repeats are allowed
  if (which == Listed::all) std::iota(listed.begin(), listed.end(), 0);
  const double parameter = kind == PairKind::anova ? 0.7 : 0.0;
  PanelPair pair = {a.packed.data(), shape.a_count, b.packed.data(),
                    shape.b_offset,  shape.b_count, strip_rows * columns,
                    listed.data(),   n_listed,      parameter};
  const std::vector<double> a_lengths = lengths_of(a), b_lengths = lengths_of(b);
  if (which == Listed::all) {
    pair.in_order = true;
    pair.a_lengths = a_lengths.data();
    pair.b_lengths = b_lengths.data() + shape.b_offset;
  }
  const double untouched = -12345.0;
  std::vector<double> out(static_cast<std::size_t>(panel_rows * shape.b_count), untouched);
  simd.reduce[static_cast<int>(kind)](pair, out.data());
  const Index padded = (shape.a_count + 7) / 8 * 8;
  double worst = 0.0;
  bool kept = true;
  for (Index j = 0; j < shape.b_count; ++j)
    for (Index i = 0; i < panel_rows; ++i) {
      const double got = out[static_cast<std::size_t>(i + j * panel_rows)];
      if (i >= padded) kept = kept && got == untouched;
      if (i >= shape.a_count) continue;
      double size = 0.0;
      const double truth =
          naive_sum(kind, a.row(i), b.row(shape.b_offset + j), listed, parameter, size);
      const double error = std::fabs(got - truth) / std::max(size, 1e-300);
      if (!(error <= worst) && got != truth) worst = std::isnan(error) ? infinity : error;
    }
  CHECK(kept);
  CHECK_CLOSE(worst, 0.0, 1e-13);
}

const PairKind all_kinds[] = {
    PairKind::dot,     PairKind::squared_distance, PairKind::absolute_distance,
    PairKind::minimum, PairKind::chi_squared,      PairKind::anova};

}  // namespace

TEST(reductions_over_feature_counts) {
  for (const Simd* simd : tables())
    for (PairKind kind : all_kinds)
      for (Index n_features : {0, 1, 2, 3, 4, 5, 255, 256, 257, 600}) {
        check_reduction(*simd, kind, {13, 7, 4}, n_features, 100);
        check_reduction(*simd, kind, {16, 3, 5}, n_features, 200);
      }
}

TEST(reductions_over_shapes) {
  std::uint64_t seed = 1000;
  for (const Simd* simd : tables())
    for (PairKind kind : all_kinds) {
      for (Index a_count = 1; a_count <= longest; ++a_count)
        for (Index b_count : {0, 1, 2, 3})
          check_reduction(*simd, kind, {a_count, b_count, a_count % 8}, 3, ++seed);
      for (Index b_count = 4; b_count <= longest; ++b_count)
        check_reduction(*simd, kind, {17, b_count, b_count % 2 * 4}, 4, ++seed);
      check_reduction(*simd, kind, {panel_rows, 32, 0}, 5, ++seed);
      for (Index b_count : {4, 8, 12, 124})  // enough features for dot products
        check_reduction(*simd, kind, {16, b_count, 4}, 20, ++seed);
    }
}

TEST(reductions_over_all_features) {
  std::uint64_t seed = 5000;
  for (const Simd* simd : tables())
    for (PairKind kind : all_kinds)
      for (Index n_features : {1, 2, 15, 16, 17, 50, 256, 257, 600})
        for (const Shape& shape : {Shape{13, 8, 4}, Shape{16, 3, 5}, Shape{40, 12, 0},
                                   Shape{panel_rows, 32, 0}, Shape{100, 31, 4}})
          check_reduction(*simd, kind, shape, n_features, ++seed, Listed::all);
}

// Near and equal rows, far from the origin: no digits may be lost to |a|^2 + |b|^2 - 2 a'b.
TEST(squared_distances_of_near_rows) {
  const Index n = 32, columns = 20;
  const std::vector<int> listed = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,
                                   10, 11, 12, 13, 14, 15, 16, 17, 18, 19};
  for (const Simd* simd : tables())
    for (double offset : {0.0, 1.0, 1e3, 1e8, 1e154, 1e200})
      for (double spread : {1e-9, 1e-3, 1.0, 10.0}) {
        Examples a(n, columns, 17, false);
        for (Index i = 0; i < n; ++i)
          for (Index f = 0; f < columns; ++f) {
            double& x = a.rows[static_cast<std::size_t>(i * columns + f)];
            x = offset + spread * (i % 5 == 4 ? 0.0 : x) * (i % 2 == 0 ? 1.0 : 30.0);
            a.packed[static_cast<std::size_t>(i / strip_rows * strip_rows * columns +
                                              f * strip_rows + i % strip_rows)] = x;
          }
        const PanelPair pair = {
            a.packed.data(), n,  a.packed.data(), 0, n, strip_rows * columns, listed.data(),
            columns,         0.0};
        std::vector<double> out(static_cast<std::size_t>(panel_rows * n));
        simd->reduce[static_cast<int>(PairKind::squared_distance)](pair, out.data());
        double worst = 0.0;
        bool zero = true;
        for (Index i = 0; i < n; ++i)
          for (Index j = 0; j < n; ++j) {
            const double got = out[static_cast<std::size_t>(i + j * panel_rows)];
            double size = 0.0;
            const double truth =
                naive_sum(PairKind::squared_distance, a.row(i), a.row(j), listed, 0.0, size);
            if (truth == 0.0) zero = zero && got == 0.0;
            else worst = std::max(worst, std::fabs(got / truth - 1.0));
          }
        CHECK(zero);
        CHECK(worst < 1e-13);
      }
}

// The kernel matrices are exactly symmetric because the sums are.
TEST(reductions_are_symmetric) {
  const Index n = 24, columns = 9;
  const std::vector<int> listed = {0, 3, 3, 5, 1, 8, 7};
  for (const Simd* simd : tables())
    for (PairKind kind : all_kinds) {
      const Examples a(n, columns, 3, kind == PairKind::chi_squared || kind == PairKind::minimum);
      const PanelPair pair = {a.packed.data(),
                              n,
                              a.packed.data(),
                              0,
                              n,
                              strip_rows * columns,
                              listed.data(),
                              static_cast<Index>(listed.size()),
                              0.4};
      std::vector<double> out(static_cast<std::size_t>(panel_rows * n));
      simd->reduce[static_cast<int>(kind)](pair, out.data());
      bool symmetric = true;
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j)
          symmetric = symmetric && out[static_cast<std::size_t>(i + j * panel_rows)] ==
                                       out[static_cast<std::size_t>(j + i * panel_rows)];
      CHECK(symmetric);
    }
}

// ---- exp -------------------------------------------------------------------------------------

// The exponent is rounded once: the error grows with it, to 2e-13 at the end of the range.
TEST(exp_decay_is_accurate) {
  const Index n = 60000;
  std::vector<double> x = random_values(n, 1, 0.0, 708.0);
  for (double special : {0.0, -0.0, 708.0, 1.0, 1e-300, 1e-17, 0.34657359027997264,
                         0.6931471805599453, 0.5, 88.0, 700.0})
    x.push_back(special);
  for (const double small : random_values(n / 3, 2, 0.0, 1.0)) x.push_back(small);
  std::vector<double> out(x.size());
  for (const Simd* simd : tables()) {
    simd->exp_decay(x.data(), 1.0, out.data(), static_cast<Index>(x.size()));
    double worst = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i)
      worst = std::max(worst, relative_error(out[i], std::exp(-static_cast<long double>(x[i]))) /
                                  (1e-15 + 3e-16 * x[i]));
    CHECK(worst < 1.0);
    CHECK(out[static_cast<std::size_t>(n)] == 1.0);
    CHECK(out[static_cast<std::size_t>(n) + 1] == 1.0);
  }
}

TEST(exp_decay_of_special_values) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> x = {nan, -nan, infinity, 709.0, 745.2, 1e4, 1e5, 1e300, 708.3, 1e16};
  std::vector<double> out(x.size());
  for (const Simd* simd : tables()) {
    simd->exp_decay(x.data(), 1.0, out.data(), static_cast<Index>(x.size()));
    CHECK(std::isnan(out[0]));
    CHECK(std::isnan(out[1]));
    for (std::size_t i : {2, 3, 4, 5, 6, 7, 9}) CHECK(out[i] == 0.0);
    CHECK_CLOSE(out[8] / std::exp(-708.3), 1.0, 1e-12);
    // What overflow in the kernels leaves behind: infinite sums and rates, and 0 times infinity.
    simd->exp_decay(x.data() + 2, 0.5, out.data(), 1);
    CHECK(out[0] == 0.0);
    simd->exp_decay(x.data() + 3, infinity, out.data(), 1);
    CHECK(out[0] == 0.0);
    const double zero = 0.0;
    simd->exp_decay(&zero, infinity, out.data(), 1);
    CHECK(std::isnan(out[0]));
    // A NaN with bits in its payload, such as R's NA.
    const std::uint64_t bits = 0x7ff00000000007a2ULL;
    double missing = 0.0;
    std::memcpy(&missing, &bits, sizeof missing);
    simd->exp_decay(&missing, 1.0, out.data(), 1);
    CHECK(std::isnan(out[0]));
  }
}

TEST(exp_decay_lengths) {
  each_length([](const Simd& simd, Index n, Index offset) {
    const auto x = random_values(n + offset, 3, 0.0, 4.0);
    std::vector<double> out(static_cast<std::size_t>(n + offset), 7.0);
    simd.exp_decay(x.data() + offset, 1.75, out.data() + offset, n);
    bool fine = true;
    for (Index i = 0; i < n + offset; ++i) {
      const auto k = static_cast<std::size_t>(i);
      fine = fine &&
             (i < offset ? out[k] == 7.0 : relative_error(out[k], std::exp(-1.75L * x[k])) < 5e-15);
    }
    CHECK(fine);
    std::vector<double> in_place = x;
    simd.exp_decay(in_place.data() + offset, 1.75, in_place.data() + offset, n);
    CHECK(std::equal(in_place.begin() + offset, in_place.end(), out.begin() + offset));
  });
}

// ---- waves -----------------------------------------------------------------------------------

TEST(waves_are_accurate_and_do_not_depend_on_the_place) {
  std::vector<double> x = random_values(20001, 6, -3.0, 3.0);
  for (const double large : random_values(1000, 7, -1e9, 1e9)) x.push_back(large);
  for (const double special : {0.0, -0.0, 0.5, -0.5, 0.25, 0.125, 1e-300, 1e15, 0.75})
    x.push_back(special);
  const auto n = static_cast<Index>(x.size());
  std::vector<double> cosine(x.size()), sine(x.size());
  for (const Simd* simd : tables()) {
    simd->waves(x.data(), 2.0, cosine.data(), sine.data(), n);
    double worst = 0.0;
    bool same = true;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const long double angle =
          6.283185307179586476925L * (static_cast<long double>(x[i]) - std::nearbyint(x[i]));
      worst = std::max(worst, std::abs(static_cast<double>(cosine[i] - 2.0L * std::cos(angle))));
      worst = std::max(worst, std::abs(static_cast<double>(sine[i] - 2.0L * std::sin(angle))));
      double c = 0.0, s = 0.0;
      simd->waves(&x[i], 2.0, &c, &s, 1);
      same = same && c == cosine[i] && s == sine[i];
    }
    CHECK(worst < 4e-15);
    CHECK(same);
    // No digits after the point, and no numbers.
    const double far[] = {1e17, -1e300, infinity, std::numeric_limits<double>::quiet_NaN()};
    double c[4], s[4];
    simd->waves(far, 1.0, c, s, 4);
    for (int i = 0; i < 2; ++i) CHECK(c[i] == 1.0 && s[i] == 0.0);
    CHECK(std::isnan(c[3]) && std::isnan(s[3]));
  }
}

// The value of an entry does not depend on its place, so a block equals its parts.
TEST(exp_decay_does_not_depend_on_the_place) {
  const auto x = random_values(longest, 4, 0.0, 50.0);
  for (const Simd* simd : tables()) {
    std::vector<double> whole(x.size()), one(1);
    simd->exp_decay(x.data(), 0.7, whole.data(), longest);
    bool same = true;
    for (std::size_t i = 0; i < x.size(); ++i) {
      simd->exp_decay(&x[i], 0.7, one.data(), 1);
      same = same && one[0] == whole[i];
    }
    CHECK(same);
  }
}

// ---- other loops over entries --------------------------------------------------------------

TEST(square_and_power) {
  each_length([](const Simd& simd, Index n, Index offset) {
    const auto x = random_values(n + offset, 11);
    std::vector<double> out(x.size());
    simd.square(x.data() + offset, out.data() + offset, n);
    bool fine = true;
    for (std::size_t i = static_cast<std::size_t>(offset); i < x.size(); ++i)
      fine = fine && out[i] == x[i] * x[i];
    for (int degree : {1, 2, 3, 4, 5, 6, 17}) {
      simd.affine_power(x.data() + offset, 0.4, 1.5, degree, out.data() + offset, n);
      for (std::size_t i = static_cast<std::size_t>(offset); i < x.size(); ++i)
        fine = fine && relative_error(out[i], std::pow(0.4L * x[i] + 1.5L, degree)) < 1e-13;
    }
    std::vector<double> in_place = x;
    simd.square(in_place.data() + offset, in_place.data() + offset, n);
    for (std::size_t i = static_cast<std::size_t>(offset); i < x.size(); ++i)
      fine = fine && in_place[i] == x[i] * x[i];
    CHECK(fine);
  });
}

TEST(power_of_negative_and_zero_bases) {
  const std::vector<double> x = {-3.0, -1.0, 0.0, 1.0, 2.0};
  std::vector<double> out(x.size());
  for (const Simd* simd : tables())
    for (int degree : {1, 2, 3, 7}) {
      simd->affine_power(x.data(), 1.0, 0.0, degree, out.data(), static_cast<Index>(x.size()));
      for (std::size_t i = 0; i < x.size(); ++i) CHECK(out[i] == std::pow(x[i], degree));
    }
}

TEST(axpy_and_dot) {
  each_length([](const Simd& simd, Index n, Index offset) {
    const auto x = random_values(n + offset, 21), y = random_values(n + offset, 22);
    std::vector<double> out = y;
    simd.axpy(-0.37, x.data() + offset, out.data() + offset, n);
    bool fine = true;
    long double sum = 0.0, size = 0.0;
    for (Index i = 0; i < n + offset; ++i) {
      const auto k = static_cast<std::size_t>(i);
      if (i < offset) {
        fine = fine && out[k] == y[k];
        continue;
      }
      fine = fine && check::close(out[k], y[k] - 0.37 * x[k], 4e-16);
      sum += static_cast<long double>(x[k]) * y[k];
      size += std::fabs(static_cast<long double>(x[k]) * y[k]);
    }
    CHECK(fine);
    const double dot = simd.dot(x.data() + offset, y.data() + offset, n);
    CHECK(std::fabs(dot - static_cast<double>(sum)) <= 1e-15 * static_cast<double>(size));
    // Numbers in single precision are those in double precision that they equal.
    const std::vector<float> narrow(x.begin(), x.end());
    const std::vector<double> wide(narrow.begin(), narrow.end());
    std::vector<double> one = y, other = y;
    simd.axpy_narrow(-0.37, narrow.data() + offset, one.data() + offset, n);
    simd.axpy(-0.37, wide.data() + offset, other.data() + offset, n);
    CHECK(one == other);
    CHECK(simd.dot_narrow(narrow.data() + offset, y.data() + offset, n) ==
          simd.dot(wide.data() + offset, y.data() + offset, n));
  });
}

namespace {

// Squared distances of some examples, with a tile on its way: as many of its runs are written as
// there are small tiles of sums, and the sums are what they are without it.
void write_between(const Simd& simd, TileOnItsWay& tile, Index examples) {
  const Index features = 20;
  const Examples some(examples, features, 42, false);
  std::vector<int> all(static_cast<std::size_t>(features));
  std::iota(all.begin(), all.end(), 0);
  PanelPair pair = {some.packed.data(),    examples,   some.packed.data(), 0,  examples,
                    strip_rows * features, all.data(), features,           0.0};
  const std::size_t room = static_cast<std::size_t>(panel_rows * examples);
  std::vector<double> alone(room, 0.0), between(room, 0.0);
  const auto reduce = simd.reduce[static_cast<int>(PairKind::squared_distance)];
  reduce(pair, alone.data());
  const Index before = tile.runs_left;
  pair.on_its_way = &tile;
  reduce(pair, between.data());
  CHECK(tile.runs_left < before);
  CHECK(alone == between);
}

// A tile below the diagonal of a matrix with some room around it, which starts `offset` values
// behind a line of memory.
// With `sums` the tile is on its way while so many sums are formed.
void check_mirrored(const Simd& simd, Index a_count, Index b_count, Index offset, bool streamed,
                    Index sums = 0) {
  const double untouched = -12345.0, factor = 0.75;
  const Index a_first = b_count + 3, b_first = 1, n = a_first + a_count + 2;
  const auto values = random_values(panel_rows * std::max<Index>(b_count, 1), 41);
  std::vector<double> room(static_cast<std::size_t>(n * n + 16), untouched);
  double* out = room.data();
  while (reinterpret_cast<std::uintptr_t>(out) % 64 != static_cast<std::uintptr_t>(8 * offset))
    ++out;
  double* direct = out + a_first + b_first * n;
  double* mirror = out + b_first + a_first * n;
  if (streamed) {
    TileOnItsWay tile;
    tile.values = values.data();
    tile.factor = factor;
    tile.a_count = a_count;
    tile.b_count = b_count;
    tile.direct = direct;
    tile.mirror = mirror;
    tile.stride = n;
    tile.runs_left = a_count + b_count;
    if (sums > 0) write_between(simd, tile, sums);
    simd.write_rest(tile);
    simd.fence();
    CHECK(tile.runs_left == 0);
  } else {
    simd.store_mirrored(values.data(), factor, a_count, b_count, direct, mirror, n);
  }
  bool fine = true;
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      const Index low = std::max(i, j) - a_first, high = std::min(i, j) - b_first;
      const bool inside = low >= 0 && low < a_count && high >= 0 && high < b_count;
      const double expected =
          inside ? factor * values[static_cast<std::size_t>(low + high * panel_rows)] : untouched;
      fine = fine && out[i + j * n] == expected;
    }
  for (double* p = room.data(); p < room.data() + room.size(); ++p)
    if (p < out || p >= out + n * n) fine = fine && *p == untouched;
  CHECK(fine);
}

}  // namespace

TEST(store_mirrored) {
  for (const Simd* simd : tables())
    for (Index a_count : {1, 2, 3, 4, 5, 7, 8, 9, 31, 40, 127, 128})
      for (Index b_count : {0, 1, 2, 3, 4, 5, 6, 7, 8, 31, 32})
        check_mirrored(*simd, a_count, b_count, 0, false);
}

// Past the caches whole lines of memory are written, wherever they start: n is odd and even, so
// that columns start at all places of a line.
TEST(store_mirrored_past_the_caches) {
  for (const Simd* simd : tables())
    for (Index offset = 0; offset < 8; ++offset)
      for (Index a_count : {1, 4, 7, 8, 9, 30, 40, 127, 128})
        for (Index b_count : {0, 1, 4, 6, 7, 8, 15, 32, 33, 71, 127, 128})
          check_mirrored(*simd, a_count, b_count, offset, true);
}

// A tile that is on its way while sums are formed: all of it, or part of it, is written between
// them.
TEST(tiles_written_between_sums) {
  for (const Simd* simd : tables())
    for (Index sums : {1, 12, 40, 128})
      for (Index a_count : {5, 40, 128})
        for (Index b_count : {1, 6, 32, 127})
          check_mirrored(*simd, a_count, b_count, 6, true, sums);
}

// On the diagonal the image of the square is the square: rows behind it alone are mirrored.
TEST(tiles_mirrored_from_a_row_on) {
  const Index a_count = 77, b_count = 32, n = 80;
  const auto values = random_values(panel_rows * b_count, 43);
  for (const Simd* simd : tables()) {
    std::vector<double> out(static_cast<std::size_t>(n * n), -1.0);
    TileOnItsWay tile;
    tile.values = values.data();
    tile.a_count = a_count;
    tile.b_count = b_count;
    tile.mirrored_from = b_count;
    tile.direct = tile.mirror = out.data();
    tile.stride = n;
    tile.runs_left = b_count + a_count - b_count;
    simd->write_rest(tile);
    bool fine = true;
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) {
        double expected = -1.0;
        if (i < a_count && j < b_count)
          expected = values[static_cast<std::size_t>(i + j * panel_rows)];
        else if (i < b_count && j < a_count)
          expected = values[static_cast<std::size_t>(j + i * panel_rows)];
        fine = fine && out[static_cast<std::size_t>(i + j * n)] == expected;
      }
    CHECK(fine);
  }
}

// ---- the loops of SMO ------------------------------------------------------------------------

namespace {

// Random state of SMO. With `coarse` all numbers are small multiples of 1/4: arithmetic is exact
// and ties abound.
struct SmoState {
  SmoState(Index n, Index offset, std::uint64_t seed, bool coarse) : start(offset), count(n) {
    Random random(seed, 31);
    const auto draw = [&](double low, double high) {
      const double u = low + (high - low) * random.uniform();
      return coarse ? std::floor(4.0 * u) / 4.0 : u;
    };
    for (auto* v : {&gradient, &half_diagonal, &up, &low, &column_i, &column_j})
      v->resize(static_cast<std::size_t>(n + offset));
    const double open_up = random.uniform(), open_low = random.uniform();
    for (std::size_t k = 0; k < gradient.size(); ++k) {
      gradient[k] = draw(-1.0, 1.0);
      half_diagonal[k] = draw(0.0, 1.0);
      column_i[k] = draw(-1.5, 1.5);  // curvatures of both signs
      column_j[k] = draw(-1.5, 1.5);
      up[k] = random.uniform() < open_up ? 0.0 : infinity;
      low[k] = random.uniform() < open_low ? 0.0 : -infinity;
    }
  }
  SmoArrays arrays() {
    return {gradient.data() + start, half_diagonal.data() + start, up.data() + start,
            low.data() + start, count};
  }

  Index start, count;
  std::vector<double> gradient, half_diagonal, up, low, column_i, column_j;
};

void check_extremes(const SmoExtremes& e, const SmoArrays& s) {
  Index up_index = -1;
  double up_value = infinity, low_value = -infinity;
  for (Index i = 0; i < s.n; ++i) {
    if (s.up_penalty[i] == 0.0 && s.gradient[i] < up_value) {
      up_value = s.gradient[i];
      up_index = i;
    }
    if (s.low_penalty[i] == 0.0) low_value = std::max(low_value, s.gradient[i]);
  }
  CHECK(e.up_index == up_index);
  CHECK(e.up_value == up_value);
  CHECK(e.low_value == low_value);
}

// b^2 / a of a candidate; -1 if it is none.
double gain(const SmoArrays& s, const double* column_i, double gradient_i, double half_i, Index j) {
  const double b = s.gradient[j] - gradient_i;
  if (s.low_penalty[j] != 0.0 || !(b > 0.0)) return -1.0;
  const double a = 2.0 * (s.half_diagonal[j] + half_i - column_i[j]);
  const double least = std::max(2e-12 * std::abs(half_i), 2e-300);
  return b * b / (a > least ? a : least);
}

}  // namespace

TEST(smo_scan_and_update) {
  std::uint64_t seed = 0;
  each_length([&](const Simd& simd, Index n, Index offset) {
    for (bool coarse : {true, false}) {
      SmoState state(n, offset, ++seed, coarse);
      check_extremes(simd.smo_scan(state.arrays()), state.arrays());
      const std::vector<double> before = state.gradient;
      const double step = coarse ? 0.5 : 0.3331;
      const SmoExtremes e = simd.smo_update(state.arrays(), state.column_i.data() + offset,
                                            state.column_j.data() + offset, step);
      bool fine = true;
      for (std::size_t k = 0; k < before.size(); ++k) {
        const double change = step * (state.column_i[k] - state.column_j[k]);
        fine = fine && (static_cast<Index>(k) < offset
                            ? state.gradient[k] == before[k]
                            : check::close(state.gradient[k], before[k] + change, 1e-15));
      }
      CHECK(fine);
      check_extremes(e, state.arrays());
    }
  });
}

TEST(smo_scan_without_candidates) {
  for (const Simd* simd : tables())
    for (Index n : {0, 1, 5, 16, 33}) {
      SmoState state(n, 0, 1, true);
      std::fill(state.up.begin(), state.up.end(), infinity);
      std::fill(state.low.begin(), state.low.end(), -infinity);
      const SmoExtremes e = simd->smo_scan(state.arrays());
      CHECK(e.up_index == -1);
      CHECK(e.up_value == infinity);
      CHECK(e.low_value == -infinity);
      CHECK(simd->smo_partner(state.arrays(), state.column_i.data(), 0.0, 1.0) == -1);
    }
}

TEST(smo_partner) {
  std::uint64_t seed = 5000;
  each_length([&](const Simd& simd, Index n, Index offset) {
    for (bool coarse : {true, false}) {
      SmoState state(n, offset, ++seed, coarse);
      const SmoArrays s = state.arrays();
      const double* column = state.column_i.data() + offset;
      const double gradient_i = coarse ? -0.25 : -0.123, half_i = coarse ? 0.625 : 0.585;
      Index best = -1;
      double best_gain = 0.0;
      for (Index j = 0; j < n; ++j) {
        const double g = gain(s, column, gradient_i, half_i, j);
        if (g > best_gain) {
          best = j;
          best_gain = g;
        }
      }
      const Index chosen = simd.smo_partner(s, column, gradient_i, half_i);
      CHECK((chosen < 0) == (best < 0));
      if (best < 0 || chosen < 0) continue;
      CHECK(chosen < n);
      const double chosen_gain = gain(s, column, gradient_i, half_i, chosen);
      CHECK(chosen_gain >= best_gain * (1.0 - 1e-14));
      // Among equals the first; fractions such as 1/3 need not be equal in rounded arithmetic.
      if (chosen_gain == best_gain) CHECK(chosen <= best);
    }
  });
}

// The same steps whatever the instructions: with exact arithmetic the choices are identical.
TEST(smo_choices_agree) {
  for (const Simd* simd : tables())
    for (std::uint64_t seed = 1; seed < 400; ++seed) {
      SmoState one(static_cast<Index>(seed % 73), 0, seed, true), two = one;
      const double* column = one.column_i.data();
      CHECK(simd_baseline().smo_partner(one.arrays(), column, -0.5, 1.0) ==
            simd->smo_partner(two.arrays(), column, -0.5, 1.0));
      const SmoExtremes a =
          simd_baseline().smo_update(one.arrays(), column, one.column_j.data(), 0.25);
      const SmoExtremes b = simd->smo_update(two.arrays(), column, one.column_j.data(), 0.25);
      CHECK(a.up_index == b.up_index && a.up_value == b.up_value && a.low_value == b.low_value);
      CHECK(one.gradient == two.gradient);
    }
}

// Columns in single precision: as the same numbers in double precision, to the last bit.
TEST(smo_on_narrow_columns) {
  std::uint64_t seed = 9000;
  each_length([&](const Simd& simd, Index n, Index offset) {
    SmoState wide(n, offset, ++seed, false);
    const auto narrowed = [](std::vector<double>& column) {
      std::vector<float> narrow(column.begin(), column.end());
      column.assign(narrow.begin(), narrow.end());
      return narrow;
    };
    const std::vector<float> i = narrowed(wide.column_i), j = narrowed(wide.column_j);
    SmoState narrow = wide;
    CHECK(simd.smo_partner_narrow(narrow.arrays(), i.data() + offset, -0.123, 0.585) ==
          simd.smo_partner(wide.arrays(), wide.column_i.data() + offset, -0.123, 0.585));
    const SmoExtremes a =
        simd.smo_update_narrow(narrow.arrays(), i.data() + offset, j.data() + offset, 0.3331);
    const SmoExtremes b = simd.smo_update(wide.arrays(), wide.column_i.data() + offset,
                                          wide.column_j.data() + offset, 0.3331);
    CHECK(a.up_index == b.up_index && a.up_value == b.up_value && a.low_value == b.low_value);
    CHECK(narrow.gradient == wide.gradient);
  });
}
