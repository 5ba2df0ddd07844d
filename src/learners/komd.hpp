// KOMD (paper 001, section 2): the two distributions over the classes whose means are nearest,
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

class KomdLearner final : public Learner {
 public:
  KomdLearner(const State& parameters, const SmoOptions& smo);
  std::unique_ptr<Model> fit(const TrainingSet& data, const Runtime& runtime) const override {
    return fit_from(nullptr, data, runtime);
  }
  std::unique_ptr<Model> fit_after(const Before& before, const TrainingSet& data,
                                   const Runtime& runtime) const override {
    return fit_from(&before.model, data, runtime);
  }

 private:
  std::unique_ptr<Model> fit_from(const Model* before, const TrainingSet& data,
                                  const Runtime& runtime) const;

  KomdOptions options_;
  Vector weights_;
};

}  // namespace mk
