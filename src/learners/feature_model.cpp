#include "feature_model.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "../base/errors.hpp"
#include "per_kernel_model.hpp"

namespace mk {

Vector FeatureModel::values(const KernelFeatures& features, const Runtime& runtime) const {
  Vector f = Vector::Constant(features.rows(), bias);
  for (std::size_t m = 0; m < v.size(); ++m)
    if (v[m].size() > 0) f += features.forward(static_cast<Index>(m), v[m], runtime);
  return f;
}

namespace {

constexpr Index rows_together = 64 * panel_rows;

bool same_draw(const FeatureDraw& a, const FeatureDraw& b) {
  return a.seed == b.seed && a.count == b.count;
}

// Models that have the same features, group after group.
std::vector<Indices> groups_of(const FeatureModels& models) {
  std::vector<Indices> groups;
  for (Index k = 0; k < static_cast<Index>(models.size()); ++k) {
    auto group = groups.begin();
    while (group != groups.end() &&
           !same_draw(models[at(group->front())]->draw, models[at(k)]->draw))
      ++group;
    if (group == groups.end()) group = groups.insert(group, Indices());
    group->push_back(k);
  }
  return groups;
}

// Those of some models that have a part in kernel m, whose features are `columns`.
Indices users_of(Index m, const FeatureModels& models, const Indices& group) {
  Indices users;
  for (const Index k : group)
    if (models[at(k)]->v[at(m)].size() > 0) users.push_back(k);
  return users;
}

// Throws InvalidArgument if a model is of another number of features.
void check_lengths(Index m, Index columns, const FeatureModels& models, const Indices& users) {
  for (const Index k : users)
    if (models[at(k)]->v[at(m)].size() != columns)
      throw InvalidArgument("models", "of " + std::to_string(columns) + " features",
                            "of " + std::to_string(models[at(k)]->v[at(m)].size()));
}

// The new rows some at a time, so that no packed copy of all of them is made.
template <class Add>
void add_kernel(const ExplicitMap& map, const FeatureModels& models, const Indices& users, Index m,
                const CrossBank& cross, const Add& add) {
  const Index step = rows_together;
  for (Index first = 0; first < cross.rows(); first += step) {
    Indices positions(at(std::min(step, cross.rows() - first)));
    std::iota(positions.begin(), positions.end(), first);
    const auto group = cross.fresh().part(positions);
    const auto rows = map.rows(*group, cross.runtime());
    Matrix values(group->count(), static_cast<Index>(users.size()));
    cross.runtime().parallel_for(group->panels(), [&](Index panel) {
      Vector z = Vector::Zero(panel_rows * map.columns()), f(panel_rows);
      rows->values(panel, z.data());
      for (std::size_t k = 0; k < users.size(); ++k) {
        // Over the whole panel, so that a row has the same sum in any company.
        const Vector& v = models[at(users[k])]->v[at(m)];
        f.setZero();
        for (Index c = 0; c < v.size(); ++c)
          cross.runtime().simd->axpy(v[c], z.data() + c * panel_rows, f.data(), panel_rows);
        const Index count = panel_size(group->count(), panel);
        values.col(static_cast<Index>(k)).segment(panel * panel_rows, count) = f.head(count);
      }
    });
    for (std::size_t k = 0; k < users.size(); ++k)
      add(users[k], m, first, values.col(static_cast<Index>(k)));
  }
}

// Calls add(model, m, first, values) with z_m(x)'v_m at the new rows from `first` on, for the
// models that have a part in kernel m: kernel by kernel, in their order.
template <class Add>
void each_part(const FeatureModels& models, const CrossBank& cross, const Add& add) {
  const Runtime& runtime = cross.runtime();
  for (const Indices& group : groups_of(models))
    for (Index m = 0; m < cross.size(); ++m) {
      const Indices users = users_of(m, models, group);
      runtime.advance(1);
      if (users.empty()) continue;
      const FeatureDraw& draw = models[at(users.front())]->draw;
      const Index columns = ExplicitMap::columns(cross.fitted(), m, draw);
      check_lengths(m, columns, models, users);
      const ExplicitMap map(cross.fitted(), m, draw, runtime);
      add_kernel(map, models, users, m, cross, add);
    }
}

}  // namespace

Matrix feature_decision(const FeatureModels& models, const CrossBank& cross) {
  Matrix decision(cross.rows(), static_cast<Index>(models.size()));
  for (std::size_t k = 0; k < models.size(); ++k)
    decision.col(static_cast<Index>(k)).setConstant(models[k]->bias);
  each_part(models, cross, [&](Index k, Index, Index first, const Vector& values) {
    decision.col(k).segment(first, values.size()) += values;
  });
  return decision;
}

std::vector<Terms> feature_terms(const FeatureModels& models, const CrossBank& cross,
                                 const KernelGroups& groups) {
  std::vector<Terms> terms;
  for (const FeatureModel* model : models)
    terms.push_back({Matrix::Zero(cross.rows(), groups.count), model->bias});
  each_part(models, cross, [&](Index k, Index m, Index first, const Vector& values) {
    terms[at(k)].values.col(groups.of[at(m)]).segment(first, values.size()) += values;
  });
  return terms;
}

FeatureModels feature_models(const std::vector<const Model*>& models) {
  FeatureModels own;
  for (const Model* model : models)
    if (const auto* one = dynamic_cast<const FeatureModel*>(model)) own.push_back(one);
  if (own.size() != models.size()) own.clear();
  return own;
}

Vector FeatureModel::decision(const CrossBank& cross) const {
  return feature_decision({this}, cross).col(0);
}

Terms FeatureModel::terms(const CrossBank& cross, const KernelGroups& groups) const {
  return std::move(feature_terms({this}, cross, groups).front());
}

State FeatureModel::facts() const {
  State facts = basic_facts({}, Value(Vector()));
  facts.set("bias", bias);
  return facts;
}

// On landmarks it becomes a model of rows before it is stored: see on_landmarks().
State FeatureModel::state() const {
  if (draw.count == 0) throw InvalidArgument("models", "of rows, to be stored", "of features");
  State s;
  s.set("type", "features");
  s.set("seed", static_cast<double>(draw.seed));
  s.set("count", static_cast<double>(draw.count));
  s.set("bias", bias);
  s.set("weights", Value(weights));
  Vector columns(weights.size());
  for (std::size_t m = 0; m < v.size(); ++m)
    columns[static_cast<Index>(m)] = static_cast<double>(v[m].size());
  Vector all(static_cast<Index>(columns.sum()));
  Index first = 0;
  for (const Vector& one : v) {
    all.segment(first, one.size()) = one;
    first += one.size();
  }
  s.set("columns", Value(columns));
  s.set("coefficients", Value(all));
  return s;
}

FeatureDraw restore_draw(const State& s) {
  const double seed = s.number("seed");
  if (!(seed >= 0.0 && seed <= 0x1p53 && seed == std::floor(seed)))
    throw InvalidArgument("seed", "a whole number from 0 to 2^53", format_number(seed));
  return {static_cast<std::uint64_t>(seed), s.count("count", 1)};
}

std::unique_ptr<Model> FeatureModel::restore(const State& s) {
  auto model = std::make_unique<FeatureModel>();
  model->draw = restore_draw(s);
  model->bias = s.number("bias");
  model->weights = s.vector("weights");
  const Vector& columns = s.vector("columns");
  const Vector& all = s.vector("coefficients");
  const bool whole = columns.size() == model->weights.size() &&
                     (columns.array() >= 0.0 && columns.array() == columns.array().floor()).all() &&
                     columns.sum() == static_cast<double>(all.size());
  if (!whole || !all.allFinite() || !model->weights.allFinite() || !std::isfinite(model->bias))
    throw InvalidArgument("state", "that of a model on features", "of parts that do not fit");
  Index first = 0;
  for (Index m = 0; m < columns.size(); ++m) {
    const auto count = static_cast<Index>(columns[m]);
    model->v.emplace_back(all.segment(first, count));
    first += count;
  }
  return model;
}

std::unique_ptr<FeatureModel> on_features(const Model& model, const KernelBank& bank,
                                          const Runtime& runtime) {
  auto out = std::make_unique<FeatureModel>();
  out->weights = model.kernel_weights();
  out->v.resize(at(bank.size()));
  out->fitted = model.fitted;
  out->report = model.report;
  const KernelFeatures& features = *bank.features();
  if (const Expansion* e = model.expansion()) {
    const Vector b = spread(e->coefficients, e->rows, bank.rows());
    for (const Index m : nonzero(e->weights))
      out->v[at(m)] = e->weights[m] * features.backward(m, b, runtime);
    out->bias = e->bias;
    return out;
  }
  if (const auto* p = dynamic_cast<const PerKernelModel*>(&model)) {
    for (Index m = 0; m < p->coefficients.cols(); ++m)
      if (!p->coefficients.col(m).isZero(0.0))
        out->v[at(m)] =
            features.backward(m, spread(p->coefficients.col(m), p->rows, bank.rows()), runtime);
    out->bias = p->bias;
    return out;
  }
  throw InvalidArgument("approximate",
                        "left out for this learner, whose decision function is not a sum over "
                        "kernels",
                        "an approximation");
}

std::unique_ptr<Model> FeatureModel::on_landmarks(const Indices& landmarks,
                                                  const std::vector<Matrix>& back) const {
  auto out = std::make_unique<PerKernelModel>();
  out->rows = landmarks;
  out->weights = weights;
  out->bias = bias;
  out->report = report;
  out->fitted = fitted;
  out->coefficients = Matrix::Zero(static_cast<Index>(landmarks.size()), weights.size());
  for (std::size_t m = 0; m < v.size(); ++m)
    if (v[m].size() > 0) out->coefficients.col(static_cast<Index>(m)) = back[m] * v[m];
  drop_zero_rows(*out);
  return out;
}

Matrix unseen_values(const std::vector<const Model*>& models, const KernelBank& bank,
                     const Indices& test, const Indices& train, const Runtime& runtime) {
  const KernelBank seen = bank.subset(train), unseen = bank.subset(test);
  Matrix values(unseen.rows(), static_cast<Index>(models.size()));
  for (std::size_t k = 0; k < models.size(); ++k) {
    const auto* known = dynamic_cast<const OnFeatures*>(models[k]);
    const auto made = known != nullptr ? nullptr : on_features(*models[k], seen, runtime);
    values.col(static_cast<Index>(k)) =
        (known != nullptr ? known : made.get())->values(*unseen.features(), runtime);
  }
  return values;
}

}  // namespace mk
