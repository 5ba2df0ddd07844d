// Kernels sharpened by the labels of the training rows (Yang et al., equation 2-2-1):
//   K*_ij = (1 + y_i y_j g_ij) K_ij,  g = exp(-beta dist^2),   K** = K* K*.
// A new row has no label. The mean of its two rows of K* is its row of K, and the product extends
// to it as K(x, .) K*.
#pragma once

#include "../base/runtime.hpp"

namespace mk {

// K* from K and from `local`, the products g_ij K_ij.
Matrix label_star(const MatrixView& plain, const MatrixView& local, const Vector& y);

// K** = K* K*, exactly symmetric. Some columns at a time, with a look for interrupts in between.
Matrix label_square(const Matrix& star, const Runtime& runtime);

}  // namespace mk
