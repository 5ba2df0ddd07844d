// Kernel weights by simple rules, then an SVM on the weighted sum:
//   fheuristic  (Qiu & Lane 2009) the alignment with the response; for regression
//               sum_h e_h - e_m, e the squared errors of the SVM on each kernel alone
//   pwmk        (Tanabe, Ho, Nguyen & Kawasaki 2008) accuracy of each kernel alone - threshold
// of sum 1, negative ones 0. Errors and accuracies are those on rows that are left out.
#pragma once

#include "best.hpp"

namespace mk {

// <K_m, yy'> / (||K_m|| ||yy'||); a row of weight 2 acts as two rows. Streams: memory does not
// depend on the number of kernels.
Vector target_alignments(const TrainingSet& data, const Runtime& runtime);

struct HeuristicLearner : Learner {
  HeuristicLearner(const State& parameters, const SmoOptions& smo, bool by_accuracy);
  std::unique_ptr<Model> fit(const TrainingSet& data, const Runtime& runtime) const;

  BestLearner single;
  bool by_accuracy;  // pwmk
  double threshold;
};

HeuristicLearner fheuristic_learner(const State& parameters, const SmoOptions& smo);
HeuristicLearner pwmk_learner(const State& parameters, const SmoOptions& smo);

}  // namespace mk
