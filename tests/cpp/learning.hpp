// What the tests of learners share: small problems and the road from parameters to a fit.
#pragma once

#include "fixtures.hpp"
#include "learners/registry.hpp"
#include "learners/svm.hpp"
#include "reduction/multiclass.hpp"

namespace fixtures {

// Two classes around two centres that overlap, or a smooth response, on 4 columns.
struct Small {
  Matrix x;
  Vector labels;  // -1 / +1, both present
  Vector response;
  Vector weights;

  explicit Small(Index n, std::uint64_t seed = 1) : x(normal_matrix(n, 4, seed)) {
    mk::Random random(seed, 21);
    labels.resize(n);
    response.resize(n);
    weights = Vector::Ones(n);
    for (Index i = 0; i < n; ++i) {
      labels[i] = i % 2 == 0 ? 1.0 : -1.0;
      x(i, 0) += 0.8 * labels[i];
      response[i] = std::sin(x(i, 0)) + 0.5 * x(i, 1) + 0.1 * normal(random);
    }
  }

  mk::TrainingSet set(const mk::KernelBank& bank, const mk::TargetKind* task) const {
    const Vector& y = task == mk::regression() ? response : labels;
    return {bank, {task, task->has_response() ? y : Vector(), weights}};
  }
};

inline const std::vector<const mk::TargetKind*>& every_task() { return mk::target_kinds(); }

inline State parameters(const Parameters& values) {
  State state;
  for (const auto& p : values) state.set(p.first, p.second);
  return state;
}

inline State with_weights(State state, const Vector& weights) {
  state.set("weights", Value(weights));
  return state;
}

inline mk::SmoOptions smo_options(double tol = 1e-3) {
  mk::SmoOptions options;
  options.tol = tol;
  return options;
}

// A path of one point.
struct OnePoint {
  mk::LearnerPath path;

  std::unique_ptr<mk::Model> fit(const mk::TrainingSet& data, const mk::Runtime& runtime) const {
    return std::move(path.fit(data, runtime).front());
  }
  const OnePoint* operator->() const { return this; }
};

inline OnePoint learner(const std::string& name, const State& state, const mk::SmoOptions& smo) {
  return {mk::make_path({name, {state}, smo, nullptr})};
}

inline OnePoint learner(const std::string& name, const State& state = State(), double tol = 1e-3) {
  return learner(name, state, smo_options(tol));
}

inline std::vector<mk::SubModel> fit_one(const OnePoint& learner, const mk::KernelBank& bank,
                                         const mk::Problem& problem, const mk::Runtime& runtime) {
  return std::move(mk::fit_problem(learner.path, bank, problem, runtime).front());
}

inline mk::Models fit_points(const std::string& name, const std::vector<State>& points,
                             const mk::TrainingSet& data, const mk::Runtime& runtime,
                             double tol = 1e-3) {
  return mk::make_path({name, points, smo_options(tol), nullptr}).fit(data, runtime);
}

// Three kernels of different worth.
inline std::vector<State> three_kernels() {
  return {item("rbf", {{"gamma", 0.2}}), item("linear", {}, {"center", "trace"}),
          on(item("laplacian", {{"sigma", 2.0}}, {"cosine"}), {2, 3})};
}

inline Vector decision_on(const mk::Model& model, const mk::KernelBank& bank,
                          const TestRuntime& runtime) {
  const Indices all = mk::all_rows(bank.rows());
  return model.decision(*bank.cross(all, all, runtime));
}

}  // namespace fixtures
