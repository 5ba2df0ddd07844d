#include "svm.hpp"

#include <chrono>
#include <cmath>

#include "../base/errors.hpp"

namespace mk {

namespace {

double checked(const State& parameters, const char* name, double if_missing, bool zero_allowed,
               double most, const char* expected) {
  const double value = parameters.number(name, if_missing);
  if (!(zero_allowed ? value >= 0.0 : value > 0.0) || value > most || std::isinf(value))
    throw InvalidArgument(name, expected, format_number(value));
  return value;
}

// C_i, the cost times the weight of an example.
Vector bounds(const TrainingSet& data, double cost) {
  const Vector bounds = cost * data.weights;
  if (!bounds.allFinite())
    throw InvalidArgument("weights", "finite when multiplied by the cost " + format_number(cost),
                          "as large as " + format_number(data.weights.maxCoeff()));
  return bounds;
}

SmoProblem classification_problem(const TrainingSet& data, double cost) {
  const Index n = data.y.size();
  const Vector most = bounds(data, cost);
  SmoProblem p;
  p.linear = data.y;
  p.lower = Vector::Zero(n);
  p.upper = Vector::Zero(n);
  for (Index i = 0; i < n; ++i) (data.y[i] > 0.0 ? p.upper : p.lower)[i] = data.y[i] * most[i];
  return p;
}

SmoProblem regression_problem(const TrainingSet& data, double cost, double epsilon) {
  const Index n = data.y.size();
  SmoProblem p;
  p.linear.resize(2 * n);
  p.linear << (data.y.array() - epsilon).matrix(), (data.y.array() + epsilon).matrix();
  p.upper = Vector::Zero(2 * n);
  p.lower = Vector::Zero(2 * n);
  p.upper.head(n) = bounds(data, cost);
  p.lower.tail(n) = -p.upper.head(n);
  return p;
}

SmoProblem one_class_problem(const TrainingSet& data, double nu) {
  const Index n = data.bank.rows();
  SmoProblem p;
  p.linear = Vector::Zero(n);
  p.lower = Vector::Zero(n);
  p.upper = data.weights;
  p.total = nu * data.weights.sum();
  return p;
}

SmoProblem make_problem(const TrainingSet& data, const SvmOptions& options) {
  switch (data.task) {
    case Task::classification:
      return classification_problem(data, options.cost);
    case Task::regression:
      return regression_problem(data, options.cost, options.epsilon);
    case Task::one_class:
      break;
  }
  return one_class_problem(data, options.nu);
}

// What the tolerance refers to, the size of gradients. Labels have size 1; a response of a size
// below 1 would be no larger than the tolerance itself; without a response gradients are as large
// as the kernel.
double unit_of_tolerance(const QMatrix& q, const TrainingSet& data) {
  double unit = 1.0;
  if (data.task == Task::regression && data.y.size() > 0) {
    const double mean = data.y.mean();
    unit = std::min(1.0, (data.y.array() - mean).abs().maxCoeff());
  } else if (data.task == Task::one_class) {
    unit = 0.0;
    for (Index i = 0; i < q.size(); ++i) unit += std::abs(q.diagonal(i));
    unit /= static_cast<double>(q.size());
  }
  return unit > 0.0 && std::isfinite(unit) ? unit : 1.0;
}

}  // namespace

Expansion make_expansion(const Vector& coefficients, const Vector& weights, double bias) {
  Expansion e;
  e.weights = weights;
  e.bias = bias;
  for (Index i = 0; i < coefficients.size(); ++i)
    if (coefficients[i] != 0.0) e.rows.push_back(i);
  e.coefficients.resize(static_cast<Index>(e.rows.size()));
  for (std::size_t i = 0; i < e.rows.size(); ++i)
    e.coefficients[static_cast<Index>(i)] = coefficients[e.rows[i]];
  return e;
}

void check_solution(const SmoResult& solved, const KernelBank& bank, const Vector& weights,
                    const Runtime& runtime) {
  if (solved.gradient.allFinite() && solved.beta.allFinite() && std::isfinite(solved.objective))
    return;
  std::string culprit;
  bank.visit(
      [&](Index m, const Matrix& k) {
        if (weights[m] != 0.0 && !k.allFinite())
          culprit = "Kernel `" + bank.set().item_name(bank.set().locate(m).first) + "`";
      },
      runtime);
  if (culprit.empty())
    throw InvalidArgument(
        "The solution is not finite: scale the kernels or the response, or lower "
        "the cost.");
  throw InvalidArgument(culprit +
                        " has values that are not finite on the training rows: scale "
                        "the features or choose other kernel parameters.");
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

Vector start_from(const Model& before, double old_cost, const Vector& weights, double cost,
                  const TrainingSet& data) {
  const Expansion* e = before.expansion();
  if (e == nullptr || e->weights.size() != weights.size() || e->weights != weights) return {};
  Vector start = Vector::Zero(data.bank.rows());
  for (std::size_t i = 0; i < e->rows.size(); ++i) {
    const Index row = e->rows[i];
    const double b = e->coefficients[static_cast<Index>(i)];
    const bool bounded = std::abs(b) >= old_cost * data.weights[row] * (1.0 - 1e-12);
    start[row] = bounded ? b * (cost / old_cost) : b;
  }
  return start;
}

SvmOptions SvmOptions::read(const State& parameters, const SmoOptions& smo) {
  SvmOptions o;
  const double most = 1e300;
  o.cost = checked(parameters, "cost", o.cost, false, most, "a positive number up to 1e300");
  o.epsilon = checked(parameters, "epsilon", o.epsilon, true, most, "a number from 0 to 1e300");
  o.nu = checked(parameters, "nu", o.nu, false, 1.0, "a number in (0, 1]");
  o.smo = smo;
  return o;
}

SvmSolution solve_svm(QMatrix& q, const TrainingSet& data, const SvmOptions& options,
                      const Runtime& runtime, const Vector& start) {
  const Index n = data.bank.rows();
  const SmoProblem problem = make_problem(data, options);
  SmoOptions smo = options.smo;
  smo.tol *= unit_of_tolerance(q, data);
  SvmSolution solution;
  SmoResult& solved = solution.solved;
  if (data.task == Task::regression) {
    // Two variables per example, of which one is 0: the positive and the negative part.
    DoubledQ twice(q);
    Vector both;
    if (start.size() > 0) {
      both.resize(2 * n);
      both << start.cwiseMax(0.0), start.cwiseMin(0.0);
    }
    solved = solve_smo(twice, problem, both, smo, runtime);
    solution.coefficients = solved.beta.head(n) + solved.beta.tail(n);
  } else {
    solved = solve_smo(q, problem, start, smo, runtime);
    solution.coefficients = solved.beta;
  }
  // K b = gradient + p.
  solution.fitted = ((solved.gradient + problem.linear).head(n).array() + solved.bias).matrix();
  return solution;
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

std::unique_ptr<Model> fit_svm(const TrainingSet& data, const Vector& weights,
                               const SvmOptions& options, const Runtime& runtime,
                               const Vector& start) {
  const auto begin = std::chrono::steady_clock::now();
  SvmSolution solution;
  if (data.bank.fits(1.0)) {
    const GramView k = data.bank.combination(weights, runtime);
    StoredQ q(k.view, runtime.memory - data.bank.matrix_bytes(), runtime);
    solution = solve_svm(q, data, options, runtime, start);
  } else {
    CachedQ q(data.bank.row_evaluator(weights, runtime), 0.8 * runtime.memory);
    solution = solve_svm(q, data, options, runtime, start);
  }
  check_solution(solution.solved, data.bank, weights, runtime);
  auto model = std::make_unique<ExpansionModel>(
      make_expansion(solution.coefficients, weights, solution.solved.bias));
  model->fitted = std::move(solution.fitted);
  model->report = svm_report(solution.solved);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  model->report.seconds = elapsed.count();
  return model;
}

std::unique_ptr<Model> CombinationLearner::fit(const TrainingSet& data,
                                               const Runtime& runtime) const {
  return fit_svm(data, weights(data, runtime), options_, runtime);
}

std::unique_ptr<Model> CombinationLearner::fit_after(const Before& before, const TrainingSet& data,
                                                     const Runtime& runtime) const {
  const auto* other = dynamic_cast<const CombinationLearner*>(&before.learner);
  // Only the cost may differ, so that the start depends on the neighbours in a grid of costs alone.
  if (other == nullptr || other->options_.epsilon != options_.epsilon ||
      other->options_.nu != options_.nu)
    return fit(data, runtime);
  const Vector d = weights(data, runtime);
  const Vector start = start_from(before.model, other->options_.cost, d, options_.cost, data);
  return fit_svm(data, d, options_, runtime, start);
}

SvmLearner::SvmLearner(const State& parameters, const SmoOptions& smo)
    : CombinationLearner(SvmOptions::read(parameters, smo)) {
  if (parameters.has("weights")) weights_ = parameters.vector("weights");
}

Vector SvmLearner::weights(const TrainingSet& data, const Runtime& /*runtime*/) const {
  return fixed_weights(weights_, data.bank.size());
}

}  // namespace mk
