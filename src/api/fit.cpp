#include "fit.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "../approximations/landmarks.hpp"
#include "../approximations/nystrom.hpp"
#include "../approximations/random_features.hpp"
#include "../base/checks.hpp"
#include "../base/errors.hpp"
#include "../learners/feature_model.hpp"
#include "predict.hpp"

namespace mk {

namespace {

Reduction read_reduction(const std::string& name) {
  if (name == "one_vs_one") return Reduction::one_vs_one;
  if (name == "one_vs_rest") return Reduction::one_vs_rest;
  throw InvalidArgument("multiclass", "\"one_vs_one\" or \"one_vs_rest\"", "\"" + name + "\"");
}

// Centered kernels average over all training rows; otherwise the support is enough.
bool keeps_all(const KernelSet& set) {
  for (Index item = 0; item < set.items(); ++item)
    for (const Normalization kind : set.normalization(item))
      if (kind == Normalization::center) return true;
  return false;
}

Indices rows_to_keep(const std::vector<std::vector<SubModel>>& fits, const KernelBank& bank) {
  if (keeps_all(bank.set())) return all_rows(bank.rows());
  std::vector<bool> used(at(bank.rows()), false);
  for (const auto& models : fits)
    for (const SubModel& sub : models)
      for (const Index row : sub.model->support()) used[at(row)] = true;
  Indices kept;
  for (Index i = 0; i < bank.rows(); ++i)
    if (used[at(i)]) kept.push_back(i);
  return kept;
}

// The position of each of n rows among `kept`, -1 for others.
Indices positions_in(const Indices& kept, Index n) {
  Indices position(at(n), -1);
  for (std::size_t k = 0; k < kept.size(); ++k) position[at(kept[k])] = static_cast<Index>(k);
  return position;
}

}  // namespace

Problem read_problem(const State& state) {
  Problem p;
  p.kind = target_kind(state.text("task"));
  p.y = state.vector("y");
  p.classes = state.count("classes", p.kind->has_classes() ? 2 : 0);
  p.weights = state.vector("weights");
  p.reduction = read_reduction(state.text("multiclass"));
  p.probability = state.flag("probability");
  if (state.has("balance")) p.class_factors = state.vector("balance");
  if (state.has("pairs")) {
    p.pairs = state.indices("pairs");
    if (p.pairs.empty()) throw InvalidArgument("pairs", "one position at least", "none");
  }
  return p;
}

namespace {

// `landmarks`: how they are chosen, with their number `count`; or `rows`: their positions.
Indices read_landmarks(const State& approximation, const KernelBank& bank, const Runtime& runtime) {
  if (!approximation.has("rows"))
    return choose_landmarks(approximation.text("landmarks"), approximation.count("count", 1), bank,
                            runtime);
  Indices rows = approximation.indices("rows");
  std::sort(rows.begin(), rows.end());
  const bool twice = std::adjacent_find(rows.begin(), rows.end()) != rows.end();
  if (rows.empty() || twice || rows.front() < 0 || rows.back() >= bank.rows())
    throw InvalidArgument("landmarks", "different rows from 1 to " + std::to_string(bank.rows()),
                          "others");
  return rows;
}

// What stands for the kernel matrices of a fit.
struct Approximation {
  std::shared_ptr<const KernelFeatures> features;
  Vector error;
  std::optional<Nystrom> nystrom;  // else the features are those of `draw`
  FeatureDraw draw;
};

// `method`: "nystrom", see read_landmarks(); or "random_features", with their number `count`.
Approximation approximate(const State& request, const KernelBank& bank, const Runtime& runtime) {
  if (!bank.set().label_products().empty())
    throw InvalidArgument("approximate", "left out for label-based kernels", "an approximation");
  Approximation out;
  const std::string& method = request.text("method");
  if (method == "random_features") {
    out.draw = {runtime.seed, request.count("count", 1)};
    RandomFeatures made = make_random_features(bank, out.draw, runtime);
    out.features = std::move(made.features);
    out.error = std::move(made.error);
  } else if (method == "nystrom") {
    out.nystrom = make_nystrom(bank, read_landmarks(request, bank, runtime), runtime);
    out.features = out.nystrom->features;
    out.error = out.nystrom->error;
  } else {
    throw InvalidArgument("method", "\"nystrom\" or \"random_features\"", "\"" + method + "\"");
  }
  return out;
}

// Models of features as they are stored, with the decision values on all rows.
void store_features(const Approximation& near, std::vector<SubModel>& models,
                    const Runtime& runtime) {
  for (SubModel& sub : models) {
    Model& model = *sub.model;
    auto& own = dynamic_cast<OnFeatures&>(model);
    if (model.fitted.size() != near.features->rows())
      model.fitted = own.values(*near.features, runtime);
    own.draw = near.draw;
    if (!near.nystrom) continue;
    const Vector weights = model.kernel_weights();
    for (Index m = 0; m < weights.size(); ++m)
      if (weights[m] != 0.0 && near.nystrom->indefinite[at(m)]) model.report.indefinite = true;
    sub.model = own.on_landmarks(near.nystrom->landmarks, near.nystrom->back);
  }
}

}  // namespace

FitResult fit(const FitRequest& request, const Runtime& runtime) {
  const Index n = request.x->rows();
  const LearnerPath path = make_path(request.learner);
  KernelBank bank = training_bank(request.x, request.kernels, runtime);
  FitResult out;
  std::optional<Approximation> near;
  if (!request.approximation.entries().empty()) {
    near = approximate(request.approximation, bank, runtime);
    bank = bank.approximate(near->features);
    out.approximation_error = near->error;
    out.approximation_form = form_name(near->features->form());
  }
  if (path.size > 1) bank.keep_sums();
  out.models = fit_problem(path, bank, request.problem, runtime);
  if (near)
    for (auto& models : out.models) store_features(*near, models, runtime);
  out.kept = rows_to_keep(out.models, bank);
  out.normalizers = bank.normalizers();
  const Indices position = positions_in(out.kept, n);
  for (auto& models : out.models) {
    // A process that fits some of the pairs leaves the rest to the one that has all of them.
    out.decision.push_back(request.problem.pairs.empty() ? training_decision(models, bank, runtime)
                                                         : known_decision(models, n));
    for (SubModel& sub : models) sub.model->remap(position);
  }
  return out;
}

namespace {

void check_parts(const std::vector<StoredFit>& parts, Index n) {
  if (parts.empty()) throw InvalidArgument("parts", "one at least", "none");
  const std::size_t learners = parts.front().models.size();
  for (const StoredFit& part : parts) {
    bool fine = part.models.size() == learners && part.decision.size() == learners;
    for (std::size_t l = 0; fine && l < learners; ++l)
      fine = part.decision[l].rows() == n &&
             part.decision[l].cols() == static_cast<Index>(part.models[l].size()) &&
             !part.decision[l].array().isInf().any();
    for (const Index row : part.kept) fine = fine && row >= 0 && row < n;
    if (!fine)
      throw InvalidArgument("parts", "fits to the same rows by the same learners", "others");
  }
}

Indices joined_rows(const std::vector<StoredFit>& parts) {
  Indices kept;
  for (const StoredFit& part : parts) kept.insert(kept.end(), part.kept.begin(), part.kept.end());
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  return kept;
}

}  // namespace

StoredFit join_fits(const SharedFeatures& x, const std::vector<State>& kernels,
                    const std::vector<StoredFit>& parts, const Runtime& runtime) {
  StoredFit out;
  const Index n = x->rows();
  check_parts(parts, n);
  out.kept = joined_rows(parts);
  const Indices position = positions_in(out.kept, n);
  for (std::size_t learner = 0; learner < parts.front().models.size(); ++learner) {
    std::vector<std::unique_ptr<Model>> owned;
    std::vector<const Model*> models;
    Matrix decision(n, 0);
    for (const StoredFit& part : parts) {
      for (const State& state : part.models[learner]) {
        owned.push_back(restore_checked(state, static_cast<Index>(part.kept.size())));
        owned.back()->remap(part.kept);
        models.push_back(owned.back().get());
      }
      const Matrix& more = part.decision[learner];
      decision.conservativeResize(Eigen::NoChange, decision.cols() + more.cols());
      decision.rightCols(more.cols()) = more;
    }
    if (decision.hasNaN()) {  // values that no process knew
      complete_decision(decision, models, training_bank(x, kernels, runtime), runtime);
      check_finite(view(decision), "decision");
    }
    std::vector<State> states;
    for (const auto& model : owned) {
      model->remap(position);
      states.push_back(model->state());
    }
    out.models.push_back(std::move(states));
    out.decision.push_back(std::move(decision));
  }
  return out;
}

}  // namespace mk
