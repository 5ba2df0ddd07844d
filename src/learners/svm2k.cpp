#include "svm2k.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include "../base/cholesky.hpp"
#include "../base/errors.hpp"
#include "../base/parameters.hpp"
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
  Matrix k = as_matrix(kernel);
  k.diagonal().array() +=
      1e-10 * k.diagonal().cwiseAbs().sum() + std::numeric_limits<double>::min();
  return Cholesky(k, runtime).info() == Eigen::Success;
}

// For kernels divided by a unit the costs, and so the coefficients and the objective, are
// multiplied by it.
QpProblem coupled_problem(const TrainingSet& data, const Svm2kLearner& o) {
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

void check_finite(bool finite) {
  if (!finite)
    throw InvalidArgument("The solution is not finite: scale the kernels or lower the cost.");
}

// The two functions of a solution, in the units in which it was found.
struct CoupledFunctions {
  Vector g;      // coefficients, of one after those of the other
  double norms;  // the sum of their squared lengths
  Vector a, b;   // decision values
};

CoupledFunctions functions_of(const QpResult& solved, const CoupledHessian& hessian,
                              const TrainingSet& data, const Svm2kLearner& o) {
  const Index n = data.size();
  CoupledFunctions f;
  f.g = hessian.gather(solved.x);
  for (Index i = 0; i < 2 * n; ++i)
    if (std::abs(f.g[i]) <= 1e-9 * o.cost * data.weights[i % n]) f.g[i] = 0.0;
  const Vector scores = hessian.kernels(f.g);
  f.norms = f.g.dot(scores);
  // The multipliers of the sums are minus the biases.
  f.a = (scores.head(n).array() - solved.multipliers[0]).matrix();
  f.b = (scores.tail(n).array() - solved.multipliers[1]).matrix();
  check_finite((f.a + f.b).allFinite());  // coefficients of a fair size on values that are not
  return f;
}

// The objective of the primal problem.
double coupled_primal(const CoupledFunctions& f, const TrainingSet& data, const Svm2kLearner& o) {
  const auto hinge = [&](const Vector& values) {
    return (1.0 - data.y.array() * values.array()).max(0.0).matrix().dot(data.weights);
  };
  const double coupling =
      ((f.a - f.b).cwiseAbs().array() - o.epsilon).max(0.0).matrix().dot(data.weights);
  return 0.5 * f.norms + o.cost * (hinge(f.a) + hinge(f.b)) + o.coupling * coupling;
}

// The mean of the two functions.
std::unique_ptr<PerKernelModel> make_model(const CoupledFunctions& f, const QpResult& solved,
                                           double unit) {
  const Index n = f.a.size();
  auto model = std::make_unique<PerKernelModel>();
  model->rows = all_rows(n);
  model->coefficients = 0.5 / unit * Eigen::Map<const Matrix>(f.g.data(), n, 2);
  drop_zero_rows(*model);
  model->bias = -0.5 * (solved.multipliers[0] + solved.multipliers[1]);
  model->weights = Vector::Constant(2, 0.5);
  model->fitted = 0.5 * (f.a + f.b);
  return model;
}

}  // namespace

Svm2kLearner::Svm2kLearner(const State& parameters, const SmoOptions& smo)
    : cost(read_number(parameters, "cost", 1.0, Range::positive())),
      coupling(read_number(parameters, "coupling", 1.0, Range::at_least(0.0))),
      epsilon(read_number(parameters, "epsilon", 0.1, Range::at_least(0.0))),
      tol(smo.tol) {}

std::unique_ptr<Model> Svm2kLearner::fit(const TrainingSet& data, const Runtime& runtime) const {
  require_classes(data, "SVM-2K");
  if (data.bank.size() != 2)
    throw InvalidArgument("kernels", "two kernels", std::to_string(data.bank.size()));
  const GramView first = data.bank.matrix(0, runtime), second = data.bank.matrix(1, runtime);
  const double unit = unit_of(first.view, second.view);
  Svm2kLearner scaled = *this;
  scaled.cost *= unit;
  scaled.coupling *= unit;
  CoupledHessian hessian(first.view, second.view, unit, runtime);
  // A large coupling multiplies what is left of the difference: as exact as rounding allows.
  const QpResult solved = solve_qp(coupled_problem(data, scaled), hessian, runtime, 1e-13);
  check_finite(solved.x.allFinite() && solved.multipliers.allFinite() &&
               std::isfinite(solved.objective));
  const CoupledFunctions f = functions_of(solved, hessian, data, scaled);
  auto model = make_model(f, solved, unit);
  Report& report = model->report;
  const double primal = coupled_primal(f, data, scaled), gap = primal + solved.objective;
  report.objective = -solved.objective / unit;
  report.path = as_vector(solved.path) / -unit;
  report.gap = std::max(gap, 0.0) / unit;
  report.iterations = solved.iterations;
  report.converged = std::abs(gap) <= tol * std::abs(primal);
  report.indefinite = !is_definite(first.view, runtime) || !is_definite(second.view, runtime);
  return model;
}

}  // namespace mk
