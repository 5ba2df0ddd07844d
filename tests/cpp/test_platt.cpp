// Probabilities from decision values: the likelihood is stationary at the fit, whatever the scale.
#include "check.hpp"
#include "fixtures.hpp"
#include "reduction/platt.hpp"

using namespace mk;
using namespace fixtures;

namespace {

struct Sample {
  Vector decision, y, weights;
};

// Two overlapping classes; larger values mean the positive one.
Sample overlapping(Index n, double scale, double offset, std::uint64_t seed) {
  Random random(seed, 1);
  Sample s{Vector(n), Vector(n), Vector(n)};
  for (Index i = 0; i < n; ++i) {
    s.y[i] = i == 0 ? 1.0 : i == 1 ? -1.0 : random.uniform() < 0.4 ? 1.0 : -1.0;
    s.decision[i] = scale * (0.8 * s.y[i] + normal(random)) + offset;
    s.weights[i] = 0.2 + random.uniform();
  }
  return s;
}

double probability(const Sigmoid& s, double f) { return 1.0 / (1.0 + std::exp(s.a * f + s.b)); }

// The gradient of the log-likelihood in (a, b), each over the sum of its terms' magnitudes, with
// Platt's targets.
void check_stationary(const Sample& s, const Sigmoid& fit, double tolerance) {
  double positive = 0.0, negative = 0.0;
  for (Index i = 0; i < s.y.size(); ++i) (s.y[i] > 0.0 ? positive : negative) += s.weights[i];
  double ga = 0.0, gb = 0.0, size_a = 1e-300, size_b = 1e-300;
  for (Index i = 0; i < s.y.size(); ++i) {
    const double target =
        s.y[i] > 0.0 ? (positive + 1.0) / (positive + 2.0) : 1.0 / (negative + 2.0);
    const double slope = s.weights[i] * (target - probability(fit, s.decision[i]));
    ga += s.decision[i] * slope;
    gb += slope;
    size_a += std::fabs(s.decision[i] * slope);
    size_b += std::fabs(slope);
  }
  CHECK_CLOSE(ga / size_a, 0.0, tolerance);
  CHECK_CLOSE(gb / size_b, 0.0, tolerance);
}

}  // namespace

TEST(the_likelihood_is_stationary) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Sample s = overlapping(5 + static_cast<Index>(seed) * 5, 1.0, 0.3, seed);
    check_stationary(s, fit_sigmoid(s.decision, s.y, s.weights), 1e-6);
  }
}

// Decision values have the scale of the kernel and of the cost.
TEST(the_fit_does_not_depend_on_the_scale) {
  const Sample unit = overlapping(120, 1.0, 0.0, 3);
  const Sigmoid fit = fit_sigmoid(unit.decision, unit.y, unit.weights);
  for (double scale : {1e-100, 1e-9, 1e-6, 1e-3, 1e3, 1e6, 1e9, 1e12, 1e100, 1e200}) {
    Sample s = unit;
    s.decision *= scale;
    const Sigmoid other = fit_sigmoid(s.decision, s.y, s.weights);
    check_stationary(s, other, 1e-5);
    double worst = 0.0;
    for (Index i = 0; i < 120; ++i)
      worst = std::max(worst, std::fabs(sigmoid_probability(other, s.decision[i]) -
                                        sigmoid_probability(fit, unit.decision[i])));
    CHECK_CLOSE(worst, 0.0, 1e-5);
  }
}

TEST(far_from_zero) {
  for (double offset : {-1e3, 1e3}) {
    const Sample s = overlapping(100, 1.0, offset, 4);
    check_stationary(s, fit_sigmoid(s.decision, s.y, s.weights), 1e-4);
  }
}

