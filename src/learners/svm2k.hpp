// SVM-2K (Farquhar et al. 2005): two kernels, a support vector machine on each, and a penalty where
// their outputs differ by more than epsilon:
//   min  1/2 ||w_A||^2 + 1/2 ||w_B||^2 + C sum(xi_A + xi_B) + D sum(eta)
//   y_i f_A(x_i) >= 1 - xi_Ai,  y_i f_B(x_i) >= 1 - xi_Bi,  |f_A(x_i) - f_B(x_i)| <= eta_i +
//   epsilon.
// The mean of f_A and f_B predicts.
#pragma once

#include "learner.hpp"

namespace mk {

struct Svm2kLearner : Learner {
  Svm2kLearner(const State& parameters, const SmoOptions& smo);
  std::unique_ptr<Model> fit(const TrainingSet& data, const Runtime& runtime) const;

  double cost;      // C
  double coupling;  // D
  double epsilon;
  double tol;
};

}  // namespace mk
