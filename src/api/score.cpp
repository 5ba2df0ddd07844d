#include "score.hpp"

#include <algorithm>

#include "../base/errors.hpp"
#include "predict.hpp"

namespace mk {

namespace {

// The new rows against the training rows of a bank.
CrossBank fresh_bank(const ScoreRequest& request, const KernelBank& bank, const Runtime& runtime) {
  const FitRequest& fit = request.fit;
  check_shape(*request.fresh, *fit.x, "fresh");
  request.fresh->check_finite("fresh");
  const KernelItems items = read_kernels(*request.fresh, fit.x->rows(), fit.kernels);
  Examples examples = new_examples(request.fresh, items, "fresh", runtime);
  items.set->check_domain(examples, "fresh");
  const auto training = std::make_shared<const RowGroup>(bank.group());
  const auto fresh = whole_group(std::move(examples), false, training->origins());
  return CrossBank(bank.fitted(), fresh, training, runtime);
}

Index count_support(const std::vector<SubModel>& models, Index n) {
  std::vector<bool> used(at(n), false);
  for (const SubModel& sub : models) {
    const State facts = sub.model->facts();
    for (const Index row : facts.indices("rows")) used[at(row)] = true;
  }
  return static_cast<Index>(std::count(used.begin(), used.end(), true));
}

Matrix count_classes(const Score& one, const ScoreRequest& request) {
  const Index classes = request.fit.problem.classes;
  const Indices predicted = predict_classes(view(one.decision), one.pairs, classes);
  Matrix counts = Matrix::Zero(request.levels, classes);
  for (std::size_t i = 0; i < predicted.size(); ++i)
    if (request.truth[i] >= 0) counts(request.truth[i], predicted[i]) += 1.0;
  return counts;
}

void check_request(const ScoreRequest& request) {
  if (!request.fit.approximation.entries().empty())
    throw InvalidArgument("approximate", "left out where fits are scored", "an approximation");
  if (request.truth.empty()) return;
  bool fine = request.fit.problem.kind->has_classes() &&
              static_cast<Index>(request.truth.size()) == request.fresh->rows();
  for (const Index level : request.truth) fine = fine && level >= -1 && level < request.levels;
  if (!fine) throw InvalidArgument("truth", "the level of each new row", "others");
}

}  // namespace

std::vector<Score> score(const ScoreRequest& request, const Runtime& runtime) {
  check_request(request);
  const FitRequest& fit = request.fit;
  const LearnerPath path = make_path(fit.learner);
  KernelBank bank = training_bank(fit.x, fit.kernels, runtime);
  if (path.size > 1) bank.keep_sums();
  const auto models = fit_problem(path, bank, fit.problem, runtime);
  std::vector<const Model*> all;
  for (const auto& of_point : models)
    for (const SubModel& sub : of_point) all.push_back(sub.model.get());
  const Matrix decision = decision_values(all, fresh_bank(request, bank, runtime));
  check_decision(decision);
  std::vector<Score> out;
  Index column = 0;
  for (const auto& of_point : models) {
    Score one;
    const Index count = static_cast<Index>(of_point.size());
    one.decision = decision.middleCols(column, count);
    column += count;
    for (const SubModel& sub : of_point) {
      one.pairs.push_back(sub);
      one.converged.push_back(sub.model->report.converged);
    }
    one.support = count_support(of_point, bank.rows());
    if (!request.truth.empty()) one.counts = count_classes(one, request);
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace mk
