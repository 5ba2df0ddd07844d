// Principal components of a weighted sum of kernels (Schölkopf, Smola & Müller 1998): those of its
// features, centered unless they are to be taken as they are.
#pragma once

#include "../kernels/kernel_bank.hpp"

namespace mk {

struct KernelPca {
  Vector values;       // eigenvalues of the kernel matrix, largest first
  double total = 0.0;  // the sum of all of them: its trace
  Matrix vectors;      // of length 1, the largest entry positive
  // Coordinates of a row: projection' k(x) + shift.
  Matrix projection;
  Vector shift;
};

// `most`: components, 0 for all. Throws InvalidArgument if there is none.
KernelPca kernel_pca(const KernelBank& bank, const Vector& weights, Index most, bool center,
                     const Runtime& runtime);

}  // namespace mk
