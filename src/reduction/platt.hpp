// Probabilities from decision values: P(y = +1 | f) = 1 / (1 + exp(A f + B)), with A and B fitted
// by regularized maximum likelihood (Platt 2000; the Newton method of Lin, Lin & Weng 2007).
#pragma once

#include "../base/types.hpp"

namespace mk {

struct Sigmoid {
  double a = -1.0;
  double b = 0.0;
};

Sigmoid fit_sigmoid(const Vector& decision, const Vector& y, const Vector& weights);

double sigmoid_probability(const Sigmoid& s, double decision);

}  // namespace mk
