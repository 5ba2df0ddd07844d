// What a boosted model does once it is fitted: votes, and its state.
#include <algorithm>
#include <cmath>

#include "../base/errors.hpp"
#include "mkboost.hpp"

namespace mk {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace

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
    out.back().weights = Vector::Zero(n_kernels);
    out.back().weights[c->kernel] = 1.0;
  }
  return out;
}

std::vector<Expansion> MkboostModel::parts(Index most) const {
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
      add_votes(some, cross.expand(expansions_of(some)), votes);
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

State MkboostModel::state() const {
  const Index count = static_cast<Index>(classifiers.size());
  Vector trial(count), kernel(count), vote(count), bias(count), length(count);
  Indices rows;
  std::vector<double> coefficients;
  for (Index k = 0; k < count; ++k) {
    const BaseClassifier& c = classifiers[at(k)];
    trial[k] = static_cast<double>(c.trial + 1);
    kernel[k] = static_cast<double>(c.kernel + 1);
    vote[k] = c.vote;
    bias[k] = c.expansion.bias;
    length[k] = static_cast<double>(c.expansion.rows.size());
    rows.insert(rows.end(), c.expansion.rows.begin(), c.expansion.rows.end());
    coefficients.insert(coefficients.end(), c.expansion.coefficients.data(),
                        c.expansion.coefficients.data() + c.expansion.coefficients.size());
  }
  State s;
  s.set("type", Value(std::string("mkboost")));
  s.set("n_kernels", static_cast<double>(n_kernels));
  s.set("trials", static_cast<double>(used_trials));
  s.set("alpha", Value(alpha));
  s.set("error", Value(error));
  s.set("tried", Value(tried));
  s.set("training_error", Value(training_error));
  s.set("trial", Value(trial));
  s.set("kernel", Value(kernel));
  s.set("vote", Value(vote));
  s.set("bias", Value(bias));
  s.set("length", Value(length));
  s.set("rows", Value(rows));
  s.set("coefficients", Value(Vector(Eigen::Map<const Vector>(
                            coefficients.data(), static_cast<Index>(coefficients.size())))));
  return s;
}

std::unique_ptr<Model> MkboostModel::restore(const State& s) {
  auto model = std::make_unique<MkboostModel>();
  for (const char* name : {"n_kernels", "trials"})
    if (!(s.number(name) >= 1.0 && s.number(name) <= 2147483647.0))
      throw InvalidArgument(name, "a positive whole number", format_number(s.number(name)));
  model->n_kernels = static_cast<Index>(s.number("n_kernels"));
  model->used_trials = static_cast<Index>(s.number("trials"));
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
  if (kernel.size() != count || vote.size() != count || bias.size() != count ||
      length.size() != count || coefficients.size() != static_cast<Index>(rows.size()))
    refuse("of vectors that do not fit");
  if (!coefficients.allFinite() || !vote.allFinite() || !bias.allFinite() ||
      !model->alpha.allFinite())
    refuse("of numbers that are not finite");
  const double n_trials = static_cast<double>(model->alpha.size());
  const double n_kernels = static_cast<double>(model->n_kernels);
  Index first = 0;
  for (Index k = 0; k < count; ++k) {
    if (!(trial[k] >= 1.0 && trial[k] <= n_trials && kernel[k] >= 1.0 && kernel[k] <= n_kernels))
      refuse("of positions out of range");
    if (!(length[k] >= 0.0 && length[k] <= static_cast<double>(coefficients.size() - first)))
      refuse("of lengths out of range");
    BaseClassifier c;
    c.trial = static_cast<Index>(trial[k]) - 1;
    c.kernel = static_cast<Index>(kernel[k]) - 1;
    c.vote = vote[k];
    c.expansion.bias = bias[k];
    const Index size = static_cast<Index>(length[k]);
    c.expansion.rows.assign(rows.begin() + first, rows.begin() + first + size);
    c.expansion.coefficients = coefficients.segment(first, size);
    first += size;
    model->classifiers.push_back(std::move(c));
  }
  return model;
}

}  // namespace mk
