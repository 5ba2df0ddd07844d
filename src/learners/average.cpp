#include "average.hpp"

namespace mk {

CombinationLearner average_learner(const State& parameters, const SmoOptions& smo) {
  return {parameters, smo, [](const TrainingSet& data, const Runtime&) -> Vector {
            const Index m = data.bank.size();
            return Vector::Constant(m, 1.0 / static_cast<double>(m));
          }};
}

}  // namespace mk
