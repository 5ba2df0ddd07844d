// Several classes by two-class problems: one against one, or one against the rest. Also the one
// road by which every task is fitted and calibrated.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "../learners/learner.hpp"
#include "platt.hpp"

namespace mk {

// Classes have codes 0..classes-1.
struct Problem : Target {
  Index classes = 2;
  // Empty, or the factors, one per class, by which `weights` give all classes the same total: each
  // two-class problem is then scaled by its own, see fit_pair().
  Vector class_factors;
  Reduction reduction = Reduction::one_vs_one;
  bool probability = false;
  Indices pairs;  // positions of those to fit, in the order of fit_problem(); none: all
};

// The classes of a fitted model, and its calibration if it has one.
struct FittedPair {
  ClassPair classes{-1, -1};
  std::optional<Sigmoid> sigmoid;
};

struct SubModel : FittedPair {
  std::unique_ptr<Model> model;
};

// The models of each point. Two classes and other tasks give one model; classes c > 2 give c(c-1)/2
// in the order (0,1), (0,2), ..., with the later class as the positive one, or c.
std::vector<std::vector<SubModel>> fit_problem(const LearnerPath& path, const KernelBank& bank,
                                               const Problem& problem, const Runtime& runtime);

// Decision values on the training rows, one column per model. Models that were fitted to all rows
// know theirs already; known_decision() leaves the columns of the others NaN, and
// complete_decision() computes these.
Matrix known_decision(const std::vector<SubModel>& models, Index n);
void complete_decision(Matrix& decision, const std::vector<const Model*>& models,
                       const KernelBank& bank, const Runtime& runtime);
Matrix training_decision(const std::vector<SubModel>& models, const KernelBank& bank,
                         const Runtime& runtime);
Matrix decision_values(const std::vector<const Model*>& models, const CrossBank& cross);
// The same as sums over groups of kernels, one for each model.
std::vector<Terms> decision_terms(const std::vector<const Model*>& models, const CrossBank& cross,
                                  const KernelGroups& groups);

// The winning class of each row. One against one: most votes, ties by the sum of decision values;
// one against the rest: the largest value. Two classes: the sign, with 0 positive.
Indices vote(const Eigen::Ref<const Matrix>& decision, const std::vector<FittedPair>& pairs,
             Index classes);

// Rows of class probabilities; all pairs are calibrated.
Matrix class_probabilities(const Eigen::Ref<const Matrix>& decision,
                           const std::vector<FittedPair>& pairs, Index classes);

}  // namespace mk
