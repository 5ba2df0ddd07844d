// Newton's step under sum constraints, against the conditions that define it.
#include <cmath>

#include "check.hpp"
#include "fixtures.hpp"
#include "runtime.hpp"
#include "solvers/newton_step.hpp"

using namespace mk;
using namespace fixtures;

namespace {

// K d + g is the same for all variables of a group, and the sums of d are 0.
void check_direction(const Matrix& k, const Vector& g, Index boundary, double tolerance) {
  Matrix copy = k;
  const Vector d = newton_direction(copy, g, boundary, TestRuntime());
  CHECK(d.size() == g.size());
  const Vector slope = k * d + g;
  const auto check_group = [&](Index first, Index count) {
    if (count == 0) return;
    const Vector part = slope.segment(first, count);
    CHECK_CLOSE(part.maxCoeff() - part.minCoeff(), 0.0, tolerance);
    CHECK_CLOSE(d.segment(first, count).sum(), 0.0, 1e-9 * (1.0 + d.cwiseAbs().sum()));
  };
  check_group(0, boundary);
  check_group(boundary, g.size() - boundary);
  CHECK(g.dot(d) < 0.0);
}

}  // namespace

TEST(newton_step_meets_its_conditions) {
  for (Index n : {2, 3, 7, 40, 150}) {
    const Matrix k = definite_matrix(n, 11 + static_cast<std::uint64_t>(n));
    const Vector g = normal_matrix(n, 1, 12).col(0);
    check_direction(k, g, n, 1e-8);
    check_direction(k, g, 0, 1e-8);
    if (n >= 4) check_direction(k, g, n / 2, 1e-8);
  }
}

// A matrix of low rank: a direction of descent that keeps the sum, long where nothing is at stake.
TEST(newton_step_on_a_singular_matrix) {
  const Index n = 30;
  const Matrix x = normal_matrix(n, 4, 5);
  Matrix k = x * x.transpose();
  const Vector g = normal_matrix(n, 1, 6).col(0);
  const Vector d = newton_direction(k, g, n, TestRuntime());
  CHECK(d.size() == n);
  CHECK(g.dot(d) < 0.0);
  CHECK(std::fabs(d.sum()) < 1e-14 * d.cwiseAbs().sum());
}

TEST(newton_step_refuses_an_indefinite_matrix) {
  Matrix k = Matrix::Identity(4, 4);
  k(2, 2) = -1.0;
  CHECK(newton_direction(k, Vector::Ones(4), 4, TestRuntime()).size() == 0);
}

// All variables may be at their bounds when SMO asks.
TEST(newton_step_without_free_variables_is_empty) {
  Matrix none(0, 0);
  CHECK(newton_direction(none, Vector(), 0, TestRuntime()).size() == 0);
}
