// Features of rows that were not there when landmarks or frequencies were chosen: of blocks of
// rows, one after the other.
#pragma once

#include <memory>
#include <vector>

#include "../kernels/cross_bank.hpp"
#include "random_features.hpp"
#include "row_sums.hpp"

namespace mk {

// z(x)'v as coefficients of the landmarks, W of nystrom.hpp, ready for the loops over pairs: the
// rows of W in the order in which they come first, those of 0 left out.
class LandmarkProduct {
 public:
  explicit LandmarkProduct(const Matrix& back);
  Index columns() const { return columns_; }
  // Writes K W into the columns from `offset` on; k has a column for each landmark.
  void write(const Matrix& k, Index offset, FeatureRowsMatrix& z, const Runtime& runtime) const;

 private:
  Index columns_;
  Indices pivots_;  // landmarks with a row in W
  Indices needed_;  // of each panel of columns: how many of the pivots are not 0 there
  std::vector<int> order_;
  Vector packed_;
};

// Of all kernels of a set, side by side.
class NewFeatures {
 public:
  // `back`: of each kernel, for landmarks; none for random features.
  NewFeatures(const CrossBank& cross, const std::vector<Matrix>& back, const FeatureDraw& draw);

  // Where the features of each kernel begin, and their number at the end.
  const Indices& offsets() const { return offsets_; }
  // Those of the new rows of the bank at some positions.
  FeatureRowsMatrix rows(const Indices& positions) const;

 private:
  const CrossBank& cross_;
  std::vector<LandmarkProduct> products_;
  std::vector<std::unique_ptr<ExplicitMap>> maps_;
  Indices offsets_;
};

}  // namespace mk
