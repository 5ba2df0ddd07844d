// The features that a gating model sees: columns of the data, standardized, or their principal
// coordinates where there are too many of them.
#pragma once

#include "../base/runtime.hpp"
#include "../features/features.hpp"

namespace mk {

struct GatingOptions {
  Indices columns;  // empty with all_columns
  bool all_columns = true;
  bool standardize = true;  // columns to mean 0, variance 1
  Index rank = -1;          // principal coordinates; 0: the columns; -1: by automatic_rank()
};

struct GatingFeatures {
  Indices columns;
  Vector center, scale;
  Matrix rotation;  // one column for each principal coordinate; none: the columns are the features

  Index size() const { return rotation.cols() > 0 ? rotation.cols() : center.size(); }
  // Throws InvalidArgument if x lacks one of the columns.
  Matrix of(const Features& x, const Indices& rows) const;
};

GatingFeatures gating_features(const Features& x, const Indices& rows, const GatingOptions& options,
                               const Runtime& runtime);

// Principal coordinates for so many columns and rows; 0: none, the columns are used.
Index automatic_rank(Index columns, Index rows);

}  // namespace mk
