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
    double objective = 0.0;  // J(d), as far as the SVM is solved
    Vector forms;            // S_m
    SvmSolution svm;
  };

  MklProblem(const TrainingSet& data, const SvmOptions& options, const Runtime& runtime);

  Index size() const { return data_.bank.size(); }
  const TrainingSet& data() const { return data_; }
  const SvmOptions& options() const { return options_; }

  // `start`: signed coefficients of an earlier solution, or empty. `tol`: of the SVM.
  Value evaluate(const Vector& d, const Vector& start, double tol);

  // (K_m b) on some rows, a column for each of the given kernels.
  Matrix products(const Indices& kernels, const Vector& coefficients, const Indices& rows) const;

  // sum_m d_m K_m between some rows.
  Matrix combined(const Vector& d, const Indices& rows) const;

 private:
  SvmSolution solve(const Vector& d, const Vector& start, double tol);
  void combine(const Vector& d);
  Vector forms(const Vector& coefficients) const;

  const TrainingSet& data_;
  SvmOptions options_;
  const Runtime& runtime_;
  std::vector<GramView> kept_;  // empty: streamed
  Matrix sum_;                  // sum_m d_m K_m of the kept matrices
  Vector sum_weights_;          // its d
  int updates_ = 0;             // since it was last formed anew
};

// The SVM at the learned weights as a model, with the relative duality gap in its report.
std::unique_ptr<Model> mkl_model(const MklProblem::Value& value, const Vector& d,
                                 double relative_gap, bool converged,
                                 const std::vector<double>& path);

}  // namespace mk
