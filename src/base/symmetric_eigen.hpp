// The eigensolver of dense symmetric matrices, that of Eigen. In a file of its own because it takes
// long to compile.
#pragma once

#include "types.hpp"

namespace mk {

// Eigenvectors of a symmetric matrix, in place, and its eigenvalues in increasing order.
void symmetric_eigen(Matrix& a, Vector& values);

}  // namespace mk
