#include "least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "../base/cholesky.hpp"

namespace mk {

namespace {

constexpr int most_refinements = 30;

// A Cholesky factor of a positive definite matrix, of which the lower triangle is read. Rounding
// may hide that it is definite: a ridge of this size makes up for that, and refinements for the
// ridge. The upper triangle keeps the matrix for the next attempt.
class Factor {
 public:
  Factor(Matrix a, const Runtime& runtime) : a_(std::move(a)) {
    const Vector diagonal = a_.diagonal();
    a_.triangularView<Eigen::StrictlyUpper>() = a_.transpose();
    for (double ridge = 0.0; ridge < 1e-10; ridge = std::max(1e-15, 100.0 * ridge)) {
      if (ridge > 0.0) a_.triangularView<Eigen::StrictlyLower>() = a_.transpose();
      a_.diagonal() = diagonal.array() + ridge * diagonal.cwiseAbs().maxCoeff();
      factor_ = std::make_unique<Cholesky>(a_, runtime);
      if (factor_->info() == Eigen::Success) return;
    }
    factor_.reset();
  }
  bool found() const { return factor_ != nullptr; }
  Vector solve(Vector right) const {
    factor_->solveInPlace(right);
    return right;
  }

 private:
  Matrix a_;
  std::unique_ptr<Cholesky> factor_;  // of what a_ holds
};

Indices rows_with(const Vector& r) {
  Indices rows;
  for (Index i = 0; i < r.size(); ++i)
    if (r[i] > 0.0) rows.push_back(i);
  return rows;
}

// What the equations leave at b: the gradient, and the bias in the middle of it.
void judge(const Vector& product, const Vector& r, const Vector& y, const Vector& inverse,
           LeastSquares& s) {
  s.gradient = product + r.cwiseProduct(s.b) - y;
  s.bias = -s.gradient.dot(inverse) / inverse.sum();
}

// b from y - f up to a constant, so that its sum is 0; 1 / r are the weights.
Vector coefficients_of(const Vector& error, const Vector& inverse) {
  const double middle = error.dot(inverse) / inverse.sum();
  return inverse.cwiseProduct((error.array() - middle).matrix());
}

// Solves, then refines by refine(s), which gives the next solution from the last one, until the
// gradients agree or stop doing so. judge_at(s) sets the gradient and the bias that belong to s.b.
template <class Judge, class Refine>
LeastSquares refined(Vector first, const Vector& r, double tol, const Judge& judge_at,
                     const Refine& refine) {
  LeastSquares best;
  best.b = std::move(first);
  judge_at(best);
  best.solved = true;
  double steps = 1.0;
  for (; steps < most_refinements && spread_of(best.gradient, r) > 1e-4 * tol; ++steps) {
    LeastSquares next;
    next.solved = true;
    next.b = refine(best);
    judge_at(next);
    const double before = spread_of(best.gradient, r), after = spread_of(next.gradient, r);
    if (!(after < before)) break;
    best = std::move(next);
    if (after > 0.5 * before) break;
  }
  best.steps = steps;
  return best;
}

}  // namespace

double spread_of(const Vector& gradient, const Vector& r) {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (Index i = 0; i < r.size(); ++i) {
    if (!(r[i] > 0.0)) continue;
    if (!std::isfinite(gradient[i])) return std::numeric_limits<double>::quiet_NaN();
    least = std::min(least, gradient[i]);
    most = std::max(most, gradient[i]);
  }
  return most >= least ? most - least : 0.0;
}

// With K = s ZZ' and f = sqrt(s) Z w + bias the normal equations are, after the bias is taken out,
//   (I + s Z'DZ - s (Z'D1)(Z'D1)' / sum(D)) w = sqrt(s) Z'D (y - mean),  D = diag(1 / r).
// A refinement solves them for what w lacks of sqrt(s) Z'b.
LeastSquares solve_in_columns(const LowRankForm& form, const Vector& r, const Vector& y, double tol,
                              const Runtime& runtime) {
  const LowRank& z = *form.z;
  const double root = std::sqrt(form.scale);
  const Vector inverse = r.unaryExpr([](double v) { return v > 0.0 ? 1.0 / v : 0.0; });
  Matrix h = z.gram(form.scale * inverse);
  h.diagonal().array() += 1.0;
  const Vector border = root * z.backward(inverse);
  h.selfadjointView<Eigen::Lower>().rankUpdate(border, -1.0 / inverse.sum());
  const Factor factor(std::move(h), runtime);
  if (!factor.found()) return {};
  Vector w = factor.solve(root * z.backward(coefficients_of(y, inverse)));
  const auto at_w = [&] { return coefficients_of(y - root * z.forward(w), inverse); };
  Vector own;  // sqrt(s) Z'b
  return refined(
      at_w(), r, tol,
      [&](LeastSquares& s) {
        own = root * z.backward(s.b);
        judge(root * z.forward(own), r, y, inverse, s);
      },
      [&](const LeastSquares&) {
        w += factor.solve(own - w);
        return at_w();
      });
}

LeastSquares solve_in_rows(QMatrix& k, const Vector& r, const Vector& y, double tol,
                           const Runtime& runtime) {
  k.activate({});
  const Indices rows = rows_with(r);
  const Index n = static_cast<Index>(rows.size());
  const Vector inverse = r.unaryExpr([](double v) { return v > 0.0 ? 1.0 / v : 0.0; });
  Matrix a(n, n);
  for (Index j = 0; j < n; ++j) {
    if (j % 64 == 0) runtime.check_interrupt();
    const double* column = k.column(rows[at(j)]);
    for (Index i = j; i < n; ++i) a(i, j) = column[rows[at(i)]];
    a(j, j) += r[rows[at(j)]];
  }
  if (!a.diagonal().allFinite()) return {};
  const Factor factor(std::move(a), runtime);
  if (!factor.found()) return {};
  const Vector ones = factor.solve(Vector::Ones(n));
  // The solution for this right side with the border of ones.
  const auto solve = [&](const Vector& right) {
    Vector part = factor.solve(take(right, rows));
    part -= part.sum() / ones.sum() * ones;
    return spread(part, rows, r.size());
  };
  return refined(
      solve(y), r, tol, [&](LeastSquares& s) { judge(k.multiply(s.b, runtime), r, y, inverse, s); },
      [&](const LeastSquares& s) { return Vector(s.b - solve(s.gradient)); });
}

}  // namespace mk
