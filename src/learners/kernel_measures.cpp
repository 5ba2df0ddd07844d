#include "kernel_measures.hpp"

#include <algorithm>
#include <cmath>

#include "../base/cholesky.hpp"
#include "../base/errors.hpp"
#include "../base/symmetric_eigen.hpp"
#include "komd.hpp"

namespace mk {

namespace {

using Gram = Eigen::Map<const Matrix>;

// <K, TT'> / (||K|| ||TT'||); 0 where a norm is 0 but for rounding.
double alignment(const Eigen::Ref<const Matrix>& k, double norm, const Matrix& target) {
  const double size = norm * (target.transpose() * target).norm();
  return size > 0.0 ? target.cwiseProduct(k * target).sum() / size : 0.0;
}

Matrix centered(const Eigen::Ref<const Matrix>& k) {
  const Vector means = k.colwise().mean();
  Matrix out = k;
  out.rowwise() -= means.transpose();
  out.colwise() -= (means.array() - means.mean()).matrix();
  return out;
}

double centered_alignment(const Eigen::Ref<const Matrix>& k, double norm, const Matrix& target) {
  const Matrix kc = centered(k);
  const double own = kc.norm();
  const Matrix moved = target.rowwise() - target.colwise().mean();
  return own > 1e-12 * norm ? alignment(kc, own, moved) : 0.0;
}

// Of a matrix that is not positive definite with the ridge, by its eigenvalues: those that are
// negative count as 0.
double dimension_by_eigenvalues(Matrix k, double ridge, const Runtime& runtime) {
  Vector values;
  symmetric_eigen(k, values, runtime);
  const Vector positive = values.cwiseMax(0.0);
  return (positive.array() / (positive.array() + ridge)).sum();
}

double effective_dimension(const Eigen::Ref<const Matrix>& k, double share,
                           const Runtime& runtime) {
  const Index n = k.rows();
  const double ridge = share * k.trace();
  if (!(ridge > 0.0)) return 0.0;
  Matrix a = k;
  a.diagonal().array() += ridge;
  const Cholesky factor(a, runtime);
  if (factor.info() != Eigen::Success) return dimension_by_eigenvalues(k, ridge, runtime);
  // n - ridge tr((K + ridge I)^-1), and the inverse of LL' has the trace ||L^-1||^2.
  double trace = 0.0;
  constexpr Index width = 64;
  for (Index first = 0; first < n; first += width) {
    runtime.check_interrupt();
    const Index count = std::min(width, n - first);
    Matrix part = Matrix::Zero(n - first, count);  // rows above are 0
    part.topRows(count).setIdentity();
    a.bottomRightCorner(n - first, n - first).triangularView<Eigen::Lower>().solveInPlace(part);
    trace += part.squaredNorm();
  }
  return static_cast<double>(n) - ridge * trace;
}

// The distance of the convex hulls and what it may be smaller by.
void add_margin(const TrainingSet& data, Index m, const SmoOptions& smo, KernelMeasures& out,
                const Runtime& runtime) {
  KomdOptions options;
  options.lambda = 0.0;
  options.smo = smo;
  const KomdSolution solution =
      solve_komd(data, Vector::Unit(data.bank.size(), m), options, runtime);
  const double squared = std::max(0.0, solution.solved.objective);
  out.margin[m] = solution.overlap ? 0.0 : std::sqrt(squared);
  const double least = std::sqrt(std::max(0.0, squared - solution.solved.gap));
  out.margin_error[m] = solution.overlap ? std::sqrt(squared) : out.margin[m] - least;
}

void add_radius(const MatrixView& k, Index m, const SmoOptions& smo, KernelMeasures& out,
                const Runtime& runtime) {
  const EnclosingBall ball = enclosing_ball(k, smo, runtime);
  out.radius[m] = std::sqrt(std::max(0.0, ball.squared));
  out.radius_error[m] = std::sqrt(std::max(0.0, ball.squared + ball.gap)) - out.radius[m];
}

void check_gram(const Gram& k) {
  if (!k.allFinite())
    throw InvalidArgument(
        "The kernels have values that are not finite: scale the features or choose other kernel "
        "parameters.");
}

}  // namespace

EnclosingBall enclosing_ball(const MatrixView& k, const SmoOptions& smo, const Runtime& runtime) {
  const Index n = k.rows;
  const Vector diagonal = as_matrix(k).diagonal();
  const double size = diagonal.cwiseAbs().mean();
  EnclosingBall ball;
  ball.a = Vector::Constant(n, 1.0 / static_cast<double>(n));
  if (!(size > 0.0)) return ball;
  // min 1/2 a'Ka - 1/2 diag'a, in units of the kernel.
  StoredQ stored(k, runtime.memory, runtime);
  RidgedQ q(stored, 1.0 / size, Vector::Zero(n));
  SmoProblem problem;
  problem.linear = 0.5 * diagonal / size;
  problem.lower = Vector::Zero(n);
  problem.upper = Vector::Ones(n);
  problem.total = 1.0;
  const SmoResult r = solve_smo(q, problem, ball.a, smo, runtime);
  ball.a = r.beta;
  const Vector image = as_matrix(k) * ball.a;
  const Vector slope = 2.0 * image - diagonal;
  ball.squared = ball.a.dot(diagonal) - ball.a.dot(image);
  ball.gap = std::max(0.0, ball.a.dot(slope) - slope.minCoeff());
  ball.iterations = r.iterations;
  return ball;
}

KernelMeasures kernel_measures(const KernelBank& bank, const Matrix& target, const Vector& labels,
                               const MeasureOptions& options, const Runtime& runtime) {
  const Index m = bank.size();
  KernelMeasures out;
  out.spectral_ratio.resize(m);
  if (target.size() > 0) out.alignment = out.centered_alignment = Vector(m);
  if (options.radius) out.radius = out.radius_error = Vector(m);
  const bool margin = options.margin && labels.size() > 0;
  if (margin) out.margin = out.margin_error = Vector(m);
  if (options.dimension) out.dimension.resize(m);
  const TrainingSet data(bank, {classification(), labels, Vector::Ones(bank.rows())});
  const auto measure = [&](Index k, const MatrixView& matrix) {
    runtime.check_interrupt();
    const Gram gram = as_matrix(matrix);
    check_gram(gram);
    const double norm = gram.norm();
    out.spectral_ratio[k] = norm > 0.0 ? gram.trace() / norm : 0.0;
    if (target.size() > 0) {
      out.alignment[k] = alignment(gram, norm, target);
      out.centered_alignment[k] = centered_alignment(gram, norm, target);
    }
    if (options.radius) add_radius(matrix, k, options.smo, out, runtime);
    if (margin) add_margin(data, k, options.smo, out, runtime);
    if (options.dimension) out.dimension[k] = effective_dimension(gram, options.ridge, runtime);
    runtime.advance(1);
  };
  // The margin needs each matrix again, in another order; without it none is kept.
  if (margin)
    for (Index k = 0; k < m; ++k) measure(k, bank.matrix(k, runtime).view);
  else bank.visit([&](Index k, const Matrix& gram) { measure(k, view(gram)); }, runtime);
  return out;
}

}  // namespace mk
