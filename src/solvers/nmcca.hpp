// Canonical correlation of several views (NmCCA, see Wang, Chen & Sun 2008, section 1): projections
// of all views onto coordinates in which each is close to their mean,
//   min sum_k [ ||S_k W_k - mean_l S_l W_l||_F^2 + kappa ||W_k||_F^2 ]
//   subject to sum_k W_k'(S_k'S_k + kappa I) W_k = I.
// With the views side by side, S = [S_1 ... S_m], and B = blockdiag(S_k'S_k + kappa I) this is
// tr W'(B - S'S / m) W, so W holds the leading eigenvectors of S'S / m w = nu B w, and the value
// is the sum of 1 - nu.
#pragma once

#include <vector>

#include "../base/runtime.hpp"

namespace mk {

struct Nmcca {
  std::vector<Matrix> projections;  // W_k, one column per component
  Vector agreement;                 // nu, largest first, in (0, 1]
  double violation = 0.0;           // largest |S'S / m w - nu B w| / |B w|
};

// `components` = 0: all whose agreement is not next to nothing (1e-10 of the largest); fewer than
// asked for are given where there are no more. Directions in which a view has next to no variance
// are left out.
Nmcca solve_nmcca(const std::vector<Matrix>& views, Index components, double kappa,
                  const Runtime& runtime);

}  // namespace mk
