#include "product_problem.hpp"

#include <cmath>

#include "../base/errors.hpp"
#include "../base/memory.hpp"

namespace mk {

namespace {

// Columns per parallel task.
constexpr Index column_block = 32;

void check_positive(const Matrix& logs, Index m, const KernelBank& bank, const Runtime& runtime) {
  if (logs.allFinite()) return;
  for (Index j = 0; j < logs.cols(); ++j)
    for (Index i = j; i < logs.rows(); ++i) {
      if (std::isfinite(logs(i, j))) continue;
      Matrix values(logs.rows(), logs.cols());
      bank.fill({m}, {values.data()}, runtime);
      throw InvalidArgument(
          "`combine` = \"product\" raises kernels to powers, which takes positive values, but "
          "kernel `" +
              bank.set().item_name(bank.set().locate(m).first) + "` is " +
              format_number(values(i, j)) + " for rows " +
              std::to_string(bank.group().rows()[at(j)] + 1) + " and " +
              std::to_string(bank.group().rows()[at(i)] + 1) +
              ". Use kernels such as kernel_rbf(), or `combine` = \"sum\".",
          "combine");
    }
}

}  // namespace

ProductProblem::ProductProblem(const TrainingSet& data, const SvmOptions& options,
                               const Runtime& runtime)
    : data_(data), options_(options), runtime_(runtime) {
  const Index n = data.bank.rows();
  // Triangles take half a matrix; K(d), its derivatives and the solver's copies are needed besides.
  const double working = 3.1, triangles = 0.5 * static_cast<double>(size() + 1);
  const bool keep = data.bank.fits(working + triangles);
  reserved_ = data.bank.reserve(keep ? working + triangles : working);
  data.bank.visit_logs(
      [&](Index m, const Matrix& logs) {
        runtime.check_interrupt();
        check_positive(logs, m, data.bank, runtime);
        decays_ = decays_ && logs.maxCoeff() <= 0.0;
        if (!keep) return;
        Vector triangle(triangle_size(n));
        for (Index j = 0; j < n; ++j)
          triangle.segment(triangle_start(j, n), n - j) = logs.col(j).tail(n - j);
        kept_.push_back(std::move(triangle));
      },
      runtime);
  for (Matrix* matrix : {&k_, &work_}) {
    matrix->resize(n, n);
    prefer_huge_pages(matrix->data(), static_cast<std::size_t>(n * n) * sizeof(double));
  }
}

// Writes K(d) to k_; false if it is not finite.
bool ProductProblem::combine(const Vector& d) {
  const Index n = k_.rows();
  const double sign = decays_ ? -1.0 : 1.0;
  k_.setZero();
  if (kept_.empty())
    data_.bank.visit_logs([&](Index m, const Matrix& logs) { k_ += sign * d[m] * logs; }, runtime_);
  const Index tasks = (n + column_block - 1) / column_block;
  std::vector<char> finite(at(tasks), 1);
  runtime_.parallel_for(tasks, [&](Index task) {
    const Index last = std::min(n, (task + 1) * column_block);
    for (Index j = task * column_block; j < last; ++j) {
      double* column = k_.col(j).data();
      for (std::size_t m = 0; m < kept_.size(); ++m)
        if (d[static_cast<Index>(m)] != 0.0)
          runtime_.simd->axpy(sign * d[static_cast<Index>(m)],
                              kept_[m].data() + triangle_start(j, n), column + j, n - j);
      if (decays_) runtime_.simd->exp_decay(column + j, 1.0, column + j, n - j);
      else
        for (Index i = j; i < n; ++i) column[i] = std::exp(column[i]);
      if (!k_.col(j).tail(n - j).allFinite()) finite[at(task)] = 0;
    }
  });
  for (char good : finite)
    if (!good) return false;
  mirror_lower(k_, runtime_);
  return true;
}

Vector ProductProblem::forms(const Vector& b) {
  const Index n = k_.rows();
  const Indices support = nonzero(b);
  // b_i b_j K_ij over the lower triangle; entries off the diagonal count twice.
  for (const Index j : support) {
    work_.col(j).tail(n - j) = 2.0 * b[j] * b.tail(n - j).cwiseProduct(k_.col(j).tail(n - j));
    work_(j, j) *= 0.5;
  }
  const auto weigh = [&](Index j, const double* logs) {
    return runtime_.simd->dot(logs, work_.col(j).data() + j, n - j);
  };
  Vector out = Vector::Zero(size());
  if (kept_.empty()) {
    data_.bank.visit_logs(
        [&](Index m, const Matrix& logs) {
          for (const Index j : support) out[m] += weigh(j, logs.col(j).data() + j);
        },
        runtime_);
    return out;
  }
  runtime_.parallel_for(size(), [&](Index m) {
    for (const Index j : support) out[m] += weigh(j, kept_[at(m)].data() + triangle_start(j, n));
  });
  return out;
}

MklProblem::Value ProductProblem::evaluate(const Vector& d, const Vector& start, double tol) {
  MklProblem::Value value;
  if (!combine(d)) {
    value.objective = infinity;
    value.forms = Vector::Zero(size());
    return value;
  }
  SmoOptions options = options_.smo;
  options.tol = tol;
  StoredQ q(view(k_), data_.bank.matrix_bytes(), runtime_);
  value.svm = options_.losses.of(data_).solve(q, data_, options, start, runtime_);
  check_solution(value.svm.solved, data_.bank, d, runtime_);
  value.objective = value.svm.solved.objective;
  value.forms = forms(value.svm.coefficients);
  return value;
}

Vector ProductModel::decision(const CrossBank& cross) const {
  const Vector f = cross.expand_product(expansion_);
  for (Index i = 0; i < f.size(); ++i)
    if (std::isnan(f[i]))
      throw InvalidArgument("The product of kernels takes positive values, but one of new row " +
                            std::to_string(i + 1) + " is negative.");
  return f;
}

Terms ProductModel::terms(const CrossBank&, const KernelGroups&) const {
  throw InvalidArgument("type",
                        "\"decision\" for a model that multiplies its kernels, as its "
                        "decision value is no sum over them",
                        "\"terms\"");
}

Matrix ProductModel::row_terms(const CrossBank& cross) const {
  Matrix out = Matrix::Zero(cross.rows(), cross.training_rows());
  for (std::size_t i = 0; i < expansion_.rows.size(); ++i) {
    Expansion one = {expansion_.weights, {expansion_.rows[i]}, Vector(1), 0.0};
    one.coefficients[0] = expansion_.coefficients[static_cast<Index>(i)];
    out.col(one.rows.front()) = cross.expand_product(one);
  }
  return out;
}

State ProductModel::state() const {
  State s = ExpansionModel::state();
  s.set("type", "product");
  return s;
}

std::unique_ptr<Model> ProductModel::restore(const State& s) {
  return std::make_unique<ProductModel>(restore_expansion(s));
}

}  // namespace mk
