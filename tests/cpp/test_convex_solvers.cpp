// One convex problem, many solvers, random instances: every solver of convex multiple kernel
// learning is held against the others and against bounds that are computed here from coefficients
// and weights alone, so that a wrong certificate cannot hide.
//
//   test_convex_solvers                                   about 2,000 fits, always the same
//   CONVEX_SEED=7 CONVEX_ROUNDS=5000 test_convex_solvers  others, for longer
//   CONVEX_SEED=7 CONVEX_ROUND=123 test_convex_solvers    one problem again, with its numbers
#include <cstdlib>

#include "check.hpp"
#include "learning.hpp"

using namespace mk;
using namespace fixtures;

namespace {

constexpr double gap_wanted = 1e-4;

double environment(const char* name, double if_missing) {
  const char* value = std::getenv(name);
  return value == nullptr ? if_missing : std::atof(value);
}

struct Solver {
  const char* name;
  const char* direction;
  double p;
};

const std::vector<Solver>& solvers() {
  static const std::vector<Solver> all = {
      {"simplemkl", "newton", 1.0}, {"simplemkl", "gradient", 1.0},
      {"silpmkl", "", 1.0},         {"levelmkl", "", 1.0},
      {"glmkl", "", 1.0},           {"lpmkl", "", 1.0},
      {"lpmkl", "", 1.01}};
  return all;
}

// ---- random problems ---------------------------------------------------------------------------

struct Instance {
  std::vector<Matrix> kernels;
  const TargetKind* task = classification();
  Vector y, weights;
  double cost = 1.0, epsilon = 0.1, nu = 0.5;

