// GRAM (Lauriola, Polato & Aiolli 2017): weights of the smallest ratio of radius and margin,
//   min over d >= 0 of  R^2(d) / rho^2(d),
// R the radius of the smallest ball that holds all rows under sum_m d_m K_m, rho the distance of
// the convex hulls of the classes; then an SVM. R^2 is a maximum and rho^2 a minimum of linear
// functions of d: for any center a of a ball and any points b of the hulls
//   R^2(d) / rho^2(d) >= min_m p_m / q_m,  p_m = sum_i a_i K_m,ii - a'K_m a,  q_m = b'K_m b,
// which is the bound of the certificate. A stationary point is a minimum.
#pragma once

#include "../solvers/projected_gradient.hpp"
#include "svm.hpp"

namespace mk {

struct RatioWeights {
  Vector weights;      // of sum 1
  double ratio = 0.0;  // R^2 / rho^2 at these
  double gap = 0.0;    // it is at most this share of itself larger than the smallest one
  Index iterations = 0;
  bool converged = false;
};

RatioWeights ratio_weights(const TrainingSet& data, const ProjectedOptions& search,
                           const SmoOptions& smo, const Runtime& runtime);

struct GramLearner : Learner {
  GramLearner(const State& parameters, const SmoOptions& smo);
  std::unique_ptr<Model> fit(const TrainingSet& data, const Runtime& runtime) const;

  SvmOptions svm;
  ProjectedOptions search;
};

}  // namespace mk
