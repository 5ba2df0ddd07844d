#include "gating.hpp"

#include <algorithm>
#include <cmath>

#include "../base/errors.hpp"

namespace mk {

GatingKind read_gating(const std::string& name) {
  if (name == "softmax") return GatingKind::softmax;
  if (name == "sigmoid") return GatingKind::sigmoid;
  if (name == "rbf") return GatingKind::rbf;
  throw InvalidArgument("gating", "\"softmax\", \"sigmoid\" or \"rbf\"", "\"" + name + "\"");
}

// Of a center of the rbf gating model; finite, because a row may lie on it.
namespace {
double precision(double log_precision) { return std::exp(std::min(log_precision, 600.0)); }
}  // namespace

std::string gating_name(GatingKind kind) {
  if (kind == GatingKind::softmax) return "softmax";
  return kind == GatingKind::sigmoid ? "sigmoid" : "rbf";
}

void Gating::neutralize() {
  parameters.setZero();
  const double q = static_cast<double>(parameters.rows() - 1);
  if (kind == GatingKind::rbf) parameters.bottomRows(1).setConstant(-std::log(std::max(1.0, q)));
}

void Gating::initialise(const Matrix& z, Random& random) {
  const Index q = parameters.rows() - 1;
  for (Index m = 0; m < parameters.cols(); ++m) {
    for (Index f = 0; f <= q; ++f) parameters(f, m) = 0.2 * (random.uniform() - 0.5);
    if (kind != GatingKind::rbf) continue;
    parameters.col(m).head(q) += z.row(random.below(z.rows())).transpose();
    parameters(q, m) = -std::log(std::max<double>(1.0, static_cast<double>(q)));
  }
}

Matrix Gating::activations(const Matrix& z) const {
  const Index q = parameters.rows() - 1;
  Matrix a(z.rows(), parameters.cols());
  if (kind != GatingKind::rbf) {
    a = (z * parameters.topRows(q)).rowwise() + parameters.row(q);
  } else {
    for (Index m = 0; m < a.cols(); ++m)
      a.col(m) = -precision(parameters(q, m)) *
                 (z.rowwise() - parameters.col(m).head(q).transpose()).rowwise().squaredNorm();
  }
  // An infinite activation would make the softmax NaN. What is NaN already stays so.
  return a.unaryExpr([](double v) { return v > 1e300 ? 1e300 : v < -1e300 ? -1e300 : v; });
}

Matrix Gating::weights(const Matrix& z, const Matrix& open) const {
  Matrix eta = activations(z);
  if (open.rows() > 0) eta = (open.array() != 0.0).select(eta, -1e300);  // e^-1e300 = 0
  if (kind == GatingKind::sigmoid) return (1.0 + (-eta.array()).exp()).inverse().matrix();
  // The largest activation is taken out: no exponential overflows.
  const Vector largest = eta.rowwise().maxCoeff();
  eta = (eta.colwise() - largest).array().exp().matrix();
  const Vector sums = eta.rowwise().sum();
  return sums.cwiseInverse().asDiagonal() * eta;
}

Matrix Gating::gradient(const Matrix& z, const Matrix& eta, const Matrix& c) const {
  const Index q = parameters.rows() - 1;
  // sum_k c_ik d log eta_ik / d a_im
  Matrix slope = c;
  if (kind == GatingKind::sigmoid) {
    slope.array() *= 1.0 - eta.array();
  } else {
    const Vector sums = c.rowwise().sum();
    slope -= sums.asDiagonal() * eta;
  }
  Matrix g(q + 1, parameters.cols());
  if (kind != GatingKind::rbf) {
    g.topRows(q) = -z.transpose() * slope;
    g.row(q) = -slope.colwise().sum();
    return g;
  }
  const Matrix a = activations(z);
  for (Index m = 0; m < g.cols(); ++m) {
    g.col(m).head(q) =
        -2.0 * precision(parameters(q, m)) *
        (z.transpose() * slope.col(m) - parameters.col(m).head(q) * slope.col(m).sum());
    g(q, m) = -slope.col(m).dot(a.col(m));
  }
  return g;
}

}  // namespace mk
