#include "cka.hpp"

#include <algorithm>
#include <cmath>

#include "../base/errors.hpp"
#include "../base/parameters.hpp"
#include "../solvers/interior_point.hpp"

namespace mk {

namespace {

// The norm of a centered kernel is rounding below this share of that of the kernel itself.
constexpr double negligible = 1e-12;

// Sums over blocks of rows of some kernels, which are what alignments are made of.
class CenteredKernels {
 public:
  CenteredKernels(const TrainingSet& data, Indices kernels, const Runtime& runtime)
      : data_(data),
        kernels_(std::move(kernels)),
        runtime_(runtime),
        share_(data.weights / data.weights.sum()),
        root_(share_.cwiseSqrt()),
        means_(data.size(), count()),
        blocks_(kernels_.size()) {
    const double row = 8.0 * static_cast<double>(data.size()) * static_cast<double>(count());
    const double most = std::max(1.0, std::floor(0.5 * runtime.memory / row));
    size_ = static_cast<Index>(std::min(most, static_cast<double>(data.size())));
  }

  Index count() const { return static_cast<Index>(kernels_.size()); }

  // f(rows, blocks) for the centered kernels, with the roots of the weights of both rows as
  // factors.
  template <class F>
  void each(const F& f) {
    const Index n = data_.size();
    for (Index first = 0; first < n; first += size_) add_means(fill(first));
    const Vector middle = means_.transpose() * share_;
    for (Index first = 0; first < n; first += size_) {
      const Indices rows = size_ < n ? fill(first) : all_rows(n);
      runtime_.parallel_for(count(), [&](Index k) { center(k, rows, middle[k]); });
      f(rows, blocks_);
    }
  }

  // The norm of each kernel as it is, from that of the centered one.
  Vector norms(const Vector& centered) const {
    const Vector middle = means_.transpose() * share_;
    const Vector rows = means_.cwiseAbs2().transpose() * share_;
    return (centered.cwiseAbs2() + 2.0 * rows - middle.cwiseAbs2()).cwiseMax(0.0).cwiseSqrt();
  }

  const Vector& root() const { return root_; }

 private:
  Indices fill(Index first) {
    Indices rows;
    for (Index i = first; i < std::min(data_.size(), first + size_); ++i) rows.push_back(i);
    std::vector<double*> out;
    for (Matrix& block : blocks_) {
      block.resize(static_cast<Index>(rows.size()), data_.size());
      out.push_back(block.data());
    }
    data_.bank.cross(rows, all_rows(data_.size()), runtime_)->fill(kernels_, out);
    return rows;
  }

  void add_means(const Indices& rows) {
    runtime_.parallel_for(count(), [&](Index k) {
      means_.col(k).segment(rows.front(), static_cast<Index>(rows.size())) =
          blocks_[at(k)] * share_;
    });
  }

  void center(Index k, const Indices& rows, double middle) {
    Matrix& block = blocks_[at(k)];
    const auto mean = means_.col(k);
    const auto own = mean.segment(rows.front(), block.rows());
    const auto left = root_.segment(rows.front(), block.rows()).array();
    for (Index j = 0; j < block.cols(); ++j)
      block.col(j).array() =
          (block.col(j).array() - own.array() - (mean[j] - middle)) * left * root_[j];
  }

