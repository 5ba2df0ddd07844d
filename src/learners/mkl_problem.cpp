#include "mkl_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "../base/memory.hpp"

namespace mk {

namespace {

// Columns per parallel task.
constexpr Index column_block = 64;
// Differences are added to a matrix at most this often before it is formed anew, so that rounding
// errors do not pile up.
constexpr int most_updates = 20;
// Matrices besides those of the kernels: K(d), the line, the solver's copies of its active part
// (two at a time, of at most 80 and 64 percent of the rows).
constexpr double working_matrices = 3.1;

Index count_nonzero(const Vector& v) { return (v.array() != 0.0).count(); }

void make_room(Matrix& k, Index n) {
  if (k.rows() == n) return;
  k.resize(n, n);
  prefer_huge_pages(k.data(), static_cast<std::size_t>(k.size()) * sizeof(double));
}

}  // namespace

MklProblem::MklProblem(const TrainingSet& data, const SvmOptions& options, const Runtime& runtime)
    : data_(data), options_(options), runtime_(runtime) {
  const KernelBank& bank = data.bank;
  stored_ = bank.fits(1.0);
  roomy_ = bank.fits(working_matrices);
  kept_.resize(at(size()));
  if (stored_) reserved_ = bank.reserve(roomy_ ? working_matrices : 1.0);
  if (roomy_) kept_ = bank.triangles(runtime);
  for (Index m = 0; m < size(); ++m)
    (kept_[at(m)].data != nullptr ? kept_kernels_ : streamed_kernels_).push_back(m);
}

// ---- sums of kernels ---------------------------------------------------------------------------

// Adds the kept kernels with their weights.
void MklProblem::add(const Vector& weights, Matrix& to) const {
  const Index n = to.rows();
  runtime_.parallel_for((n + column_block - 1) / column_block, [&](Index task) {
    const Index first = task * column_block, last = std::min(n, first + column_block);
    for (const Index m : kept_kernels_) {
      if (weights[m] == 0.0) continue;
      for (Index j = first; j < last; ++j)
        runtime_.simd->axpy(weights[m], kept_[at(m)].column(j), to.col(j).data() + j, n - j);
    }
  });
  mirror_lower(to, runtime_);
}

// From its weights to others: by the difference, if that touches fewer kernels.
void MklProblem::bring(Combination& sum, const Vector& weights) {
  const bool known = sum.weights.size() == weights.size();
  if (known && sum.weights == weights) return;
  const Vector change = known ? Vector(weights - sum.weights) : weights;
  bool anew =
      !known || sum.updates >= most_updates || count_nonzero(change) >= count_nonzero(weights);
  for (const Index m : streamed_kernels_) anew = anew || change[m] != 0.0;
  if (!anew) {
    ++sum.updates;
    add(change, sum.k);
  } else {
    sum.updates = 0;
    make_room(sum.k, data_.bank.rows());
    if (streamed_kernels_.empty()) {
      sum.k.setZero();
    } else {
      Vector streamed = weights;
      for (const Index m : kept_kernels_) streamed[m] = 0.0;
      data_.bank.sum(streamed, sum.k.data(), runtime_);
    }
    add(weights, sum.k);
  }
  sum.weights = weights;
}

// ---- evaluations -------------------------------------------------------------------------------

// At the weights that sum_ has.
MklProblem::Value MklProblem::solve_with_sum(const Vector& start, double tol) {
  SmoOptions options = options_.smo;
  options.tol = tol;
  const double bytes = data_.bank.matrix_bytes();
  Value value;
  if (stored_) {
    StoredQ q(view(sum_.k), roomy_ ? bytes : runtime_.memory - bytes, runtime_);
    value.svm = loss().solve(q, data_, options, start, runtime_);
  } else {
    CachedQ q(data_.bank.row_evaluator(sum_.weights, runtime_), 0.8 * runtime_.memory);
    value.svm = loss().solve(q, data_, options, start, runtime_);
  }
  check_solution(value.svm.solved, data_.bank, sum_.weights, runtime_);
  value.objective = value.svm.solved.objective;
  return value;
}

MklProblem::Value MklProblem::solve(const Vector& d, const Vector& start, double tol) {
  if (stored_) bring(sum_, d);
  else sum_.weights = d;
  return solve_with_sum(start, tol);
}

void MklProblem::add_forms(Value& value) {
  const Vector& b = value.svm.coefficients;
  value.forms.resize(size());
  runtime_.parallel_for(static_cast<Index>(kept_kernels_.size()), [&](Index c) {
    const Index m = kept_kernels_[at(c)];
    value.forms[m] = quadratic_form(kept_[at(m)], b, *runtime_.simd);
  });
  if (streamed_kernels_.empty()) return;
  const Vector forms = data_.bank.quadratic_forms(streamed_kernels_, b, runtime_);
  for (std::size_t c = 0; c < streamed_kernels_.size(); ++c)
    value.forms[streamed_kernels_[c]] = forms[static_cast<Index>(c)];
}

MklProblem::Value MklProblem::evaluate(const Vector& d, const Vector& start, double tol) {
  Value value = solve(d, start, tol);
  add_forms(value);
  return value;
}

// ---- on a line ---------------------------------------------------------------------------------

void MklProblem::aim(const Vector& from, const Vector& direction) {
  if (roomy_) bring(line_, direction);
  else line_.weights = direction;
  line_weights_ = from;
  line_at_ = 0.0;
}

MklProblem::Value MklProblem::solve_along(const Vector& d, double t, const Vector& start,
                                          double tol) {
  const bool there = roomy_ && sum_.weights.size() == line_weights_.size() &&
                     sum_.weights == line_weights_ && sum_.updates < most_updates;
  if (!there) {
    line_weights_ = d;
    line_at_ = t;
    return solve(d, start, tol);
  }
  const Index n = sum_.k.rows();
  runtime_.parallel_for((n + column_block - 1) / column_block, [&](Index task) {
    const Index first = task * column_block, count = std::min(column_block, n - first);
    runtime_.simd->axpy(t - line_at_, line_.k.col(first).data(), sum_.k.col(first).data(),
                        n * count);
  });
  if (t != line_at_) ++sum_.updates;
  sum_.weights = line_weights_ = d;
  line_at_ = t;
  return solve_with_sum(start, tol);
}

double MklProblem::slope(const Value& value) const {
  const Vector& b = value.svm.coefficients;
  if (roomy_) {
    const TriangleView line = {nullptr, line_.k.data(), line_.k.rows(), false};
    return -0.5 * quadratic_form(line, b, *runtime_.simd);
  }
  const Indices kernels = nonzero(line_.weights);
  return -0.5 * take(line_.weights, kernels).dot(data_.bank.quadratic_forms(kernels, b, runtime_));
}

const Vector& MklProblem::sizes() {
  if (sizes_.size() == size()) return sizes_;
  sizes_.resize(size());
  for (const Index m : kept_kernels_) {
    sizes_[m] = 0.0;
    for (Index i = 0; i < data_.bank.rows(); ++i)
      sizes_[m] = std::max(sizes_[m], std::abs(*kept_[at(m)].column(i)));
  }
  if (streamed_kernels_.empty()) return sizes_;
  // Their sum has no smaller diagonal than any of them, and takes one look at the rows.
  Vector streamed = Vector::Zero(size());
  for (const Index m : streamed_kernels_) streamed[m] = 1.0;
  const double largest = data_.bank.row_evaluator(streamed, runtime_)->largest_diagonal();
  for (const Index m : streamed_kernels_) sizes_[m] = largest;
  return sizes_;
}

// ---- second derivatives ------------------------------------------------------------------------

Matrix MklProblem::products(const Indices& kernels, const Vector& coefficients,
                            const Indices& rows) {
  Matrix out(static_cast<Index>(rows.size()), static_cast<Index>(kernels.size()));
  const auto multiply = [&](Index c, const TriangleView& k) {
    Vector product(coefficients.size());
    multiply_support(k, coefficients, product.data(), *runtime_.simd);
    out.col(c) = take(product, rows);
  };
  const Index count = static_cast<Index>(kernels.size());
  runtime_.parallel_for(count, [&](Index c) {
    const TriangleView& k = kept_[at(kernels[at(c)])];
    if (k.data != nullptr) multiply(c, k);
  });
  Matrix scratch;
  for (Index c = 0; c < count; ++c) {
    if (kept_[at(kernels[at(c)])].data != nullptr) continue;
    scratch.resize(data_.bank.rows(), data_.bank.rows());
    data_.bank.fill({kernels[at(c)]}, {scratch.data()}, runtime_);
    multiply(c, {nullptr, scratch.data(), scratch.rows(), false});
  }
  return out;
}

Matrix MklProblem::hessian(const Vector& d, const Indices& rows) {
  const Index count = static_cast<Index>(rows.size());
  Matrix out(count, count);
  if (stored_) {
    bring(sum_, d);
    out = take(view(sum_.k), rows, rows);
  } else {
    data_.bank.subset(rows).sum(d, out.data(), runtime_);
  }
  const Vector ridge = loss().ridge(data_);
  if (ridge.size() > 0) out.diagonal() += take(ridge, rows);
  return out;
}

double form_rounding(const Vector& coefficients, double size) {
  const double sum = coefficients.lpNorm<1>();
  return std::numeric_limits<double>::epsilon() * size * sum * sum;
}

}  // namespace mk
