#include "multiclass.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include "../base/errors.hpp"
#include "coupling.hpp"
#include "folds.hpp"

namespace mk {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

std::vector<ClassPair> all_pairs(const Problem& problem) {
  if (problem.task != Task::classification) return {{-1, -1}};
  if (problem.classes == 2) return {{1, 0}};
  std::vector<ClassPair> pairs;
  if (problem.reduction == Reduction::one_vs_rest) {
    for (Index c = 0; c < problem.classes; ++c) pairs.push_back({c, -1});
  } else {
    for (Index a = 0; a < problem.classes; ++a)
      for (Index b = a + 1; b < problem.classes; ++b) pairs.push_back({b, a});
  }
  return pairs;
}

// A process that shares the work with others fits some of the pairs only.
std::vector<ClassPair> class_pairs(const Problem& problem) {
  const std::vector<ClassPair> all = all_pairs(problem);
  if (problem.pairs.empty()) return all;
  std::vector<ClassPair> some;
  for (Index p : problem.pairs) {
    if (p < 0 || p >= static_cast<Index>(all.size()))
      throw InvalidArgument("pairs", "positions from 1 to " + std::to_string(all.size()),
                            std::to_string(p + 1));
    some.push_back(all[at(p)]);
  }
  return some;
}

Indices rows_of_pair(const Problem& problem, const ClassPair& pair, Index n) {
  if (pair.negative < 0) return all_rows(n);
  Indices rows;
  for (Index i = 0; i < n; ++i) {
    const Index code = static_cast<Index>(problem.y[i]);
    if (code == pair.positive || code == pair.negative) rows.push_back(i);
  }
  return rows;
}

Vector labels_of_pair(const Problem& problem, const ClassPair& pair, const Indices& rows) {
  Vector y = problem.task == Task::one_class ? Vector() : take(problem.y, rows);
  if (problem.task == Task::classification)
    for (Index i = 0; i < y.size(); ++i)
      y[i] = static_cast<Index>(y[i]) == pair.positive ? 1.0 : -1.0;
  return y;
}

// Weights that balance the classes, so that the rows of the rarer side have the factor 1 in the
// mean and those of the other side less. Factors above 1 would raise the cost of the few rows of a
// rare class: learning them by heart then costs less than one error, and convex multiple kernel
// learning turns to the kernel that can, the narrowest.
Vector balanced_weights(const Problem& problem, const Indices& rows, const Vector& y) {
  Vector weights = take(problem.weights, rows);
  if (problem.class_factors.size() == 0) return weights;
  double total[2] = {0.0, 0.0}, count[2] = {0.0, 0.0};
  for (Index i = 0; i < y.size(); ++i) {
    const int side = y[i] > 0.0 ? 1 : 0;
    total[side] += problem.class_factors[static_cast<Index>(problem.y[rows[at(i)]])];
    count[side] += 1.0;
  }
  return weights / std::max(total[0] / std::max(count[0], 1.0), total[1] / std::max(count[1], 1.0));
}

// Decision values of rows that the model did not see: inner cross-validation. With a class too
// small for that, those of the fit itself.
Vector unseen_decision(const Learner& learner, const TrainingSet& data, const Model& model,
                       const Runtime& runtime) {
  const auto folds = make_folds(data.y, data.task, 5, runtime.seed);
  if (folds.empty()) return model.fitted;
  Vector decision(data.y.size());
  runtime.parallel_for(static_cast<Index>(folds.size()), [&](Index f) {
    const Indices& test = folds[at(f)];
    const Indices train = complement(test, data.bank.rows());
    const KernelBank bank = data.bank.subset(train);
    const TrainingSet part = {bank, data.task, take(data.y, train), take(data.weights, train)};
    const auto fitted = learner.fit(part, runtime);
    const Vector values = fitted->decision(*data.bank.cross(test, train, runtime));
    for (std::size_t i = 0; i < test.size(); ++i) decision[test[i]] = values[static_cast<Index>(i)];
  });
  return decision;
}

SubModel fit_model(const Learner& learner, const Learner::Before* before, const TrainingSet& data,
                   const Problem& problem, const ClassPair& pair, const Runtime& runtime) {
  SubModel sub;
  sub.positive = pair.positive;
  sub.negative = pair.negative;
  sub.model =
      before == nullptr ? learner.fit(data, runtime) : learner.fit_after(*before, data, runtime);
  if (problem.probability && problem.task == Task::classification) {
    sub.sigmoid =
        fit_sigmoid(unseen_decision(learner, data, *sub.model, runtime), data.y, data.weights);
    sub.calibrated = true;
  }
  return sub;
}

// The models of one pair of classes, one per learner.
std::vector<SubModel> fit_pair(const std::vector<const Learner*>& learners, const KernelBank& bank,
                               const Problem& problem, const ClassPair& pair,
                               const Runtime& runtime) {
  const Index n = bank.rows();
  const Indices rows = rows_of_pair(problem, pair, n);
  const bool all = static_cast<Index>(rows.size()) == n;
  const KernelBank part = all ? bank : bank.subset(rows);
  const Vector y = labels_of_pair(problem, pair, rows);
  const TrainingSet data = {part, problem.task, y, balanced_weights(problem, rows, y)};
  if (problem.task == Task::classification &&
      (data.y.size() == 0 || data.y.maxCoeff() < 0.0 || data.y.minCoeff() > 0.0))
    throw InvalidArgument("y", "of two classes at least, each with an example", "of one class");
  std::vector<SubModel> models;
  for (std::size_t l = 0; l < learners.size(); ++l) {
    if (l == 0) {
      models.push_back(fit_model(*learners[l], nullptr, data, problem, pair, runtime));
    } else {
      const Learner::Before before = {*learners[l - 1], *models[l - 1].model};
      models.push_back(fit_model(*learners[l], &before, data, problem, pair, runtime));
      models[l - 1].model->leftover.reset();
    }
  }
  models.back().model->leftover.reset();
  if (!all)
    for (SubModel& sub : models) sub.model->remap(rows);
  return models;
}

void check_problem(const Problem& problem, Index n) {
  if (problem.weights.size() != n)
    throw InvalidArgument("weights", "of length " + std::to_string(n),
                          "of length " + std::to_string(problem.weights.size()));
  for (Index i = 0; i < n; ++i)
    if (!(problem.weights[i] >= 0.0) || problem.weights[i] > 1e300)
      throw InvalidArgument(
          "weights", "finite and >= 0",
          format_number(problem.weights[i]) + " at position " + std::to_string(i + 1));
  if (problem.task == Task::one_class) return;
  if (problem.class_factors.size() != 0 &&
      (problem.class_factors.size() != problem.classes || !problem.class_factors.allFinite() ||
       !(problem.class_factors.minCoeff() > 0.0)))
    throw InvalidArgument("balance", "a positive factor for each class", "others");
  if (problem.y.size() != n)
    throw InvalidArgument("y", "of length " + std::to_string(n),
                          "of length " + std::to_string(problem.y.size()));
  const double last = static_cast<double>(problem.classes - 1);
  for (Index i = 0; i < n; ++i) {
    const double y = problem.y[i];
    const bool fine = problem.task == Task::regression
                          ? y - y == 0.0
                          : y >= 0.0 && y <= last && y == std::floor(y);
    if (!fine)
      throw InvalidArgument("y",
                            problem.task == Task::regression
                                ? "finite"
                                : "class codes from 0 to " + format_number(last),
                            format_number(y) + " at position " + std::to_string(i + 1));
  }
}

constexpr Index most_numbers = Index{1} << 23;  // 64 MB

// Models that are evaluated in one pass over the kernels.
struct Batch {
  struct Member {
    Index model, first, count;  // its place among the expansions
  };
  std::vector<Expansion> expansions;
  std::vector<Member> members;
  double numbers = 0.0;  // that they hold, less models of one expansion
};

// Weights, rows and coefficients, which are copied once more when they are sorted.
double count_numbers(const std::vector<Expansion>& parts) {
  double numbers = 0.0;
  for (const Expansion& e : parts)
    numbers += static_cast<double>(e.weights.size()) + 4.0 * static_cast<double>(e.rows.size());
  return numbers;
}

// So many new rows at a time as give values for 64 MB.
void evaluate(const Batch& batch, const std::vector<const Model*>& models, const CrossBank& cross,
              Matrix& decision) {
  if (batch.members.empty()) return;
  const Index panels = most_numbers / static_cast<Index>(batch.expansions.size()) / panel_rows;
  const Index step = panel_rows * std::max<Index>(panels, 1);
  for (Index first = 0; first < cross.rows(); first += step) {
    const Index rows = std::min(step, cross.rows() - first);
    Indices positions(at(rows));
    std::iota(positions.begin(), positions.end(), first);
    const Matrix values = rows == cross.rows() ? cross.expand(batch.expansions)
                                               : cross.part(positions).expand(batch.expansions);
    for (const Batch::Member& m : batch.members)
      decision.col(m.model).segment(first, rows) =
          models[at(m.model)]->combine(values.middleCols(m.first, m.count));
  }
}

std::vector<std::vector<SubModel>> fit_all(const std::vector<const Learner*>& learners,
                                           const KernelBank& bank, const Problem& problem,
                                           const Runtime& runtime) {
  check_problem(problem, bank.rows());
  const auto pairs = class_pairs(problem);
  std::vector<std::vector<SubModel>> by_pair(pairs.size());
  const auto fit_one = [&](Index p) {
    by_pair[at(p)] = fit_pair(learners, bank, problem, pairs[at(p)], runtime);
  };
  if (pairs.size() == 1) fit_one(0);  // leaves the threads to the fit itself
  else runtime.parallel_for(static_cast<Index>(pairs.size()), fit_one);
  std::vector<std::vector<SubModel>> models(learners.size());
  for (std::size_t l = 0; l < learners.size(); ++l)
    for (auto& of_pair : by_pair) models[l].push_back(std::move(of_pair[l]));
  return models;
}

}  // namespace

