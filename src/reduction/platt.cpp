#include "platt.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mk {

namespace {

// log(1 + exp(z)) without overflow.
double softplus(double z) {
  return z > 0.0 ? z + std::log1p(std::exp(-z)) : std::log1p(std::exp(z));
}

// 1 / (1 + exp(z)) without overflow.
double logistic_tail(double z) {
  if (z > 0.0) {
    const double e = std::exp(-z);
    return e / (1.0 + e);
  }
  return 1.0 / (1.0 + std::exp(z));
}

// The negative log-likelihood; `target`: smoothed labels.
double log_loss(const Sigmoid& s, const Vector& decision, const Vector& target,
                const Vector& weights) {
  double sum = 0.0;
  for (Index i = 0; i < decision.size(); ++i) {
    const double z = s.a * decision[i] + s.b;
    sum += weights[i] * (softplus(z) - (1.0 - target[i]) * z);
  }
  return sum;
}

}  // namespace

double sigmoid_probability(const Sigmoid& s, double decision) {
  return logistic_tail(s.a * decision + s.b);
}

Sigmoid fit_sigmoid(const Vector& values, const Vector& y, const Vector& weights) {
  // In units of the largest value: the tests and the ridge below know no other scale.
  const double largest = values.size() == 0 ? 0.0 : values.cwiseAbs().maxCoeff();
  const double unit = largest > 0.0 && std::isfinite(largest) ? largest : 1.0;
  const Vector decision = values / unit;
  double positive = 0.0, negative = 0.0;
  for (Index i = 0; i < y.size(); ++i) (y[i] > 0.0 ? positive : negative) += weights[i];
  // Labels pulled toward 1/2 (Platt's correction) keep the fit finite on separable data.
  Vector target(y.size());
  for (Index i = 0; i < y.size(); ++i)
    target[i] = y[i] > 0.0 ? (positive + 1.0) / (positive + 2.0) : 1.0 / (negative + 2.0);
  Sigmoid s = {0.0, std::log((negative + 1.0) / (positive + 1.0))};
  double loss = log_loss(s, decision, target, weights);
  for (int iteration = 0; iteration < 100; ++iteration) {
    double ga = 0.0, gb = 0.0, haa = 1e-12, hab = 0.0, hbb = 1e-12;
    for (Index i = 0; i < decision.size(); ++i) {
      const double f = decision[i];
      const double p = sigmoid_probability(s, f);
      const double slope = weights[i] * (target[i] - p), curve = weights[i] * p * (1.0 - p);
      ga += f * slope;
      gb += slope;
      haa += f * f * curve;
      hab += f * curve;
      hbb += curve;
    }
    if (std::abs(ga) < 1e-9 * (1.0 + haa) && std::abs(gb) < 1e-9 * (1.0 + hbb)) break;
    const double det = haa * hbb - hab * hab;
    const double da = -(hbb * ga - hab * gb) / det, db = -(haa * gb - hab * ga) / det;
    const double slope = ga * da + gb * db;
    double step = 1.0;
    for (; step >= 1e-10; step *= 0.5) {
      const Sigmoid next = {s.a + step * da, s.b + step * db};
      const double next_loss = log_loss(next, decision, target, weights);
      if (next_loss <= loss + 1e-4 * step * slope) {
        s = next;
        loss = next_loss;
        break;
      }
    }
    if (step < 1e-10) break;
  }
  // Decision values that are next to nothing ask for more than a number can be.
  constexpr double most = std::numeric_limits<double>::max();
  s.a = std::clamp(s.a / unit, -most, most);
  return s;
}

}  // namespace mk
