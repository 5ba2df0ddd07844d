// Several classes by two-class problems: one against one, or one against the rest. Also the one
// road by which every task is fitted and calibrated.
#pragma once

#include <memory>
#include <vector>

#include "../learners/learner.hpp"
#include "platt.hpp"

namespace mk {

enum class Reduction { one_vs_one, one_vs_rest };

struct Problem {
  Task task = Task::classification;
  Vector y;  // class codes 0..classes-1, or numbers, or empty
  Index classes = 2;
  Vector weights;
  // Empty, or the factors, one per class, by which `weights` give all classes the same total: each
  // two-class problem is then scaled by its own, see fit_pair().
  Vector class_factors;
  Reduction reduction = Reduction::one_vs_one;
  bool probability = false;
  Indices pairs;  // positions of those to fit, in the order of fit_problem(); none: all
};

struct SubModel {
  Index positive = -1;  // codes; negative = -1 means all the others
  Index negative = -1;
  std::unique_ptr<Model> model;
  bool calibrated = false;
  Sigmoid sigmoid;
};

// Two classes and other tasks give one model; classes c > 2 give c(c-1)/2 in the order (0,1),
// (0,2), ..., with the later class as the positive one, or c.
std::vector<SubModel> fit_problem(const Learner& learner, const KernelBank& bank,
                                  const Problem& problem, const Runtime& runtime);

// The same for several learners of one kind, each of which may start from the models of the one
// before it; one element per learner.
std::vector<std::vector<SubModel>> fit_problems(
    const std::vector<std::unique_ptr<Learner>>& learners, const KernelBank& bank,
    const Problem& problem, const Runtime& runtime);

// Decision values on the training rows, one column per model. Models that were fitted to all rows
// know theirs already; known_decision() leaves the columns of the others NaN.
Matrix known_decision(const std::vector<SubModel>& models, Index n);
Matrix training_decision(const std::vector<SubModel>& models, const KernelBank& bank,
                         const Runtime& runtime);
Matrix decision_values(const std::vector<const Model*>& models, const CrossBank& cross);

// The winning class of each row. One against one: most votes, ties by the sum of decision values;
// one against the rest: the largest value. Two classes: the sign, with 0 positive.
struct ClassPair {
  Index positive, negative;
};
Indices vote(const Matrix& decision, const std::vector<ClassPair>& pairs, Index classes);

// Rows of class probabilities.
Matrix class_probabilities(const Matrix& decision, const std::vector<ClassPair>& pairs,
                           const std::vector<Sigmoid>& sigmoids, Index classes);

}  // namespace mk