  Matrix combined(const Vector& d) const {
    Matrix k = Matrix::Zero(kernels[0].rows(), kernels[0].rows());
    for (std::size_t m = 0; m < kernels.size(); ++m) k += d[static_cast<Index>(m)] * kernels[m];
    return k;
  }
};

// Gaussian kernels from next to constant to next to the identity, linear ones on few columns,
// copies, constants, one example alone, of sizes that differ by orders of magnitude.
Matrix random_kernel(Random& random, const Matrix& x, const std::vector<Matrix>& known) {
  const Index n = x.rows();
  const double kind = random.uniform();
  if (kind < 0.1 && !known.empty())
    return known[static_cast<std::size_t>(random.below(static_cast<Index>(known.size())))];
  if (kind < 0.15) return Matrix::Ones(n, n);
  if (kind < 0.2) return Matrix::Identity(n, n);
  if (kind < 0.35) {
    const Index column = random.below(x.cols());
    return x.col(column) * x.col(column).transpose();
  }
  const double gamma = std::exp(3.0 * normal(random));
  return naive_matrix(item("rbf", {{"gamma", gamma}}), x, x);
}

Instance random_instance(std::uint64_t seed, std::uint64_t round) {
  Random random(seed, round);
  Instance s;
  const Index n = 4 + random.below(28), m = 1 + random.below(7);
  Matrix x = normal_matrix(n, 3, random.bits());
  for (Index i = 1; i < n; ++i)
    if (random.uniform() < 0.1) x.row(i) = x.row(random.below(i));
  for (Index k = 0; k < m; ++k) s.kernels.push_back(random_kernel(random, x, s.kernels));
  if (random.uniform() < 0.3)
    for (Matrix& k : s.kernels) k *= std::pow(10.0, 6.0 * random.uniform() - 3.0);
  const double task = random.uniform();
  s.task = task < 0.6 ? classification() : task < 0.85 ? regression() : one_class();
  s.weights = Vector::Ones(n);
  if (random.uniform() < 0.3)
    for (Index i = 0; i < n; ++i) s.weights[i] = 0.1 + 2.0 * random.uniform();
  s.y = Vector::Zero(n);
  for (Index i = 0; i < n; ++i)
    s.y[i] = s.task == classification()
                 ? (i == 0 || (i > 1 && x(i, 0) + normal(random) > 0.0) ? 1.0 : -1.0)
                 : std::sin(x(i, 0)) + 0.3 * normal(random);
  s.cost = std::pow(10.0, 5.0 * random.uniform() - 2.0);
  s.epsilon = 0.2 * random.uniform();
  s.nu = 0.05 + 0.9 * random.uniform();
  return s;
}

// ---- bounds that no solver has a hand in -------------------------------------------------------

struct Bounds {
  double above = 0.0;  // the primal objective at the weights and coefficients
  double below = 0.0;  // of the optimum over all weights of sum 1
  double dual = 0.0;   // at the weights
  double size = 0.0;   // of the terms that add up to them, for what rounding may do
};

Bounds bounds_of(const Instance& s, const Model& model) {
  const Expansion& e = *model.expansion();
  const Index n = s.weights.size();
  Vector b = Vector::Zero(n);
  for (std::size_t i = 0; i < e.rows.size(); ++i)
    b[e.rows[i]] = e.coefficients[static_cast<Index>(i)];
  const Vector g = s.combined(e.weights) * b;
  double largest = -INFINITY, loss = 0.0;
  for (const Matrix& k : s.kernels) largest = std::max(largest, b.dot(k * b));
  for (Index i = 0; i < n; ++i) {
    const double f = g[i] + e.bias;
    const double slack = s.task == classification() ? 1.0 - s.y[i] * f
                         : s.task == regression()   ? std::abs(s.y[i] - f) - s.epsilon
                                                    : -f;
    loss += s.weights[i] * std::max(slack, 0.0);
  }
  const bool novelty = s.task == one_class();
  const double linear = novelty                  ? 0.0
                        : s.task == regression() ? s.y.dot(b) - s.epsilon * b.lpNorm<1>()
                                                 : s.y.dot(b);
  Bounds out;
  out.above = 0.5 * b.dot(g) + (novelty ? loss + e.bias * s.nu * s.weights.sum() : s.cost * loss);
  out.below = linear - 0.5 * largest;
  out.dual = linear - 0.5 * b.dot(g);
  out.size = s.combined(e.weights).diagonal().maxCoeff() * std::pow(b.lpNorm<1>(), 2);
  return out;
}

// ---- fits --------------------------------------------------------------------------------------

State options(const Instance& s, double gap = gap_wanted) {
  return parameters({{"cost", s.cost}, {"epsilon", s.epsilon}, {"nu", s.nu}, {"gap", gap}});
}

KernelBank bank_of(const Instance& s, const TestRuntime& runtime) {
  std::vector<State> items(s.kernels.size(), item("precomputed"));
  std::vector<const Matrix*> stored;
  for (const Matrix& k : s.kernels) stored.push_back(&k);
  return make_bank(items, Matrix(s.kernels[0].rows(), 0), runtime, stored);
}

std::unique_ptr<Model> fit(const Solver& solver, const Instance& s, const KernelBank& bank,
                           const TestRuntime& runtime, double gap = gap_wanted) {
  State state = options(s, gap);
  if (*solver.direction) state.set("direction", solver.direction);
  if (std::string(solver.name) == "lpmkl") state.set("p", solver.p);
  return learner(solver.name, state)->fit({bank, {s.task, s.y, s.weights}}, runtime);
}

struct Tally {
  long fits = 0, stalled = 0, wrong = 0;
};

class Comparison {
 public:
  Comparison(std::uint64_t seed, std::uint64_t round, bool verbose)
      : s_(random_instance(seed, round)), round_(round), verbose_(verbose) {}

  void run(Tally& tally) {
    const KernelBank bank = bank_of(s_, runtime_);
    std::vector<std::unique_ptr<Model>> models;
    // One set of coefficients bounds the optimum well only if it is exact.
    double below = -INFINITY, above = INFINITY;
    for (const std::size_t exact : {0, 1, 4})
      below =
          std::max(below, bounds_of(s_, *fit(solvers()[exact], s_, bank, runtime_, 1e-7)).below);
    for (const Solver& solver : solvers()) {
      models.push_back(fit(solver, s_, bank, runtime_));
      const Bounds b = bounds_of(s_, *models.back());
      if (verbose_) describe(solver, *models.back(), b);
      if (solver.p != 1.0) continue;
      below = std::max(below, b.below);
      above = std::min(above, b.above);
    }
    for (std::size_t k = 0; k < models.size(); ++k) {
      ++tally.fits;
      // Where the optimum is 0, as for one class around the origin of a linear kernel, there is no
      // relative gap.
      const bool vanishes = std::abs(above) <= 1e-10 * bounds_of(s_, *models[k]).size;
      if (!models[k]->report.converged && !vanishes) ++tally.stalled;
      if (holds(solvers()[k], *models[k], below, above)) continue;
      ++tally.wrong;
      std::printf("round %ld: %s %s\n", static_cast<long>(round_), solvers()[k].name,
                  solvers()[k].direction);
      describe(solvers()[k], *models[k], bounds_of(s_, *models[k]));
    }
    compare_gmkl(tally);
  }

