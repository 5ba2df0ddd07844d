// The eigendecomposition of dense symmetric matrices: seconds for some thousand rows, so it uses
// the threads of the runtime and can be interrupted.
#pragma once

#include "runtime.hpp"
#include "types.hpp"

namespace mk {

// Replaces a symmetric matrix, of which the lower triangle is read, by its eigenvectors; their
// eigenvalues are in increasing order. The result does not depend on the number of threads.
void symmetric_eigen(Matrix& a, Vector& values, const Runtime& runtime);

}  // namespace mk
