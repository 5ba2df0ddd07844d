#include "mkl_problem.hpp"

namespace mk {

MklProblem::MklProblem(const TrainingSet& data, const SvmOptions& options, const Runtime& runtime)
    : data_(data), options_(options), runtime_(runtime) {
  if (!data.bank.fits(static_cast<double>(size()) + 1.0)) return;
  for (Index m = 0; m < size(); ++m) kept_.push_back(data.bank.matrix(m, runtime));
}

// b'K_m b over the support alone.
Vector MklProblem::forms(const Vector& coefficients) const {
  if (kept_.empty()) return data_.bank.quadratic_forms(coefficients, runtime_);
  const Index n = coefficients.size();
  Vector out(size());
  runtime_.parallel_for(size(), [&](Index m) {
    const MatrixView& k = kept_[static_cast<std::size_t>(m)].view;
    double sum = 0.0;
    for (Index j = 0; j < n; ++j)
      if (coefficients[j] != 0.0)
        sum += coefficients[j] * runtime_.simd->dot(k.column(j), coefficients.data(), n);
    out[m] = sum;
  });
  return out;
}

MklProblem::Value MklProblem::evaluate(const Vector& d, const Vector& start) const {
  Value value;
  if (kept_.empty() && !data_.bank.fits(1.0)) {
    CachedQ q(data_.bank.row_evaluator(d, runtime_), 0.8 * runtime_.memory);
    value.svm = solve_svm(q, data_, options_, runtime_, start);
  } else if (kept_.empty()) {
    const GramView k = data_.bank.combination(d, runtime_);
    StoredQ q(k.view, runtime_.memory - data_.bank.matrix_bytes());
    value.svm = solve_svm(q, data_, options_, runtime_, start);
  } else {
    const Index n = data_.bank.rows();
    Matrix k = Matrix::Zero(n, n);
    constexpr Index block = 64;  // columns per task
    runtime_.parallel_for((n + block - 1) / block, [&](Index task) {
      const Index first = task * block, count = std::min(block, n - first);
      for (Index m = 0; m < size(); ++m)
        if (d[m] != 0.0)
          runtime_.simd->axpy(d[m], kept_[static_cast<std::size_t>(m)].view.column(first),
                              k.col(first).data(), n * count);
    });
    StoredQ q(view(k), runtime_.memory);
    value.svm = solve_svm(q, data_, options_, runtime_, start);
  }
  check_solution(value.svm.solved, data_.bank, d, runtime_);
  value.objective = value.svm.solved.objective;
  value.forms = forms(value.svm.coefficients);
  return value;
}

std::unique_ptr<Model> mkl_model(const MklProblem::Value& value, const Vector& d,
                                 double relative_gap, bool converged,
                                 const std::vector<double>& path) {
  auto model = std::make_unique<ExpansionModel>(
      make_expansion(value.svm.coefficients, d, value.svm.solved.bias));
  model->fitted = value.svm.fitted;
  model->report = svm_report(value.svm.solved);
  model->report.gap = relative_gap;
  model->report.converged = converged && value.svm.solved.converged;
  model->report.iterations = static_cast<double>(path.size());
  model->report.path = Eigen::Map<const Vector>(path.data(), static_cast<Index>(path.size()));
  return model;
}

}  // namespace mk
