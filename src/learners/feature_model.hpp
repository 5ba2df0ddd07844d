// Models on the features of an approximated bank,
//   f(x) = sum_m z_m(x)'v_m + bias,
// and how those of the learners become such: a learner sees kernels Z_m Z_m', and a sum over all
// rows with coefficients a_m has v_m = Z_m'a_m. On random features they are stored as they are; on
// landmarks they become sums over these.
#pragma once

#include "../approximations/random_features.hpp"
#include "learner.hpp"

namespace mk {

// What the models of learners that work on features themselves have in common.
class OnFeatures {
 public:
  virtual ~OnFeatures() = default;
  // Decision values on all rows of some features.
  virtual Vector values(const KernelFeatures& features, const Runtime& runtime) const = 0;
  // The same function as a sum over landmarks: `back` has the coefficients of the landmarks for
  // each v_m, see approximations/nystrom.hpp.
  virtual std::unique_ptr<Model> on_landmarks(const Indices& landmarks,
                                              const std::vector<Matrix>& back) const = 0;

  FeatureDraw draw;  // that the features are made from; of no count on landmarks
};

// Throws InvalidArgument unless it is that of features.
FeatureDraw restore_draw(const State& state);

class FeatureModel final : public Model, public OnFeatures {
 public:
  static std::unique_ptr<Model> restore(const State& state);

  Vector values(const KernelFeatures& features, const Runtime& runtime) const override;
  std::unique_ptr<Model> on_landmarks(const Indices& landmarks,
                                      const std::vector<Matrix>& back) const override;

  Vector decision(const CrossBank& cross) const override;
  Terms terms(const CrossBank& cross, const KernelGroups& groups) const override;
  Vector kernel_weights() const override { return weights; }
  Indices support() const override { return {}; }
  void remap(const Indices&) override {}
  State state() const override;
  State facts() const override;

  std::vector<Vector> v;  // of each kernel; empty where it has no part
  double bias = 0.0;
  Vector weights;
};

// The model of a learner that was fitted to an approximated bank. Throws InvalidArgument if it is
// not a sum over kernels.
std::unique_ptr<FeatureModel> on_features(const Model& model, const KernelBank& bank,
                                          const Runtime& runtime);

// Decision values at some rows of the bank of models that were fitted to others, one column each.
Matrix unseen_values(const std::vector<const Model*>& models, const KernelBank& bank,
                     const Indices& test, const Indices& train, const Runtime& runtime);

// Decision values and terms of new rows, one for each model: features that several models share are
// made once, kernel by kernel and some rows at a time.
using FeatureModels = std::vector<const FeatureModel*>;
Matrix feature_decision(const FeatureModels& models, const CrossBank& cross);
std::vector<Terms> feature_terms(const FeatureModels& models, const CrossBank& cross,
                                 const KernelGroups& groups);
// The models as models on features, if all are; none else.
FeatureModels feature_models(const std::vector<const Model*>& models);

}  // namespace mk
