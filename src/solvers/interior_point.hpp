// A primal-dual interior point method (Mehrotra's predictor and corrector) for small dense
// programs
//   min_x  1/2 x'Hx + c'x   subject to  A x = b,  lower <= x <= upper,
// quadratic (H positive semi-definite) or linear (H = 0). Each variable needs a finite bound or
// curvature of its own. Inequalities become equalities with a slack variable. H is an object that
// can solve with H + diagonal, so that its structure is used: the few equalities that remain are
// eliminated by their Schur complement.
#pragma once

#include <Eigen/Cholesky>
#include <vector>

#include "../base/runtime.hpp"
#include "../base/types.hpp"

namespace mk {

struct QpProblem {
  Vector linear;    // c
  Matrix equality;  // A
  Vector right;     // b
  Vector lower;     // may be -infinity
  Vector upper;     // may be infinity
};

class QpHessian {
 public:
  virtual ~QpHessian() = default;
  virtual Vector multiply(const Vector& x) const = 0;
  virtual void factor(const Vector& diagonal) = 0;  // of H + diag
  virtual Matrix solve(const Matrix& right) const = 0;
};

class DiagonalHessian final : public QpHessian {
 public:
  explicit DiagonalHessian(Vector h) : h_(std::move(h)) {}
  Vector multiply(const Vector& x) const override { return h_.cwiseProduct(x); }
  void factor(const Vector& diagonal) override { inverse_ = (h_ + diagonal).cwiseInverse(); }
  Matrix solve(const Matrix& right) const override { return inverse_.asDiagonal() * right; }

 private:
  Vector h_, inverse_;
};

class DenseHessian final : public QpHessian {
 public:
  explicit DenseHessian(Matrix h) : h_(std::move(h)) {}
  Vector multiply(const Vector& x) const override { return h_ * x; }
  void factor(const Vector& diagonal) override;
  Matrix solve(const Matrix& right) const override { return factor_.solve(right); }

 private:
  Matrix h_;
  Eigen::LDLT<Matrix> factor_;
};

struct QpResult {
  Vector x;
  Vector multipliers;  // of the equalities: Hx + c = A'y + (multipliers of the bounds)
  double objective = 0.0;
  // At each point up to x. Those before it violate A x = b, so values may lie on either side.
  std::vector<double> path;
  double gap = 0.0;  // sum of the products of slacks and multipliers
  int iterations = 0;
  bool converged = false;
};

// `tolerance`: relative, of the gap and of both residuals.
QpResult solve_qp(const QpProblem& problem, QpHessian& hessian, const Runtime& runtime,
                  double tolerance = 1e-9);

}  // namespace mk
