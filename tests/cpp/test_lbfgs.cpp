// L-BFGS: against closed forms, with values that are off by a known amount, and at kinks.
#include "check.hpp"
#include "fixtures.hpp"
#include "solvers/lbfgs.hpp"

using namespace mk;
using namespace fixtures;

namespace {

class Test : public SmoothFunction {
 public:
  double evaluate(const Vector& x) override {
    ++evaluations;
    x_ = x;
    return value(x) - error_ * (evaluations % 3) / 2.0;
  }
  double error() const override { return error_; }
  Vector gradient() override { return slope(x_); }
  void accept() override { accepted = x_; }
  bool tighten() override {
    if (error_ <= 1e-15) return false;
    error_ *= 0.1;
    return true;
  }
  virtual double value(const Vector& x) const = 0;
  virtual Vector slope(const Vector& x) const = 0;

  double error_ = 0.0;
  int evaluations = 0;
  Vector accepted;

 private:
  Vector x_;
};

struct Quadratic final : Test {
  Matrix h;
  Vector c;
  double value(const Vector& x) const override { return 0.5 * (x - c).dot(h * (x - c)) + 1.0; }
  Vector slope(const Vector& x) const override { return h * (x - c); }
};

struct Rosenbrock final : Test {
  double value(const Vector& x) const override {
    const double a = 1.0 - x[0], b = x[1] - x[0] * x[0];
    return a * a + 100.0 * b * b + 1.0;
  }
  Vector slope(const Vector& x) const override {
    const double b = x[1] - x[0] * x[0];
    Vector g(2);
    g << -2.0 * (1.0 - x[0]) - 400.0 * x[0] * b, 200.0 * b;
    return g;
  }
};

// |x1| + x2^2 + 1: a kink along the second axis.
struct Kink final : Test {
  double value(const Vector& x) const override { return std::abs(x[0]) + x[1] * x[1] + 1.0; }
  Vector slope(const Vector& x) const override {
    Vector g(2);
    g << (x[0] > 0.0 ? 1.0 : -1.0), 2.0 * x[1];
    return g;
  }
};

// A gradient that is wrong: nothing falls along it.
struct Liar final : Test {
  double value(const Vector& x) const override { return x.squaredNorm() + 1.0; }
  Vector slope(const Vector& x) const override { return -2.0 * x; }
};

LbfgsOptions options(double tolerance = 1e-6, Index iterations = 1000) {
  LbfgsOptions o;
  o.tolerance = tolerance;
  o.iterations = iterations;
  return o;
}

}  // namespace

TEST(the_minimum_of_a_badly_scaled_quadratic) {
  for (double error : {0.0, 1e-3}) {
    Quadratic f;
    f.error_ = error;
    Vector d(6);
    d << 1e-2, 0.1, 1.0, 3.0, 30.0, 100.0;
    f.h = d.asDiagonal();
    f.c = normal_matrix(6, 1, 1);
    const LbfgsResult r = minimize_lbfgs(f, Vector::Ones(6), options(1e-8));
    CHECK(r.end == LbfgsEnd::stationary);
    CHECK_CLOSE(distance(r.x, f.c), 0.0, 1e-3);
    CHECK(identical(r.x, f.accepted));
    CHECK(f.evaluations < 300);
  }
}

TEST(the_curved_valley) {
  Rosenbrock f;
  Vector start(2);
  start << -1.2, 1.0;
  const LbfgsResult r = minimize_lbfgs(f, start, options(1e-8));
  CHECK(r.end == LbfgsEnd::stationary);
  CHECK_CLOSE(distance(r.x, Vector(Vector::Ones(2))), 0.0, 1e-4);
  for (std::size_t t = 1; t < r.path.size(); ++t) CHECK(r.path[t] < r.path[t - 1]);
  const LbfgsResult few = minimize_lbfgs(f, start, options(1e-8, 5));
  CHECK(few.end == LbfgsEnd::iterations && few.path.size() == 6);
  for (std::size_t t = 0; t < 6; ++t) CHECK(few.path[t] == r.path[t]);
}

TEST(a_kink_is_stationary_where_the_gradients_cancel) {
  Kink f;
  Vector start(2);
  start << 0.7, 0.9;
  const LbfgsResult r = minimize_lbfgs(f, start, options(1e-4));
  CHECK(r.end == LbfgsEnd::stationary);
  CHECK_CLOSE(r.path.back(), 1.0, 1e-3);
}

TEST(a_failed_line_search_is_not_converged) {
  Liar f;
  const LbfgsResult r = minimize_lbfgs(f, Vector::Ones(3), options());
  CHECK(r.end == LbfgsEnd::no_progress && r.path.size() == 1);
}

TEST(a_start_at_the_minimum_ends_there) {
  Quadratic f;
  f.h = Matrix::Identity(3, 3);
  f.c = Vector::Ones(3);
  const LbfgsResult r = minimize_lbfgs(f, Vector::Ones(3), options());
  CHECK(r.end == LbfgsEnd::stationary && r.path.size() == 1);
}

TEST(the_shortest_vector_of_a_hull) {
  Matrix g(2, 3);
  g << 1.0, -1.0, 0.5, 1.0, 1.0, 3.0;
  CHECK_CLOSE(shortest_in_hull(g), 1.0, 1e-8);
  g << 1.0, -1.0, 0.0, 1.0, 1.0, -1.0;
  CHECK_CLOSE(shortest_in_hull(g), 0.0, 1e-5);
  CHECK_CLOSE(shortest_in_hull(g.leftCols(1)), std::sqrt(2.0), 1e-12);
}

// x1^2 + x2^4 / 4 - x2^2 / 2 + 1: stationary at 0, which is a saddle; minima at x2 = -1 and 1.
struct Saddle final : Test {
  double value(const Vector& x) const override {
    return x[0] * x[0] + std::pow(x[1], 4) / 4.0 - x[1] * x[1] / 2.0 + 1.0;
  }
  Vector slope(const Vector& x) const override {
    Vector g(2);
    g << 2.0 * x[0], std::pow(x[1], 3) - x[1];
    return g;
  }
};

TEST(a_saddle_point_is_left) {
  Saddle f;
  Vector start(2);
  start << 3.0, 0.0;  // the gradient leads into the saddle, exactly
  const LbfgsResult r = minimize_lbfgs(f, start, options());
  CHECK(r.end == LbfgsEnd::stationary);
  CHECK_CLOSE(r.path.back(), 0.75, 1e-8);
  CHECK_CLOSE(std::abs(r.x[1]), 1.0, 1e-4);
  for (std::size_t t = 1; t < r.path.size(); ++t) CHECK(r.path[t] <= r.path[t - 1]);
  CHECK(f.accepted == r.x);
}
