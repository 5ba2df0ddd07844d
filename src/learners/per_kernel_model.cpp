#include "per_kernel_model.hpp"

#include "../base/errors.hpp"

namespace mk {

Matrix kernel_scores(const CrossBank& cross, const Indices& rows, const Matrix& coefficients) {
  std::vector<Expansion> expansions;
  Indices kernels;
  for (Index m = 0; m < coefficients.cols(); ++m) {
    Expansion e;
    std::vector<double> values;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double value = coefficients(static_cast<Index>(i), m);
      if (value == 0.0) continue;
      e.rows.push_back(rows[i]);
      values.push_back(value);
    }
    if (values.empty()) continue;
    e.coefficients = Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
    e.weights = Vector::Zero(cross.size());
    e.weights[m] = 1.0;
    expansions.push_back(std::move(e));
    kernels.push_back(m);
  }
  Matrix scores = Matrix::Zero(cross.rows(), coefficients.cols());
  if (expansions.empty()) return scores;
  const Matrix values = cross.expand(expansions);
  for (std::size_t k = 0; k < kernels.size(); ++k)
    scores.col(kernels[k]) = values.col(static_cast<Index>(k));
  return scores;
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

Vector PerKernelModel::decision(const CrossBank& cross) const {
  return (kernel_scores(cross, rows, coefficients).rowwise().sum().array() + bias).matrix();
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
