#include "per_kernel_model.hpp"

#include <cmath>

#include "../base/errors.hpp"

namespace mk {

std::vector<Expansion> kernel_expansions(const Indices& rows, const Matrix& coefficients,
                                         Index kernels) {
  std::vector<Expansion> expansions(at(coefficients.cols()));
  for (Index m = 0; m < coefficients.cols(); ++m) {
    Expansion& e = expansions[at(m)];
    const Vector column = coefficients.col(m);
    const Indices used = nonzero(column);
    e.coefficients = take(column, used);
    for (const Index i : used) e.rows.push_back(rows[at(i)]);
    e.weights = Vector::Zero(kernels);
    if (!used.empty()) e.weights[m] = 1.0;
  }
  return expansions;
}

void drop_zero_rows(PerKernelModel& model) {
  Indices kept;
  for (Index i = 0; i < model.coefficients.rows(); ++i)
    if (!model.coefficients.row(i).isZero(0.0)) kept.push_back(i);
  Matrix coefficients(static_cast<Index>(kept.size()), model.coefficients.cols());
  Indices rows;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    coefficients.row(static_cast<Index>(i)) = model.coefficients.row(kept[i]);
    rows.push_back(model.rows[static_cast<std::size_t>(kept[i])]);
  }
  model.coefficients = std::move(coefficients);
  model.rows = std::move(rows);
}

void CoefficientsModel::remap(const Indices& new_position) {
  for (Index& row : rows) row = new_position[at(row)];
}

void CoefficientsModel::read_coefficients(const State& state, const char* what) {
  rows = state.indices("rows");
  coefficients = state.matrix("coefficients");
  if (coefficients.rows() != static_cast<Index>(rows.size()) || !coefficients.allFinite())
    throw InvalidArgument("state", what, "of parts that do not fit");
  check_increasing(rows);
}

std::vector<Expansion> PerKernelModel::parts(Index most) const {
  if (coefficients.cols() > most) return {};
  return kernel_expansions(rows, coefficients, weights.size());
}

Vector PerKernelModel::combine(const Eigen::Ref<const Matrix>& values) const {
  return (values.rowwise().sum().array() + bias).matrix();
}

Terms PerKernelModel::combine_terms(const Eigen::Ref<const Matrix>& values,
                                    const KernelGroups& groups) const {
  return {sum_groups(values, groups), bias};
}

Matrix PerKernelModel::row_terms(const CrossBank& cross) const {
  return expansion_rows(cross, kernel_expansions(rows, coefficients, weights.size()));
}

State PerKernelModel::state() const {
  State s = facts();
  s.set("type", "per_kernel");
  s.set("weights", Value(weights));
  return s;
}

State PerKernelModel::facts() const {
  State facts = CoefficientsModel::facts();
  facts.set("bias", bias);
  return facts;
}

std::unique_ptr<Model> PerKernelModel::restore(const State& s) {
  constexpr const char* what = "that of a model with coefficients per kernel";
  auto model = std::make_unique<PerKernelModel>();
  model->read_coefficients(s, what);
  model->bias = s.number("bias");
  model->weights = s.vector("weights");
  if (model->coefficients.cols() != model->weights.size() || !model->weights.allFinite() ||
      !std::isfinite(model->bias))
    throw InvalidArgument("state", what, "of parts that do not fit");
  return model;
}

}  // namespace mk
