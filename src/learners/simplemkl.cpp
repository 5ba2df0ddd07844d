#include "simplemkl.hpp"

#include <cmath>

#include "../base/errors.hpp"
#include "../solvers/interior_point.hpp"

namespace mk {

namespace {

using Value = MklProblem::Value;

// The second-order model is formed for at most this many kernels; beyond, the gradient serves.
constexpr std::size_t most_kernels = 300;
// Kernels of weight 0 that join the model, those of steepest descent.
constexpr std::size_t most_joining = 40;
constexpr double sufficient = 1e-4;  // share of the predicted decrease (Armijo)
constexpr double flat = 0.1;         // share of the slope at which a line search is good enough
constexpr int most_trials = 12;
constexpr double negligible = 1e-9;  // weight

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// The examples whose coefficients are strictly between their bounds: those that move with d.
Indices free_rows(const TrainingSet& data, const SvmOptions& options, const Vector& b) {
  const double cost = data.task == Task::one_class ? 1.0 : options.cost;
  Indices rows;
  for (Index i = 0; i < b.size(); ++i) {
    const double size = std::abs(b[i]), most = cost * data.weights[i];
    if (size > 1e-10 * most && size < (1.0 - 1e-10) * most) rows.push_back(i);
  }
  return rows;
}

class Descent {
 public:
  Descent(MklSearch& search, bool newton, const Runtime& runtime)
      : search_(search), newton_(newton), runtime_(runtime) {}

  void run() {
    d_ = search_.equal_weights();
    value_ = search_.evaluate(d_);
    search_.record(value_.objective);
    while (!search_.done() && !search_.exhausted()) {
      const bool moved = newton_ && newton_step() ? true : gradient_step();
      search_.record(value_.objective);
      if (!moved) {  // the noise of the SVM hides what descent is left
        if (!search_.tighten()) break;
        value_ = search_.evaluate(d_);
      }
    }
  }

 private:
  // ---- the reduced gradient ----------------------------------------------------------------
  bool gradient_step() {
    Index largest;
    d_.maxCoeff(&largest);
    Vector direction = reduced_gradient(largest);
    if (!(direction.cwiseAbs().maxCoeff() > 0.0)) return false;
    const double before = value_.objective;
    // As long as the objective falls up to the point where a weight reaches 0, go there and on.
    for (;;) {
      Index first;
      const double longest = longest_step(d_, direction, first);
      if (first < 0) return value_.objective < before;
      Vector end = d_ + longest * direction;
      end[first] = 0.0;
      const Value there = search_.evaluate(end);
      const double slope = -0.5 * direction.dot(there.forms);
      if (!(there.objective < value_.objective) || slope > 0.0) {
        line_search(direction, longest, &there);
        return value_.objective < before;
      }
      d_ = end;
      value_ = there;
      if (first == largest) return true;  // the reference itself left: the direction is another
      direction[largest] += direction[first];
      direction[first] = 0.0;
      if (!(direction.cwiseAbs().maxCoeff() > 0.0) ||
          !(-0.5 * direction.dot(value_.forms) < 0.0))
        return true;
    }
  }

  Vector reduced_gradient(Index largest) const {
    Vector direction = 0.5 * (value_.forms.array() - value_.forms[largest]).matrix();
    for (Index m = 0; m < direction.size(); ++m)
      if (d_[m] <= 0.0 && direction[m] < 0.0) direction[m] = 0.0;
    direction[largest] = 0.0;
    direction[largest] = -direction.sum();
    return direction;
  }

  static double longest_step(const Vector& d, const Vector& direction, Index& first) {
    double longest = 0.0;
    first = -1;
    for (Index m = 0; m < d.size(); ++m) {
      if (!(direction[m] < 0.0)) continue;
      const double length = -d[m] / direction[m];
      if (first < 0 || length < longest) {
        longest = length;
        first = m;
      }
    }
    return longest;
  }

  // Moves to a point on (0, end] where the slope is nearly 0, by the secant rule on the slopes kept
  // between brackets (Illinois). `there` is the value at the end.
  void line_search(const Vector& direction, double end, const Value* there) {
    double low = 0.0, high = end;
    double slope_low = -0.5 * direction.dot(value_.forms);
    double slope_high = -0.5 * direction.dot(there->forms);
    const double target = flat * std::abs(slope_low);
    Vector best_d = d_ + end * direction;
    Value best = *there;
    clear_dust(best_d);
    for (int trial = 0; trial < most_trials; ++trial) {
      if (!(slope_low < 0.0)) break;
      double share = slope_high > 0.0 ? slope_low / (slope_low - slope_high) : 0.5;
      share = std::min(std::max(share, 0.05), 0.95);
      const double length = low + share * (high - low);
      Vector d = d_ + length * direction;
      clear_dust(d);
      const Value value = search_.evaluate(d);
      const double slope = -0.5 * direction.dot(value.forms);
      if (value.objective < best.objective) {
        best = value;
        best_d = d;
      }
      if (std::abs(slope) <= target && value.objective < value_.objective) break;
      if (slope > 0.0 || value.objective > value_.objective) {
        high = length;
        slope_high = slope > 0.0 ? slope : std::abs(slope_low);
        slope_low *= 0.5;
      } else {
        low = length;
        slope_low = slope;
        slope_high *= 0.5;
      }
    }
    if (best.objective < value_.objective) {
      value_ = best;
      d_ = best_d;
    }
  }

