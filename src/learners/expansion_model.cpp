#include <cmath>

#include "../base/errors.hpp"
#include "learner.hpp"

namespace mk {

void ExpansionModel::remap(const Indices& new_position) {
  for (Index& row : expansion_.rows) row = new_position[static_cast<std::size_t>(row)];
}

State expansion_state(const Expansion& e) {
  State state;
  state.set("rows", Value(e.rows));
  state.set("coefficients", Value(e.coefficients));
  state.set("bias", e.bias);
  state.set("weights", Value(e.weights));
  return state;
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
  return e;
}

State ExpansionModel::state() const {
  State state = expansion_state(expansion_);
  state.set("type", Value(std::string("expansion")));
  return state;
}

std::unique_ptr<Model> ExpansionModel::restore(const State& state) {
  return std::make_unique<ExpansionModel>(restore_expansion(state));
}

}  // namespace mk
