// Weights of a consensus of kernels, without a response (Mariette & Villa-Vialaneix 2018), from
// M x M matrices of what the kernels have in common.
#pragma once

#include "../base/runtime.hpp"
#include "../base/types.hpp"

namespace mk {

struct FusionWeights {
  Vector weights;  // of sum 1
  double objective = 0.0;
  // The objective is at most so far from its best value over all weights; relative to the mean of
  // the diagonal of the matrix.
  double gap = 0.0;
  Index iterations = 0;
};

// max v'Cv over ||v|| = 1, then of sum 1. `cosines`: without negative entries.
FusionWeights statis_weights(const Matrix& cosines, const Runtime& runtime);

// min b'Sb over b >= 0, sum b = 1, for a positive semi-definite S.
FusionWeights simplex_weights(const Matrix& s, const Runtime& runtime);

// min b'Sb over b >= 0, ||b|| = 1, then of sum 1. Not convex: a branch and bound over the kernels
// that have no weight. `most`: nodes.
FusionWeights sphere_weights(const Matrix& s, Index most, const Runtime& runtime);

}  // namespace mk