  // ---- the second-order model ----------------------------------------------------------------
  bool newton_step() {
    const Indices kernels = working_kernels();
    if (kernels.size() > most_kernels) return false;
    Vector direction = newton_direction(kernels);
    const double slope = -0.5 * direction.dot(value_.forms);
    if (!(slope < 0.0)) return false;
    Vector end = d_ + direction;
    clear_dust(end);
    direction = end - d_;
    const Value there = search_.evaluate(end);
    if (there.objective <= value_.objective + sufficient * slope) {
      d_ = end;
      value_ = there;
      return true;
    }
    const double before = value_.objective;
    line_search(direction, 1.0, &there);
    return value_.objective < before;
  }

  // Those with a weight, and those of weight 0 that would lower the objective most.
  Indices working_kernels() const {
    const double mean = d_.dot(value_.forms);
    Indices kernels, joining;
    for (Index m = 0; m < d_.size(); ++m)
      if (d_[m] > 0.0) kernels.push_back(m);
      else if (value_.forms[m] > mean) joining.push_back(m);
    std::sort(joining.begin(), joining.end(), [&](Index a, Index b) {
      return value_.forms[a] != value_.forms[b] ? value_.forms[a] > value_.forms[b] : a < b;
    });
    if (joining.size() > most_joining) joining.resize(most_joining);
    kernels.insert(kernels.end(), joining.begin(), joining.end());
    std::sort(kernels.begin(), kernels.end());
    return kernels;
  }

  // With the free rows F and p_m = (K_m b)_F the coefficients move by -A^-1 p_m, A = K_FF bordered
  // by the sum constraint, so that d2J / dd_m dd_k = p_m' A^-1 p_k.
  Matrix hessian(const Indices& kernels) const {
    const MklProblem& problem = search_.problem();
    const Vector& b = value_.svm.coefficients;
    const Indices rows = free_rows(problem.data(), problem.options(), b);
    const Index f = static_cast<Index>(rows.size()), m = static_cast<Index>(kernels.size());
    if (f < 2) return Matrix::Zero(m, m);
    Matrix k = problem.combined(d_, rows);
    k.diagonal().array() += 1e-9 * (k.diagonal().cwiseAbs().mean() + 1e-300);
    const Eigen::LDLT<Matrix> factor(k);
    const Matrix p = problem.products(kernels, b, rows);
    const Vector ones = Vector::Ones(f), k_ones = factor.solve(ones);
    const Matrix k_p = factor.solve(p);
    const double total = ones.dot(k_ones);
    const Vector border = p.transpose() * k_ones;
    Matrix h = p.transpose() * k_p;
    if (total > 0.0) h -= border * border.transpose() / total;
    return 0.5 * (h + h.transpose());
  }

  Vector newton_direction(const Indices& kernels) const {
    const Index m = static_cast<Index>(kernels.size());
    Matrix h = hessian(kernels);
    Vector gradient(m), from(m);
    for (Index c = 0; c < m; ++c) {
      gradient[c] = -0.5 * value_.forms[kernels[at(c)]];
      from[c] = d_[kernels[at(c)]];
    }
    // The QP in units of the objective; a ridge for kernels that cannot be told apart.
    const double scale = std::max(gradient.cwiseAbs().maxCoeff(), 1e-300);
    h /= scale;
    gradient /= scale;
    h.diagonal().array() += 1e-8 * (h.diagonal().cwiseAbs().mean() + 1.0);
    QpProblem qp;
    qp.linear = gradient - h * from;
    qp.equality = Matrix::Ones(1, m);
    qp.right = Vector::Constant(1, from.sum());
    qp.lower = Vector::Zero(m);
    qp.upper = Vector::Constant(m, 2.0);
    DenseHessian model(std::move(h));
    const QpResult solved = solve_qp(qp, model, QpOptions(), runtime_);
    Vector direction = Vector::Zero(d_.size());
    if (!solved.x.allFinite()) return direction;
    for (Index c = 0; c < m; ++c) direction[kernels[at(c)]] = solved.x[c] - from[c];
    return direction;
  }

  // Weights that only rounding keeps from 0 become 0; the rest sums to 1 again.
  static void clear_dust(Vector& d) {
    for (Index m = 0; m < d.size(); ++m)
      if (!(d[m] > negligible)) d[m] = 0.0;
    d /= d.sum();
  }

  MklSearch& search_;
  const bool newton_;
  const Runtime& runtime_;
  Vector d_;
  Value value_;
};

}  // namespace

SimplemklLearner::SimplemklLearner(const State& parameters, const SmoOptions& smo)
    : options_(MklOptions::read(parameters, smo)) {
  const std::string direction =
      parameters.has("direction") ? parameters.text("direction") : "newton";
  if (direction != "newton" && direction != "gradient")
    throw InvalidArgument("direction", "\"newton\" or \"gradient\"", "\"" + direction + "\"");
  newton_ = direction == "newton";
}

std::unique_ptr<Model> SimplemklLearner::fit(const TrainingSet& data,
                                             const Runtime& runtime) const {
  MklSearch search(data, options_, "simplemkl", runtime);
  Descent(search, newton_, runtime).run();
  return search.model();
}

}  // namespace mk
