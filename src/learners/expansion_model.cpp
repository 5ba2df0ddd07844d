#include <cmath>

#include "../base/errors.hpp"
#include "learner.hpp"

namespace mk {

Vector ExpansionModel::decision(const CrossBank& cross) const {
  return cross.expand({expansion_}).col(0);
}

void ExpansionModel::remap(const Indices& new_position) {
  for (Index& row : expansion_.rows) row = new_position[static_cast<std::size_t>(row)];
}

State ExpansionModel::state() const {
  State state;
  state.set("type", Value(std::string("expansion")));
  state.set("rows", Value(expansion_.rows));
  state.set("coefficients", Value(expansion_.coefficients));
  state.set("bias", expansion_.bias);
  state.set("weights", Value(expansion_.weights));
  return state;
}

std::unique_ptr<Model> ExpansionModel::restore(const State& state) {
  Expansion e;
  e.rows = state.indices("rows");
  e.coefficients = state.vector("coefficients");
  e.bias = state.number("bias");
  e.weights = state.vector("weights");
  if (static_cast<Index>(e.rows.size()) != e.coefficients.size())
    throw InvalidArgument("coefficients", "as many as `rows`",
                          std::to_string(e.coefficients.size()) + " for " +
                              std::to_string(e.rows.size()));
  if (!e.coefficients.allFinite() || !e.weights.allFinite() || !std::isfinite(e.bias))
    throw InvalidArgument("coefficients, weights, bias", "finite", "something else");
  return std::make_unique<ExpansionModel>(std::move(e));
}

}  // namespace mk
