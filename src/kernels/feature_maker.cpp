#include "feature_maker.hpp"

#include <algorithm>
#include <numeric>

namespace mk {

FeatureTriangle::FeatureTriangle(Matrix upper)
    : upper_(std::move(upper)),
      packed_(pack_strips(upper_.rows(), upper_.rows(),
                          [&](Index f, Index i) { return upper_(f, i); })),
      order_(at(upper_.rows())),
      growth_(upper_.squaredNorm()) {
  std::iota(order_.begin(), order_.end(), 0);
}

Vector FeatureTriangle::inward(const Vector& w) const {
  return upper_.triangularView<Eigen::Upper>() * w;
}

Vector FeatureTriangle::outward(const Vector& g) const {
  return upper_.transpose().triangularView<Eigen::Lower>() * g;
}

// With the loops for pairs of examples: the columns of the triangle are one side.
void FeatureTriangle::multiply(const double* values, Index count, const Simd& simd,
                               double* z) const {
  const Index rank = upper_.rows();
  const Vector fresh =
      pack_strips(count, rank, [&](Index f, Index i) { return values[i + panel_rows * f]; });
  double sums[panel_rows * panel_rows];
  for (Index column = 0; column < rank; column += panel_rows) {
    const Index columns = std::min(panel_rows, rank - column);
    // Below the diagonal the triangle is 0.
    const PanelPair pair = {packed_.data() + column * rank,
                            columns,
                            fresh.data(),
                            0,
                            count,
                            strip_rows * rank,
                            order_.data(),
                            column + columns,
                            0.0};
    simd.reduce[static_cast<int>(PairKind::dot)](pair, sums);
    for (Index i = 0; i < count; ++i)
      std::copy_n(sums + i * panel_rows, columns, z + i * rank + column);
  }
}

}  // namespace mk
