#include "local_weights.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace mk {

namespace {

constexpr Index most_steps = 2000;

// The objective and half its gradient at W.
class LocalObjective {
 public:
  LocalObjective(const KernelBank& bank, const Matrix& h, const Runtime& runtime)
      : bank_(bank), runtime_(runtime), rest_(-h * h.transpose()) {
    rest_.diagonal().array() += 1.0;
  }

  double evaluate(const Matrix& w, Matrix& half) const {
    half.resize(w.rows(), w.cols());
    for (Index m = 0; m < bank_.size(); ++m) {
      runtime_.check_interrupt();
      const GramView known = bank_.matrix(m, runtime_);
      const auto kernel = as_matrix(known.view);
      runtime_.parallel_for(kernel.cols(), [&](Index j) {
        half(j, m) = (kernel.col(j).array() * rest_.col(j).array() * w.col(m).array()).sum();
      });
    }
    return w.cwiseProduct(half).sum();
  }

 private:
  const KernelBank& bank_;
  const Runtime& runtime_;
  Matrix rest_;  // A
};

// The most that a linear function of the slope 2 `half` falls from W.
double gap_at(const Matrix& w, const Matrix& half) {
  return 2.0 * std::max(0.0, w.cwiseProduct(half).sum() - half.rowwise().minCoeff().sum());
}

}  // namespace

Matrix project_rows(const Matrix& w) {
  Matrix out(w.rows(), w.cols());
  for (Index i = 0; i < w.rows(); ++i) {
    std::vector<double> sorted(at(w.cols()));
    for (Index m = 0; m < w.cols(); ++m) sorted[at(m)] = w(i, m);
    std::sort(sorted.begin(), sorted.end(), std::greater<double>());
    double sum = 0.0, shift = 0.0;
    for (std::size_t m = 0; m < sorted.size(); ++m) {
      sum += sorted[m];
      const double next = (sum - 1.0) / static_cast<double>(m + 1);
      if (sorted[m] > next) shift = next;
    }
    out.row(i) = (w.row(i).array() - shift).cwiseMax(0.0);
    out.row(i) /= out.row(i).sum();
  }
  return out;
}

Matrix local_sum(const KernelBank& bank, const Matrix& weights, const Runtime& runtime) {
  Matrix out = Matrix::Zero(bank.rows(), bank.rows());
  for (Index m = 0; m < bank.size(); ++m) {
    const GramView known = bank.matrix(m, runtime);
    const auto kernel = as_matrix(known.view);
    runtime.parallel_for(out.cols(), [&](Index j) {
      out.col(j).array() += weights(j, m) * weights.col(m).array() * kernel.col(j).array();
    });
  }
  return out;
}

LocalWeights improve_local_weights(const KernelBank& bank, const Matrix& h, const Matrix& start,
                                   double largest, double tolerance, const Runtime& runtime) {
  const LocalObjective objective(bank, h, runtime);
  LocalWeights out{start, 0.0, 0.0, 0};
  Matrix half, ahead_half, ahead = start;
  out.objective = objective.evaluate(start, half);
  double momentum = 1.0;
  const double step = largest > 0.0 ? 1.0 / largest : 0.0;  // of half the gradient
  for (;;) {
    out.gap = gap_at(out.weights, half);
    if (out.gap <= tolerance * std::abs(out.objective) || out.iterations >= most_steps) break;
    ++out.iterations;
    objective.evaluate(ahead, ahead_half);
    Matrix next = project_rows(ahead - step * ahead_half);
    Matrix next_half;
    double value = objective.evaluate(next, next_half);
    // Uphill beyond rounding: near the minimum the gap still shrinks where the objective is flat.
    if (value > out.objective + 1e-13 * std::abs(out.objective)) {
      if (momentum == 1.0) break;
      momentum = 1.0;
      ahead = out.weights;
      continue;
    }
    const double grown = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * momentum * momentum));
    ahead = next + (momentum - 1.0) / grown * (next - out.weights);
    momentum = grown;
    out.weights = std::move(next);
    out.objective = value;
    half = std::move(next_half);
  }
  return out;
}

}  // namespace mk