std::vector<SubModel> fit_problem(const Learner& learner, const KernelBank& bank,
                                  const Problem& problem, const Runtime& runtime) {
  return std::move(fit_all({&learner}, bank, problem, runtime).front());
}

std::vector<std::vector<SubModel>> fit_problems(
    const std::vector<std::unique_ptr<Learner>>& learners, const KernelBank& bank,
    const Problem& problem, const Runtime& runtime) {
  std::vector<const Learner*> pointers;
  for (const auto& learner : learners) pointers.push_back(learner.get());
  return fit_all(pointers, bank, problem, runtime);
}

// The batches do not depend on the new rows, so that the values of a row are the same in any
// company.
Matrix decision_values(const std::vector<const Model*>& models, const CrossBank& cross) {
  const auto count = static_cast<Index>(models.size());
  Matrix decision(cross.rows(), count);
  Batch batch;
  for (Index m = 0; m < count; ++m) {
    std::vector<Expansion> parts = models[at(m)]->parts(most_numbers / (cross.size() + 1) + 1);
    if (parts.empty()) {
      decision.col(m) = models[at(m)]->decision(cross);
      continue;
    }
    const double numbers = parts.size() == 1 ? 0.0 : count_numbers(parts);
    if (batch.numbers + numbers > static_cast<double>(most_numbers)) {
      evaluate(batch, models, cross, decision);
      batch = Batch();
    }
    batch.numbers += numbers;
    batch.members.push_back(
        {m, static_cast<Index>(batch.expansions.size()), static_cast<Index>(parts.size())});
    std::move(parts.begin(), parts.end(), std::back_inserter(batch.expansions));
  }
  evaluate(batch, models, cross, decision);
  return decision;
}

