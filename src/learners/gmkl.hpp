// Generalized multiple kernel learning (Varma & Babu 2009): kernel weights d >= 0 that minimize
//   T(d) = J(d) + r(d),   J(d) = max_a 1'a - 1/2 a'Y K(d) Y a   (the value of the SVM),
// with K(d) a sum, sum_m d_m K_m, or a product of powers, prod_m K_m^d_m, and
//   r(d) = lambda sum_m d_m   or   r(d) = lambda/2 sum_m d_m^2.
// T is differentiable: dT/dd_m = dr/dd_m - 1/2 b'(dK/dd_m)b, with b = Ya held fixed. For a sum T is
// convex, and any b bounds its minimum from below; for a product a stationary point is found.
#pragma once

#include "../solvers/projected_gradient.hpp"
#include "mkl_problem.hpp"

namespace mk {

struct Regularizer {
  bool squared = false;  // l2 instead of l1
  double lambda = 1.0;

  double value(const Vector& d) const;
  Vector gradient(const Vector& d) const;
  // max over d >= 0 of pull'd - r(d); infinite for l1 if a pull exceeds lambda.
  double conjugate(const Vector& pull) const;
};

// T over d, for the search; keeps the SVM of its last evaluation.
class GmklObjective final : public InexactFunction {
 public:
  // J(d), b'(dK/dd_m)b and the SVM, from given coefficients at a given tolerance.
  using Machine = std::function<MklProblem::Value(const Vector&, const Vector&, double)>;

  GmklObjective(Machine machine, const Regularizer& regularizer, double tol)
      : machine_(std::move(machine)), regularizer_(regularizer), tol_(tol) {}

  InexactValue evaluate(const Vector& d) override;
  double violation(const Vector& d, const InexactValue& at) const override;
  bool tighten() override;

  const Vector& last_weights() const { return weights_; }
  const MklProblem::Value& last() const { return last_; }
  // An SVM of an iteration met an indefinite kernel, whose weight may be 0 now.
  bool indefinite() const { return indefinite_; }

 private:
  Machine machine_;
  Regularizer regularizer_;
  double tol_;
  Vector weights_;
  MklProblem::Value last_;
  bool indefinite_ = false;
};

// The relative duality gap of T for a sum of kernels.
double gmkl_gap(const MklProblem::Value& value, const Vector& d, const Regularizer& regularizer,
                const Loss& loss, const Target& target);

struct GmklLearner : Learner {
  GmklLearner(const State& parameters, const SmoOptions& smo);
  std::unique_ptr<Model> fit(const TrainingSet& data, const Runtime& runtime) const;

  bool product;  // instead of a sum
  Regularizer regularizer;
  ProjectedOptions search;
  SvmOptions svm;
};

}  // namespace mk
