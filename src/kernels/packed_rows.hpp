// Examples packed for the SIMD loops (the layout is described in base/simd.hpp).
#pragma once

#include <vector>

#include "../base/simd.hpp"
#include "../base/types.hpp"

namespace mk {

class PackedRows {
 public:
  PackedRows() = default;
  PackedRows(const MatrixView& x, const Indices& rows);

  Index count() const { return count_; }
  Index panels() const { return (count_ + panel_rows - 1) / panel_rows; }
  Index panel_size(Index p) const { return std::min(panel_rows, count_ - p * panel_rows); }
  Index stride() const { return strip_rows * features_; }
  const double* strip(Index s) const { return data_.data() + s * stride(); }

 private:
  Index count_ = 0;
  Index features_ = 0;
  std::vector<double> data_;
};

}  // namespace mk
