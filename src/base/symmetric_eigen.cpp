// Householder tridiagonalization and implicit QR steps with Wilkinson's shift (Golub & Van Loan
// 2013, algorithms 8.3.1 to 8.3.3).
#include "symmetric_eigen.hpp"

#include <Eigen/Householder>
#include <Eigen/Jacobi>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace mk {

namespace {

// A = Q T Q': Householder vectors in the lower triangle of a, their factors in `factors`.
void tridiagonalize(Matrix& a, Vector& factors, const Runtime& runtime) {
  const Index n = a.rows();
  Vector p(n);
  for (Index i = 0; i + 1 < n; ++i) {
    runtime.check_interrupt();
    const Index rest = n - i - 1;
    auto v = a.col(i).tail(rest);
    auto corner = a.bottomRightCorner(rest, rest);
    double h = 0.0, beta = 0.0;
    v.makeHouseholderInPlace(h, beta);
    v[0] = 1.0;
    auto w = p.tail(rest);
    w.noalias() = corner.selfadjointView<Eigen::Lower>() * (h * v);
    w += (-0.5 * h * w.dot(v)) * v;
    corner.selfadjointView<Eigen::Lower>().rankUpdate(v, w, -1.0);
    v[0] = beta;
    factors[i] = h;
  }
}

// Q, the product of the Householder reflections: several of them at a time on some of its columns.
Matrix accumulate(const Matrix& a, const Vector& factors, const Runtime& runtime) {
  constexpr Index reflections = 48, columns = 128;
  const Index n = a.rows();
  Matrix q = Matrix::Identity(n, n);
  for (Index last = n - 1; last > 0;) {
    const Index first = (last - 1) / reflections * reflections, count = last - first;
    const Index rest = n - first;
    const auto vectors = a.block(first, first, rest, count);
    const Vector h = factors.segment(first, count);
    runtime.parallel_for((rest + columns - 1) / columns, [&](Index b) {
      const Index from = first + b * columns;
      auto part = q.block(first, from, rest, std::min(columns, n - from));
      Eigen::householderSequence(vectors, h).setLength(count).setShift(1).applyThisOnTheLeft(part);
    });
    last = first;
  }
  return q;
}

struct Rotation {
  Index column;
  double c, s;
};

// Rotations of neighboring columns of Q that wait to be applied. Rows of Q do not depend on each
// other: a few rows at a time stay in the cache for many rotations.
class Rotations {
 public:
  Rotations(Matrix& q, const Runtime& runtime) : q_(q), runtime_(runtime) {}

  void add(const Rotation& rotation) { waiting_.push_back(rotation); }
  bool full() const { return static_cast<Index>(waiting_.size()) >= sweeps * q_.cols(); }
  void apply() {
    const Index n = q_.rows();
    runtime_.parallel_for((n + rows - 1) / rows, [&](Index b) {
      const Index first = b * rows, count = std::min(rows, n - first);
      Block block = Block::Zero(rows, n);
      block.topRows(count) = q_.middleRows(first, count);
      for (const Rotation& r : waiting_) rotate(block, r);
      q_.middleRows(first, count) = block.topRows(count);
    });
    waiting_.clear();
  }

 private:
  static constexpr Index rows = 16, sweeps = 64;
  using Block = Eigen::Matrix<double, rows, Eigen::Dynamic>;

  static void rotate(Block& block, const Rotation& r) {
    const Eigen::Array<double, rows, 1> x = block.col(r.column), y = block.col(r.column + 1);
    block.col(r.column) = r.c * x - r.s * y;
    block.col(r.column + 1) = r.s * x + r.c * y;
  }

  Matrix& q_;
  const Runtime& runtime_;
  std::vector<Rotation> waiting_;
};

// One implicit QR step on the rows `start` to `end` of the tridiagonal matrix.
void qr_step(Vector& diag, Vector& sub, Index start, Index end, Rotations& rotations) {
  const double td = (diag[end - 1] - diag[end]) * 0.5, e = sub[end - 1];
  double mu = diag[end];
  if (td == 0.0) {
    mu -= std::abs(e);
  } else if (e != 0.0) {
    const double e2 = e * e, h = std::hypot(td, e);
    if (e2 == 0.0) mu -= e / ((td + (td > 0.0 ? h : -h)) / e);
    else mu -= e2 / (td + (td > 0.0 ? h : -h));
  }
  double x = diag[start] - mu, z = sub[start];
  for (Index k = start; k < end && z != 0.0; ++k) {
    Eigen::JacobiRotation<double> rot;
    rot.makeGivens(x, z);
    const double c = rot.c(), s = rot.s();
    const double sdk = s * diag[k] + c * sub[k], dkp1 = s * sub[k] + c * diag[k + 1];
    diag[k] = c * (c * diag[k] - s * sub[k]) - s * (c * sub[k] - s * diag[k + 1]);
    diag[k + 1] = s * sdk + c * dkp1;
    sub[k] = c * sdk - s * dkp1;
    if (k > start) sub[k - 1] = c * sub[k - 1] - s * z;
    x = sub[k];
    if (k < end - 1) {
      z = -s * sub[k + 1];
      sub[k + 1] = c * sub[k + 1];
    }
    rotations.add({k, c, s});
  }
}

// Diagonalizes the tridiagonal matrix and applies the same rotations to q.
void diagonalize(Vector& diag, Vector& sub, Matrix& q, const Runtime& runtime) {
  constexpr Index most_steps = 30;  // for each eigenvalue; two are usual
  constexpr double precision = 2.0 * std::numeric_limits<double>::epsilon();
  const Index n = diag.size();
  Rotations rotations(q, runtime);
  Index start = 0, end = n - 1, steps = 0;
  while (end > 0) {
    runtime.check_interrupt();
    for (Index i = start; i < end; ++i)
      if (std::abs(sub[i]) <= precision * (std::abs(diag[i]) + std::abs(diag[i + 1])) ||
          std::abs(sub[i]) <= std::numeric_limits<double>::min())
        sub[i] = 0.0;
    while (end > 0 && sub[end - 1] == 0.0) --end;
    if (end == 0) break;
    if (++steps > most_steps * n)
      throw std::runtime_error("The eigenvalues of a kernel matrix could not be computed.");
    start = end - 1;
    while (start > 0 && sub[start - 1] != 0.0) --start;
    qr_step(diag, sub, start, end, rotations);
    if (rotations.full()) rotations.apply();
  }
  rotations.apply();
}

}  // namespace

void symmetric_eigen(Matrix& a, Vector& values, const Runtime& runtime) {
  const Index n = a.rows();
  // Entries in [-1, 1] neither overflow nor underflow.
  double scale = 0.0;
  for (Index j = 0; j < n; ++j) scale = std::max(scale, a.col(j).tail(n - j).cwiseAbs().maxCoeff());
  if (scale == 0.0) scale = 1.0;
  a.triangularView<Eigen::Lower>() /= scale;
  Vector factors(n);
  tridiagonalize(a, factors, runtime);
  Vector diag = a.diagonal(), sub = a.diagonal(-1);
  a = accumulate(a, factors, runtime);
  diagonalize(diag, sub, a, runtime);
  // Few exchanges: the eigenvalues are nearly in order.
  for (Index i = 0; i + 1 < n; ++i) {
    Index k = 0;
    diag.tail(n - i).minCoeff(&k);
    if (k == 0) continue;
    std::swap(diag[i], diag[i + k]);
    a.col(i).swap(a.col(i + k));
  }
  values = diag * scale;
}

}  // namespace mk
