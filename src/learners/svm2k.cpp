#include "svm2k.hpp"

#include <chrono>
#include <cmath>
#include <limits>
#include <optional>

#include "../base/cholesky.hpp"
#include "../base/errors.hpp"
#include "../solvers/interior_point.hpp"
#include "per_kernel_model.hpp"

namespace mk {

namespace {

// The dual in v = (a, b, s, t), all of length n: a and b are the signed coefficients of the hinge
// losses, s and t >= 0 those of the two sides of the coupling. The coefficients of the kernels are
//   g_A = a - s + t,  g_B = b + s - t,  together g = E v,
// and the problem is
//   min 1/2 g'Kg - y'a - y'b + epsilon sum(s + t),  K = blockdiag(K_A, K_B),
//   a, b between 0 and y_i C_i,  0 <= s, t <= D_i,  sum(g_A) = sum(g_B) = 0.
//
// H = E'KE has rank 2n. (H + diag) v = r is solved through g: with S = E diag^-1 E', a diagonal of
// 2 x 2 blocks S_i = T_i T_i', and g = T u,
//   (I + T'KT) u = T^-1 E diag^-1 r,   v = diag^-1 (r - E'K g),
// whose matrix has no eigenvalue below 1 unless a kernel is indefinite.
class CoupledHessian final : public QpHessian {
 public:
  // Of the kernels divided by `unit`.
  CoupledHessian(const MatrixView& first, const MatrixView& second, double unit,
                 const Runtime& runtime)
      : a_(first.data, first.rows, first.cols),
        b_(second.data, second.rows, second.cols),
        unit_(unit),
        runtime_(runtime) {}

  Vector multiply(const Vector& v) const override { return spread(kernels(gather(v))); }

  void factor(const Vector& diagonal) override {
    inverse_ = diagonal.cwiseInverse();
    const Index n = a_.rows();
    const Vector p = inverse_.head(n), q = inverse_.segment(2 * n, n) + inverse_.tail(n);
    // T_i = [t11 0; t21 t22] of [p + q, -q; -q, r + q], with r + q - t21^2 = r + p q / (p + q):
    // the difference would be lost where q is large.
    t11_ = (p + q).cwiseSqrt();
    t21_ = -q.cwiseQuotient(t11_);
    share_ = q.cwiseQuotient(p + q);
    t22_ = (inverse_.segment(n, n) + p.cwiseProduct(share_)).cwiseSqrt();
    matrix_.resize(2 * n, 2 * n);
    for (Index j = 0; j < n; ++j) {
      matrix_.col(j).head(n) = t11_.cwiseProduct(a_.col(j) / unit_) * t11_[j] +
                               t21_.cwiseProduct(b_.col(j) / unit_) * t21_[j];
      matrix_.col(j).tail(n) = t22_.cwiseProduct(b_.col(j) / unit_) * t21_[j];
      matrix_.col(n + j).tail(n) = t22_.cwiseProduct(b_.col(j) / unit_) * t22_[j];
    }
    matrix_.diagonal().array() += 1.0;
    factor_.emplace(matrix_, runtime_);  // in place, of the lower triangle alone
  }

  // Not a number if the matrix has no factor: the interior point method ends where it is.
  Matrix solve(const Matrix& right) const override {
    const Index n = a_.rows();
    if (factor_->info() != Eigen::Success)
      return Matrix::Constant(right.rows(), right.cols(), std::numeric_limits<double>::quiet_NaN());
    Matrix out(right.rows(), right.cols());
    for (Index c = 0; c < right.cols(); ++c) {
      const Vector scaled = inverse_.cwiseProduct(right.col(c));
      // T^-1 E scaled, written so that the large parts of the coupling cancel on paper.
      const auto a = scaled.head(n).array(), b = scaled.segment(n, n).array();
      const Eigen::ArrayXd coupled = scaled.segment(2 * n, n) - scaled.tail(n);
      Vector u(2 * n);
      u.head(n) = (a - coupled) / t11_.array();
      u.tail(n) = (b + share_.array() * a + (1.0 - share_.array()) * coupled) / t22_.array();
      factor_->solveInPlace(u);
      Vector g(2 * n);
      g.head(n) = t11_.cwiseProduct(u.head(n));
      g.tail(n) = t21_.cwiseProduct(u.head(n)) + t22_.cwiseProduct(u.tail(n));
      out.col(c) = inverse_.cwiseProduct(right.col(c) - spread(kernels(g)));
    }
    return out;
  }

