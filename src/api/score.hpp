// Fits and their decision values on rows that they did not see, in one call: what resampling asks
// for. Nothing of the models is stored.
#pragma once

#include <vector>

#include "fit.hpp"

namespace mk {

// Kernels are computed from features: there are no stored matrices of the new rows.
struct ScoreRequest {
  FitRequest fit;
  SharedFeatures fresh;  // new rows of the same features, standardized as those of the fit
  Indices truth;         // levels of their response, or -1 where it is missing; empty: not counted
  Index levels = 0;
};

// One point on the new rows.
struct Score {
  std::vector<FittedPair> pairs;
  std::vector<bool> converged;  // of each pair
  Index support = 0;            // training rows with coefficients in any pair
  Matrix decision;              // new rows x pairs
  Matrix counts;                // levels x predicted classes; empty without `truth`
};

std::vector<Score> score(const ScoreRequest& request, const Runtime& runtime);

}  // namespace mk
