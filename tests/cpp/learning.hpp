// What the tests of learners share: small problems and the road from parameters to a fit.
#pragma once

#include "fixtures.hpp"
#include "learners/registry.hpp"
#include "learners/svm.hpp"

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

  mk::TrainingSet set(const mk::KernelBank& bank, mk::Task task) const {
    return {bank, task,
            task == mk::Task::classification ? labels
            : task == mk::Task::regression   ? response
                                             : Vector(),
            weights};
  }
};

inline const std::vector<mk::Task>& every_task() {
  static const std::vector<mk::Task> tasks = {mk::Task::classification, mk::Task::regression,
                                              mk::Task::one_class};
  return tasks;
}

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

inline std::unique_ptr<mk::Learner> learner(const std::string& name, const State& state = State(),
                                            double tol = 1e-3) {
  return mk::make_learner(name, state, smo_options(tol));
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
