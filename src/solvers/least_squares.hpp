// The linear equations of the squared loss,
//   (K + diag(r)) b + bias = y,  sum(b) = 0,
// on rows with r > 0; the coefficients of all others are 0.
#pragma once

#include "../base/runtime.hpp"
#include "q_matrix.hpp"

namespace mk {

struct LeastSquares {
  Vector b;
  double bias = 0.0;
  Vector gradient;      // K b + r b - y
  double steps = 0.0;   // the solution and its refinements
  bool solved = false;  // false: no factor was found, and nothing else is set
};

// Solutions are refined until no two rows with r > 0 have gradients further apart than `tol`, or
// until rounding keeps them from coming closer.
// On a matrix of low rank: normal equations in its columns, time linear in the rows.
LeastSquares solve_in_columns(const LowRankForm& form, const Vector& r, const Vector& y, double tol,
                              const Runtime& runtime);
// By the Cholesky factor of the matrix, a copy of which is made.
LeastSquares solve_in_rows(QMatrix& k, const Vector& r, const Vector& y, double tol,
                           const Runtime& runtime);

// The largest minus the smallest entry among the rows with r > 0.
double spread_of(const Vector& gradient, const Vector& r);

}  // namespace mk
