// lp-norm multiple kernel learning, min J(d) over d >= 0 with ||d||_p <= 1, by alternating an SVM
// with the closed form d_m ~ ||w_m||^(2/(p+1)) (Kloft et al. 2009). p = 1 is the group lasso form
// of convex MKL (Xu et al. 2010).
#pragma once

#include "mkl_problem.hpp"

namespace mk {

struct LpmklOptions {
  double p = 2.0;
  double gap = 1e-2;  // relative duality gap that ends the iteration
  Index iterations = 1000;
  SvmOptions svm;

  static LpmklOptions read(const State& parameters, const SmoOptions& smo, double default_p);
};

std::unique_ptr<Model> fit_lpmkl(const TrainingSet& data, const LpmklOptions& options,
                                 const Runtime& runtime);

class LpmklLearner final : public Learner {
 public:
  LpmklLearner(const State& parameters, const SmoOptions& smo)
      : options_(LpmklOptions::read(parameters, smo, 2.0)) {}
  std::unique_ptr<Model> fit(const TrainingSet& data, const Runtime& runtime) const override {
    return fit_lpmkl(data, options_, runtime);
  }

 private:
  LpmklOptions options_;
};

class GlmklLearner final : public Learner {
 public:
  GlmklLearner(const State& parameters, const SmoOptions& smo)
      : options_(LpmklOptions::read(parameters, smo, 1.0)) {}
  std::unique_ptr<Model> fit(const TrainingSet& data, const Runtime& runtime) const override {
    return fit_lpmkl(data, options_, runtime);
  }

 private:
  LpmklOptions options_;
};

}  // namespace mk
