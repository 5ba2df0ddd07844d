#include "easymkl.hpp"

#include <chrono>

#include "../base/errors.hpp"

namespace mk {

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

std::unique_ptr<Model> EasymklLearner::fit(const TrainingSet& data, const Runtime& runtime) const {
  if (data.task != Task::classification)
    throw InvalidArgument("EasyMKL is a classifier: the response must be classes.");
  const auto begin = std::chrono::steady_clock::now();
  const Index m = data.bank.size();
  KomdSolution first = solve_komd(data, Vector::Ones(m), options_.komd, runtime);
  if (runtime.verbose) runtime.message("easymkl: sum of the kernels solved, weighing them");
  // Rounding and indefinite kernels aside the forms are >= 0.
  Vector eta = data.bank.quadratic_forms(first.beta, runtime).cwiseMax(0.0);
  const double length = options_.norm == EtaNorm::two ? eta.norm() : eta.sum();
  // Class means that coincide under every kernel leave nothing to choose by.
  if (length > 0.0) eta /= length;
  else eta.setConstant(1.0 / static_cast<double>(m));

  std::unique_ptr<Model> model;
  if (options_.final_svm)
    model = fit_svm(data, eta, options_.svm, runtime);
  else
    model = komd_model(solve_komd(data, eta, options_.komd, runtime, first.beta), eta);
  model->report.converged = model->report.converged && first.solved.converged;
  model->report.indefinite = model->report.indefinite || first.solved.indefinite;
  model->report.iterations += first.solved.iterations;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  model->report.seconds = elapsed.count();
  return model;
}

}  // namespace mk
