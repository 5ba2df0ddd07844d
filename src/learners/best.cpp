#include "best.hpp"

#include <algorithm>
#include <cmath>

#include "../base/errors.hpp"
#include "../reduction/folds.hpp"

namespace mk {

BestLearner::BestLearner(const State& parameters, const SmoOptions& smo)
    : options_(SvmOptions::read(parameters, smo)) {
  const double folds = parameters.number("folds", 5.0);
  if (!(folds >= 2.0 && folds <= 1e6) || folds != std::floor(folds))
    throw InvalidArgument("folds", "a whole number of at least 2", format_number(folds));
  folds_ = static_cast<Index>(folds);
}

double BestLearner::loss(const TrainingSet& data, Index m, const std::vector<Indices>& folds,
                         const Runtime& runtime) const {
  // Errors of numbers in units of the largest one, so that no square overflows.
  const bool numbers = data.task == Task::regression;
  const double unit = numbers ? std::max(data.y.cwiseAbs().maxCoeff(), 1e-300) : 1.0;
  double total = 0.0;
  Vector weights = Vector::Zero(data.bank.size());
  weights[m] = 1.0;
  for (const Indices& test : folds) {
    const Indices train = complement(test, data.bank.rows());
    const KernelBank bank = data.bank.subset(train);
    const TrainingSet part = {bank, data.task, take(data.y, train), take(data.weights, train)};
    const auto model = fit_svm(part, weights, options_, runtime);
    const Vector f = model->decision(*data.bank.cross(test, train, runtime));
    for (std::size_t i = 0; i < test.size(); ++i) {
      const double y = data.y[test[i]], value = f[static_cast<Index>(i)];
      const double error = y / unit - value / unit;
      total += numbers ? error * error : ((value >= 0.0) == (y > 0.0) ? 0.0 : 1.0);
    }
  }
  const double mean = total / static_cast<double>(data.bank.rows());
  return numbers ? unit * std::sqrt(mean) : mean;
}

std::unique_ptr<Model> BestLearner::fit(const TrainingSet& data, const Runtime& runtime) const {
  if (data.task == Task::one_class)
    throw InvalidArgument(
        "The best kernel cannot be chosen without a response: "
        "use another learner for a one-class problem.");
  const Index n_kernels = data.bank.size();
  Vector losses = Vector::Zero(n_kernels);
  const auto folds = make_folds(data.y, data.task, folds_, runtime.seed);
  if (n_kernels > 1 && folds.size() > 1)
    runtime.parallel_for(n_kernels, [&](Index m) { losses[m] = loss(data, m, folds, runtime); });
  Index best = 0;
  losses.minCoeff(&best);  // the first of the smallest
  Vector weights = Vector::Zero(n_kernels);
  weights[best] = 1.0;
  auto model = fit_svm(data, weights, options_, runtime);
  model->report.path = losses;
  return model;
}

}  // namespace mk
