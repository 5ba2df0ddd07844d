// lp-norm multiple kernel learning, min J(d) over d >= 0 with ||d||_p <= 1, by alternating an SVM
// with the closed form d_m ~ ||w_m||^(2/(p+1)) (Kloft et al. 2009). p = 1 is the group lasso form
// of convex MKL (Xu et al. 2010).
#pragma once

#include "mkl_search.hpp"

namespace mk {

std::unique_ptr<Model> fit_lpmkl(const TrainingSet& data, const MklOptions& options,
                                 const Runtime& runtime);

class LpmklLearner final : public Learner {
 public:
  LpmklLearner(const State& parameters, const SmoOptions& smo);
  std::unique_ptr<Model> fit(const TrainingSet& data, const Runtime& runtime) const override {
    return fit_lpmkl(data, options_, runtime);
  }

 private:
  MklOptions options_;
};

class GlmklLearner final : public Learner {
 public:
  GlmklLearner(const State& parameters, const SmoOptions& smo)
      : options_(MklOptions::read(parameters, smo)) {}
  std::unique_ptr<Model> fit(const TrainingSet& data, const Runtime& runtime) const override {
    return fit_lpmkl(data, options_, runtime);
  }

 private:
  MklOptions options_;
};

}  // namespace mk
