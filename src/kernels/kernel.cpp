#include "kernel.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "../features/views.hpp"

namespace mk {

void PairMap::apply_log(const double* sums, double* out, Index n, const Simd& simd) const {
  apply(sums, out, n, simd);
  for (Index i = 0; i < n; ++i) out[i] = std::log(out[i]);
}

bool Factor::operator<(const Factor& other) const {
  return std::tie(sum.kind, source, sum.parameter, sum.features) <
         std::tie(other.sum.kind, other.source, other.sum.parameter, other.sum.features);
}

Vector Kernel::diagonal(const RowGroup& group, const Simd& simd) const {
  Vector out = Vector::Ones(group.count()), values(group.count());
  for (const Factor& factor : factors) {
    const Vector sums = group.source(factor.source).self_sums(factor.sum);
    factor.map->apply(sums.data(), values.data(), values.size(), simd);
    out.array() *= values.array();
  }
  return out;
}

Vector Kernel::mask(const RowGroup& group) const {
  const ViewFeatures* views = group.examples().features().views();
  if (views == nullptr || !views->masked()) return {};
  Vector out(group.count());
  for (Index i = 0; i < out.size(); ++i) {
    const Index row = group.rows()[at(i)];
    const bool seen = std::all_of(factors.begin(), factors.end(), [&](const Factor& factor) {
      return factor.view < 0 || views->has(row, factor.view);
    });
    out[i] = seen ? views->share(row) : 0.0;
  }
  return out;
}

bool Kernel::may_overflow() const {
  return std::any_of(factors.begin(), factors.end(), [](const Factor& factor) {
    return factor.sum.kind != PairKind::squared_distance &&
           factor.sum.kind != PairKind::absolute_distance;
  });
}

bool Kernel::may_vanish() const {
  return std::any_of(factors.begin(), factors.end(), [](const Factor& factor) {
    return factor.examples != nullptr && factor.examples->may_vanish();
  });
}

}  // namespace mk
