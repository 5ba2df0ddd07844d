#include "lbmkl.hpp"

#include <cmath>

#include "../base/errors.hpp"

namespace mk {

void LbmklModel::prepare(const PredictOptions& options) {
  if (options.trials > 0) Model::prepare(options);
  if (std::abs(options.assumed) != 1.0 && options.assumed != 0.0)
    throw InvalidArgument("assumed", "-1, 0 or 1", format_number(options.assumed));
  assumed = options.assumed;
}

std::vector<Expansion> LbmklModel::parts(Index most) const {
  if (coefficients.cols() > most) return {};
  // The products are evaluated only if a label is assumed.
  const Matrix used = assumed == 0.0 ? Matrix(coefficients.leftCols(kernels)) : coefficients;
  return kernel_expansions(rows, used, coefficients.cols());
}

Vector LbmklModel::combine(const Eigen::Ref<const Matrix>& values) const {
  Vector f = (values.leftCols(kernels).rowwise().sum().array() + bias).matrix();
  if (assumed != 0.0) f += assumed * values.rightCols(values.cols() - kernels).rowwise().sum();
  return f;
}

Terms LbmklModel::combine_terms(const Eigen::Ref<const Matrix>& values,
                                const KernelGroups& groups) const {
  Matrix signed_values = values;
  signed_values.rightCols(values.cols() - kernels) *= assumed;
  return {sum_groups(signed_values, groups), bias};
}

Matrix LbmklModel::row_terms(const CrossBank& cross) const {
  Matrix used = coefficients;
  used.rightCols(used.cols() - kernels) *= assumed;
  return expansion_rows(cross, kernel_expansions(rows, used, used.cols()));
}

State LbmklModel::state() const {
  State s = facts();
  s.set("type", "lbmkl");
  s.set("coefficients", Value(coefficients));  // those of the products included
  s.set("kernels", static_cast<double>(kernels));
  s.set("weights", Value(weights));
  return s;
}

// Besides: `labels` of the rows, `weights` of the kernels.
State LbmklModel::facts() const {
  State facts = CoefficientsModel::facts();
  // Without those of the products, which are no kernels of the user.
  facts.set("coefficients", Value(Matrix(coefficients.leftCols(kernels))));
  facts.set("bias", bias);
  facts.set("labels", Value(labels));
  facts.set("weights", Value(Vector(weights.head(kernels))));
  return facts;
}

std::unique_ptr<Model> LbmklModel::restore(const State& s) {
  constexpr const char* what = "that of a label-based model";
  auto model = std::make_unique<LbmklModel>();
  model->read_coefficients(s, what);
  model->bias = s.number("bias");
  model->weights = s.vector("weights");
  model->labels = s.vector("labels");
  model->kernels = s.count("kernels", 1);
  // A product for at least one of the kernels and at most all of them, with no weight of its own.
  const Index kernels = model->kernels, columns = model->coefficients.cols();
  if (columns <= kernels || columns > 2 * kernels || columns != model->weights.size() ||
      !model->weights.tail(columns - kernels).isZero(0.0) || !model->weights.allFinite())
    throw InvalidArgument("state", what, "of kernels out of range");
  if (model->labels.size() != model->coefficients.rows() ||
      !(model->labels.array().abs() == 1.0).all() || !std::isfinite(model->bias))
    throw InvalidArgument("state", what, "of parts that do not fit");
  return model;
}

}  // namespace mk
