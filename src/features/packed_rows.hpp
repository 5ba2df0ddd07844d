// Examples packed for the SIMD loops (the layout is described in base/simd.hpp).
#pragma once

#include <vector>

#include "features.hpp"

namespace mk {

class PackedRows final : public FeatureRows {
 public:
  PackedRows(const MatrixView& x, SharedIndices rows, const Origin& origin);

  void sums(const FeatureRows& b, const Tile& tile, const PairSum& sum, const Simd& simd,
            TileOnItsWay* on_its_way, double* out) const override;
  Vector self_sums(const PairSum& sum) const override;

  const double* strip(Index s) const { return data_.data() + s * stride(); }
  // The same rows less the origin; only if there is one.
  const double* moved_strip(Index s) const { return moved_.data() + s * stride(); }
  // Squared lengths of the rows over all features, less the origin if there is one; 0 for the
  // rows that fill up the last strip.
  const double* squared_lengths() const { return lengths_.data(); }

 private:
  Index stride() const { return strip_rows * x_.cols; }
  Index strips() const { return (static_cast<Index>(rows_->size()) + strip_rows - 1) / strip_rows; }
  void pack();
  void sum_squares();
  PanelPair panel_pair(const PackedRows& b, const Tile& tile, const PairSum& sum) const;

  MatrixView x_;
  SharedIndices rows_;
  Origin origin_;
  Vector data_, moved_, lengths_;
};

}  // namespace mk
