#include "average.hpp"

namespace mk {

Vector AverageLearner::weights(const TrainingSet& data, const Runtime& /*runtime*/) const {
  const Index m = data.bank.size();
  return Vector::Constant(m, 1.0 / static_cast<double>(m));
}

}  // namespace mk
