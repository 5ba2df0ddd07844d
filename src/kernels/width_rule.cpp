#include "width_rule.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "../base/errors.hpp"
#include "../features/feature_map.hpp"
#include "global_alignment.hpp"

namespace mk {

namespace {

// Some examples and the sum that gives their distances.
struct Distances {
  Distances(const Features& x, Indices at_rows, const std::vector<int>& columns)
      : rows(std::make_shared<const Indices>(std::move(at_rows))),
        packed(x.pack(rows, x.origin())),
        sum{PairKind::squared_distance, 0.0, columns} {}
  Index count() const { return static_cast<Index>(rows->size()); }

  // Calls f(i, distances of row i to every row), panel by panel.
  void each_row(const Runtime& runtime, const std::function<void(Index, const Vector&)>& f) const {
    runtime.parallel_for(panel_count(count()), [&](Index panel) {
      const Index first = panel * panel_rows, size = panel_size(count(), panel);
      Matrix distances(size, count());
      Vector sums(panel_rows * tile_columns);
      for (const Tile& t : tiles_of_panel(count(), panel, count())) {
        packed->sums(*packed, t, sum, *runtime.simd, nullptr, sums.data());
        for (Index j = 0; j < t.b_count; ++j)
          for (Index i = 0; i < size; ++i)
            distances(i, t.b_first + j) = std::sqrt(sums[i + j * panel_rows]);
      }
      for (Index i = 0; i < size; ++i) f(first + i, distances.row(i).transpose());
    });
  }

  SharedIndices rows;
  std::unique_ptr<const FeatureRows> packed;
  PairSum sum;
};

double median_distance(const Distances& rows, const Runtime& runtime) {
  const Index n = rows.count();
  std::vector<double> all(at(n * (n - 1) / 2));
  rows.each_row(runtime, [&](Index i, const Vector& d) {
    std::copy_n(d.data(), i, all.data() + i * (i - 1) / 2);
  });
  const auto middle = all.begin() + static_cast<Index>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  if (all.size() % 2 == 1) return *middle;
  return 0.5 * (*middle + *std::max_element(all.begin(), middle));
}

double mean_over_rows(const Distances& rows, const Runtime& runtime,
                      const std::function<double(Index, const Vector&)>& f) {
  Vector values(rows.count());
  rows.each_row(runtime, [&](Index i, const Vector& d) { values[i] = f(i, d); });
  return values.mean();
}

double distance_to_nearest(Index i, const Vector& d) {
  double least = infinity;
  for (Index j = 0; j < d.size(); ++j)
    if (j != i) least = std::min(least, d[j]);
  return least;
}

}  // namespace

double width_by_rule(const Features& x, const std::vector<int>& columns, const std::string& rule,
                     const Runtime& runtime) {
  if (x.rows() < 2)
    throw InvalidArgument("x", "of at least two rows for a width rule", std::to_string(x.rows()));
  if (rule == "alignment") return alignment_width(*read_series({x, columns, rule, "x"}), runtime);
  x.check({PairKind::squared_distance, 0.0, columns}, rule, "x");
  const Index count = rule == "median" ? std::min<Index>(x.rows(), 2000) : x.rows();
  const Distances rows(x, spread_rows(x.rows(), count), columns);
  if (rule == "median") return median_distance(rows, runtime);
  if (rule == "mean_distance")
    return mean_over_rows(rows, runtime, [](Index, const Vector& d) { return d.mean(); });
  if (rule == "nearest") return mean_over_rows(rows, runtime, distance_to_nearest) / std::sqrt(2.0);
  throw InvalidArgument("rule", "\"mean_distance\", \"nearest\" or \"median\"", "\"" + rule + "\"");
}

}  // namespace mk
