// KOMD (Aiolli & Donini 2015, section 2): the two distributions over the classes whose means are
// nearest,
//   min over gamma of (1 - lambda) gamma'YKYgamma + lambda gamma'gamma,
// gamma >= 0 with sum 1 over each class. lambda = 0 gives the nearest points of the convex hulls,
// lambda = 1 the class means.
#pragma once

#include "svm.hpp"

namespace mk {

struct KomdOptions {
  double lambda = 0.1;
  SmoOptions smo;

  static KomdOptions read(const State& parameters, const SmoOptions& smo);
};

// The rows with the positive class first: the solver wants each class in one piece.
Indices positives_first(const Vector& y);

struct KomdSolution {
  Vector beta;   // y * gamma, in the order of the bank's rows
  Vector score;  // K beta on those rows
  SmoResult solved;
  bool overlap = false;  // as in Report; `solved` has not converged then
};

// KOMD with kernel sum_m weights_m K_m; `start` as beta, may be empty.
KomdSolution solve_komd(const TrainingSet& data, const Vector& weights, const KomdOptions& options,
                        const Runtime& runtime, const Vector& start = Vector());

// f(x) = sum_i y_i gamma_i K(x_i, x) + b, b minus the middle of the scores of the two means.
std::unique_ptr<Model> komd_model(const KomdSolution& solution, const Vector& weights);

struct KomdLearner : Learner {
  KomdLearner(const State& parameters, const SmoOptions& smo);
  // Points with the same weights start from the one before, whatever their lambda.
  static Models fit_path(const std::vector<KomdLearner>& points, const TrainingSet& data,
                         const Runtime& runtime);

  KomdOptions options;
  Vector weights;
};

}  // namespace mk
