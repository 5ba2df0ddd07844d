#include "feature_model.hpp"

#include "../base/errors.hpp"
#include "per_kernel_model.hpp"

namespace mk {

Vector FeatureModel::values(const KernelFeatures& features, const Runtime& runtime) const {
  Vector f = Vector::Constant(features.rows(), bias);
  for (std::size_t m = 0; m < v.size(); ++m)
    if (v[m].size() > 0) f += features.forward(static_cast<Index>(m), v[m], runtime);
  return f;
}

// It becomes a model of rows before it is stored: see on_landmarks().
State FeatureModel::state() const {
  throw InvalidArgument("models", "of rows, to be stored", "of features");
}

std::unique_ptr<FeatureModel> on_features(const Model& model, const KernelBank& bank,
                                          const Runtime& runtime) {
  auto out = std::make_unique<FeatureModel>();
  out->weights = model.kernel_weights();
  out->v.resize(at(bank.size()));
  out->fitted = model.fitted;
  out->report = model.report;
  const KernelFeatures& features = *bank.features();
  if (const Expansion* e = model.expansion()) {
    const Vector b = spread(e->coefficients, e->rows, bank.rows());
    for (const Index m : nonzero(e->weights))
      out->v[at(m)] = e->weights[m] * features.backward(m, b, runtime);
    out->bias = e->bias;
    return out;
  }
  if (const auto* p = dynamic_cast<const PerKernelModel*>(&model)) {
    for (Index m = 0; m < p->coefficients.cols(); ++m)
      if (!p->coefficients.col(m).isZero(0.0))
        out->v[at(m)] =
            features.backward(m, spread(p->coefficients.col(m), p->rows, bank.rows()), runtime);
    out->bias = p->bias;
    return out;
  }
  throw InvalidArgument("approximate",
                        "left out for this learner, whose decision function is not a sum over "
                        "kernels",
                        "an approximation");
}

std::unique_ptr<Model> on_landmarks(const FeatureModel& model, const Indices& landmarks,
                                    const std::vector<Matrix>& back) {
  auto out = std::make_unique<PerKernelModel>();
  out->rows = landmarks;
  out->weights = model.weights;
  out->bias = model.bias;
  out->report = model.report;
  out->fitted = model.fitted;
  out->coefficients = Matrix::Zero(static_cast<Index>(landmarks.size()), model.weights.size());
  for (std::size_t m = 0; m < model.v.size(); ++m)
    if (model.v[m].size() > 0) out->coefficients.col(static_cast<Index>(m)) = back[m] * model.v[m];
  drop_zero_rows(*out);
  return out;
}

Matrix unseen_values(const std::vector<const Model*>& models, const KernelBank& bank,
                     const Indices& test, const Indices& train, const Runtime& runtime) {
  const KernelBank seen = bank.subset(train), unseen = bank.subset(test);
  Matrix values(unseen.rows(), static_cast<Index>(models.size()));
  for (std::size_t k = 0; k < models.size(); ++k) {
    const auto* known = dynamic_cast<const FeatureModel*>(models[k]);
    const auto made = known != nullptr ? nullptr : on_features(*models[k], seen, runtime);
    values.col(static_cast<Index>(k)) =
        (known != nullptr ? known : made.get())->values(*unseen.features(), runtime);
  }
  return values;
}

}  // namespace mk