  const TrainingSet& data_;
  Indices kernels_;
  const Runtime& runtime_;
  Vector share_, root_;  // of the weights of the rows
  Matrix means_;         // of the rows of each kernel, one kernel a column
  std::vector<Matrix> blocks_;
  Index size_;
};

// Adds the inner products of blocks; each pair is summed by one thread.
void add_products(const std::vector<Matrix>& blocks, bool pairs, Matrix& products,
                  const Runtime& runtime) {
  runtime.parallel_for(products.rows(), [&](Index k) {
    runtime.check_interrupt();
    const Matrix& one = blocks[at(k)];
    for (Index l = pairs ? 0 : k; l <= k; ++l)
      products(k, l) += runtime.simd->dot(one.data(), blocks[at(l)].data(), one.size());
  });
}

// 1 / x, and 0 for 0.
Vector inverse(const Vector& x) { return (x.array() > 0.0).select(x.cwiseInverse(), 0.0); }

// Alignments of some kernels. `y`: the centered response.
Alignments some_alignments(const TrainingSet& data, const Vector& y, Indices kernels, bool pairs,
                           const Runtime& runtime) {
  CenteredKernels centered(data, std::move(kernels), runtime);
  const Index m = centered.count();
  const Vector t = y.cwiseProduct(centered.root());
  Alignments out{Vector::Zero(m), Matrix::Zero(m, m), {}};
  centered.each([&](const Indices& rows, const std::vector<Matrix>& blocks) {
    for (Index k = 0; k < m; ++k) out.target[k] += take(t, rows).dot(blocks[at(k)] * t);
    add_products(blocks, pairs, out.pairs, runtime);
  });
  const Vector found = out.pairs.diagonal().cwiseMax(0.0).cwiseSqrt();
  out.norms = (found.array() > negligible * centered.norms(found).array()).select(found, 0.0);
  if (!out.target.allFinite() || !out.pairs.allFinite())
    throw InvalidArgument(
        "The kernels have values that are not finite on the training rows: scale the features or "
        "choose other kernel parameters.");
  const Vector unit = inverse(out.norms);
  const double size = t.squaredNorm();
  out.target = size > 0.0 ? Vector(out.target.cwiseProduct(unit) / size) : Vector::Zero(m);
  out.pairs = unit.asDiagonal() * out.pairs.selfadjointView<Eigen::Lower>().toDenseMatrix() *
              unit.asDiagonal();
  return out;
}

// Of sum 1. Without any kernel that is aligned with the response there is nothing to choose by.
Vector of_sum_one(const Vector& weights) {
  const double largest = weights.size() > 0 ? weights.maxCoeff() : 0.0;
  if (!(largest > 0.0)) return Vector::Constant(weights.size(), 1.0 / double(weights.size()));
  return weights / largest / (weights / largest).sum();
}

}  // namespace

Alignments alignments(const TrainingSet& data, bool pairs, const Runtime& runtime) {
  const Index m = data.bank.size();
  const double mean = data.y.dot(data.weights) / data.weights.sum();
  const Vector y = data.y.array() - mean;
  if (pairs) return some_alignments(data, y, all_rows(m), true, runtime);
  constexpr Index some = 64;  // kernels at a time
  Alignments out{Vector(m), Matrix(), Vector(m)};
  for (Index first = 0; first < m; first += some) {
    Indices kernels;
    for (Index k = first; k < std::min(m, first + some); ++k) kernels.push_back(k);
    const Alignments part = some_alignments(data, y, kernels, false, runtime);
    out.target.segment(first, part.target.size()) = part.target;
    out.norms.segment(first, part.norms.size()) = part.norms;
  }
  return out;
}

AlignmentWeights alignf_weights(const Alignments& known, const Runtime& runtime) {
  const Index m = known.target.size();
  QpProblem problem;
  problem.linear = -known.target;
  problem.equality.resize(0, m);
  problem.right.resize(0);
  problem.lower = Vector::Zero(m);
  problem.upper = Vector::Constant(m, infinity);
  // Constant kernels, whose row is 0, get a curvature: they stay at 0.
  Matrix pairs = known.pairs;
  for (Index k = 0; k < m; ++k)
    if (known.norms[k] == 0.0) pairs(k, k) = 1.0;
  DenseHessian hessian(pairs);
  const QpResult solved = solve_qp(problem, hessian, runtime, 1e-12);
  Vector v = solved.x;
  const Vector slope = pairs * v - known.target;
  // A weight that is smaller than its slope is at its bound.
  for (Index k = 0; k < m; ++k)
    if (v[k] < slope[k] || known.norms[k] == 0.0) v[k] = 0.0;
  // r'd <= v'Cd + max(0, r - Cv)'d <= (||v||_C + ||max(0, r - Cv)||) ||d||_C, as ||d|| <= ||d||_C.
  const Vector image = pairs * v;
  const double norm = std::sqrt(std::max(v.dot(image), 0.0));
  const double most = norm + (known.target - image).cwiseMax(0.0).norm();
  const double reached = norm > 0.0 ? known.target.dot(v) / norm : 0.0;
  AlignmentWeights out;
  out.weights = of_sum_one(v.cwiseProduct(inverse(known.norms)));
  out.gap = most > 0.0 ? std::max(0.0, (most - reached) / most) : 0.0;
  out.iterations = solved.iterations;
  return out;
}

AlignmentWeights independent_weights(const Alignments& known) {
  return {of_sum_one(known.target.cwiseMax(0.0)), 0.0, 0};
}

CkaLearner::CkaLearner(const State& parameters, const SmoOptions& smo)
    : svm(SvmOptions::read(parameters, smo)),
      alignf(read_choice(parameters, "method", {"alignf", "independent"}) == "alignf") {}

std::unique_ptr<Model> CkaLearner::fit(const TrainingSet& data, const Runtime& runtime) const {
  if (!data.kind->has_response())
    throw InvalidArgument("task", "one with a response, which kernels are aligned with",
                          data.kind->name());
  const Alignments known = alignments(data, alignf, runtime);
  const AlignmentWeights found =
      alignf ? alignf_weights(known, runtime) : independent_weights(known);
  std::unique_ptr<Model> model = fit_svm(data, found.weights, svm, runtime);
  Report& report = model->report;
  report.converged = report.converged && found.gap <= svm.smo.tol;
  report.violation = std::max(report.violation, found.gap);
  report.iterations += found.iterations;
  return model;
}

}  // namespace mk
