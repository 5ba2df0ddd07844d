#include "global_alignment.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "../base/random.hpp"

namespace mk {

namespace {

// Sums over alignments grow and decay exponentially with the lengths. They are held as
// value * 2^(256 scale): the range of logarithms, with additions in place of exponentials.
constexpr double limb = 0x1p256, half_limb = 0x1p128;
constexpr double log_limb = 256.0 * 0.69314718055994530942;
constexpr std::int64_t no_scale = std::numeric_limits<std::int64_t>::min() / 4;  // of 0

struct Scaled {
  double value = 0.0;  // 0, or from 2^-128 to 2^128
  std::int64_t scale = no_scale;

  double log() const { return std::log(value) + static_cast<double>(scale) * log_limb; }
};

double at_scale(const Scaled& x, std::int64_t scale) {
  if (x.scale == scale) return x.value;
  return x.scale == scale - 1 ? x.value / limb : 0.0;  // less is below the rounding of the sum
}

// (up + left) + diagonal: the same to the last digit if the series are exchanged.
Scaled sum(const Scaled& up, const Scaled& left, const Scaled& diagonal) {
  if (up.scale == left.scale && left.scale == diagonal.scale)
    return {(up.value + left.value) + diagonal.value, up.scale};
  const std::int64_t scale = std::max({up.scale, left.scale, diagonal.scale});
  return {(at_scale(up, scale) + at_scale(left, scale)) + at_scale(diagonal, scale), scale};
}

Scaled settled(double value, std::int64_t scale) {
  if (value == 0.0) return {};
  for (; value >= half_limb; ++scale) value /= limb;
  for (; value < 1.0 / half_limb; --scale) value *= limb;
  return {value, scale};
}

// What the rows of the recursion are held in, kept by each thread.
struct Workspace {
  std::vector<Scaled> previous, current;
  std::vector<double> exponents;
  std::vector<std::int64_t> scales;

  void start(Index columns) {
    previous.assign(at(columns + 1), {});
    current.assign(at(columns + 1), {});
    exponents.resize(at(columns));
    scales.resize(at(columns));
    previous[0] = {1.0, 0};
  }
};

// The local kernel between time i of x and times first, ..., last - 1 of z, as value * 2^(256
// scale).
void local_kernel(const double* x, const double* z, Index channels, Index i, Index first,
                  Index last, const AlignmentRule& rule, const Simd& simd, Workspace& work) {
  constexpr double most = 1e15;  // scales are whole numbers; exp(-1e15) is 0 whatever follows
  for (Index j = first; j < last; ++j) {
    double distance = 0.0;
    for (Index c = 0; c < channels; ++c) {
      const double d = x[i * channels + c] - z[j * channels + c];
      distance += d * d;
    }
    const double exponent = std::min(rule.rate * distance, most);
    const double limbs = exponent < log_limb ? 0.0 : std::floor(exponent / log_limb);
    work.exponents[at(j)] = std::max(exponent - limbs * log_limb, 0.0);
    work.scales[at(j)] = -static_cast<std::int64_t>(limbs);
  }
  double* g = work.exponents.data();
  simd.exp_decay(g + first, 1.0, g + first, last - first);
  for (Index j = first; j < last; ++j) {
    if (rule.band > 0)
      g[j] *= 1.0 - static_cast<double>(std::abs(i - j)) / static_cast<double>(rule.band);
    g[j] /= work.scales[at(j)] == 0 ? 2.0 - g[j] : 2.0;
  }
}

}  // namespace

double log_alignment(const Series& x, Index i, const Series& z, Index j, const AlignmentRule& rule,
                     const Runtime& runtime) {
  constexpr Index rows_between_looks = 64;
  const Index n = x.length(i), m = z.length(j), channels = x.channels();
  if (n == 0 || m == 0 || (rule.band > 0 && std::abs(n - m) >= rule.band)) return -infinity;
  static thread_local Workspace work;
  work.start(m);
  for (Index s = 0; s < n; ++s) {
    if (s % rows_between_looks == 0) runtime.check_interrupt();
    const Index first = rule.band > 0 ? std::max<Index>(0, s - rule.band + 1) : 0;
    const Index last = rule.band > 0 ? std::min(m, s + rule.band) : m;
    local_kernel(x.values(i), z.values(j), channels, s, first, last, rule, *runtime.simd, work);
    work.current[at(first)] = {};  // left of the band, or of the first time
    for (Index t = first; t < last; ++t) {
      const Scaled total = sum(work.previous[at(t + 1)], work.current[at(t)], work.previous[at(t)]);
      work.current[at(t + 1)] =
          settled(total.value * work.exponents[at(t)], total.scale + work.scales[at(t)]);
    }
    work.previous.swap(work.current);
  }
  return work.previous[at(m)].log();
}

namespace {

struct Time {
  Index row;
  const double* values;
};

// One time out of each of `most` parts of all times, drawn as evenly spaced ones could fall on the
// same phase of all series.
std::vector<Time> some_times(const Series& x, Index most) {
  Random random(1, 0);
  const Index count = std::min(x.times(), most);
  std::vector<Time> times;
  Index row = 0, start = 0;
  for (Index k = 0; k < count; ++k) {
    const Index first = k * x.times() / count, next = (k + 1) * x.times() / count;
    const Index time = first + random.below(next - first);
    while (time >= start + x.length(row)) start += x.length(row++);
    times.push_back({row, x.values(row) + (time - start) * x.channels()});
  }
  return times;
}

double median(std::vector<double>& values) {
  if (values.empty()) return 0.0;
  const auto middle = values.begin() + static_cast<Index>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

}  // namespace

double alignment_width(const Series& x, const Runtime& runtime) {
  const std::vector<Time> times = some_times(x, 2000);
  std::vector<double> distances, lengths;
  for (std::size_t s = 0; s < times.size(); ++s) {
    runtime.check_interrupt();
    for (std::size_t t = 0; t < s; ++t) {
      if (times[s].row == times[t].row) continue;
      const Eigen::Map<const Vector> a(times[s].values, x.channels());
      const Eigen::Map<const Vector> b(times[t].values, x.channels());
      distances.push_back((a - b).norm());
    }
  }
  for (Index i = 0; i < x.rows(); ++i)
    if (x.length(i) > 0) lengths.push_back(static_cast<double>(x.length(i)));
  return median(distances) * std::sqrt(median(lengths));
}

}  // namespace mk
