// What single kernels are like on the training rows, one kernel after the other:
//   alignment         <K, TT'> / (||K|| ||TT'||), T the response; also with K and T centered
//   radius            of the smallest ball that holds all rows in the feature space
//   margin            distance of the convex hulls of two classes, 0 if they overlap
//   spectral ratio    tr(K) / ||K||
//   effective dimension  tr(K (K + c I)^-1), c a share of the mean eigenvalue
#pragma once

#include "learner.hpp"

namespace mk {

struct MeasureOptions {
  bool radius = true, margin = true, dimension = true;
  double ridge = 0.01;  // c as a share of the trace
  SmoOptions smo;
};

// One entry for each kernel; empty where not asked for.
struct KernelMeasures {
  Vector alignment, centered_alignment, radius, radius_error, margin, margin_error;
  Vector spectral_ratio, dimension;
};

// `target`: T, a column for each of its dimensions; empty: there is no response. `labels`: -1 / +1
// for the margin.
KernelMeasures kernel_measures(const KernelBank& bank, const Matrix& target, const Vector& labels,
                               const MeasureOptions& options, const Runtime& runtime);

// The smallest enclosing ball of rows with this kernel matrix:
//   radius^2 = max sum_i a_i k_ii - a'Ka over a >= 0 of sum 1.
struct EnclosingBall {
  double squared = 0.0;  // a lower bound
  double gap = 0.0;      // the square of the radius is at most so much larger
  Vector a;              // the center, as weights of the rows
  double iterations = 0.0;
};
EnclosingBall enclosing_ball(const MatrixView& k, const SmoOptions& smo, const Runtime& runtime);

}  // namespace mk
