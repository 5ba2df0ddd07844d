#include "mkl_problem.hpp"

#include <algorithm>

namespace mk {

namespace {

// Columns per parallel task.
constexpr Index column_block = 64;
// Differences are added to the combined matrix at most this often before it is formed anew, so
// that rounding errors do not pile up.
constexpr int most_updates = 20;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace

MklProblem::MklProblem(const TrainingSet& data, const SvmOptions& options, const Runtime& runtime)
    : data_(data), options_(options), runtime_(runtime) {
  if (!data.bank.fits_all(1.0)) return;
  for (Index m = 0; m < size(); ++m) kept_.push_back(data.bank.matrix(m, runtime));
}

// b'K_m b over the support alone.
Vector MklProblem::forms(const Vector& coefficients) const {
  if (kept_.empty()) return data_.bank.quadratic_forms(coefficients, runtime_);
  const Index n = coefficients.size();
  Vector out(size());
  runtime_.parallel_for(size(), [&](Index m) {
    const MatrixView& k = kept_[at(m)].view;
    double sum = 0.0;
    for (Index j = 0; j < n; ++j)
      if (coefficients[j] != 0.0)
        sum += coefficients[j] * runtime_.simd->dot(k.column(j), coefficients.data(), n);
    out[m] = sum;
  });
  return out;
}

// Brings sum_ from its weights to d: by the difference, if that touches fewer kernels.
void MklProblem::combine(const Vector& d) {
  const Index n = data_.bank.rows();
  const bool known = sum_.rows() == n;
  Vector change = known ? Vector(d - sum_weights_) : d;
  if (!known || updates_ >= most_updates || (change.array() != 0.0).count() >= (d.array() != 0.0).count()) {
    sum_.setZero(n, n);
    change = d;
    updates_ = 0;
  } else {
    ++updates_;
  }
  runtime_.parallel_for((n + column_block - 1) / column_block, [&](Index task) {
    const Index first = task * column_block, count = std::min(column_block, n - first);
    for (Index m = 0; m < size(); ++m)
      if (change[m] != 0.0)
        runtime_.simd->axpy(change[m], kept_[at(m)].view.column(first), sum_.col(first).data(),
                            n * count);
  });
  sum_weights_ = d;
}

SvmSolution MklProblem::solve(const Vector& d, const Vector& start, double tol) {
  SvmOptions options = options_;
  options.smo.tol = tol;
  if (!kept_.empty()) {
    if (sum_weights_.size() == 0 || sum_weights_ != d) combine(d);
    StoredQ q(view(sum_), runtime_.memory);
    return solve_svm(q, data_, options, runtime_, start);
  }
  if (data_.bank.fits(1.0)) {
    const GramView k = data_.bank.combination(d, runtime_);
    StoredQ q(k.view, runtime_.memory - data_.bank.matrix_bytes());
    return solve_svm(q, data_, options, runtime_, start);
  }
  CachedQ q(data_.bank.row_evaluator(d, runtime_), 0.8 * runtime_.memory);
  return solve_svm(q, data_, options, runtime_, start);
}

MklProblem::Value MklProblem::evaluate(const Vector& d, const Vector& start, double tol) {
  Value value;
  value.svm = solve(d, start, tol);
  check_solution(value.svm.solved, data_.bank, d, runtime_);
  value.objective = value.svm.solved.objective;
  value.forms = forms(value.svm.coefficients);
  return value;
}

Matrix MklProblem::products(const Indices& kernels, const Vector& coefficients,
                            const Indices& rows) const {
  Matrix out = Matrix::Zero(static_cast<Index>(rows.size()), static_cast<Index>(kernels.size()));
  const auto add = [&](Index column, const MatrixView& k) {
    for (Index j = 0; j < coefficients.size(); ++j) {
      if (coefficients[j] == 0.0) continue;
      const double* from = k.column(j);
      double* to = out.col(column).data();
      for (std::size_t r = 0; r < rows.size(); ++r) to[r] += coefficients[j] * from[rows[r]];
    }
  };
  if (!kept_.empty()) {
    runtime_.parallel_for(static_cast<Index>(kernels.size()),
                          [&](Index c) { add(c, kept_[at(kernels[at(c)])].view); });
    return out;
  }
  for (std::size_t c = 0; c < kernels.size(); ++c)
    add(static_cast<Index>(c), data_.bank.matrix(kernels[c], runtime_).view);
  return out;
}

Matrix MklProblem::combined(const Vector& d, const Indices& rows) const {
  const Index count = static_cast<Index>(rows.size());
  Matrix out(count, count);
  if (!kept_.empty() && sum_weights_.size() == d.size() && sum_weights_ == d) {
    for (Index j = 0; j < count; ++j)
      for (Index i = 0; i < count; ++i) out(i, j) = sum_(rows[at(i)], rows[at(j)]);
    return out;
  }
  data_.bank.subset(rows).sum(d, out.data(), runtime_);
  return out;
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
