// From the name of a learner and its parameters to the learner; from a stored state to a model.
#pragma once

#include <memory>
#include <string>

#include "learner.hpp"

namespace mk {

std::unique_ptr<Learner> make_learner(const std::string& name, const State& parameters,
                                      const SmoOptions& smo);
std::unique_ptr<Model> restore_model(const State& state);

}  // namespace mk
