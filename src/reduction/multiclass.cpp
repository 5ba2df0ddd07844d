#include "multiclass.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>

#include "../base/errors.hpp"
#include "../learners/condensed_rows.hpp"
#include "../learners/folds.hpp"
#include "coupling.hpp"
#include "label_based.hpp"
#include "shared_moments.hpp"

namespace mk {

namespace {

// A process that shares the work with others fits some of the pairs only.
std::vector<ClassPair> class_pairs(const Problem& problem) {
  const std::vector<ClassPair> all = problem.kind->problems(problem.classes, problem.reduction);
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

// Decision values of rows that the models did not see, one column each: inner cross-validation.
// With a class too small for that, those of the fit itself.
// `known`: the moments of all rows, from which those of the test rows are taken.
Matrix unseen_decision(const LearnerPath& path, const TrainingSet& data, const Models& models,
                       const Moments* known, const Runtime& runtime) {
  Matrix decision(data.y.size(), path.size);
  const auto folds = make_folds(data, 5, runtime.seed);
  if (folds.empty())
    for (Index p = 0; p < path.size; ++p) decision.col(p) = models[at(p)]->fitted;
  runtime.parallel_for(static_cast<Index>(folds.size()), [&](Index f) {
    const Indices& test = folds[at(f)];
    const Indices train = complement(test, data.bank.rows());
    const KernelBank bank = data.bank.subset(train);
    std::optional<Moments> rest;
    if (known != nullptr) {
      const KernelBank left_out = data.bank.subset(test);
      rest = *known;
      rest->add(moments_of({left_out, data.rows(test)}, runtime), -1.0);
    }
    const Models fitted =
        fit_points(path, {bank, data.rows(train)}, runtime, rest ? &*rest : nullptr);
    std::vector<const Model*> pointers;
    for (const auto& model : fitted) pointers.push_back(model.get());
    const Matrix values = data.bank.features() != nullptr
                              ? unseen_values(pointers, data.bank, test, train, runtime)
                              : decision_values(pointers, *data.bank.cross(test, train, runtime));
    for (std::size_t i = 0; i < test.size(); ++i)
      decision.row(test[i]) = values.row(static_cast<Index>(i));
  });
  return decision;
}

// The moments of a training set, whose weights are a multiple of those of the problem, if it is
// solved from them.
std::optional<Moments> known_moments(const LearnerPath& path, const TrainingSet& data,
                                     const ClassPair& pair, double multiple,
                                     const SharedMoments* shared, const Runtime& runtime) {
  if (!(data.weights.sum() > 0.0) ||
      !CondensedRows::serves(path, data, data.bank, data.size(), runtime))
    return std::nullopt;
  return shared != nullptr ? shared->of(pair, multiple) : moments_of(data, runtime);
}

// The models of one pair of classes, one per point.
std::vector<SubModel> fit_pair(const LearnerPath& path, const KernelBank& bank,
                               const Problem& problem, const ClassPair& pair,
                               const SharedMoments* shared, const Runtime& runtime) {
  const Index n = bank.rows();
  const Indices rows = rows_of_pair(problem, pair, n);
  const bool all = static_cast<Index>(rows.size()) == n;
  const KernelBank part = all ? bank : bank.subset(rows);
  Target target = problem.rows(rows);
  target.y = problem.kind->labels(target.y, pair);
  const double before = target.weights.sum();
  target.weights = balanced_weights(problem, rows, target.y);
  const TrainingSet data(part, std::move(target));
  const std::optional<Moments> moments =
      known_moments(path, data, pair, data.weights.sum() / before, shared, runtime);
  const Moments* const known = moments ? &*moments : nullptr;
  Models models = fit_points(path, data, runtime, known);
  const bool calibrated = problem.probability && problem.kind->has_classes();
  Matrix unseen;
  if (calibrated) unseen = unseen_decision(path, data, models, known, runtime);
  std::vector<SubModel> subs(models.size());
  for (std::size_t p = 0; p < subs.size(); ++p) {
    SubModel& sub = subs[p];
    sub.classes = pair;
    if (calibrated)
      sub.sigmoid = fit_sigmoid(unseen.col(static_cast<Index>(p)), data.y, data.weights);
    sub.model = std::move(models[p]);
    if (!all) sub.model->remap(rows);
  }
  return subs;
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
  if (problem.class_factors.size() != 0 &&
      (problem.class_factors.size() != problem.classes || !problem.class_factors.allFinite() ||
       !(problem.class_factors.minCoeff() > 0.0)))
    throw InvalidArgument("balance", "a positive factor for each class", "others");
  problem.kind->check(problem.y, n, problem.classes);
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

// What is computed of models: of those that are made of expansions from their values, one column
// each, at the new rows from `first` on; of the others alone.
struct Wanted {
  std::function<std::vector<Expansion>(const Model& model, Index most)> parts;
  std::function<void(Index model, Index first, const Eigen::Ref<const Matrix>& values)> combine;
  std::function<void(Index model)> alone;
};

// So many new rows at a time as give values for 64 MB.
void evaluate(const Batch& batch, const CrossBank& cross, const Wanted& wanted) {
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
      wanted.combine(m.model, first, values.middleCols(m.first, m.count));
  }
}

// The batches do not depend on the new rows, so that the values of a row are the same in any
// company.
void evaluate_models(const std::vector<const Model*>& models, const CrossBank& cross,
                     const Wanted& wanted) {
  Batch batch;
  for (Index m = 0; m < static_cast<Index>(models.size()); ++m) {
    std::vector<Expansion> parts =
        wanted.parts(*models[at(m)], most_numbers / (cross.size() + 1) + 1);
    if (parts.empty()) {
      wanted.alone(m);
      continue;
    }
    const double numbers = parts.size() == 1 ? 0.0 : count_numbers(parts);
    if (batch.numbers + numbers > static_cast<double>(most_numbers)) {
      evaluate(batch, cross, wanted);
      batch = Batch();
    }
    batch.numbers += numbers;
    batch.members.push_back(
        {m, static_cast<Index>(batch.expansions.size()), static_cast<Index>(parts.size())});
    std::move(parts.begin(), parts.end(), std::back_inserter(batch.expansions));
  }
  evaluate(batch, cross, wanted);
}

}  // namespace

std::vector<std::vector<SubModel>> fit_problem(const LearnerPath& path, const KernelBank& bank,
                                               const Problem& problem, const Runtime& runtime) {
  check_problem(problem, bank.rows());
  const auto pairs = class_pairs(problem);
  std::vector<std::vector<SubModel>> by_pair(pairs.size());
  KernelBank whole = bank;
  if (pairs.size() > 1 || problem.probability) whole.share();
  const auto shared = SharedMoments::make(path, whole, problem, problem.classes, pairs, runtime);
  const auto fit_one = [&](Index p) {
    by_pair[at(p)] = fit_pair(path, whole, problem, pairs[at(p)], shared.get(), runtime);
  };
  if (pairs.size() == 1) fit_one(0);  // leaves the threads to the fit itself
  else runtime.parallel_for(static_cast<Index>(pairs.size()), fit_one);
  std::vector<std::vector<SubModel>> models(at(path.size));
  for (std::size_t p = 0; p < models.size(); ++p)
    for (auto& of_pair : by_pair) models[p].push_back(std::move(of_pair[p]));
  return models;
}

Matrix decision_values(const std::vector<const Model*>& models, const CrossBank& cross) {
  const FeatureModels on_features = feature_models(models);
  if (!on_features.empty()) return feature_decision(on_features, cross);
  Matrix decision(cross.rows(), static_cast<Index>(models.size()));
  Wanted wanted;
  wanted.parts = [](const Model& model, Index most) { return model.parts(most); };
  wanted.combine = [&](Index m, Index first, const Eigen::Ref<const Matrix>& values) {
    decision.col(m).segment(first, values.rows()) = models[at(m)]->combine(values);
  };
  wanted.alone = [&](Index m) { decision.col(m) = models[at(m)]->decision(cross); };
  evaluate_models(models, cross, wanted);
  return decision;
}

std::vector<Terms> decision_terms(const std::vector<const Model*>& models, const CrossBank& cross,
                                  const KernelGroups& groups) {
  const FeatureModels on_features = feature_models(models);
  if (!on_features.empty()) return feature_terms(on_features, cross, groups);
  std::vector<Terms> terms(models.size());
  Wanted wanted;
  wanted.parts = [&](const Model& model, Index most) { return model.term_parts(groups, most); };
  wanted.combine = [&](Index m, Index first, const Eigen::Ref<const Matrix>& values) {
    Terms& all = terms[at(m)];
    if (first == 0) all.values.resize(cross.rows(), groups.count);
    Terms some = models[at(m)]->combine_terms(values, groups);
    all.values.middleRows(first, values.rows()) = some.values;
    all.constant = some.constant;
  };
  wanted.alone = [&](Index m) { terms[at(m)] = models[at(m)]->terms(cross, groups); };
  evaluate_models(models, cross, wanted);
  return terms;
}

Matrix known_decision(const std::vector<SubModel>& models, Index n) {
  Matrix decision = Matrix::Constant(n, static_cast<Index>(models.size()),
                                     std::numeric_limits<double>::quiet_NaN());
  for (std::size_t m = 0; m < models.size(); ++m)
    if (models[m].model->fitted.size() == n)
      decision.col(static_cast<Index>(m)) = models[m].model->fitted;
  return decision;
}

void complete_decision(Matrix& decision, const std::vector<const Model*>& models,
                       const KernelBank& bank, const Runtime& runtime) {
  std::vector<const Model*> unknown;
  Indices columns;
  for (Index m = 0; m < decision.cols(); ++m) {
    if (!decision.col(m).hasNaN()) continue;
    unknown.push_back(models[at(m)]);
    columns.push_back(m);
  }
  if (unknown.empty()) return;
  const Indices all = all_rows(bank.rows());
  const Matrix values = decision_values(unknown, *bank.cross(all, all, runtime));
  for (std::size_t c = 0; c < columns.size(); ++c)
    decision.col(columns[c]) = values.col(static_cast<Index>(c));
}

Matrix training_decision(const std::vector<SubModel>& models, const KernelBank& bank,
                         const Runtime& runtime) {
  Matrix decision = known_decision(models, bank.rows());
  std::vector<const Model*> pointers;
  for (const SubModel& sub : models) pointers.push_back(sub.model.get());
  complete_decision(decision, pointers, bank, runtime);
  return decision;
}

Indices vote(const Eigen::Ref<const Matrix>& decision, const std::vector<FittedPair>& pairs,
             Index classes) {
  Indices winners(at(decision.rows()));
  for (Index i = 0; i < decision.rows(); ++i) {
    Vector votes = Vector::Zero(classes), sums = Vector::Zero(classes);
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const ClassPair& pair = pairs[p].classes;
      const double f = decision(i, static_cast<Index>(p));
      sums[pair.positive] += f;
      if (pair.negative < 0) continue;
      sums[pair.negative] -= f;
      votes[f >= 0.0 ? pair.positive : pair.negative] += 1.0;
    }
    Index best = 0;
    for (Index c = 1; c < classes; ++c)
      if (votes[c] > votes[best] || (votes[c] == votes[best] && sums[c] > sums[best])) best = c;
    winners[at(i)] = best;
  }
  return winners;
}

Matrix class_probabilities(const Eigen::Ref<const Matrix>& decision,
                           const std::vector<FittedPair>& pairs, Index classes) {
  Matrix probability = Matrix::Zero(decision.rows(), classes);
  constexpr double least = 1e-7;  // pairwise probabilities of 0 and 1 would veto the others
  for (Index i = 0; i < decision.rows(); ++i) {
    Matrix r = Matrix::Zero(classes, classes);
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const ClassPair& pair = pairs[p].classes;
      const double raw = sigmoid_probability(*pairs[p].sigmoid, decision(i, static_cast<Index>(p)));
      if (pair.negative < 0) {
        probability(i, pair.positive) = raw;
        continue;
      }
      const double value = classes == 2 ? raw : std::min(std::max(raw, least), 1.0 - least);
      r(pair.positive, pair.negative) = value;
      r(pair.negative, pair.positive) = 1.0 - value;
    }
    if (pairs.front().classes.negative < 0) {  // one against the rest: scaled to sum 1
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
