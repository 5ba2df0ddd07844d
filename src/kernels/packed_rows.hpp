// Examples packed for the SIMD loops (the layout is described in base/simd.hpp).
#pragma once

#include <memory>
#include <vector>

#include "../base/simd.hpp"
#include "../base/types.hpp"

namespace mk {

// Where distances are measured from, null for 0. Shared by all rows that meet each other.
using Origin = std::shared_ptr<const Vector>;

// The means of the columns that lie far from 0 against their spread, 0 for the others; null if
// there are none of the first kind. From there the rows of x are short against their distances.
Origin origin_of(const MatrixView& x);

class PackedRows {
 public:
  PackedRows() = default;
  PackedRows(const MatrixView& x, const Indices& rows, const Origin& origin);

  Index count() const { return count_; }
  Index panels() const { return (count_ + panel_rows - 1) / panel_rows; }
  Index panel_size(Index p) const { return std::min(panel_rows, count_ - p * panel_rows); }
  Index stride() const { return strip_rows * features_; }
  const double* strip(Index s) const { return data_.data() + s * stride(); }
  // The same rows less the origin; only if there is one.
  const double* moved_strip(Index s) const { return moved_.data() + s * stride(); }
  // Squared lengths of the rows over all features, less the origin if there is one; 0 for the
  // rows that fill up the last strip.
  const double* squared_lengths() const { return lengths_.data(); }
  // Are these all the features, in their order?
  bool in_order(const std::vector<int>& features) const;

 private:
  Index strips() const { return (count_ + strip_rows - 1) / strip_rows; }
  void sum_squares();

  Index count_ = 0;
  Index features_ = 0;
  Vector data_, moved_, lengths_;
};

}  // namespace mk
