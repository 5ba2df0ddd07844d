#include "learner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "../base/errors.hpp"

namespace mk {

void Model::prepare(const PredictOptions& options) {
  if (options.trials > 0)
    throw InvalidArgument("trials", "left out for a model without trials",
                          std::to_string(options.trials));
  if (options.assumed != 0.0)
    throw InvalidArgument("assumed", "left out for a model that does not look at labels",
                          format_number(options.assumed));
}

Vector Model::decision(const CrossBank& cross) const {
  return combine(cross.expand(parts(std::numeric_limits<Index>::max())));
}

std::vector<Expansion> Model::parts(Index /*most*/) const { return {}; }

Vector Model::combine(const Eigen::Ref<const Matrix>& values) const { return values.col(0); }

Matrix sum_groups(const Eigen::Ref<const Matrix>& values, const KernelGroups& groups) {
  Matrix sums = Matrix::Zero(values.rows(), groups.count);
  for (Index m = 0; m < values.cols(); ++m) sums.col(groups.of[at(m)]) += values.col(m);
  return sums;
}

Terms Model::terms(const CrossBank& cross, const KernelGroups& groups) const {
  return combine_terms(cross.expand(term_parts(groups, std::numeric_limits<Index>::max())), groups);
}

std::vector<Expansion> Model::term_parts(const KernelGroups& /*groups*/, Index most) const {
  return parts(most);
}

Terms Model::combine_terms(const Eigen::Ref<const Matrix>& values,
                           const KernelGroups& groups) const {
  return {sum_groups(values, groups), 0.0};
}

Matrix Model::row_terms(const CrossBank& /*cross*/) const {
  throw InvalidArgument("object",
                        "a fit whose decision value is a sum over training cases, not one of votes",
                        "another");
}

Matrix expansion_rows(const CrossBank& cross, const std::vector<Expansion>& expansions,
                      const Matrix& factors) {
  Matrix out = Matrix::Zero(cross.rows(), cross.training_rows());
  Matrix sum(cross.rows(), cross.training_rows());
  for (std::size_t e = 0; e < expansions.size(); ++e) {
    const Expansion& one = expansions[e];
    if (one.rows.empty()) continue;
    cross.sum(one.weights, sum.data());
    if (factors.size() != 0)
      sum.array().colwise() *= factors.col(static_cast<Index>(e)).array().eval();
    for (std::size_t i = 0; i < one.rows.size(); ++i)
      out.col(one.rows[i]) += one.coefficients[static_cast<Index>(i)] * sum.col(one.rows[i]);
  }
  return out;
}

Matrix ExpansionModel::row_terms(const CrossBank& cross) const {
  return expansion_rows(cross, {expansion_});
}

namespace {

// So many groups at a time that their expansions take about 64 MB.
Index groups_at_once(const Expansion& e) {
  const Index numbers = e.weights.size() + 4 * static_cast<Index>(e.rows.size());
  return (Index{1} << 23) / (numbers + 1) + 1;
}

}  // namespace

std::vector<Expansion> ExpansionModel::group_expansions(const KernelGroups& groups, Index first,
                                                        Index last) const {
  Expansion empty = expansion_;
  empty.weights.setZero();
  empty.bias = 0.0;
  std::vector<Expansion> out(at(last - first), empty);
  for (Index m = 0; m < expansion_.weights.size(); ++m) {
    const Index group = groups.of[at(m)];
    if (group >= first && group < last) out[at(group - first)].weights[m] = expansion_.weights[m];
  }
  return out;
}

std::vector<Expansion> ExpansionModel::term_parts(const KernelGroups& groups, Index most) const {
  if (groups.count > std::min(most, groups_at_once(expansion_))) return {};
  return group_expansions(groups, 0, groups.count);
}

Terms ExpansionModel::combine_terms(const Eigen::Ref<const Matrix>& values,
                                    const KernelGroups& /*groups*/) const {
  return {values, expansion_.bias};
}

Terms ExpansionModel::terms(const CrossBank& cross, const KernelGroups& groups) const {
  const Index step = groups_at_once(expansion_);
  Matrix values(cross.rows(), groups.count);
  for (Index first = 0; first < groups.count; first += step) {
    const Index last = std::min(first + step, groups.count);
    values.middleCols(first, last - first) = cross.expand(group_expansions(groups, first, last));
  }
  return combine_terms(values, groups);
}

void ExpansionModel::remap(const Indices& new_position) {
  for (Index& row : expansion_.rows) row = new_position[static_cast<std::size_t>(row)];
}

State basic_facts(const Indices& rows, Value coefficients) {
  State facts;
  facts.set("rows", Value(rows));
  facts.set("coefficients", std::move(coefficients));
  return facts;
}

void check_increasing(const Indices& rows) {
  for (std::size_t i = 1; i < rows.size(); ++i)
    if (rows[i] <= rows[i - 1])
      throw InvalidArgument(
          "rows", "in increasing order",
          std::to_string(rows[i - 1] + 1) + " before " + std::to_string(rows[i] + 1));
}

Expansion restore_expansion(const State& state) {
  Expansion e;
  e.rows = state.indices("rows");
  e.coefficients = state.vector("coefficients");
  e.bias = state.number("bias");
  e.weights = state.vector("weights");
  if (static_cast<Index>(e.rows.size()) != e.coefficients.size())
    throw InvalidArgument(
        "coefficients", "as many as `rows`",
        std::to_string(e.coefficients.size()) + " for " + std::to_string(e.rows.size()));
  if (!e.coefficients.allFinite() || !e.weights.allFinite() || !std::isfinite(e.bias))
    throw InvalidArgument("coefficients, weights, bias", "finite", "something else");
  check_increasing(e.rows);
  return e;
}

State ExpansionModel::facts() const {
  State facts = basic_facts(expansion_.rows, expansion_.coefficients);
  facts.set("bias", expansion_.bias);
  return facts;
}

State ExpansionModel::state() const {
  State state = facts();
  state.set("type", "expansion");
  state.set("weights", Value(expansion_.weights));
  return state;
}

std::unique_ptr<Model> ExpansionModel::restore(const State& state) {
  return std::make_unique<ExpansionModel>(restore_expansion(state));
}

}  // namespace mk