Matrix known_decision(const std::vector<SubModel>& models, Index n) {
  Matrix decision = Matrix::Constant(n, static_cast<Index>(models.size()),
                                     std::numeric_limits<double>::quiet_NaN());
  for (std::size_t m = 0; m < models.size(); ++m)
    if (models[m].model->fitted.size() == n)
      decision.col(static_cast<Index>(m)) = models[m].model->fitted;
  return decision;
}

Matrix training_decision(const std::vector<SubModel>& models, const KernelBank& bank,
                         const Runtime& runtime) {
  const Index n = bank.rows();
  Matrix decision = known_decision(models, n);
  std::vector<const Model*> rest;
  Indices columns;
  for (std::size_t m = 0; m < models.size(); ++m) {
    if (models[m].model->fitted.size() == n) continue;
    rest.push_back(models[m].model.get());
    columns.push_back(static_cast<Index>(m));
  }
  if (rest.empty()) return decision;
  const Matrix values = decision_values(rest, *bank.cross(all_rows(n), all_rows(n), runtime));
  for (std::size_t c = 0; c < columns.size(); ++c)
    decision.col(columns[c]) = values.col(static_cast<Index>(c));
  return decision;
}

Indices vote(const Matrix& decision, const std::vector<ClassPair>& pairs, Index classes) {
  Indices winners(at(decision.rows()));
  for (Index i = 0; i < decision.rows(); ++i) {
    Vector votes = Vector::Zero(classes), sums = Vector::Zero(classes);
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const double f = decision(i, static_cast<Index>(p));
      sums[pairs[p].positive] += f;
      if (pairs[p].negative < 0) continue;
      sums[pairs[p].negative] -= f;
      votes[f >= 0.0 ? pairs[p].positive : pairs[p].negative] += 1.0;
    }
    Index best = 0;
    for (Index c = 1; c < classes; ++c)
      if (votes[c] > votes[best] || (votes[c] == votes[best] && sums[c] > sums[best])) best = c;
    winners[at(i)] = best;
  }
  return winners;
}

Matrix class_probabilities(const Matrix& decision, const std::vector<ClassPair>& pairs,
                           const std::vector<Sigmoid>& sigmoids, Index classes) {
  Matrix probability = Matrix::Zero(decision.rows(), classes);
  constexpr double least = 1e-7;  // pairwise probabilities of 0 and 1 would veto the others
  for (Index i = 0; i < decision.rows(); ++i) {
    Matrix r = Matrix::Zero(classes, classes);
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const double raw = sigmoid_probability(sigmoids[p], decision(i, static_cast<Index>(p)));
      if (pairs[p].negative < 0) {
        probability(i, pairs[p].positive) = raw;
        continue;
      }
      const double value = classes == 2 ? raw : std::min(std::max(raw, least), 1.0 - least);
      r(pairs[p].positive, pairs[p].negative) = value;
      r(pairs[p].negative, pairs[p].positive) = 1.0 - value;
    }
    if (pairs.front().negative < 0) {  // one against the rest: brought to sum 1
      const double sum = probability.row(i).sum();
      if (sum > 0.0) probability.row(i) /= sum;
      else probability.row(i).setConstant(1.0 / static_cast<double>(classes));
    } else if (classes == 2) {
      probability(i, 1) = r(1, 0);
      probability(i, 0) = r(0, 1);
    } else {
      probability.row(i) = couple(r).transpose();
    }
  }
  return probability;
}

}  // namespace mk
