// Minimisation over x >= 0: against closed forms, with values that are off by a known amount, and
// on functions that are infinite beyond a line.
#include "check.hpp"
#include "fixtures.hpp"
#include "solvers/projected_gradient.hpp"

using namespace mk;
using namespace fixtures;

namespace {

// 1/2 (x - c)'H(x - c), seen through values that are too small by an error which tighten() divides
// by ten.
class Quadratic final : public InexactFunction {
 public:
  Quadratic(Matrix h, Vector c, double error) : h_(std::move(h)), c_(std::move(c)), error_(error) {}

  InexactValue evaluate(const Vector& x) override {
    ++evaluations;
    InexactValue out;
    out.gradient = h_ * (x - c_);
    out.value = 0.5 * (x - c_).dot(out.gradient) + 1.0 - error_ * (evaluations % 3) / 2.0;
    out.error = error_;
    if (x.maxCoeff() > limit) out.value = INFINITY;
    return out;
  }
  double violation(const Vector& x, const InexactValue& at) const override {
    return ((x - at.gradient).cwiseMax(0.0) - x).cwiseAbs().maxCoeff();
  }
  bool tighten() override {
    if (error_ <= 1e-14) return false;
    error_ *= 0.1;
    return true;
  }

  double limit = INFINITY;
  long evaluations = 0;

 private:
  Matrix h_;
  Vector c_;
  double error_;
};

ProjectedOptions options(bool spectral, double tolerance = 1e-8) {
  ProjectedOptions o;
  o.spectral = spectral;
  o.tolerance = tolerance;
  o.iterations = 5000;
  return o;
}

}  // namespace

TEST(a_separable_function_ends_at_its_projected_minimum) {
  const TestRuntime runtime;
  for (bool spectral : {true, false})
    for (double error : {0.0, 1e-3}) {
      Vector c(4), h(4);
      c << 2.0, -1.0, 0.5, -3.0;
      h << 1.0, 10.0, 100.0, 0.1;
      Quadratic f(h.asDiagonal(), c, error);
      const ProjectedResult r =
          minimize_projected(f, Vector::Ones(4), options(spectral), "test", runtime);
      CHECK(r.converged);
      CHECK(r.violation <= 1e-8);
      CHECK_CLOSE(r.x[0], 2.0, 1e-6);
      CHECK(r.x[1] == 0.0);
      CHECK_CLOSE(r.x[2], 0.5, 1e-6);
      CHECK(r.x[3] == 0.0);
    }
}

// The conditions of the minimum, whatever the matrix: x >= 0, gradient >= 0, one of them 0.
TEST(correlated_entries_meet_the_conditions_of_the_minimum) {
  const TestRuntime runtime;
  for (bool spectral : {true, false})
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Matrix h = definite_matrix(8, seed);
      const Vector c = normal_matrix(8, 1, seed + 50).col(0);
      Quadratic f(h, c, 1e-2);
      const ProjectedResult r =
          minimize_projected(f, Vector::Ones(8), options(spectral, 1e-7), "test", runtime);
      CHECK(r.converged);
      const Vector g = h * (r.x - c);
      for (Index m = 0; m < 8; ++m) {
        CHECK(r.x[m] >= 0.0);
        CHECK(g[m] >= -2e-7);
        CHECK(std::min(r.x[m], std::fabs(g[m])) <= 2e-7);
      }
    }
}

// Coarse values may look stationary by chance: the end is seen with exact ones.
TEST(values_are_exact_at_the_end) {
  const TestRuntime runtime;
  for (bool spectral : {true, false}) {
    Quadratic f(Matrix::Identity(2, 2), Vector::Constant(2, 1.0), 0.1);
    const ProjectedResult r =
        minimize_projected(f, Vector::Ones(2), options(spectral, 1e-3), "test", runtime);
    CHECK(r.converged);
    CHECK(r.at.error <= 0.1 * 1e-6 * r.at.value);
  }
}

TEST(the_projected_gradient_never_rises_beyond_the_error) {
  const TestRuntime runtime;
  Quadratic f(definite_matrix(6, 3), normal_matrix(6, 1, 4).col(0), 0.0);
  const ProjectedResult r = minimize_projected(f, Vector::Ones(6), options(false), "test", runtime);
  for (std::size_t t = 1; t < r.path.size(); ++t) CHECK(r.path[t] <= r.path[t - 1] + 1e-14);
}

TEST(steps_out_of_the_domain_are_taken_back) {
  const TestRuntime runtime;
  for (bool spectral : {true, false}) {
    Quadratic f(Matrix::Identity(2, 2) * 1e-4, Vector::Constant(2, 2.0), 0.0);
    f.limit = 2.5;
    const ProjectedResult r =
        minimize_projected(f, Vector::Ones(2), options(spectral, 1e-9), "test", runtime);
    CHECK(r.converged);
    CHECK_CLOSE(r.x[0], 2.0, 1e-4);
  }
}

TEST(a_limit_of_steps_is_told_and_an_interrupt_heard) {
  TestRuntime runtime;
  Quadratic f(definite_matrix(8, 1), normal_matrix(8, 1, 51).col(0), 0.0);
  ProjectedOptions few = options(false, 1e-12);
  few.iterations = 2;
  const ProjectedResult r = minimize_projected(f, Vector::Ones(8), few, "test", runtime);
  CHECK(!r.converged);
  CHECK(r.violation > 1e-12);
  CHECK(r.path.size() == 3);
  runtime.interrupt_after = 3;
  CHECK_THROWS(minimize_projected(f, Vector::Ones(8), options(true, 1e-300), "test", runtime),
               Interrupted, "");
}

TEST(the_search_speaks_when_asked_to) {
  TestRuntime runtime;
  runtime.verbose = true;
  Quadratic f(Matrix::Identity(1, 1), Vector::Ones(1) * 3.0, 0.0);
  minimize_projected(f, Vector::Ones(1), options(true), "name", runtime);
  CHECK(!runtime.messages.empty());
  CHECK(runtime.messages.front().find("name: step 1, objective") == 0);
}
