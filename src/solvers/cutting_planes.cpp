#include "cutting_planes.hpp"

#include <algorithm>
#include <cmath>

namespace mk {

namespace {

// Interior points end near the boundary, not on it.
Vector on_simplex(Vector d) {
  d = (d.array() > 1e-8).select(d, 0.0);
  const double sum = d.sum();
  if (!(sum > 0.0)) return Vector::Constant(d.size(), 1.0 / static_cast<double>(d.size()));
  return d / sum;
}

}  // namespace

void CuttingPlanes::add(double constant, const Vector& gradient) {
  cuts_.push_back({constant, gradient});
}

double CuttingPlanes::scale() const {
  double largest = 0.0;
  for (const Cut& cut : cuts_)
    largest = std::max({largest, std::abs(cut.constant), cut.gradient.cwiseAbs().maxCoeff()});
  return largest > 0.0 ? largest : 1.0;
}

QpProblem CuttingPlanes::programme(double scale, Index extra) const {
  const Index t = static_cast<Index>(cuts_.size()), n = size_ + extra + t;
  QpProblem p;
  p.linear = Vector::Zero(n);
  p.equality = Matrix::Zero(t + 1, n);
  p.right = Vector::Zero(t + 1);
  p.lower = Vector::Zero(n);
  p.upper = Vector::Constant(n, infinity);
  for (Index k = 0; k < t; ++k) {
    const Cut& cut = cuts_[static_cast<std::size_t>(k)];
    p.equality.row(k).head(size_) = cut.gradient.transpose() / scale;
    p.equality(k, size_ + extra + k) = 1.0;
    p.right[k] = -cut.constant / scale;
  }
  p.equality.row(t).head(size_).setOnes();
  p.right[t] = 1.0;
  return p;
}

// min theta subject to c_t + g_t'd - theta + slack_t = 0. theta lies between the smallest value of
// any one cut and the known value of the function.
CuttingPlanes::Point CuttingPlanes::minimum(double upper, const Runtime& runtime) const {
  const double unit = scale();
  double lower = -infinity;
  for (const Cut& cut : cuts_)
    lower = std::max(lower, (cut.constant + cut.gradient.minCoeff()) / unit);
  QpProblem p = programme(unit, 1);
  const double margin = 1e-3 * std::max(1.0, std::abs(upper / unit - lower));
  p.lower[size_] = lower - margin;
  p.upper[size_] = std::max(upper / unit, lower) + margin;
  p.linear[size_] = 1.0;
  p.equality.col(size_).head(static_cast<Index>(cuts_.size())).setConstant(-1.0);
  DiagonalHessian none(Vector::Zero(p.linear.size()));
  const QpResult solved = solve_qp(p, none, runtime);
  Point point;
  point.d = on_simplex(solved.x.head(size_));
  // By weak duality the gap of the program makes its value a bound whatever its accuracy.
  point.value = unit * (solved.objective - solved.gap) - 1e-9 * unit;
  point.solved = solved.converged;
  for (std::size_t k = 0; k < cuts_.size(); ++k) {
    const bool binds = solved.x[size_ + 1 + static_cast<Index>(k)] <= 1e-6;
    cuts_[k].idle = binds ? 0 : cuts_[k].idle + 1;
  }
  return point;
}

Vector CuttingPlanes::project(const Vector& centre, double level, const Runtime& runtime) const {
  const double unit = scale();
  QpProblem p = programme(unit, 0);
  p.right.head(static_cast<Index>(cuts_.size())).array() += level / unit;
  p.linear.head(size_) = -centre;
  Vector curvature = Vector::Zero(p.linear.size());
  curvature.head(size_).setOnes();
  DiagonalHessian distance(std::move(curvature));
  return on_simplex(solve_qp(p, distance, runtime).x.head(size_));
}

void CuttingPlanes::forget_slack(int rounds) {
  cuts_.erase(std::remove_if(cuts_.begin(), cuts_.end(),
                             [&](const Cut& cut) { return cut.idle >= rounds; }),
              cuts_.end());
}

}  // namespace mk
