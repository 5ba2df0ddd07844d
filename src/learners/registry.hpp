// From the name of a learner and its parameters to the learner; from a stored state to a model.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "learner.hpp"

namespace mk {

class KernelPasses;

struct LearnerRequest {
  std::string name;
  std::vector<State> points;  // the parameters of each
  SmoOptions smo;
  // Of EasyMKL: how it passes over all kernels, if not in this process.
  std::shared_ptr<const KernelPasses> passes;
};

LearnerPath make_path(const LearnerRequest& request);
std::unique_ptr<Model> restore_model(const State& state);

}  // namespace mk
