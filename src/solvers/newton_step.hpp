// Newton's step of a quadratic problem on its free variables, for SMO: where the matrix is badly
// conditioned (linear and polynomial kernels, a high cost), pairs of variables creep toward an
// optimum that lies a step away once it is known which variables are free.
#pragma once

#include "../base/runtime.hpp"
#include "../base/types.hpp"

namespace mk {

// d of  min_d 1/2 d'Kd + g'd  subject to  sum(d) = 0 over the first `boundary` variables and over
// the others. `k` (lower triangle) is overwritten. An empty d: there is no such step, as the matrix
// is indefinite or no variable is there. A nearly singular matrix gets a tiny ridge: d is a
// direction of descent all the same, long where the objective is flat.
Vector newton_direction(Matrix& k, const Vector& gradient, Index boundary, const Runtime& runtime);

}  // namespace mk
