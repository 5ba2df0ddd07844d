#include "easymkl.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "../base/errors.hpp"
#include "../reduction/folds.hpp"

namespace mk {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// The kernel set of a single stored matrix.
std::shared_ptr<const KernelSet> stored_set() {
  State item;
  item.set("family", Value(std::string("precomputed")));
  item.set("name", Value(std::string("sum of the kernels")));
  return std::make_shared<KernelSet>(std::vector<State>{item}, 0);
}

// The same problem on sum_m weights_m K_m, as one stored matrix.
struct Summed {
  Summed(const TrainingSet& data, const Vector& weights, const KernelPasses& passes,
         const Runtime& runtime)
      : k(passes.sum(data.bank, weights, runtime)),
        bank(stored_set(), MatrixView{nullptr, k.rows(), 0}, {view(k)}, k.rows(), runtime),
        problem{bank, data.task, data.y, data.weights} {
    if (k.allFinite()) return;
    SmoResult none;  // the sum has no name that a user knows: the kernel in it is looked for
    none.objective = std::nan("");
    check_solution(none, data.bank, weights, runtime);
  }
  Matrix k;
  KernelBank bank;
  TrainingSet problem;
};

// The model of an ordered problem in terms of the rows and kernels that it came from.
std::unique_ptr<Model> put_back(const Model& model, const Indices& order, const Vector& weights) {
  const Expansion& e = *model.expansion();
  Vector coefficients = Vector::Zero(static_cast<Index>(order.size()));
  for (std::size_t i = 0; i < e.rows.size(); ++i)
    coefficients[order[at(e.rows[i])]] = e.coefficients[static_cast<Index>(i)];
  auto out = std::make_unique<ExpansionModel>(make_expansion(coefficients, weights, e.bias));
  out->report = model.report;
  out->fitted.resize(model.fitted.size());
  for (Index i = 0; i < model.fitted.size(); ++i) out->fitted[order[at(i)]] = model.fitted[i];
  return out;
}

}  // namespace

Indices kernel_blocks(Index n_kernels) {
  constexpr Index unit = 256, most = 32;  // whole blocks of the streaming loops: see for_blocks()
  const Index size = unit * std::max<Index>(1, (n_kernels + unit * most - 1) / (unit * most));
  Indices bounds;
  for (Index first = 0; first < n_kernels; first += size) bounds.push_back(first);
  bounds.push_back(n_kernels);
  return bounds;
}

Matrix KernelPasses::sum(const KernelBank& bank, const Vector& weights,
                         const Runtime& runtime) const {
  const Indices bounds = kernel_blocks(bank.size());
  Matrix total(bank.rows(), bank.rows()), part;
  for (std::size_t b = 0; b + 1 < bounds.size(); ++b) {
    Vector some = Vector::Zero(weights.size());
    const Index size = bounds[b + 1] - bounds[b];
    some.segment(bounds[b], size) = weights.segment(bounds[b], size);
    if (b == 0) {
      bank.sum(some, total.data(), runtime);
      continue;
    }
    part.resize(total.rows(), total.cols());
    bank.sum(some, part.data(), runtime);
    total += part;
  }
  return total;
}

Vector KernelPasses::forms(const KernelBank& bank, const Vector& b, const Runtime& runtime) const {
  return bank.quadratic_forms(b, runtime);
}

EasymklOptions EasymklOptions::read(const State& parameters, const SmoOptions& smo) {
  EasymklOptions o;
  o.komd = KomdOptions::read(parameters, smo);
  o.svm = SvmOptions::read(parameters, smo);
  const std::string norm = parameters.has("norm") ? parameters.text("norm") : "two";
  if (norm != "two" && norm != "sum")
    throw InvalidArgument("norm", "\"two\" or \"sum\"", "\"" + norm + "\"");
  o.norm = norm == "two" ? EtaNorm::two : EtaNorm::sum;
  const std::string final = parameters.has("final") ? parameters.text("final") : "komd";
  if (final != "komd" && final != "svm")
    throw InvalidArgument("final", "\"komd\" or \"svm\"", "\"" + final + "\"");
  o.final_svm = final == "svm";
  return o;
}

