// Models on the features of an approximated bank,
//   f(x) = sum_m z_m(x)'v_m + bias,
// and how those of the learners become such: a learner sees kernels Z_m Z_m', and a sum over all
// rows with coefficients a_m has v_m = Z_m'a_m.
#pragma once

#include "learner.hpp"

namespace mk {

class FeatureModel final : public Model {
 public:
  Vector values(const KernelFeatures& features, const Runtime& runtime) const;

  Vector kernel_weights() const override { return weights; }
  Indices support() const override { return {}; }
  void remap(const Indices&) override {}
  State state() const override;
  State facts() const override { return basic_facts({}, Value(Vector())); }

  std::vector<Vector> v;  // of each kernel; empty where it has no part
  double bias = 0.0;
  Vector weights;
};

// The model of a learner that was fitted to an approximated bank. Throws InvalidArgument if it is
// not a sum over kernels.
std::unique_ptr<FeatureModel> on_features(const Model& model, const KernelBank& bank,
                                          const Runtime& runtime);

// The same function as a sum over landmarks: `back` has the coefficients of the landmarks for each
// v_m, see approximations/nystrom.hpp.
std::unique_ptr<Model> on_landmarks(const FeatureModel& model, const Indices& landmarks,
                                    const std::vector<Matrix>& back);

// Decision values at some rows of the bank of models that were fitted to others, one column each.
Matrix unseen_values(const std::vector<const Model*>& models, const KernelBank& bank,
                     const Indices& test, const Indices& train, const Runtime& runtime);

}  // namespace mk
