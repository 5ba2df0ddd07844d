#include "newton_step.hpp"

#include <Eigen/LU>

#include "../base/cholesky.hpp"

namespace mk {

Vector newton_direction(Matrix& k, const Vector& gradient, Index boundary, const Runtime& runtime) {
  constexpr double ridge = 1e-12;  // of the largest diagonal entry
  const Index n = gradient.size(), groups = boundary < n && boundary > 0 ? 2 : 1;
  if (n == 0) return {};
  k.diagonal().array() += ridge * k.diagonal().maxCoeff();
  const Cholesky factor(k, runtime);
  if (factor.info() != Eigen::Success) return {};

  // K d = -g + sum_c m_c 1_c, with the multipliers m that make the sums of d vanish.
  Matrix solved(n, groups + 1);
  solved.col(0) = -gradient;
  if (groups == 1) solved.col(1).setOnes();
  for (Index i = 0; groups == 2 && i < n; ++i) {
    solved(i, 1) = i < boundary ? 1.0 : 0.0;
    solved(i, 2) = i < boundary ? 0.0 : 1.0;
  }
  factor.solveInPlace(solved);
  Matrix sums(groups, groups + 1);
  const Index first = groups == 1 ? n : boundary;
  sums.row(0) = solved.topRows(first).colwise().sum();
  if (groups == 2) sums.row(1) = solved.bottomRows(n - first).colwise().sum();
  const Vector multipliers = sums.rightCols(groups).partialPivLu().solve(Vector(-sums.col(0)));
  Vector d = solved.col(0) + solved.rightCols(groups) * multipliers;
  if (!d.allFinite()) return {};
  // On a nearly singular matrix the two terms are large and cancel: the sums are corrected.
  d.head(first).array() -= d.head(first).mean();
  if (groups == 2) d.tail(n - first).array() -= d.tail(n - first).mean();
  return d;
}

}  // namespace mk
