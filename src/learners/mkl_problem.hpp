// The function that convex multiple kernel learning minimizes over kernel weights d:
//   J(d) = max_a sum(a) - 1/2 sum_m d_m a'YK_mYa,   S_m = a'YK_mYa,   dJ/dd_m = -S_m / 2,
// and its counterparts for regression and one class.
//
// Within the memory budget: first K(d), a line of such matrices and the solver's own copy, then as
// many K_m as there is room for, one triangle each. The others are made anew whenever they are
// needed.
#pragma once

#include "svm.hpp"

namespace mk {

class MklProblem {
 public:
  struct Value {
    double objective = 0.0;  // J(d), as far as the SVM is solved
    Vector forms;            // S_m; empty until they are asked for
    SvmSolution svm;
  };

  MklProblem(const TrainingSet& data, const SvmOptions& options, const Runtime& runtime);

  Index size() const { return data_.bank.size(); }
  const Loss& loss() const { return options_.losses.of(data_); }
  Indices free_rows(const Vector& coefficients) const {
    return loss().free_rows(coefficients, data_);
  }
  // Whether K(d) is in memory: if not, nothing else of its size may be.
  bool stored() const { return stored_; }

  // `start`: signed coefficients of an earlier solution, or empty. `tol`: of the SVM, as in
  // Loss::solve().
  Value evaluate(const Vector& d, const Vector& start, double tol);
  // The same without the forms, and the forms alone.
  Value solve(const Vector& d, const Vector& start, double tol);
  void add_forms(Value& value);

  // On the line from + t * direction each evaluation costs as much as with a single kernel.
  void aim(const Vector& from, const Vector& direction);
  // `d`: the point at t, up to rounding.
  Value solve_along(const Vector& d, double t, const Vector& start, double tol);
  double slope(const Value& value) const;  // of J along the line

  // The largest diagonal entry of each kernel, or a bound of it for those that are not kept.
  const Vector& sizes();

  // (K_m b) on some rows where b is not 0, a column for each of the given kernels.
  Matrix products(const Indices& kernels, const Vector& coefficients, const Indices& rows);

  // sum_m d_m K_m between some rows, with the diagonal of the loss: how the dual is curved in the
  // coefficients of the rows.
  Matrix hessian(const Vector& d, const Indices& rows);

 private:
  // sum_m w_m K_m and its w.
  struct Combination {
    Matrix k;
    Vector weights;
    int updates = 0;  // since it was last formed anew
  };
  void bring(Combination& sum, const Vector& weights);
  void add(const Vector& weights, Matrix& to) const;
  Value solve_with_sum(const Vector& start, double tol);

  const TrainingSet& data_;
  SvmOptions options_;
  const Runtime& runtime_;
  bool stored_;  // K(d) is; otherwise its rows are made on demand
  bool roomy_;   // a line and some kernels are, too
  std::shared_ptr<const void> reserved_;
  std::vector<TriangleView> kept_;  // one per kernel, without data if it is not kept
  Indices kept_kernels_, streamed_kernels_;
  Combination sum_, line_;
  Vector sizes_;
  Vector line_weights_;  // where sum_ was left on the line
  double line_at_ = 0.0;
};

// What rounding may add to or take from b'Kb for a kernel of this size.
double form_rounding(const Vector& coefficients, double size);

}  // namespace mk
