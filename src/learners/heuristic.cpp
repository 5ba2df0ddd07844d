#include "heuristic.hpp"

#include <algorithm>

#include "../base/errors.hpp"
#include "../base/parameters.hpp"
#include "../kernels/row_blocks.hpp"
#include "folds.hpp"

namespace mk {

namespace {

// Of sum 1, without negative ones; all alike if there is nothing to choose by.
Vector normalized(const Vector& scores) {
  const Vector positive = scores.cwiseMax(0.0);
  const double total = positive.sum();
  if (!(total > 0.0))
    return Vector::Constant(scores.size(), 1.0 / static_cast<double>(scores.size()));
  return positive / total;
}

Vector held_out(const BestLearner& single, const TrainingSet& data, const Runtime& runtime) {
  const auto parts = make_folds(data, single.folds, runtime.seed);
  if (parts.size() < 2)
    throw InvalidArgument("y", "at least two rows of each class, to leave some out", "fewer");
  return held_out_errors(single, data, parts, runtime);
}

}  // namespace

Vector target_alignments(const TrainingSet& data, const Runtime& runtime) {
  constexpr Index some = 64;  // kernels at a time
  const Vector share = data.weights / data.weights.sum();
  const Vector t = data.y.cwiseProduct(share);
  const double size = data.y.cwiseAbs2().dot(share);
  Vector out(data.bank.size());
  for (Index first = 0; first < out.size(); first += some) {
    Indices kernels;
    for (Index m = first; m < std::min(out.size(), first + some); ++m) kernels.push_back(m);
    Vector products = Vector::Zero(static_cast<Index>(kernels.size()));
    Vector squares = products;
    each_row_block(
        data.bank, kernels,
        [&](const Indices& rows, std::vector<Matrix>& blocks) {
          runtime.parallel_for(products.size(), [&](Index k) {
            products[k] += take(t, rows).dot(blocks[at(k)] * t);
            squares[k] += take(share, rows).dot(blocks[at(k)].cwiseAbs2() * share);
          });
        },
        runtime);
    check_kernel_values(squares);
    for (Index k = 0; k < products.size(); ++k) {
      const double norm = std::sqrt(squares[k]) * size;
      out[first + k] = norm > 0.0 ? products[k] / norm : 0.0;
    }
    runtime.advance(products.size());
  }
  return out;
}

HeuristicLearner::HeuristicLearner(const State& parameters, const SmoOptions& smo, bool accuracy)
    : single(parameters, smo),
      by_accuracy(accuracy),
      threshold(read_number(parameters, "threshold", 0.5, {0.0, 1.0})) {}

std::unique_ptr<Model> HeuristicLearner::fit(const TrainingSet& data,
                                             const Runtime& runtime) const {
  if (!data.kind->has_response())
    throw InvalidArgument("task", "one with a response", data.kind->name());
  Vector scores;
  if (by_accuracy) {
    require_classes(data, "pwmk");
    scores = 1.0 - threshold - held_out(single, data, runtime).array();
  } else if (data.kind->has_classes()) {
    scores = target_alignments(data, runtime);
  } else {
    const Vector errors = held_out(single, data, runtime).cwiseAbs2();
    scores = errors.sum() - errors.array();
    if (errors.size() == 1) scores.setOnes();
  }
  return fit_svm(data, normalized(scores), single.svm, runtime);
}

HeuristicLearner fheuristic_learner(const State& parameters, const SmoOptions& smo) {
  return {parameters, smo, false};
}

HeuristicLearner pwmk_learner(const State& parameters, const SmoOptions& smo) {
  return {parameters, smo, true};
}

}  // namespace mk