  // E v, K g and E'h.
  Vector gather(const Vector& v) const {
    const Index n = a_.rows();
    const Vector difference = v.segment(2 * n, n) - v.tail(n);
    Vector g(2 * n);
    g << v.head(n) - difference, v.segment(n, n) + difference;
    return g;
  }
  Vector kernels(const Vector& g) const {
    const Index n = a_.rows();
    Vector h(2 * n);
    h << a_ * (g.head(n) / unit_), b_ * (g.tail(n) / unit_);
    return h;
  }
  Vector spread(const Vector& h) const {
    const Index n = a_.rows();
    Vector v(4 * n);
    v << h, h.tail(n) - h.head(n), h.head(n) - h.tail(n);
    return v;
  }

 private:
  Eigen::Map<const Matrix> a_, b_;
  double unit_;
  Vector inverse_, t11_, t21_, t22_, share_;
  Matrix matrix_;  // I + T'KT, then its factor
  std::optional<Cholesky> factor_;
  const Runtime& runtime_;
};

// The size of the kernels as a power of 2, which changes no digit.
double unit_of(const MatrixView& first, const MatrixView& second) {
  double size = 0.0;
  for (Index i = 0; i < first.rows; ++i)
    size = std::max({size, std::abs(first(i, i)), std::abs(second(i, i))});
  return size > 0.0 && std::isfinite(size) ? std::exp2(std::round(std::log2(size))) : 1.0;
}

// Whether all eigenvalues are >= 0, up to the rounding of the largest.
bool is_definite(const MatrixView& kernel, const Runtime& runtime) {
  Matrix k = Eigen::Map<const Matrix>(kernel.data, kernel.rows, kernel.cols);
  k.diagonal().array() +=
      1e-10 * k.diagonal().cwiseAbs().sum() + std::numeric_limits<double>::min();
  return Cholesky(k, runtime).info() == Eigen::Success;
}

// For kernels divided by a unit the costs, and so the coefficients and the objective, are
// multiplied by it.
QpProblem coupled_problem(const TrainingSet& data, const Svm2kOptions& o) {
  const Index n = data.y.size();
  QpProblem p;
  p.linear.resize(4 * n);
  p.linear << -data.y, -data.y, Vector::Constant(2 * n, o.epsilon);
  const Vector bound = o.cost * data.y.cwiseProduct(data.weights);
  const Vector coupling = o.coupling * data.weights;
  p.lower.resize(4 * n);
  p.upper.resize(4 * n);
  p.lower << bound.cwiseMin(0.0), bound.cwiseMin(0.0), Vector::Zero(2 * n);
  p.upper << bound.cwiseMax(0.0), bound.cwiseMax(0.0), coupling, coupling;
  p.equality = Matrix::Zero(2, 4 * n);
  p.equality.row(0).head(n).setOnes();
  p.equality.row(1).segment(n, n).setOnes();
  p.equality.row(0).segment(2 * n, n).setConstant(-1.0);
  p.equality.row(0).tail(n).setOnes();
  p.equality.row(1).segment(2 * n, n).setOnes();
  p.equality.row(1).tail(n).setConstant(-1.0);
  p.right = Vector::Zero(2);
  return p;
}

double checked(const State& parameters, const char* name, double if_missing, bool zero_allowed) {
  const double value = parameters.number(name, if_missing);
  if (!(zero_allowed ? value >= 0.0 : value > 0.0) || std::isinf(value))
    throw InvalidArgument(name, zero_allowed ? "a finite number >= 0" : "a positive finite number",
                          format_number(value));
  return value;
}

}  // namespace

Svm2kLearner::Svm2kLearner(const State& parameters, const SmoOptions& smo) : tol_(smo.tol) {
  options_.cost = checked(parameters, "cost", options_.cost, false);
  options_.coupling = checked(parameters, "coupling", options_.coupling, true);
  options_.epsilon = checked(parameters, "epsilon", options_.epsilon, true);
}

std::unique_ptr<Model> Svm2kLearner::fit(const TrainingSet& data, const Runtime& runtime) const {
  if (data.task != Task::classification)
    throw InvalidArgument("task", "classification", "another one");
  if (data.bank.size() != 2)
    throw InvalidArgument("kernels", "two kernels", std::to_string(data.bank.size()));
  const auto begin = std::chrono::steady_clock::now();
  const Index n = data.bank.rows();
  const GramView first = data.bank.matrix(0, runtime), second = data.bank.matrix(1, runtime);
  const double unit = unit_of(first.view, second.view);
  CoupledHessian hessian(first.view, second.view, unit, runtime);
  Svm2kOptions scaled = options_;
  scaled.cost *= unit;
  scaled.coupling *= unit;
  const QpProblem problem = coupled_problem(data, scaled);
  // A large coupling multiplies what is left of the difference: as exact as rounding allows.
  QpOptions exact;
  exact.tolerance = 1e-13;
  const QpResult solved = solve_qp(problem, hessian, exact, runtime);
  const auto refuse_unless = [](bool finite) {
    if (!finite)
      throw InvalidArgument("The solution is not finite: scale the kernels or lower the cost.");
  };
  refuse_unless(solved.x.allFinite() && solved.multipliers.allFinite() &&
                std::isfinite(solved.objective));

  Vector g = hessian.gather(solved.x);
  for (Index i = 0; i < 2 * n; ++i)
    if (std::abs(g[i]) <= 1e-9 * scaled.cost * data.weights[i % n]) g[i] = 0.0;
  // The multipliers of the sums are minus the biases.
  const Vector scores = hessian.kernels(g);
  const Vector f_a = (scores.head(n).array() - solved.multipliers[0]).matrix();
  const Vector f_b = (scores.tail(n).array() - solved.multipliers[1]).matrix();
  refuse_unless((f_a + f_b).allFinite());  // coefficients of a fair size on values that are not

  auto model = std::make_unique<PerKernelModel>();
  for (Index i = 0; i < n; ++i)
    if (g[i] != 0.0 || g[n + i] != 0.0) model->rows.push_back(i);
  model->coefficients.resize(static_cast<Index>(model->rows.size()), 2);
  for (std::size_t k = 0; k < model->rows.size(); ++k) {
    model->coefficients(static_cast<Index>(k), 0) = 0.5 / unit * g[model->rows[k]];
    model->coefficients(static_cast<Index>(k), 1) = 0.5 / unit * g[n + model->rows[k]];
  }
  model->bias = -0.5 * (solved.multipliers[0] + solved.multipliers[1]);
  model->weights = Vector::Constant(2, 0.5);
  model->fitted = 0.5 * (f_a + f_b);

  // The primal objective at these functions minus the dual one.
  const double norms = g.dot(scores);
  const auto hinge = [&](const Vector& f) {
    return (1.0 - data.y.array() * f.array()).max(0.0).matrix().dot(data.weights);
  };
  const double coupling =
      ((f_a - f_b).cwiseAbs().array() - options_.epsilon).max(0.0).matrix().dot(data.weights);
  const double primal =
      0.5 * norms + scaled.cost * (hinge(f_a) + hinge(f_b)) + scaled.coupling * coupling;
  model->report.objective = -solved.objective / unit;
  model->report.path =
      Eigen::Map<const Vector>(solved.path.data(), static_cast<Index>(solved.path.size())) / -unit;
  model->report.gap = std::max(primal + solved.objective, 0.0) / unit;
  model->report.iterations = solved.iterations;
  model->report.converged = std::abs(primal + solved.objective) <= tol_ * std::abs(primal);
  model->report.indefinite =
      !is_definite(first.view, runtime) || !is_definite(second.view, runtime);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  model->report.seconds = elapsed.count();
  return model;
}

}  // namespace mk
