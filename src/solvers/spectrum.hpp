// The eigenvalues of a symmetric matrix that matter, and decompositions that rest on them.
#pragma once

#include "../base/runtime.hpp"

namespace mk {

// Positive eigenvalues, largest first, and their eigenvectors in columns.
struct Spectrum {
  Vector values;
  Matrix vectors;
};

// Every eigenvalue above 1e-10 times the largest, or the `most` largest of them if that is not 0.
Spectrum leading_spectrum(Matrix a, Index most, const Runtime& runtime);

// The sign of an eigenvector is free: makes the largest entry of each column positive.
void fix_signs(Matrix& vectors);

// Thin decomposition Z = U diag(sqrt(values)) V' of a tall matrix through Z'Z, small singular
// values dropped.
struct ThinDecomposition {
  Matrix u, v;
  Vector values;  // squared singular values, largest first
};
ThinDecomposition decompose(const Matrix& z, const Runtime& runtime);

}  // namespace mk
