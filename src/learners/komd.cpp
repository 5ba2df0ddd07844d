#include "komd.hpp"

#include <algorithm>
#include <cmath>

#include "../base/parameters.hpp"

namespace mk {

Indices positives_first(const Vector& y) {
  Indices order = all_rows(y.size());
  std::stable_partition(order.begin(), order.end(), [&](Index row) { return y[row] > 0.0; });
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
  RidgedQ q(k, (1.0 - options.lambda) / unit, Vector::Constant(k.size(), options.lambda / unit));
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
  o.lambda = read_number(parameters, "lambda", o.lambda, {0.0, 1.0});
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
  solution.solved = with_combination(bank, weights, runtime, [&](QMatrix& q) {
    return solve_on(q, problem, first, options, runtime, solution.overlap);
  });
  SmoResult& r = solution.solved;
  check_solution(r, bank, weights, runtime);
  solution.beta = spread(r.beta, order, y.size());
  if (options.lambda < 1.0) {  // gradient = (1 - lambda) K beta + lambda beta
    const Vector score = (r.gradient - options.lambda * r.beta) / (1.0 - options.lambda);
    solution.score = spread(score, order, y.size());
  } else {  // K has no part in the gradient
    solution.score = data.bank.row_evaluator(weights, runtime)->multiply(solution.beta);
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
    : options(KomdOptions::read(parameters, smo)) {
  if (parameters.has("weights")) weights = parameters.vector("weights");
}

Models KomdLearner::fit_path(const std::vector<KomdLearner>& points, const TrainingSet& data,
                             const Runtime& runtime) {
  require_classes(data, "KOMD");
  const auto alike = [](const KomdLearner& a, const KomdLearner& b) {
    return a.weights.size() == b.weights.size() && a.weights == b.weights;
  };
  Models models(points.size());
  for (const Indices& group : group_points(points, alike)) {
    Vector start;
    for (const Index p : group) {
      const Stopwatch watch;
      const KomdLearner& point = points[at(p)];
      const Vector used = fixed_weights(point.weights, data.bank.size());
      const KomdSolution solution = solve_komd(data, used, point.options, runtime, start);
      models[at(p)] = komd_model(solution, used);
      models[at(p)]->report.seconds = watch.seconds();
      start = solution.beta;
    }
  }
  return models;
}

}  // namespace mk
