#include "svm.hpp"

#include <cmath>

#include "../base/errors.hpp"
#include "../solvers/path_q.hpp"

namespace mk {

Expansion make_expansion(const Vector& coefficients, const Vector& weights, double bias) {
  Expansion e;
  e.weights = weights;
  e.bias = bias;
  e.rows = nonzero(coefficients);
  e.coefficients = take(coefficients, e.rows);
  return e;
}

void check_solution(const SmoResult& solved, const KernelBank& bank, const Vector& weights,
                    const Runtime& runtime) {
  if (solved.gradient.allFinite() && solved.beta.allFinite() && std::isfinite(solved.objective))
    return;
  Index culprit = -1;
  if (bank.features() == nullptr)
    bank.visit(
        [&](Index m, const Matrix& k) {
          if (weights[m] != 0.0 && !k.allFinite()) culprit = m;
        },
        runtime);
  if (culprit >= 0) refuse_kernel(bank, culprit);
  throw InvalidArgument(
      "The solution is not finite: scale the kernels or the response, or lower "
      "the cost.");
}

void refuse_kernel(const KernelBank& bank, Index m) {
  const std::string& name = bank.set().item_name(bank.set().locate(m).first);
  throw InvalidArgument("Kernel `" + name +
                            "` has values that are not finite on the training rows: scale "
                            "the features or choose other kernel parameters.",
                        name);
}

Vector fixed_weights(const Vector& weights, Index n_kernels) {
  if (weights.size() == 0 && n_kernels == 1) return Vector::Ones(1);
  if (weights.size() != n_kernels)
    throw InvalidArgument("weights",
                          "one number for each of the " + std::to_string(n_kernels) + " kernels",
                          std::to_string(weights.size()) + " numbers");
  for (Index m = 0; m < weights.size(); ++m)
    if (!(weights[m] >= 0.0) || std::isinf(weights[m]))
      throw InvalidArgument("weights", "finite and >= 0",
                            format_number(weights[m]) + " at position " + std::to_string(m + 1));
  return weights;
}

Report svm_report(const SmoResult& solved) {
  Report report;
  report.converged = solved.converged;
  report.indefinite = solved.indefinite;
  report.iterations = solved.iterations;
  report.objective = solved.objective;
  report.gap = solved.gap;
  report.violation = solved.violation;
  return report;
}

namespace {

std::unique_ptr<Model> fit_matrix(QMatrix& q, const TrainingSet& data, const Vector& weights,
                                  const SvmOptions& options, const Runtime& runtime,
                                  const Vector& start) {
  const SvmSolution solution = options.losses.of(data).solve(q, data, options.smo, start, runtime);
  check_solution(solution.solved, data.bank, weights, runtime);
  return svm_model(solution, weights);
}

// The matrix of points that follow each other, as long as their weights are the same.
class PathMatrix {
 public:
  // Null where points share nothing but a matrix: rows on demand, tolerances near rounding errors.
  QMatrix* of(const Vector& weights, const SmoOptions& smo, const KernelBank& bank,
              const Runtime& runtime) {
    if (!bank.fits(1.0) || smo.tol < 1e-5) return nullptr;
    if (q_ == nullptr || weights_ != weights) {
      q_.reset();
      weights_ = weights;
      k_ = bank.combination(weights, runtime);
      q_ = std::make_unique<PathQ>(k_.view, runtime.memory - bank.matrix_bytes(), runtime);
    }
    return q_.get();
  }

 private:
  Vector weights_;
  GramView k_;
  std::unique_ptr<PathQ> q_;
};

}  // namespace

std::unique_ptr<Model> fit_svm(const TrainingSet& data, const Vector& weights,
                               const SvmOptions& options, const Runtime& runtime,
                               const Vector& start) {
  return with_combination(data.bank, weights, runtime, [&](QMatrix& q) {
    return fit_matrix(q, data, weights, options, runtime, start);
  });
}

Models CombinationLearner::fit_path(const std::vector<CombinationLearner>& points,
                                    const TrainingSet& data, const Runtime& runtime) {
  const auto alike = [&](const CombinationLearner& a, const CombinationLearner& b) {
    return a.weights(data, runtime) == b.weights(data, runtime);
  };
  PathMatrix matrix;
  return fit_costs(points, data, alike, [&](const CombinationLearner& point, const Start& start) {
    const Vector weights = point.weights(data, runtime);
    QMatrix* q =
        points.size() > 1 ? matrix.of(weights, point.svm.smo, data.bank, runtime) : nullptr;
    if (q == nullptr) return fit_svm(data, weights, point.svm, runtime, start.coefficients);
    return fit_matrix(*q, data, weights, point.svm, runtime, start.coefficients);
  });
}

CombinationLearner svm_learner(const State& parameters, const SmoOptions& smo) {
  const Vector weights = parameters.has("weights") ? parameters.vector("weights") : Vector();
  return {parameters, smo, [weights](const TrainingSet& data, const Runtime&) {
            return fixed_weights(weights, data.bank.size());
          }};
}

}  // namespace mk
