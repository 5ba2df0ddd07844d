// From pairwise probabilities r_ij = P(class i | class i or j) to class probabilities: the second
// method of Wu, Lin & Weng (2004), min_p sum_{i<j} (r_ji p_i - r_ij p_j)^2 with p on the simplex.
#pragma once

#include "../base/types.hpp"

namespace mk {

// r: k x k, r(i, j) + r(j, i) = 1; the diagonal is ignored.
Vector couple(const Matrix& r);

}  // namespace mk
