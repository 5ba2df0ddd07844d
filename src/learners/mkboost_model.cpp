// What a boosted model does once it is fitted: votes, and its state.
#include <algorithm>
#include <cmath>

#include "../base/errors.hpp"
#include "mkboost.hpp"

namespace mk {

void MkboostModel::prepare(const PredictOptions& options) {
  if (options.assumed != 0.0) Model::prepare(options);
  if (options.trials > alpha.size())
    throw InvalidArgument("trials", "at most " + std::to_string(alpha.size()),
                          std::to_string(options.trials));
  if (options.trials > 0) used_trials = options.trials;
}

// Trial by trial.
Vector MkboostModel::values(const KernelFeatures& features, const Runtime& runtime) const {
  Vector total = Vector::Zero(features.rows()), votes;
  for (std::size_t c = 0; c < classifiers.size();) {
    const Index trial = classifiers[c].trial;
    votes = Vector::Zero(features.rows());
    for (; c < classifiers.size() && classifiers[c].trial == trial; ++c) {
      const BaseClassifier& one = classifiers[c];
      if (alpha[trial] == 0.0) continue;
      const Vector f = features.forward(one.kernel, one.v, runtime);
      votes += one.vote * (f.array() + one.expansion.bias).matrix().unaryExpr(&class_of);
    }
    total += alpha[trial] * votes.unaryExpr(&class_of);
  }
  return total;
}

std::unique_ptr<Model> MkboostModel::on_landmarks(const Indices& landmarks,
                                                  const std::vector<Matrix>& back) const {
  auto out = std::make_unique<MkboostModel>(*this);
  out->training.clear();
  for (BaseClassifier& c : out->classifiers) {
    const Vector coefficients = back[at(c.kernel)] * c.v;
    c.v.resize(0);
    c.expansion.coefficients = take(coefficients, nonzero(coefficients));
    c.expansion.rows.clear();
    for (const Index i : nonzero(coefficients)) c.expansion.rows.push_back(landmarks[at(i)]);
  }
  return out;
}

// The classifiers that vote in the trials from `begin` to before `end`, kernel by kernel, so that
// each kernel is computed once for all trials if they are evaluated some at a time.
MkboostModel::Some MkboostModel::voters(Index begin, Index end) const {
  Some out;
  for (const BaseClassifier& c : classifiers)
    if (c.trial >= begin && c.trial < end && alpha[c.trial] != 0.0) out.push_back(&c);
  std::stable_sort(out.begin(), out.end(),
                   [](const auto* a, const auto* b) { return a->kernel < b->kernel; });
  return out;
}

std::vector<Expansion> MkboostModel::expansions_of(const Some& some) const {
  std::vector<Expansion> out;
  for (const BaseClassifier* c : some) {
    out.push_back(c->expansion);
    out.back().weights = Vector::Unit(n_kernels, c->kernel);
  }
  return out;
}

// On random features each classifier is a model on features of its own.
Matrix MkboostModel::evaluate(const Some& some, const CrossBank& cross) const {
  if (draw.count == 0) return cross.expand(expansions_of(some));
  std::vector<FeatureModel> models(some.size());
  FeatureModels all;
  for (std::size_t c = 0; c < some.size(); ++c) {
    models[c].v.resize(at(n_kernels));
    models[c].v[at(some[c]->kernel)] = some[c]->v;
    models[c].bias = some[c]->expansion.bias;
    models[c].draw = draw;
    all.push_back(&models[c]);
  }
  return feature_decision(all, cross);
}

std::vector<Expansion> MkboostModel::parts(Index most) const {
  if (draw.count > 0) return {};
  const Some all = voters(0, used_trials);
  return static_cast<Index>(all.size()) > most ? std::vector<Expansion>() : expansions_of(all);
}

Vector MkboostModel::combine(const Eigen::Ref<const Matrix>& values) const {
  Votes votes;
  add_votes(voters(0, used_trials), values, votes);
  return weigh(votes, values.rows());
}

// The same some trials and some classifiers at a time, if they are many: about 64 MB for the votes,
// and for the values and weights.
Vector MkboostModel::decision(const CrossBank& cross) const {
  constexpr Index numbers = Index{1} << 23;
  const Index most_trials = numbers / (cross.rows() + 1) + 1;
  const auto most = static_cast<std::size_t>(numbers / (cross.rows() + n_kernels) + 1);
  Vector total = Vector::Zero(cross.rows());
  for (Index begin = 0; begin < used_trials; begin += most_trials) {
    const Some all = voters(begin, std::min(begin + most_trials, used_trials));
    Votes votes;
    for (std::size_t first = 0; first < all.size(); first += most) {
      const std::size_t last = std::min(first + most, all.size());
      const Some some(&all[first], &all[first] + (last - first));
      add_votes(some, evaluate(some, cross), votes);
    }
    total += weigh(votes, cross.rows());
  }
  return total;
}

// Adds the votes of classifiers with these values, one column each, to those of their trials.
void MkboostModel::add_votes(const Some& some, const Eigen::Ref<const Matrix>& values,
                             Votes& votes) {
  for (std::size_t v = 0; v < some.size(); ++v) {
    Vector& sum = votes.emplace(some[v]->trial, Vector::Zero(values.rows())).first->second;
    sum += some[v]->vote * values.col(static_cast<Index>(v)).unaryExpr(&class_of);
  }
}

Vector MkboostModel::weigh(const Votes& votes, Index rows) const {
  Vector total = Vector::Zero(rows);
  for (const auto& trial : votes) total += alpha[trial.first] * trial.second.unaryExpr(&class_of);
  return total;
}

// Adds the contributions of all classifiers of some trials. A trial whose votes are all 0 decides
// for the positive class; then its classifiers have equal shares.
void MkboostModel::add_shares(const Some& some, const Eigen::Ref<const Matrix>& values,
                              const KernelGroups& groups, Matrix& shares) const {
  Votes votes, agreed;
  add_votes(some, values, votes);
  Vector size = Vector::Zero(alpha.size());
  for (const BaseClassifier* c : some) size[c->trial] += std::abs(c->vote);
  const auto agreement = [&](std::size_t v) {
    const BaseClassifier& c = *some[v];
    if (size[c.trial] == 0.0) return Vector(Vector::Ones(values.rows()));
    const Vector decided = votes.at(c.trial).unaryExpr(&class_of);
    const Vector own = c.vote * values.col(static_cast<Index>(v)).unaryExpr(&class_of);
    return Vector(own.cwiseProduct(decided).cwiseMax(0.0));
  };
  for (std::size_t v = 0; v < some.size(); ++v)
    agreed.emplace(some[v]->trial, Vector::Zero(values.rows())).first->second += agreement(v);
  for (std::size_t v = 0; v < some.size(); ++v) {
    const Index trial = some[v]->trial;
    const Vector decided = alpha[trial] * votes.at(trial).unaryExpr(&class_of);
    shares.col(groups.of[at(some[v]->kernel)]) +=
        decided.cwiseProduct(agreement(v)).cwiseQuotient(agreed.at(trial));
  }
}

Terms MkboostModel::combine_terms(const Eigen::Ref<const Matrix>& values,
                                  const KernelGroups& groups) const {
  Matrix shares = Matrix::Zero(values.rows(), groups.count);
  add_shares(voters(0, used_trials), values, groups, shares);
  return {shares, 0.0};
}

// Some trials at a time if they are many, at least one.
Terms MkboostModel::terms(const CrossBank& cross, const KernelGroups& groups) const {
  constexpr Index numbers = Index{1} << 23;
  const auto most = static_cast<std::size_t>(numbers / (cross.rows() + n_kernels) + 1);
  std::vector<std::size_t> members(at(alpha.size()), 0);
  for (const BaseClassifier& c : classifiers) ++members[at(c.trial)];
  Matrix shares = Matrix::Zero(cross.rows(), groups.count);
  for (Index begin = 0, end; begin < used_trials; begin = end) {
    std::size_t together = members[at(begin)];
    for (end = begin + 1; end < used_trials && together + members[at(end)] <= most; ++end)
      together += members[at(end)];
    const Some some = voters(begin, end);
    add_shares(some, evaluate(some, cross), groups, shares);
  }
  return {shares, 0.0};
}

// The share of a kernel in the sum of alpha_t; a trial of votes is shared in proportion to them.
Vector MkboostModel::kernel_weights() const {
  Vector weights = Vector::Zero(n_kernels), votes = Vector::Zero(alpha.size());
  for (const BaseClassifier& c : classifiers) votes[c.trial] += std::abs(c.vote);
  for (const BaseClassifier& c : classifiers)
    if (c.trial < used_trials && votes[c.trial] > 0.0)
      weights[c.kernel] += alpha[c.trial] * std::abs(c.vote) / votes[c.trial];
  const double sum = weights.sum();
  return sum > 0.0 ? Vector(weights / sum) : weights;
}

Indices MkboostModel::support() const {
  if (draw.count > 0) return {};
  if (!training.empty()) return training;
  Indices rows;
  for (const BaseClassifier& c : classifiers)
    rows.insert(rows.end(), c.expansion.rows.begin(), c.expansion.rows.end());
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

void MkboostModel::remap(const Indices& new_position) {
  for (Index& row : training) row = new_position[at(row)];
  for (BaseClassifier& c : classifiers)
    for (Index& row : c.expansion.rows) row = new_position[at(row)];
}

State MkboostModel::shared_facts() const {
  Indices rows;
  std::vector<double> coefficients, vote, length;
  for (const BaseClassifier& c : classifiers) {
    const Expansion& e = c.expansion;
    const Vector& own = draw.count > 0 ? c.v : e.coefficients;
    vote.push_back(c.vote);
    length.push_back(static_cast<double>(own.size()));
    rows.insert(rows.end(), e.rows.begin(), e.rows.end());
    coefficients.insert(coefficients.end(), own.data(), own.data() + own.size());
  }
  State s = basic_facts(rows, as_vector(coefficients));
  s.set("alpha", Value(alpha));
  s.set("error", Value(error));
  s.set("tried", Value(tried));
  s.set("training_error", Value(training_error));
  s.set("vote", Value(as_vector(vote)));
  s.set("length", Value(as_vector(length)));
  return s;
}

State MkboostModel::state() const {
  std::vector<double> trial, kernel, bias;  // counted from 1
  for (const BaseClassifier& c : classifiers) {
    trial.push_back(static_cast<double>(c.trial + 1));
    kernel.push_back(static_cast<double>(c.kernel + 1));
    bias.push_back(c.expansion.bias);
  }
  State s = shared_facts();
  s.set("type", "mkboost");
  s.set("n_kernels", static_cast<double>(n_kernels));
  s.set("trials", static_cast<double>(used_trials));
  s.set("trial", Value(as_vector(trial)));
  s.set("kernel", Value(as_vector(kernel)));
  s.set("bias", Value(as_vector(bias)));
  if (draw.count > 0) {
    s.set("seed", static_cast<double>(draw.seed));
    s.set("count", static_cast<double>(draw.count));
  }
  return s;
}

// Besides, of each trial: `alpha`, `error`, `tried`, `training_error`; of each base classifier, in
// the order of `rows`: `trial`, `kernel`, `vote`, and `length`, how many rows it has, or how many
// coefficients of random features.
State MkboostModel::facts() const {
  Indices trial, kernel;
  for (const BaseClassifier& c : classifiers) {
    trial.push_back(c.trial);
    kernel.push_back(c.kernel);
  }
  State facts = shared_facts();
  if (classifiers.size() == 1) facts.set("bias", classifiers.front().expansion.bias);
  facts.set("trial", Value(trial));
  facts.set("kernel", Value(kernel));
  return facts;
}

std::unique_ptr<Model> MkboostModel::restore(const State& s) {
  auto model = std::make_unique<MkboostModel>();
  model->n_kernels = s.count("n_kernels", 1);
  model->used_trials = s.count("trials", 1);
  model->alpha = s.vector("alpha");
  model->error = s.vector("error");
  model->tried = s.vector("tried");
  model->training_error = s.vector("training_error");
  if (model->used_trials > model->alpha.size())
    throw InvalidArgument("trials", "at most " + std::to_string(model->alpha.size()),
                          std::to_string(model->used_trials));
  const Vector &trial = s.vector("trial"), &kernel = s.vector("kernel"), &vote = s.vector("vote"),
               &bias = s.vector("bias"), &length = s.vector("length"),
               &coefficients = s.vector("coefficients");
  const Indices& rows = s.indices("rows");
  const Index count = trial.size();
  const auto refuse = [](const char* found) {
    throw InvalidArgument("state", "that of a boosted model", found);
  };
  const Index trials = model->alpha.size();
  const bool on_features = s.has("count");
  if (on_features) model->draw = restore_draw(s);
  if (model->error.size() != trials || model->tried.size() != trials ||
      model->training_error.size() != trials || kernel.size() != count || vote.size() != count ||
      bias.size() != count || length.size() != count ||
      (on_features ? 0 : coefficients.size()) != static_cast<Index>(rows.size()))
    refuse("of vectors that do not fit");
  if (!coefficients.allFinite() || !vote.allFinite() || !bias.allFinite() ||
      !model->alpha.allFinite() || !model->error.allFinite() || !model->tried.allFinite() ||
      !model->training_error.allFinite())
    refuse("of numbers that are not finite");
  const auto whole = [&](double value, double least, double most) {
    if (!(value >= least && value <= most) || value != std::floor(value))
      refuse("of positions or lengths out of range");
    return static_cast<Index>(value);
  };
  Index first = 0;
  for (Index k = 0; k < count; ++k) {
    BaseClassifier c;
    c.trial = whole(trial[k], k > 0 ? trial[k - 1] : 1.0, static_cast<double>(trials)) - 1;
    c.kernel = whole(kernel[k], 1.0, static_cast<double>(model->n_kernels)) - 1;
    c.vote = vote[k];
    c.expansion.bias = bias[k];
    const Index size = whole(length[k], 0.0, static_cast<double>(coefficients.size() - first));
    if (on_features) {
      c.v = coefficients.segment(first, size);
    } else {
      c.expansion.rows.assign(rows.begin() + first, rows.begin() + first + size);
      c.expansion.coefficients = coefficients.segment(first, size);
      check_increasing(c.expansion.rows);
    }
    first += size;
    model->classifiers.push_back(std::move(c));
  }
  if (first != coefficients.size()) refuse("of lengths out of range");
  return model;
}

}  // namespace mk
