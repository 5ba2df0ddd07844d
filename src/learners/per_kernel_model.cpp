#include "per_kernel_model.hpp"

#include "../base/errors.hpp"

namespace mk {

std::vector<Expansion> kernel_expansions(const Indices& rows, const Matrix& coefficients,
                                         Index kernels) {
  std::vector<Expansion> expansions(static_cast<std::size_t>(coefficients.cols()));
  for (Index m = 0; m < coefficients.cols(); ++m) {
    Expansion& e = expansions[static_cast<std::size_t>(m)];
    std::vector<double> values;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double value = coefficients(static_cast<Index>(i), m);
      if (value == 0.0) continue;
      e.rows.push_back(rows[i]);
      values.push_back(value);
    }
    e.coefficients = Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
    e.weights = Vector::Zero(kernels);
    if (!values.empty()) e.weights[m] = 1.0;
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

std::vector<Expansion> PerKernelModel::parts(Index most) const {
  if (coefficients.cols() > most) return {};
  return kernel_expansions(rows, coefficients, weights.size());
}

Vector PerKernelModel::combine(const Eigen::Ref<const Matrix>& values) const {
  return (values.rowwise().sum().array() + bias).matrix();
}

void PerKernelModel::remap(const Indices& new_position) {
  for (Index& row : rows) row = new_position[static_cast<std::size_t>(row)];
}

State PerKernelModel::state() const {
  State s;
  s.set("type", Value(std::string("per_kernel")));
  s.set("rows", Value(rows));
  s.set("coefficients", Value(coefficients));
  s.set("bias", bias);
  s.set("weights", Value(weights));
  return s;
}

std::unique_ptr<Model> PerKernelModel::restore(const State& s) {
  auto model = std::make_unique<PerKernelModel>();
  model->rows = s.indices("rows");
  model->coefficients = s.matrix("coefficients");
  model->bias = s.number("bias");
  model->weights = s.vector("weights");
  if (model->coefficients.rows() != static_cast<Index>(model->rows.size()) ||
      model->coefficients.cols() > model->weights.size() || !model->coefficients.allFinite())
    throw InvalidArgument("state", "that of a model with coefficients per kernel",
                          "of parts that do not fit");
  return model;
}

}  // namespace mk
