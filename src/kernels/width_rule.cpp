#include "width_rule.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "../base/errors.hpp"

namespace mk {

namespace {

// Calls f(i, distances of row i to every row), panel by panel.
void each_row(const Side& side, const std::vector<int>& features, const Runtime& runtime,
              const std::function<void(Index, const Vector&)>& f) {
  runtime.parallel_for(side.packed.panels(), [&](Index panel) {
    const Index first = panel * panel_rows, count = side.packed.panel_size(panel);
    Matrix distances(count, side.count());
    TileScratch& scratch = thread_scratch();
    for (const Tile& t : tiles_of_panel(side, panel, side)) {
      runtime.simd->reduce[static_cast<int>(PairKind::squared_distance)](
          panel_pair(side, side, t, features, 0.0), scratch.sums.data());
      for (Index j = 0; j < t.b_count; ++j)
        for (Index i = 0; i < count; ++i)
          distances(i, t.b_first + j) = std::sqrt(scratch.sums[i + j * panel_rows]);
    }
    for (Index i = 0; i < count; ++i) f(first + i, distances.row(i).transpose());
  });
}

Indices evenly_spaced(Index n, Index most) {
  if (n <= most) return all_rows(n);
  Indices rows;
  for (Index k = 0; k < most; ++k) rows.push_back(k * n / most);
  return rows;
}

double median_distance(const Side& side, const std::vector<int>& features, const Runtime& runtime) {
  const Index n = side.count();
  std::vector<std::vector<double>> parts(static_cast<std::size_t>(n));
  each_row(side, features, runtime, [&](Index i, const Vector& d) {
    parts[static_cast<std::size_t>(i)].assign(d.data(), d.data() + i);
  });
  std::vector<double> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  if (all.empty()) return 0.0;
  const auto middle = all.begin() + static_cast<Index>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  if (all.size() % 2 == 1) return *middle;
  return 0.5 * (*middle + *std::max_element(all.begin(), middle));
}

double mean_over_rows(const Side& side, const std::vector<int>& features, const Runtime& runtime,
                      const std::function<double(Index, const Vector&)>& f) {
  Vector values(side.count());
  each_row(side, features, runtime, [&](Index i, const Vector& d) { values[i] = f(i, d); });
  return values.mean();
}

double distance_to_nearest(Index i, const Vector& d) {
  double least = std::numeric_limits<double>::infinity();
  for (Index j = 0; j < d.size(); ++j)
    if (j != i) least = std::min(least, d[j]);
  return least;
}

}  // namespace

double width_by_rule(const MatrixView& x, const std::vector<int>& features, const std::string& rule,
                     const Runtime& runtime) {
  if (x.rows < 2)
    throw InvalidArgument("x", "of at least two rows for a width rule", std::to_string(x.rows));
  const Side side(x, evenly_spaced(x.rows, rule == "median" ? 2000 : x.rows), nullptr, true,
                  origin_of(x));
  if (rule == "median") return median_distance(side, features, runtime);
  if (rule == "mean_distance")
    return mean_over_rows(side, features, runtime, [](Index, const Vector& d) { return d.mean(); });
  if (rule == "nearest")
    return mean_over_rows(side, features, runtime, distance_to_nearest) / std::sqrt(2.0);
  throw InvalidArgument("rule", "\"mean_distance\", \"nearest\" or \"median\"", "\"" + rule + "\"");
}

}  // namespace mk
