#include "best.hpp"

#include <cmath>

#include "../base/parameters.hpp"
#include "feature_model.hpp"
#include "folds.hpp"

namespace mk {

namespace {

// Whether the errors of the two classes are averaged. Weights say that the classes, or some rows,
// are not to be counted alike: the share of errors would then go by the larger class.
bool by_class(const TrainingSet& data, BestLearner::Metric metric) {
  if (!data.kind->has_classes()) return false;
  if (metric != BestLearner::Metric::automatic)
    return metric == BestLearner::Metric::balanced_accuracy;
  return (data.weights.array() != data.weights[0]).any();
}

// Error of kernel m on the rows that are left out of the fits, see TargetKind::error().
double error_of(const BestLearner& learner, const TrainingSet& data, Index m,
                const std::vector<Indices>& folds, const Runtime& runtime) {
  const Vector weights = Vector::Unit(data.bank.size(), m);
  Indices rows;
  Vector decision(data.size());  // on `rows`
  for (const Indices& test : folds) {
    const Indices train = complement(test, data.bank.rows());
    const KernelBank bank = data.bank.subset(train);
    const auto model = fit_svm({bank, data.rows(train)}, weights, learner.svm, runtime);
    decision.segment(static_cast<Index>(rows.size()), static_cast<Index>(test.size())) =
        bank.features() != nullptr
            ? Vector(unseen_values({model.get()}, data.bank, test, train, runtime))
            : model->decision(*data.bank.cross(test, train, runtime));
    rows.insert(rows.end(), test.begin(), test.end());
  }
  return data.kind->error(data.rows(rows), decision, by_class(data, learner.metric));
}

// The squared length of w against the mean diagonal of the kernel: 1 for one that cannot tell the
// rows apart, about 1/n for one under which no two rows are alike.
double looseness(const SvmOptions& svm, const TrainingSet& data, Index m, const Runtime& runtime) {
  const Vector weights = Vector::Unit(data.bank.size(), m);
  const double length = -2.0 * fit_svm(data, weights, svm, runtime)->report.objective;
  const double diagonal = data.bank.row_evaluator(weights, runtime)->diagonal().mean();
  // Not of a kernel that is not positive.
  return length > 0.0 && diagonal > 0.0 ? length / diagonal : infinity;
}

Index most_complex(const BestLearner& learner, const TrainingSet& data, const Vector& errors,
                   const Runtime& runtime) {
  // Rows of unequal weights tell as much as this many of equal ones.
  const double n = std::pow(data.weights.sum(), 2) / data.weights.squaredNorm(), nu = learner.nu;
  const double most = nu + 2.0 * std::sqrt(nu * (1.0 - nu) / n);
  Vector loose = Vector::Constant(errors.size(), infinity);
  runtime.parallel_for(errors.size(), [&](Index m) {
    if (errors[m] <= most) loose[m] = looseness(learner.svm, data, m, runtime);
  });
  Index best = 0;
  if (!std::isfinite(loose.minCoeff(&best))) errors.minCoeff(&best);
  return best;
}

}  // namespace

BestLearner::BestLearner(const State& parameters, const SmoOptions& smo)
    : svm(SvmOptions::read(parameters, smo)),
      nu(parameters.number("nu", 0.5)),
      folds(read_count(parameters, "folds", 5, 2)) {
  if (!parameters.has("metric")) return;
  const std::string name = read_choice(parameters, "metric", {"accuracy", "balanced_accuracy"});
  metric = name == "accuracy" ? Metric::accuracy : Metric::balanced_accuracy;
}

Vector held_out_errors(const BestLearner& learner, const TrainingSet& data,
                       const std::vector<Indices>& folds, const Runtime& runtime) {
  Vector errors = Vector::Zero(data.bank.size());
  runtime.parallel_for(errors.size(),
                       [&](Index m) { errors[m] = error_of(learner, data, m, folds, runtime); });
  return errors;
}

std::unique_ptr<Model> BestLearner::fit(const TrainingSet& data, const Runtime& runtime) const {
  const Index n_kernels = data.bank.size();
  Vector errors = Vector::Zero(n_kernels);
  const auto parts = make_folds(data, folds, runtime.seed);
  const bool choice = n_kernels > 1 && parts.size() > 1;
  if (choice) errors = held_out_errors(*this, data, parts, runtime);
  Index best = 0;
  if (choice && !data.kind->has_response()) best = most_complex(*this, data, errors, runtime);
  else errors.minCoeff(&best);  // the first of the smallest
  auto model = fit_svm(data, Vector::Unit(n_kernels, best), svm, runtime);
  model->report.path = errors;
  return model;
}

}  // namespace mk
