#include "fusion.hpp"

#include <algorithm>
#include <cmath>
#include <queue>
#include <set>

#include "../base/symmetric_eigen.hpp"
#include "../solvers/interior_point.hpp"

namespace mk {

namespace {

struct EigenPair {
  double value = 0.0;
  Vector vector;  // of a sum that is not negative
};

EigenPair extreme_pair(Matrix a, bool largest, const Runtime& runtime) {
  Vector values;
  symmetric_eigen(a, values, runtime);
  const Index which = largest ? values.size() - 1 : 0;
  Vector vector = a.col(which);
  if (vector.sum() < 0.0) vector = -vector;
  return {values[which], std::move(vector)};
}

// A matrix of mean diagonal 1, and the factor that was taken out.
struct Scaled {
  Matrix matrix;
  double factor;

  explicit Scaled(const Matrix& s) : matrix(s), factor(s.diagonal().mean()) {
    if (factor > 0.0) matrix /= factor;
    else factor = 1.0;
  }
};

Matrix part(const Matrix& s, const Indices& of) { return take(view(s), of, of); }

// The largest of lower bounds of b'Sb for b >= 0, ||b|| = 1: positive entries beside the diagonal
// can only add to it, so any share of them may be left out.
double sphere_bound(const Matrix& s, const Runtime& runtime) {
  Matrix positive = s.cwiseMax(0.0);
  positive.diagonal().setZero();
  if (positive.isZero(0.0)) return extreme_pair(s, false, runtime).value;
  double best = -infinity;
  for (const double share : {1.0, 0.75, 0.5, 0.25, 0.0})
    best = std::max(best, extreme_pair(s - share * positive, false, runtime).value);
  return best;
}

struct Node {
  double bound;
  Indices kernels;
  bool operator<(const Node& other) const {
    return bound > other.bound || (bound == other.bound && kernels > other.kernels);
  }
};

class SphereSearch {
 public:
  SphereSearch(const Matrix& s, const Runtime& runtime) : s_(s), runtime_(runtime) {
    Index best = 0;
    value_ = s.diagonal().minCoeff(&best);
    weights_ = Vector::Unit(s.rows(), best);
  }

  // Each node has the best weights of a support within its kernels: its eigenvector if that is not
  // negative, else those of one of its parts that lack a kernel.
  void run(Index most) {
    add(all_rows(s_.rows()));
    while (!open_.empty() && open_.top().bound < value_ - exact && count_ < most) {
      runtime_.check_interrupt();
      const Node node = open_.top();
      open_.pop();
      ++count_;
      expand(node);
    }
  }

  double lower() const { return open_.empty() ? value_ : std::min(value_, open_.top().bound); }
  double value() const { return value_; }
  Index count() const { return count_; }
  const Vector& weights() const { return weights_; }

 private:
  static constexpr double exact = 1e-10;

  void expand(const Node& node) {
    const EigenPair pair = extreme_pair(part(s_, node.kernels), false, runtime_);
    if (pair.vector.minCoeff() >= -exact) {
      const Vector b = pair.vector.cwiseMax(0.0).normalized();
      const Vector whole = spread(b, node.kernels, s_.rows());
      const double value = whole.dot(s_ * whole);
      if (value < value_) {
        value_ = value;
        weights_ = whole;
      }
      return;
    }
    if (node.kernels.size() == 1) return;
    for (std::size_t k = 0; k < node.kernels.size(); ++k) {
      Indices fewer = node.kernels;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
      add(std::move(fewer));
    }
  }

  void add(Indices kernels) {
    if (!seen_.insert(kernels).second) return;
    const double bound = sphere_bound(part(s_, kernels), runtime_);
    if (bound < value_ - exact) open_.push({bound, std::move(kernels)});
  }

  const Matrix& s_;
  const Runtime& runtime_;
  std::priority_queue<Node> open_;
  std::set<Indices> seen_;
  double value_;
  Vector weights_;
  Index count_ = 0;
};

}  // namespace

FusionWeights statis_weights(const Matrix& cosines, const Runtime& runtime) {
  const EigenPair pair = extreme_pair(cosines, true, runtime);
  FusionWeights out;
  // Rounding aside, an eigenvector of a matrix without negative entries has none either.
  const Vector v = pair.vector.cwiseMax(0.0).normalized();
  out.objective = v.dot(cosines * v);
  out.gap = std::max(0.0, pair.value - out.objective);
  out.weights = v / v.sum();
  return out;
}

FusionWeights simplex_weights(const Matrix& s, const Runtime& runtime) {
  const Index m = s.rows();
  const Scaled scaled(s);
  QpProblem problem;
  problem.linear = Vector::Zero(m);
  problem.equality = Matrix::Ones(1, m);
  problem.right = Vector::Ones(1);
  problem.lower = Vector::Zero(m);
  problem.upper = Vector::Constant(m, infinity);
  DenseHessian hessian(scaled.matrix);
  const QpResult solved = solve_qp(problem, hessian, runtime, 1e-12);
  Vector b = solved.x.cwiseMax(0.0);
  // A weight that is smaller than its slope above the smallest one is at its bound.
  const Vector image = scaled.matrix * b;
  const double least = image.minCoeff();
  for (Index k = 0; k < m; ++k)
    if (b[k] < image[k] - least) b[k] = 0.0;
  b /= b.sum();
  const Vector slope = scaled.matrix * b;
  FusionWeights out;
  out.weights = b;
  out.objective = scaled.factor * b.dot(slope);
  out.gap = 2.0 * std::max(0.0, b.dot(slope) - slope.minCoeff());
  out.iterations = solved.iterations;
  return out;
}

FusionWeights sphere_weights(const Matrix& s, Index most, const Runtime& runtime) {
  const Scaled scaled(s);
  SphereSearch search(scaled.matrix, runtime);
  search.run(most);
  FusionWeights out;
  out.weights = search.weights() / search.weights().sum();
  out.objective = scaled.factor * search.value();
  out.gap = std::max(0.0, search.value() - search.lower());
  out.iterations = search.count();
  return out;
}

}  // namespace mk
