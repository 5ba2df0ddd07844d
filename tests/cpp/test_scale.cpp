// The size of a kernel is a matter of units: K times s with the cost divided by s is the same
// problem. Every learner gives the same function, in about as many iterations, for s from 1e-150 to
// 1e150; and kernels whose sizes differ too much for the range of numbers are never certified.
#include "check.hpp"
#include "learning.hpp"

using namespace mk;
using namespace fixtures;

namespace {

// How the parameters and the result of a learner follow the size s of the kernels.
struct Case {
  const char* learner;
  const TargetKind* task;
  Parameters fixed;    // parameters that stay
  Parameters inverse;  // parameters that are divided by s
  Parameters direct;   // parameters that are multiplied by s
  int power;           // the function grows with s to this power
  std::size_t kernels = 3;
};

const std::vector<Case>& cases() {
  const TargetKind *two = classification(), *one = one_class(), *numbers = regression();
  const Parameters tight = {{"gap", 1e-6}};
  static const std::vector<Case> all = {
      {"svm", two, {}, {{"cost", 10.0}}, {}, 0, 1},
      {"svm", numbers, {}, {{"cost", 10.0}}, {}, 0, 1},
      {"svm", one, {{"nu", 0.3}}, {}, {}, 1, 1},
      {"simplemkl", two, tight, {{"cost", 3.0}}, {}, 0},
      {"simplemkl", numbers, tight, {{"cost", 3.0}}, {}, 0},
      {"simplemkl", one, tight, {}, {}, 1},
      {"silpmkl", two, tight, {{"cost", 3.0}}, {}, 0},
      {"levelmkl", two, tight, {{"cost", 3.0}}, {}, 0},
      {"glmkl", two, tight, {{"cost", 3.0}}, {}, 0},
      {"glmkl", one, tight, {}, {}, 1},
      {"lpmkl", two, tight, {{"cost", 3.0}}, {}, 0},
      {"gmkl", two, {{"tolerance", 1e-5}}, {{"cost", 3.0}, {"lambda", 1.0}}, {}, 0},
      {"komd", two, {{"lambda", 0.0}}, {}, {}, 1, 1},
      {"easymkl", two, {{"lambda", 0.0}}, {}, {}, 1},
      {"svm2k", two, {}, {{"cost", 1.0}, {"coupling", 1.0}}, {}, 0, 2},
      {"mhks", two, {}, {}, {{"c", 0.1}}, 0, 1}};
  return all;
}

struct Scaled {
  std::unique_ptr<Model> model;
  double size;
};

Scaled fit_scaled(const Case& c, const Small& data, const std::vector<Matrix>& kernels, double s,
                  const TestRuntime& runtime) {
  std::vector<Matrix> scaled(kernels.begin(), kernels.begin() + static_cast<long>(c.kernels));
  std::vector<const Matrix*> stored;
  for (Matrix& k : scaled) {
    k *= s;
    stored.push_back(&k);
  }
  Parameters values = c.fixed;
  for (const auto& p : c.inverse) values.push_back({p.first, p.second / s});
  for (const auto& p : c.direct) values.push_back({p.first, p.second * s});
  const KernelBank bank = make_bank(std::vector<State>(c.kernels, item("precomputed")),
                                    Matrix(data.x.rows(), 0), runtime, stored);
  SmoOptions smo = smo_options(1e-6);
  smo.max_iter = 1e5;  // hopeless problems end
  auto model = learner(c.learner, parameters(values), smo)->fit(data.set(bank, c.task), runtime);
  const double size = std::pow(s, c.power);
  return {std::move(model), size};
}

std::vector<Matrix> plain_kernels(const Matrix& x) {
  return {naive_matrix(item("rbf", {{"gamma", 0.5}}), x, x),
          naive_matrix(item("rbf", {{"gamma", 0.1}}), x, x),
          naive_matrix(item("linear"), x, x) + Matrix::Identity(x.rows(), x.rows())};
}

}  // namespace

TEST(the_size_of_the_kernels_does_not_matter) {
  const TestRuntime runtime;
  const Small data(50);
  const std::vector<Matrix> kernels = plain_kernels(data.x);
  for (const Case& c : cases()) {
    const Scaled plain = fit_scaled(c, data, kernels, 1.0, runtime);
    CHECK(plain.model->report.converged);
    for (const double s : {1e-150, 1e-100, 1e-20, 1e-5, 1e5, 1e20, 1e100, 1e150}) {
      const Scaled other = fit_scaled(c, data, kernels, s, runtime);
      const long failed = check::state().failed;
      CHECK(other.model->report.converged);
      const Vector f = other.model->fitted / other.size;
      CHECK(distance(f, plain.model->fitted) <= 1e-3 * plain.model->fitted.cwiseAbs().maxCoeff());
      CHECK(std::abs(other.model->report.iterations - plain.model->report.iterations) <=
            0.25 * plain.model->report.iterations + 3.0);
      if (check::state().failed > failed) std::printf("  %s at %g\n", c.learner, s);
    }
  }
}

TEST(a_response_below_the_tolerance_is_learned) {
  const TestRuntime runtime;
  Small data(50);
  const std::vector<Matrix> kernels = plain_kernels(data.x);
  const Case plain = {"svm", regression(), {{"cost", 10.0}, {"epsilon", 0.1}}, {}, {}, 0, 1};
  const Vector f = fit_scaled(plain, data, kernels, 1.0, runtime).model->fitted;
  data.response *= 1e-9;
  const Case tiny = {"svm", regression(), {{"cost", 1e-8}, {"epsilon", 1e-10}}, {}, {}, 0, 1};
  CHECK(distance(1e9 * fit_scaled(tiny, data, kernels, 1.0, runtime).model->fitted, f) <= 1e-4);
}

// With the largest kernel the cost is next to infinite, beyond what numbers of 53 bits resolve.
// Whatever is found, no certificate may exclude what a support vector machine on a single kernel
// reaches.
TEST(kernels_of_very_different_sizes_are_not_certified_wrongly) {
  const TestRuntime runtime;
  for (const std::uint64_t seed : {1, 2}) {
    const Small data(40, seed);
    const std::vector<Matrix> kernels = {
        1e-150 * naive_matrix(item("rbf", {{"gamma", 0.1}}), data.x, data.x),
        naive_matrix(item("rbf", {{"gamma", 0.5}}), data.x, data.x),
        1e150 * naive_matrix(item("linear"), data.x, data.x)};
    double reached = INFINITY;
    for (const Matrix& k : kernels) {
      const Case single = {"svm", classification(), {{"cost", 1.0}}, {}, {}, 0, 1};
      const Report r = fit_scaled(single, data, {k}, 1.0, runtime).model->report;
      reached = std::min(reached, r.objective + r.gap);
    }
    for (const char* name : {"simplemkl", "silpmkl", "levelmkl", "glmkl", "lpmkl"}) {
      const Parameters fixed = {{"cost", 1.0}, {"p", 1.0}, {"iterations", 20.0}};
      const Case c = {name, classification(), fixed, {}, {}, 0};
      const Report r = fit_scaled(c, data, kernels, 1.0, runtime).model->report;
      CHECK(!r.converged || r.objective * (1.0 - r.gap) <= reached * (1.0 + 1e-6));
    }
  }
}
