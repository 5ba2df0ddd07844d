#include "random.hpp"

#include "../base/random.hpp"

namespace mk {

// The draw depends on the seed alone, so all class pairs of one fit get the same kernel.
Vector RandomLearner::weights(const TrainingSet& data, const Runtime& runtime) const {
  Random random(runtime.seed, 0);
  Vector weights = Vector::Zero(data.bank.size());
  weights[random.below(data.bank.size())] = 1.0;
  return weights;
}

}  // namespace mk
