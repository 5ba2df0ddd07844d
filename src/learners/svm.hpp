// Support vector machines on a fixed combination of kernels.
#pragma once

#include "../losses/registry.hpp"
#include "../solvers/deferred_q.hpp"
#include "learner.hpp"

namespace mk {

struct SvmOptions {
  Losses losses = Losses::read(State());
  SmoOptions smo;

  // Reads the loss and its parameters; throws InvalidArgument if one is out of range.
  static SvmOptions read(const State& parameters, const SmoOptions& smo) {
    return {Losses::read(parameters), smo};
  }
};

Report svm_report(const SmoResult& solved);

// f(q) with q the matrix of sum_m weights_m K_m: stored if it fits the memory budget and pays (see
// DeferredQ), otherwise its rows are computed on demand.
template <class F>
auto with_combination(const KernelBank& bank, const Vector& weights, const Runtime& runtime,
                      const F& f) {
  if (!bank.fits(1.0)) {
    CachedQ q(bank.row_evaluator(weights, runtime), 0.8 * runtime.memory);
    return f(q);
  }
  const double bytes = bank.matrix_bytes(), spare = runtime.memory - bytes;
  GramView k;
  if (!bank.forms_at_once(weights, runtime)) {
    const auto form = [&] {
      k = bank.combination(weights, runtime);
      return k.view;
    };
    DeferredQ q(bank.row_evaluator(weights, runtime), bytes, form, spare, runtime);
    return f(q);
  }
  k = bank.combination(weights, runtime);
  StoredQ q(k.view, spare, runtime);
  return f(q);
}

// The SVM with kernel sum_m weights_m K_m. `start` (signed coefficients) may be empty.
std::unique_ptr<Model> fit_svm(const TrainingSet& data, const Vector& weights,
                               const SvmOptions& options, const Runtime& runtime,
                               const Vector& start = Vector());

// The expansion with these signed coefficients, rows with 0 left out.
Expansion make_expansion(const Vector& coefficients, const Vector& weights, double bias);

// The model of a solution, with its report.
template <class M = ExpansionModel>
std::unique_ptr<Model> svm_model(const SvmSolution& solution, const Vector& weights) {
  auto model =
      std::make_unique<M>(make_expansion(solution.coefficients, weights, solution.solved.bias));
  model->fitted = solution.fitted;
  model->report = svm_report(solution.solved);
  return model;
}

// Throws InvalidArgument naming the kernel if the solution is not finite. Values that are not
// finite show in the gradient; only then is it worth looking for their source.
void check_solution(const SmoResult& solved, const KernelBank& bank, const Vector& weights,
                    const Runtime& runtime);

// Throws InvalidArgument naming a kernel whose values are not finite.
[[noreturn]] void refuse_kernel(const KernelBank& bank, Index m);

// Weights given by the user, checked; none are needed for a single kernel.
Vector fixed_weights(const Vector& weights, Index n_kernels);

// Where a fit starts: weights and signed coefficients of an earlier solution, or nothing.
struct Start {
  Vector weights, coefficients;
};

// Points that differ in their cost alone, as far as alike(a, b) sees, start from the one before:
// the models fit(point, start). A point has `svm`, its options.
template <class L, class Alike, class Fit>
Models fit_costs(const std::vector<L>& points, const TrainingSet& data, const Alike& alike,
                 const Fit& fit) {
  const auto loss = [&](const L& point) -> const Loss& { return point.svm.losses.of(data); };
  const auto in_cost_alone = [&](const L& a, const L& b) {
    return differ_in_cost_alone(loss(a), loss(b)) && alike(a, b);
  };
  Models models(points.size());
  for (const Indices& group : group_points(points, in_cost_alone))
    for (std::size_t g = 0; g < group.size(); ++g) {
      const Stopwatch watch;
      const L& point = points[at(group[g])];
      const Loss& own = loss(point);
      Start start;
      if (g > 0) {
        const Expansion& e = *models[at(group[g - 1])]->expansion();
        start.weights = e.weights;
        start.coefficients = own.rescaled(spread(e.coefficients, e.rows, data.size()),
                                          loss(points[at(group[g - 1])]).cost, data);
      }
      auto& model = models[at(group[g])] = fit(point, start);
      model->report.seconds = watch.seconds();
    }
  return models;
}

// An SVM on a combination of kernels which does not depend on the solution.
struct CombinationLearner : Learner {
  using Weights = std::function<Vector(const TrainingSet&, const Runtime&)>;

  CombinationLearner(const State& parameters, const SmoOptions& smo, Weights of_kernels)
      : svm(SvmOptions::read(parameters, smo)), weights(std::move(of_kernels)) {}
  static Models fit_path(const std::vector<CombinationLearner>& points, const TrainingSet& data,
                         const Runtime& runtime);

  SvmOptions svm;
  Weights weights;
};

CombinationLearner svm_learner(const State& parameters, const SmoOptions& smo);

}  // namespace mk
