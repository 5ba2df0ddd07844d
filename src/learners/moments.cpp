#include "moments.hpp"

#include <string>

namespace mk {

void Moments::add(const Moments& other, double factor) {
  weight += factor * other.weight;
  y += factor * other.y;
  yy += factor * other.yy;
  z += factor * other.z;
  zy += factor * other.zy;
  zz += factor * other.zz;
}

void Moments::add_class(const Moments& other, double label) {
  if (z.size() == 0) {
    z = zy = Vector::Zero(other.z.size());
    zz = Matrix::Zero(other.zz.rows(), other.zz.cols());
  }
  weight += other.weight;
  y += label * other.weight;
  yy += label * label * other.weight;
  z += other.z;
  zy += label * other.z;
  zz += other.zz;
}

Moments moments_of(const TrainingSet& data, const Runtime& runtime) {
  const auto shared = data.bank.row_evaluator(Vector::Ones(data.bank.size()), runtime);
  const auto& sum = dynamic_cast<const FeatureSum&>(*shared);
  if (runtime.verbose)
    runtime.message("features: second moments of " + std::to_string(data.size()) + " rows and " +
                    std::to_string(sum.columns()) + " columns");
  Moments out;
  out.weight = data.weights.sum();
  if (!data.kind->has_classes() && out.weight > 0.0)
    out.origin = data.weights.dot(data.y) / out.weight;
  const Vector y = data.y.array() - out.origin, weighted = data.weights.cwiseProduct(y);
  out.y = weighted.sum();
  out.yy = weighted.dot(y);
  out.z = sum.backward(data.weights);
  out.zy = sum.backward(weighted);
  out.zz = sum.gram(data.weights);
  return out;
}

}  // namespace mk
