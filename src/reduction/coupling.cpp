#include "coupling.hpp"

#include <algorithm>
#include <cmath>

namespace mk {

Vector couple(const Matrix& r) {
  const Index k = r.rows();
  // The objective is p'Qp with Q_ii = sum_j r_ji^2 and Q_ij = -r_ji r_ij.
  Matrix q = Matrix::Zero(k, k);
  for (Index i = 0; i < k; ++i)
    for (Index j = 0; j < k; ++j)
      if (i != j) {
        q(i, i) += r(j, i) * r(j, i);
        q(i, j) = -r(j, i) * r(i, j);
      }
  Vector p = Vector::Constant(k, 1.0 / static_cast<double>(k));
  const double tolerance = 0.005 * 1e-7 / static_cast<double>(k);
  for (int sweep = 0; sweep < std::max<Index>(10000, k); ++sweep) {
    Vector qp = q * p;
    double value = p.dot(qp);
    // At the optimum (Qp)_i = p'Qp for every i.
    if ((qp.array() - value).abs().maxCoeff() < tolerance) break;
    for (Index i = 0; i < k; ++i) {  // coordinate i, then back to sum 1
      const double change = (value - qp[i]) / q(i, i);
      p[i] += change;
      value =
          (value + change * (change * q(i, i) + 2.0 * qp[i])) / ((1.0 + change) * (1.0 + change));
      qp = (qp + change * q.col(i)) / (1.0 + change);
      p /= 1.0 + change;
    }
  }
  return p;
}

}  // namespace mk
