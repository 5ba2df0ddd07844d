#include "kernel_kmeans.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "../base/product.hpp"
#include "../kernels/row_blocks.hpp"
#include "../solvers/spectrum.hpp"
#include "local_weights.hpp"

namespace mk {

namespace {

// What both forms of the weights have in common: the sum K and the step for the weights.
class WeightStep {
 public:
  virtual ~WeightStep() = default;
  virtual Matrix sum() const = 0;
  // The best weights for this H; gives the gap, relative to the objective.
  virtual double improve(const Matrix& h) = 0;
  virtual const Matrix& weights() const = 0;
};

class GlobalStep final : public WeightStep {
 public:
  GlobalStep(const KernelBank& bank, bool fixed, const Runtime& runtime)
      : bank_(bank),
        runtime_(runtime),
        fixed_(fixed),
        weights_(Matrix::Constant(1, bank.size(), 1.0 / static_cast<double>(bank.size()))) {
    if (!fixed) traces_ = kernel_diagonals(bank, all_rows(bank.size()), runtime).colwise().sum();
  }

  Matrix sum() const override {
    Matrix out(bank_.rows(), bank_.rows());
    const Vector squares = weights_.row(0).cwiseAbs2();
    bank_.sum(squares, out.data(), runtime_);
    return out;
  }
  double improve(const Matrix& h) override {
    if (fixed_) return 0.0;
    Vector t = traces_;
    for (Index c = 0; c < h.cols(); ++c)
      t -= bank_.quadratic_forms(all_rows(bank_.size()), h.col(c), runtime_);
    weights_.row(0) = inverse_weights(t);
    return 0.0;
  }
  const Matrix& weights() const override { return weights_; }

 private:
  const KernelBank& bank_;
  const Runtime& runtime_;
  bool fixed_;
  Matrix weights_;
  Vector traces_;
};

class LocalStep final : public WeightStep {
 public:
  LocalStep(const KernelBank& bank, double tolerance, const Runtime& runtime)
      : bank_(bank),
        runtime_(runtime),
        tolerance_(tolerance),
        largest_(std::max(0.0, kernel_diagonals(bank, all_rows(bank.size()), runtime).maxCoeff())),
        weights_(
            Matrix::Constant(bank.rows(), bank.size(), 1.0 / static_cast<double>(bank.size()))) {}

  Matrix sum() const override { return local_sum(bank_, weights_, runtime_); }
  double improve(const Matrix& h) override {
    const LocalWeights found =
        improve_local_weights(bank_, h, weights_, largest_, tolerance_, runtime_);
    weights_ = found.weights;
    return found.objective > 0.0 ? found.gap / found.objective : 0.0;
  }
  const Matrix& weights() const override { return weights_; }

 private:
  const KernelBank& bank_;
  const Runtime& runtime_;
  double tolerance_, largest_;
  Matrix weights_;
};

std::unique_ptr<WeightStep> make_step(const KernelBank& bank, const KernelKmeansOptions& options,
                                      const Runtime& runtime) {
  if (options.weights == ClusterWeights::localized)
    return std::make_unique<LocalStep>(bank, 0.1 * options.tolerance, runtime);
  return std::make_unique<GlobalStep>(bank, options.weights == ClusterWeights::fixed, runtime);
}

// The leading eigenvectors; fewer than asked for if the rank of the matrix is smaller.
double relax(Matrix sum, Index clusters, KernelKmeans& out, const Runtime& runtime) {
  check_kernel_values(sum);
  const double trace = sum.trace();
  Spectrum s = leading_spectrum(std::move(sum), clusters, runtime);
  fix_signs(s.vectors);
  out.embedding = std::move(s.vectors);
  out.values = std::move(s.values);
  return trace - out.values.sum();
}

Matrix unit_rows(Matrix rows) {
  for (Index i = 0; i < rows.rows(); ++i) {
    const double norm = rows.row(i).norm();
    if (norm > 0.0) rows.row(i) /= norm;
  }
  return rows;
}

}  // namespace

Vector inverse_weights(const Vector& t) {
  const double largest = t.maxCoeff();
  // Of an indefinite kernel: sum d_m^2 t_m is least where all weight is on it.
  Index least = 0;
  if (t.minCoeff(&least) < -1e-12 * std::max(largest, 0.0)) return Vector::Unit(t.size(), least);
  const Vector none = (t.array() <= 1e-12 * std::max(largest, 0.0)).cast<double>();
  if (none.sum() > 0.0) return none / none.sum();
  const Vector inverse = (largest / t.array()).matrix();
  return inverse / inverse.sum();
}

KernelKmeans kernel_kmeans(const KernelBank& bank, const KernelKmeansOptions& options,
                           const Runtime& runtime) {
  KernelKmeans out;
  const auto step = make_step(bank, options, runtime);
  out.path.push_back(relax(step->sum(), options.clusters, out, runtime));
  const bool alternate = options.weights != ClusterWeights::fixed && bank.size() > 1;
  out.converged = !alternate;
  while (!out.converged && out.iterations < options.iterations) {
    runtime.check_interrupt();
    ++out.iterations;
    out.gap = step->improve(out.embedding);
    const double before = out.path.back();
    const double value = relax(step->sum(), options.clusters, out, runtime);
    out.path.push_back(value);
    out.violation = std::abs(before - value) / std::max(std::abs(value), 1e-300);
    out.converged = !(out.violation > options.tolerance) && out.gap <= options.tolerance;
  }
  out.weights = step->weights();
  out.clusters = kmeans(unit_rows(out.embedding), options.clusters, options.starts, runtime);
  return out;
}

}  // namespace mk
