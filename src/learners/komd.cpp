#include "komd.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "../base/errors.hpp"
#include "../reduction/folds.hpp"

namespace mk {

Indices positives_first(const Vector& y) {
  Indices order;
  for (double side : {1.0, -1.0})
    for (Index i = 0; i < y.size(); ++i)
      if (y[i] * side > 0.0) order.push_back(i);
  return order;
}

namespace {

SmoProblem two_simplices(const Vector& y) {
  const Index n = y.size();
  SmoProblem p;
  p.linear = Vector::Zero(n);
  p.upper = y.cwiseMax(0.0);  // sums of 1 keep every gamma below 1
  p.lower = y.cwiseMin(0.0);
  p.total = 1.0;
  p.second_total = -1.0;
  p.second = (y.array() > 0.0).count();
  return p;
}

// Every example of a class with the same weight: the solution for lambda = 1.
Vector class_means(const Vector& y) {
  const double positive = static_cast<double>((y.array() > 0.0).count());
  const double negative = static_cast<double>(y.size()) - positive;
  return y.unaryExpr([=](double v) { return v > 0.0 ? 1.0 / positive : -1.0 / negative; });
}

// F(gamma) - min F <= gradient of F times (gamma - the best corner of the two simplices). The gap
// of the solver is much wider: it does not know that sums of 1 bound every gamma.
double simplex_gap(const SmoResult& r, Index negatives) {
  const double best = r.gradient.head(negatives).minCoeff() -
                      r.gradient.tail(r.gradient.size() - negatives).maxCoeff();
  return std::max(0.0, 2.0 * (r.beta.dot(r.gradient) - best));
}

double mean_diagonal(const QMatrix& k, double lambda) {
  double size = 0.0;
  for (Index i = 0; i < k.size(); ++i) size += std::abs((1.0 - lambda) * k.diagonal(i) + lambda);
  return size / static_cast<double>(k.size());
}

// With the distance of the two points as the objective.
SmoResult solve_once(QMatrix& k, const SmoProblem& problem, const Vector& start,
                     const KomdOptions& options, double size, const Runtime& runtime) {
  // The solver works on numbers of size 1, whatever that of the kernel; a power of 2 changes no
  // digit.
  const bool usual = size > 1e-290 && size < 1e290;
  const double unit = usual ? std::exp2(std::round(std::log2(size))) : 1.0;
  RidgedQ q(k, (1.0 - options.lambda) / unit, options.lambda / unit);
  SmoOptions smo = options.smo;
  smo.tol *= std::max(size / unit, 1e-300);  // gradients are of the size of the kernel
  SmoResult r = solve_smo(q, problem, start, smo, runtime);
  r.gradient *= unit;
  for (double* value : {&r.bias, &r.objective, &r.violation}) *value *= unit;
  r.objective *= -2.0;
  r.gap = simplex_gap(r, problem.second);
  return r;
}

// Whether the distance is no larger than its error.
bool is_noise(const SmoResult& r, double size) {
  return !(std::abs(r.objective) > std::max(r.gap, 1e-14 * size));
}

// Where the tolerance, which is relative to the kernel, is too coarse for the distance of the
// classes, a tighter one tells classes that are near each other from classes that overlap.
SmoResult solve_on(QMatrix& k, const SmoProblem& problem, const Vector& start,
                   const KomdOptions& options, const Runtime& runtime, bool& overlap) {
  const double size = mean_diagonal(k, options.lambda);
  SmoResult r = solve_once(k, problem, start, options, size, runtime);
  if (is_noise(r, size) && r.converged) {
    KomdOptions finer = options;
    finer.smo.tol *= 1e-4;
    finer.smo.max_iter = std::min(options.smo.max_iter, 10.0 * r.iterations + 1000.0);
    SmoResult more = solve_once(k, problem, r.beta, finer, size, runtime);
    more.iterations += r.iterations;
    more.converged = r.converged;  // the tolerance that was asked for is met
    r = std::move(more);
  }
  // A matrix that is not definite has no distances.
  overlap = is_noise(r, size) && !r.indefinite && std::isfinite(r.objective);
  r.converged = r.converged && !overlap;
  return r;
}

}  // namespace

KomdOptions KomdOptions::read(const State& parameters, const SmoOptions& smo) {
  KomdOptions o;
  o.lambda = parameters.number("lambda", o.lambda);
  if (!(o.lambda >= 0.0 && o.lambda <= 1.0))
    throw InvalidArgument("lambda", "a number from 0 to 1", format_number(o.lambda));
  o.smo = smo;
  // The gap asked of KOMD is 1e-6, a thousandth of what is usual for support vector machines.
  o.smo.tol = 1e-3 * smo.tol;
  return o;
}

KomdSolution solve_komd(const TrainingSet& data, const Vector& weights, const KomdOptions& options,
                        const Runtime& runtime, const Vector& start) {
  const Indices order = positives_first(data.y);
  // Rows that are in order already need no copy of their matrix.
  const bool ordered = std::is_sorted(order.begin(), order.end());
  const KernelBank bank = ordered ? data.bank : data.bank.subset(order);
  const Vector y = take(data.y, order);
  const SmoProblem problem = two_simplices(y);
  const Vector first = start.size() > 0 ? take(start, order) : class_means(y);
  KomdSolution solution;
  if (bank.fits(1.0)) {
    const GramView k = bank.combination(weights, runtime);
    StoredQ q(k.view, runtime.memory - bank.matrix_bytes(), runtime);
    solution.solved = solve_on(q, problem, first, options, runtime, solution.overlap);
  } else {
    CachedQ q(bank.row_evaluator(weights, runtime), 0.8 * runtime.memory);
    solution.solved = solve_on(q, problem, first, options, runtime, solution.overlap);
  }
  SmoResult& r = solution.solved;
  check_solution(r, bank, weights, runtime);
  solution.beta.resize(y.size());
  solution.score.resize(y.size());
  for (Index i = 0; i < y.size(); ++i) {
    const Index row = order[static_cast<std::size_t>(i)];
    solution.beta[row] = r.beta[i];
    // gradient = (1 - lambda) K beta + lambda beta
    if (options.lambda < 1.0)
      solution.score[row] = (r.gradient[i] - options.lambda * r.beta[i]) / (1.0 - options.lambda);
  }
  if (options.lambda == 1.0) {  // K has no part in the gradient
    Expansion e = make_expansion(solution.beta, weights, 0.0);
    solution.score = data.bank.cross(all_rows(y.size()), all_rows(y.size()), runtime)
                         ->expand({std::move(e)})
                         .col(0);
  }
  return solution;
}

std::unique_ptr<Model> komd_model(const KomdSolution& solution, const Vector& weights) {
  const double bias = -0.5 * solution.beta.cwiseAbs().dot(solution.score);
  auto model = std::make_unique<ExpansionModel>(make_expansion(solution.beta, weights, bias));
  model->fitted = (solution.score.array() + bias).matrix();
  model->report = svm_report(solution.solved);
  model->report.overlap = solution.overlap;
  return model;
}

KomdLearner::KomdLearner(const State& parameters, const SmoOptions& smo)
    : options_(KomdOptions::read(parameters, smo)) {
  if (parameters.has("weights")) weights_ = parameters.vector("weights");
}

std::unique_ptr<Model> KomdLearner::fit_from(const Model* before, const TrainingSet& data,
                                             const Runtime& runtime) const {
  if (data.task != Task::classification)
    throw InvalidArgument("KOMD is a classifier: the response must be classes.");
  const auto begin = std::chrono::steady_clock::now();
  const Vector weights = fixed_weights(weights_, data.bank.size());
  const Vector start = before == nullptr ? Vector() : start_from(*before, 1.0, weights, 1.0, data);
  auto model = komd_model(solve_komd(data, weights, options_, runtime, start), weights);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  model->report.seconds = elapsed.count();
  return model;
}

}  // namespace mk