 private:
  // Weights are feasible; the report is that of the coefficients; and where it says converged, the
  // optimum that all solvers together enclose is no farther away than it says.
  bool holds(const Solver& solver, const Model& model, double below, double above) const {
    const Vector d = model.kernel_weights();
    const double norm = std::pow(d.array().pow(solver.p).sum(), 1.0 / solver.p);
    const Bounds own = bounds_of(s_, model);
    // An optimum of 0 is found up to the rounding of the terms that add up to it.
    const double size =
        std::max({std::abs(own.above), std::abs(model.report.objective), 1e-10 * own.size});
    bool good = d.minCoeff() >= 0.0 && std::abs(norm - 1.0) <= 1e-12 &&
                std::abs(model.report.objective - own.dual) <= 1e-7 * size + 1e-13 * own.size;
    if (!model.report.converged) return good;
    good = good && model.report.gap <= gap_wanted;
    if (solver.p == 1.0) return good && own.above - below <= (gap_wanted + 1e-7) * size;
    // The ball of the norm lies between the simplex and `t` times the simplex.
    const double t = std::pow(static_cast<double>(d.size()), 1.0 - 1.0 / solver.p);
    const double least = s_.task == one_class() ? t * below : below / t;
    return good && own.above >= least - 2.0 * gap_wanted * size &&
           own.dual <= above + 2.0 * gap_wanted * size;
  }

  // min J(d) + lambda sum(d): at the sum t that it finds, d / t solves the problem on t K_m.
  void compare_gmkl(Tally& tally) {
    if (s_.task == one_class() || round_ % 4 != 0) return;
    State state = options(s_);
    state.set("lambda", 0.5);
    state.set("regularizer", "l1");
    state.set("tolerance", 1e-5);
    const auto gmkl =
        learner("gmkl", state)->fit({bank_of(s_, runtime_), {s_.task, s_.y, s_.weights}}, runtime_);
    ++tally.fits;
    const double t = gmkl->kernel_weights().sum();
    if (!gmkl->report.converged || !(t > 1e-8)) return;  // no kernel is worth its weight
    Instance scaled = s_;
    for (Matrix& k : scaled.kernels) k *= t;
    const auto simple = fit(solvers()[0], scaled, bank_of(scaled, runtime_), runtime_);
    const double own = gmkl->report.objective - 0.5 * t, other = simple->report.objective;
    if (simple->report.converged &&
        std::abs(own - other) > 5e-4 * std::max(std::abs(gmkl->report.objective), own)) {
      ++tally.wrong;
      std::printf("round %ld: gmkl %.10g, simplemkl %.10g\n", static_cast<long>(round_), own,
                  other);
    }
  }

  void describe(const Solver& solver, const Model& model, const Bounds& b) const {
    const Vector d = model.kernel_weights();
    std::printf("  %-9s %-8s J %.10g in [%.10g, %.10g], gap %.3g, sum %.15g, %s\n", solver.name,
                solver.direction, model.report.objective, b.below, b.above, model.report.gap,
                d.sum(), model.report.converged ? "converged" : "not converged");
  }

  TestRuntime runtime_;
  Instance s_;
  std::uint64_t round_;
  bool verbose_;
};

}  // namespace

TEST(random_problems_have_one_optimum_whatever_the_solver) {
  const auto seed = static_cast<std::uint64_t>(environment("CONVEX_SEED", 1.0));
  const double only = environment("CONVEX_ROUND", -1.0);
  const double rounds = only >= 0.0 ? only + 1.0 : environment("CONVEX_ROUNDS", 300.0);
  Tally tally;
  for (double round = std::max(only, 0.0); round < rounds; ++round)
    Comparison(seed, static_cast<std::uint64_t>(round), only >= 0.0).run(tally);
  std::printf("%ld fits, %ld not converged, %ld wrong\n", tally.fits, tally.stalled, tally.wrong);
  CHECK(tally.wrong == 0);
  CHECK(tally.stalled <= tally.fits / 200);
}

// Where a long step along a small reduced gradient leaves the simplex unless it is projected.
TEST(long_steps_stay_on_the_simplex) {
  Tally tally;
  for (const std::uint64_t round : {237, 751, 1570, 2480, 2631})
    Comparison(1, round, false).run(tally);
  CHECK(tally.wrong == 0);
  CHECK(tally.stalled == 0);
}
