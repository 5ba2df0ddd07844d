#include "best.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "../base/errors.hpp"
#include "../reduction/folds.hpp"

namespace mk {

namespace {
Vector only(Index m, Index n_kernels) {
  Vector weights = Vector::Zero(n_kernels);
  weights[m] = 1.0;
  return weights;
}
}  // namespace

BestLearner::BestLearner(const State& parameters, const SmoOptions& smo)
    : options_(SvmOptions::read(parameters, smo)) {
  const double folds = parameters.number("folds", 5.0);
  if (!(folds >= 2.0 && folds <= 1e6) || folds != std::floor(folds))
    throw InvalidArgument("folds", "a whole number of at least 2", format_number(folds));
  folds_ = static_cast<Index>(folds);
  if (!parameters.has("metric")) return;
  const std::string metric = parameters.text("metric");
  if (metric == "accuracy") metric_ = Metric::accuracy;
  else if (metric == "balanced_accuracy") metric_ = Metric::balanced_accuracy;
  else
    throw InvalidArgument("metric", "\"accuracy\" or \"balanced_accuracy\"", "\"" + metric + "\"");
}

// Whether the errors of the two classes are averaged. Weights say that the classes, or some rows,
// are not to be counted alike: the share of errors would then go by the larger class.
bool BestLearner::by_class(const TrainingSet& data) const {
  if (data.task != Task::classification) return false;
  if (metric_ != Metric::automatic) return metric_ == Metric::balanced_accuracy;
  return (data.weights.array() != data.weights[0]).any();
}

double BestLearner::loss(const TrainingSet& data, Index m, const std::vector<Indices>& folds,
                         const Runtime& runtime) const {
  // Errors of numbers in units of the largest one, so that no square overflows.
  const bool numbers = data.task == Task::regression, one_class = data.task == Task::one_class;
  const double unit = numbers ? std::max(data.y.cwiseAbs().maxCoeff(), 1e-300) : 1.0;
  // Of two groups: the positive class and all other rows.
  double total[2] = {0.0, 0.0}, weight[2] = {0.0, 0.0};
  const bool grouped = by_class(data);
  const Vector weights = only(m, data.bank.size());
  for (const Indices& test : folds) {
    const Indices train = complement(test, data.bank.rows());
    const KernelBank bank = data.bank.subset(train);
    const TrainingSet part = {bank, data.task, take(data.y, train), take(data.weights, train)};
    const auto model = fit_svm(part, weights, options_, runtime);
    const Vector f = model->decision(*data.bank.cross(test, train, runtime));
    for (std::size_t i = 0; i < test.size(); ++i) {
      const double y = data.y[test[i]], value = f[static_cast<Index>(i)];
      const double error = y / unit - value / unit, w = data.weights[test[i]];
      const int group = grouped && y > 0.0 ? 1 : 0;
      weight[group] += w;
      total[group] +=
          w * (numbers ? error * error : ((value >= 0.0) == (one_class || y > 0.0) ? 0.0 : 1.0));
    }
  }
  const auto share = [&](int group) {
    return weight[group] > 0.0 ? total[group] / weight[group] : 0.0;
  };
  const double mean = grouped ? 0.5 * (share(0) + share(1)) : share(0);
  return numbers ? unit * std::sqrt(mean) : mean;
}

// The squared length of w against the mean diagonal of the kernel: 1 for one that cannot tell the
// rows apart, about 1/n for one under which no two rows are alike.
double BestLearner::looseness(const TrainingSet& data, Index m, const Runtime& runtime) const {
  const Vector weights = only(m, data.bank.size());
  const double length = -2.0 * fit_svm(data, weights, options_, runtime)->report.objective;
  const double diagonal = data.bank.row_evaluator(weights, runtime)->diagonal().mean();
  // Not of a kernel that is not positive.
  return length > 0.0 && diagonal > 0.0 ? length / diagonal
                                        : std::numeric_limits<double>::infinity();
}

Index BestLearner::most_complex(const TrainingSet& data, const Vector& losses,
                                const Runtime& runtime) const {
  // Rows of unequal weights tell as much as this many of equal ones.
  const double n = std::pow(data.weights.sum(), 2) / data.weights.squaredNorm(), nu = options_.nu;
  const double most = nu + 2.0 * std::sqrt(nu * (1.0 - nu) / n);
  Vector loose = Vector::Constant(losses.size(), std::numeric_limits<double>::infinity());
  runtime.parallel_for(losses.size(), [&](Index m) {
    if (losses[m] <= most) loose[m] = looseness(data, m, runtime);
  });
  Index best = 0;
  if (!std::isfinite(loose.minCoeff(&best))) losses.minCoeff(&best);
  return best;
}

std::unique_ptr<Model> BestLearner::fit(const TrainingSet& given, const Runtime& runtime) const {
  const Index n_kernels = given.bank.size();
  const bool one_class = given.task == Task::one_class;  // there may be no response to divide
  const TrainingSet data = {given.bank, given.task,
                            one_class ? Vector(Vector::Zero(given.bank.rows())) : given.y,
                            given.weights};
  Vector losses = Vector::Zero(n_kernels);
  const auto folds = make_folds(data.y, data.task, folds_, runtime.seed);
  const bool choice = n_kernels > 1 && folds.size() > 1;
  if (choice)
    runtime.parallel_for(n_kernels, [&](Index m) { losses[m] = loss(data, m, folds, runtime); });
  Index best = 0;
  if (choice && one_class) best = most_complex(data, losses, runtime);
  else losses.minCoeff(&best);  // the first of the smallest
  auto model = fit_svm(data, only(best, n_kernels), options_, runtime);
  model->report.path = losses;
  return model;
}

}  // namespace mk
