// Support vector machines on a fixed combination of kernels: C-SVC, epsilon-SVR, nu-one-class.
#pragma once

#include "learner.hpp"

namespace mk {

struct SvmOptions {
  double cost = 1.0;
  double epsilon = 0.1;  // regression
  double nu = 0.5;       // one-class
  SmoOptions smo;

  // Reads cost, epsilon and nu; throws InvalidArgument if one is out of range.
  static SvmOptions read(const State& parameters, const SmoOptions& smo);
};

// The dual on a given matrix, solved. The tolerance of options.smo refers to labels of size 1; for
// a response of a smaller size, and for one class, it is in units of the response or of the mean
// diagonal.
struct SvmSolution {
  Vector coefficients;  // signed, one per example
  Vector fitted;        // decision values on the examples
  SmoResult solved;
};
SvmSolution solve_svm(QMatrix& q, const TrainingSet& data, const SvmOptions& options,
                      const Runtime& runtime, const Vector& start = Vector());
Report svm_report(const SmoResult& solved);

// The SVM with kernel sum_m weights_m K_m. The matrix is stored if it fits the memory budget,
// otherwise its rows are computed on demand. `start` (signed coefficients) may be empty.
std::unique_ptr<Model> fit_svm(const TrainingSet& data, const Vector& weights,
                               const SvmOptions& options, const Runtime& runtime,
                               const Vector& start = Vector());

// Signed coefficients to start from: those of a model with the same kernel weights, else none.
// Those that were at the bound of its cost go to the bound of the new one.
Vector start_from(const Model& before, double old_cost, const Vector& weights, double cost,
                  const TrainingSet& data);

// The expansion with these signed coefficients, rows with 0 left out.
Expansion make_expansion(const Vector& coefficients, const Vector& weights, double bias);

// Throws InvalidArgument naming the kernel if the solution is not finite. Values that are not
// finite show in the gradient; only then is it worth looking for their source.
void check_solution(const SmoResult& solved, const KernelBank& bank, const Vector& weights,
                    const Runtime& runtime);

// Weights given by the user, checked; none are needed for a single kernel.
Vector fixed_weights(const Vector& weights, Index n_kernels);

// Learners that are an SVM on a combination of kernels which does not depend on the solution. Along
// a grid of costs each starts from the one before.
class CombinationLearner : public Learner {
 public:
  std::unique_ptr<Model> fit(const TrainingSet& data, const Runtime& runtime) const final;
  std::unique_ptr<Model> fit_after(const Before& before, const TrainingSet& data,
                                   const Runtime& runtime) const final;

 protected:
  explicit CombinationLearner(const SvmOptions& options) : options_(options) {}
  virtual Vector weights(const TrainingSet& data, const Runtime& runtime) const = 0;

 private:
  SvmOptions options_;
};

class SvmLearner final : public CombinationLearner {
 public:
  SvmLearner(const State& parameters, const SmoOptions& smo);

 private:
  Vector weights(const TrainingSet& data, const Runtime& runtime) const override;

  Vector weights_;
};

}  // namespace mk
