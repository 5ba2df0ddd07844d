// Cuts of a known convex function on the simplex, f(d) = |d - centre|^2: their minimum is a lower
// bound, projections reach their level, and forgetting slack cuts does not change the minimum.
#include "check.hpp"
#include "fixtures.hpp"
#include "solvers/cutting_planes.hpp"

using namespace mk;
using namespace fixtures;

namespace {

const Vector& centre() {
  static const Vector value = (Vector(3) << 0.5, 0.2, 0.3).finished();
  return value;
}

double f(const Vector& d) { return (d - centre()).squaredNorm(); }

void cut_at(CuttingPlanes& cuts, const Vector& d) {
  const Vector gradient = 2.0 * (d - centre());
  cuts.add(f(d) - gradient.dot(d), gradient);
}

Vector on_simplex(std::uint64_t seed) {
  Random random(seed, 3);
  Vector d(3);
  for (Index m = 0; m < 3; ++m) d[m] = -std::log(random.uniform());
  return d / d.sum();
}

}  // namespace

TEST(the_minimum_of_the_cuts_bounds_the_function_and_rises_to_it) {
  const TestRuntime runtime;
  CuttingPlanes cuts(3);
  Vector d = Vector::Constant(3, 1.0 / 3.0);
  double lower = -1.0, upper = f(d);
  for (int t = 0; t < 40; ++t) {
    cut_at(cuts, d);
    const CuttingPlanes::Point next = cuts.minimum(upper, runtime);
    CHECK(next.solved);
    CHECK(next.value <= 1e-12);         // the true minimum is 0
    CHECK(next.value >= lower - 1e-7);  // more cuts, no lower bound
    CHECK_CLOSE(next.d.sum(), 1.0, 1e-12);
    CHECK(next.d.minCoeff() >= 0.0);
    lower = next.value;
    d = next.d;
    upper = std::min(upper, f(d));
  }
  CHECK(upper < 1e-2);
  CHECK(lower > -0.05);
}

TEST(a_projection_is_the_nearest_point_below_the_level) {
  const TestRuntime runtime;
  CuttingPlanes cuts(3);
  for (std::uint64_t seed = 1; seed <= 4; ++seed) cut_at(cuts, on_simplex(seed));
  Vector from(3);
  from << 0.0, 0.0, 1.0;
  const double level = 0.05;
  const Vector found = cuts.project(from, level, runtime);
  const auto model = [&](const Vector& d) {
    double largest = -1.0;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const Vector at = on_simplex(seed), gradient = 2.0 * (at - centre());
      largest = std::max(largest, f(at) + gradient.dot(d - at));
    }
    return largest;
  };
  CHECK(model(found) <= level + 1e-6);
  for (std::uint64_t seed = 10; seed < 400; ++seed) {
    const Vector d = on_simplex(seed);
    if (model(d) <= level) CHECK((d - from).norm() >= (found - from).norm() - 1e-6);
  }
}

TEST(slack_cuts_can_be_forgotten) {
  const TestRuntime runtime;
  CuttingPlanes cuts(3);
  for (std::uint64_t seed = 1; seed <= 12; ++seed) cut_at(cuts, on_simplex(seed));
  double before = 0.0;
  for (int t = 0; t < 3; ++t) before = cuts.minimum(1.0, runtime).value;
  cuts.forget_slack(3);
  CHECK_CLOSE(cuts.minimum(1.0, runtime).value, before, 1e-6);
}

// One-class problems have cuts without a constant: the scale must come from the gradients.
TEST(cuts_without_a_constant_are_no_special_case) {
  const TestRuntime runtime;
  CuttingPlanes cuts(2);
  cuts.add(0.0, (Vector(2) << -1.0, -3.0).finished());
  cuts.add(0.0, (Vector(2) << -2.0, -1.0).finished());
  const CuttingPlanes::Point point = cuts.minimum(-1.0, runtime);
  CHECK(point.solved);
  CHECK_CLOSE(point.value, -5.0 / 3.0, 1e-6);  // both cuts meet at d = (2, 1) / 3
  CHECK_CLOSE(point.d[0], 2.0 / 3.0, 1e-6);
}
