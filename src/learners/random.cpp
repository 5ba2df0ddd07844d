#include "random.hpp"

#include "../base/random.hpp"

namespace mk {

// The draw depends on the seed alone, so all class pairs of one fit get the same kernel.
CombinationLearner random_learner(const State& parameters, const SmoOptions& smo) {
  return {parameters, smo, [](const TrainingSet& data, const Runtime& runtime) -> Vector {
            const Index m = data.bank.size();
            return Vector::Unit(m, Random(runtime.seed, 0).below(m));
          }};
}

}  // namespace mk
