// The function that convex multiple kernel learning minimises over kernel weights d:
//   J(d) = max_a sum(a) - 1/2 sum_m d_m a'YK_mYa,   S_m = a'YK_mYa,   dJ/dd_m = -S_m / 2,
// and its counterparts for regression and one class. Kernel matrices are kept if the memory
// budget allows, otherwise streamed for every evaluation.
#pragma once

#include "svm.hpp"

namespace mk {

class MklProblem {
 public:
  struct Value {
    double objective = 0.0;  // J(d)
    Vector forms;            // S_m
    SvmSolution svm;
  };

  MklProblem(const TrainingSet& data, const SvmOptions& options, const Runtime& runtime);

  Index size() const { return data_.bank.size(); }
  // `start`: signed coefficients of an earlier solution, or empty.
  Value evaluate(const Vector& d, const Vector& start) const;

 private:
  Vector forms(const Vector& coefficients) const;

  const TrainingSet& data_;
  const SvmOptions& options_;
  const Runtime& runtime_;
  std::vector<GramView> kept_;  // empty: streamed
};

// The SVM at the learned weights as a model, with the relative duality gap in its report.
std::unique_ptr<Model> mkl_model(const MklProblem::Value& value, const Vector& d,
                                 double relative_gap, bool converged,
                                 const std::vector<double>& path);

}  // namespace mk