// eta: the forms of all kernels, brought to length 1. Rows without a coefficient do not count.
Vector EasymklLearner::weigh(const TrainingSet& data, const Vector& beta,
                             const Runtime& runtime) const {
  Indices rows;
  for (Index i = 0; i < beta.size(); ++i)
    if (beta[i] != 0.0) rows.push_back(i);
  // Rounding and indefinite kernels aside the forms are >= 0.
  Vector eta = passes_->forms(data.bank.subset(rows), take(beta, rows), runtime).cwiseMax(0.0);
  // Class means that coincide under every kernel leave nothing to choose by.
  if (!(eta.maxCoeff() > 0.0)) eta.setOnes();
  eta /= eta.maxCoeff();  // squares of the forms may be out of range
  return eta / (options_.norm == EtaNorm::two ? eta.norm() : eta.sum());
}

// What the next point of a grid may find useful.
struct EasymklLearner::Shared {
  std::shared_ptr<const Summed> sum, weighted;  // null without room for them
  double lambda = 0.0;
  EtaNorm norm = EtaNorm::two;
  KomdSolution first;
  Vector eta;
};

std::unique_ptr<Model> EasymklLearner::fit_after(const Before& before, const TrainingSet& data,
                                                 const Runtime& runtime) const {
  const auto* other = dynamic_cast<const EasymklLearner*>(&before.learner);
  const bool usable = other != nullptr && other->options_.komd.smo.tol == options_.komd.smo.tol &&
                      other->options_.komd.smo.max_iter == options_.komd.smo.max_iter;
  return fit_from(usable ? static_cast<const Shared*>(before.model.leftover.get()) : nullptr, data,
                  runtime);
}

std::unique_ptr<Model> EasymklLearner::fit_from(const Shared* before, const TrainingSet& data,
                                                const Runtime& runtime) const {
  if (data.task != Task::classification)
    throw InvalidArgument("EasyMKL is a classifier: the response must be classes.");
  const auto begin = std::chrono::steady_clock::now();
  const Index m = data.bank.size();
  const Indices order = positives_first(data.y);
  const KernelBank bank = data.bank.subset(order);
  const TrainingSet ordered = {bank, data.task, take(data.y, order), take(data.weights, order)};
  const Vector one = Vector::Ones(1);
  // A sum and the block that is added to it; without room for them rows are made on demand.
  const bool stored = bank.fits(2.0);
  const bool grid = data.bank.keeps_sums(), keep = grid && bank.fits(4.0);
  const bool same_lambda = before != nullptr && before->lambda == options_.komd.lambda;
  const bool same_eta = same_lambda && before->norm == options_.norm;
  auto shared = std::make_shared<Shared>();
  shared->lambda = options_.komd.lambda;
  shared->norm = options_.norm;
  const auto summed = [&](const Vector& weights) {
    return std::make_shared<const Summed>(ordered, weights, *passes_, runtime);
  };

  KomdSolution& first = shared->first;
  if (before != nullptr) shared->sum = before->sum;
  if (same_lambda) {
    first = before->first;
  } else {
    if (stored && shared->sum == nullptr) {
      if (runtime.verbose) runtime.message("easymkl: adding up " + std::to_string(m) + " kernels");
      shared->sum = summed(Vector::Ones(m));
    }
    first = stored ? solve_komd(shared->sum->problem, one, options_.komd, runtime)
                   : solve_komd(ordered, Vector::Ones(m), options_.komd, runtime);
  }
  if (!keep) shared->sum.reset();
  if (runtime.verbose) runtime.message("easymkl: sum of the kernels solved, weighing them");
  shared->eta = same_eta ? before->eta : weigh(ordered, first.beta, runtime);

  const auto train = [&](const TrainingSet& problem, const Vector& weights) {
    if (options_.final_svm) return fit_svm(problem, weights, options_.svm, runtime);
    return komd_model(solve_komd(problem, weights, options_.komd, runtime, first.beta), weights);
  };
  if (same_eta) shared->weighted = before->weighted;
  if (stored && shared->weighted == nullptr) shared->weighted = summed(shared->eta);
  std::unique_ptr<Model> model =
      stored ? train(shared->weighted->problem, one) : train(ordered, shared->eta);
  if (!keep) shared->weighted.reset();
  model = put_back(*model, order, shared->eta);
  Report& report = model->report;
  report.converged = report.converged && first.solved.converged;
  report.indefinite = report.indefinite || first.solved.indefinite;
  report.overlap = report.overlap || first.overlap;
  report.iterations += first.solved.iterations;
  report.violation = std::max(report.violation, first.solved.violation);
  if (grid) model->leftover = std::move(shared);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  report.seconds = elapsed.count();
  return model;
}

}  // namespace mk
