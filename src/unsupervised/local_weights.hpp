// Weights of kernels for each row, in the localized kernel k-means of Gönen & Margolin 2014:
//   min over W >= 0 with rows of sum 1 of  sum_m w_m'(A o K_m)w_m,  A = I - HH',
// convex for positive semi-definite kernels. Accelerated projected gradients (Beck & Teboulle 2009)
// that start again where the objective would rise; the gap is that of Frank and Wolfe.
#pragma once

#include "../kernels/kernel_bank.hpp"

namespace mk {

struct LocalWeights {
  Matrix weights;
  double objective = 0.0;
  double gap = 0.0;  // the objective is at most so far from its minimum
  Index iterations = 0;
};

// sum_m (w_m w_m') o K_m
Matrix local_sum(const KernelBank& bank, const Matrix& weights, const Runtime& runtime);

// `largest`: the largest entry of the diagonals of the kernels, which bounds the curvature: the
// eigenvalues of A o K_m are at most those of A, 1, times it. `tolerance`: of the gap, as a share
// of the objective.
LocalWeights improve_local_weights(const KernelBank& bank, const Matrix& h, const Matrix& start,
                                   double largest, double tolerance, const Runtime& runtime);

// The nearest points of probability simplexes: each row is projected.
Matrix project_rows(const Matrix& w);

}  // namespace mk
