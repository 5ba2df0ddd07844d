#include "kernel.hpp"

#include <cmath>

namespace mk {

void PairMap::apply_log(const double* sums, double* out, Index n, const Simd& simd) const {
  apply(sums, out, n, simd);
  for (Index i = 0; i < n; ++i) out[i] = std::log(out[i]);
}

double self_sum(const Factor& factor, const MatrixView& x, Index row) {
  double sum = 0.0;
  switch (factor.kind) {
    case PairKind::dot:
      for (int f : factor.features) sum += x(row, f) * x(row, f);
      return sum;
    case PairKind::minimum:
      for (int f : factor.features) sum += x(row, f);
      return sum;
    case PairKind::anova:
      return static_cast<double>(factor.features.size());
    case PairKind::squared_distance:
    case PairKind::absolute_distance:
    case PairKind::chi_squared:
      return 0.0;
  }
  return sum;
}

Vector factor_diagonal(const Factor& factor, const MatrixView& x, const Indices& rows,
                       const Simd& simd) {
  const Index n = static_cast<Index>(rows.size());
  Vector sums(n), diagonal(n);
  for (Index i = 0; i < n; ++i) sums[i] = self_sum(factor, x, rows[static_cast<std::size_t>(i)]);
  factor.map->apply(sums.data(), diagonal.data(), n, simd);
  return diagonal;
}

}  // namespace mk
