#include "average.hpp"

namespace mk {

std::unique_ptr<Model> AverageLearner::fit(const TrainingSet& data, const Runtime& runtime) const {
  const Index m = data.bank.size();
  return fit_svm(data, Vector::Constant(m, 1.0 / static_cast<double>(m)), options_, runtime);
}

}  // namespace mk