TEST(probabilities_rise_with_the_decision) {
  const Sample s = overlapping(200, 1.0, 0.0, 5);
  const Sigmoid fit = fit_sigmoid(s.decision, s.y, s.weights);
  CHECK(fit.a < 0.0);
  double before = 0.0;
  for (double f = -8.0; f <= 8.0; f += 0.25) {
    const double p = sigmoid_probability(fit, f);
    CHECK(p > before && p < 1.0);
    CHECK_CLOSE(p, probability(fit, f), 1e-12);
    before = p;
  }
  // Labels the other way round give the mirror image.
  const Sigmoid mirror = fit_sigmoid(s.decision, -s.y, s.weights);
  CHECK_CLOSE(mirror.a, -fit.a, 1e-6);
  CHECK_CLOSE(sigmoid_probability(mirror, 0.7), 1.0 - sigmoid_probability(fit, 0.7), 1e-6);
}

TEST(weights_count_like_repetitions) {
  const Sample s = overlapping(30, 1.0, 0.0, 6);
  Sample twice{Vector(60), Vector(60), Vector::Ones(60)};
  twice.decision << s.decision, s.decision;
  twice.y << s.y, s.y;
  const Sigmoid a = fit_sigmoid(s.decision, s.y, Vector::Constant(30, 2.0)),
                b = fit_sigmoid(twice.decision, twice.y, twice.weights);
  CHECK_CLOSE(a.a, b.a, 1e-7);
  CHECK_CLOSE(a.b, b.b, 1e-7);
}

TEST(separable_data_give_finite_slopes) {
  Sample s{Vector::LinSpaced(40, -2.0, 2.0), Vector(40), Vector::Ones(40)};
  for (Index i = 0; i < 40; ++i) s.y[i] = s.decision[i] > 0.0 ? 1.0 : -1.0;
  const Sigmoid fit = fit_sigmoid(s.decision, s.y, s.weights);
  check_stationary(s, fit, 1e-5);
  CHECK(fit.a < -1.0 && std::isfinite(fit.a) && std::isfinite(fit.b));
  CHECK(sigmoid_probability(fit, 2.0) < 1.0 && sigmoid_probability(fit, 2.0) > 0.9);
}

TEST(without_information) {
  Sample s{Vector::Zero(10), Vector::Ones(10), Vector::Ones(10)};
  for (Index i = 0; i < 4; ++i) s.y[i] = -1.0;
  for (double value : {0.0, 1.0, -250.0}) {  // the same decision value for all
    s.decision.setConstant(value);
    const Sigmoid fit = fit_sigmoid(s.decision, s.y, s.weights);
    const double p = sigmoid_probability(fit, value);
    CHECK_CLOSE(p, (6.0 * 7.0 / 8.0 + 4.0 / 6.0) / 10.0, 1e-4);
  }
  const Sigmoid none = fit_sigmoid(s.decision, s.y, Vector::Zero(10));
  CHECK_CLOSE(sigmoid_probability(none, 0.3), 0.5, 1e-9);
  const Sigmoid one_class =
      fit_sigmoid(Vector::LinSpaced(10, -1.0, 1.0), Vector::Ones(10), s.weights);
  CHECK(sigmoid_probability(one_class, 0.0) > 0.8);
}

TEST(extreme_values_stay_finite) {
  for (double size : {1e-316, 1e-300, 1e-150, 1e100, 1e160, 1e200, 1e300}) {
    Sample s = overlapping(20, 1.0, 0.0, 7);
    s.decision *= size;
    const Sigmoid fit = fit_sigmoid(s.decision, s.y, s.weights);
    CHECK(std::isfinite(fit.a) && std::isfinite(fit.b));
    for (Index i = 0; i < 20; ++i) {
      const double p = sigmoid_probability(fit, s.decision[i]);
      CHECK(p >= 0.0 && p <= 1.0);
    }
  }
  const Sigmoid steep = {-1e10, 3.0};
  CHECK(sigmoid_probability(steep, 1e300) == 1.0);
  CHECK(sigmoid_probability(steep, -1e300) == 0.0);
  CHECK_CLOSE(sigmoid_probability(steep, 0.0), 1.0 / (1.0 + std::exp(3.0)), 1e-15);
}

TEST(no_examples) {
  const Sigmoid fit = fit_sigmoid(Vector(), Vector(), Vector());
  CHECK(std::isfinite(fit.a) && std::isfinite(fit.b));
}
