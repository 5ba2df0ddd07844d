// Random problems through the whole core for a few seconds: every kernel, normaliser, learner and
// task, on features from 1e-200 to 1e200. Whatever the input, the answer is a finite result or an
// InvalidArgument that says why; nothing crashes, hangs or slips through as NaN.
//
//   test_fuzz                                 about 5 s, always from the same seed
//   FUZZ_SEED=7 FUZZ_SECONDS=60 test_fuzz     other problems, for longer
//   FUZZ_SEED=7 FUZZ_ROUND=123 test_fuzz      one problem again
#include <chrono>
#include <cstdlib>
#include <map>

#include "check.hpp"
#include "features/stored_gram.hpp"
#include "learning.hpp"
#include "reduction/multiclass.hpp"

using namespace mk;
using namespace fixtures;

namespace {

using Clock = std::chrono::steady_clock;

double environment(const char* name, double if_missing) {
  const char* value = std::getenv(name);
  return value == nullptr ? if_missing : std::atof(value);
}

class Fuzz {
 public:
  Fuzz(std::uint64_t seed, std::uint64_t round) : random_(seed, round) {}

  bool coin(double share = 0.5) { return random_.uniform() < share; }
  Index between(Index least, Index most) { return least + random_.below(most - least + 1); }
  double normal_number() { return normal(random_); }
  double uniform() { return random_.uniform(); }

  // Mostly ordinary, sometimes far from it.
  double positive() {
    if (coin(0.8)) return std::exp(2.0 * normal_number());
    return std::pow(10.0, 600.0 * random_.uniform() - 300.0);
  }
  double scale() {
    if (coin(0.6)) return 1.0;
    const double scales[] = {1e-200, 1e-150, 1e-20, 1e-3, 1e3, 1e20, 1e100, 1e154, 1e200, 0.0};
    return scales[between(0, 9)];
  }

  Matrix features(Index n, Index d) {
    Matrix x(n, d);
    const bool histogram = coin();
    const double size = scale();
    for (Index f = 0; f < d; ++f) {
      const double column = coin(0.8) ? size : scale();
      for (Index i = 0; i < n; ++i) {
        double value = coin(0.1) ? 0.0 : normal_number();
        if (histogram) value = std::fabs(value);
        x(i, f) = column * value;
      }
      if (coin(0.1)) x.col(f).setConstant(x.rows() > 0 ? x(0, f) : 0.0);
    }
    for (Index i = 1; i < n; ++i)
      if (coin(0.1)) x.row(i) = x.row(random_.below(i));  // duplicates
    return x;
  }

  std::vector<std::string> chain() {
    static const char* names[] = {"trace", "unit_trace", "cosine", "center"};
    std::vector<std::string> stages;
    while (coin(0.35) && stages.size() < 4) stages.push_back(names[between(0, 3)]);
    return stages;
  }

  State family(Index d) {
    const double nus[] = {0.5, 1.5, 2.5};
    State it;
    switch (between(0, 11)) {
      case 0:
        it = item("linear");
        break;
      case 1:
        it = item("polynomial", {{"scale", positive()},
                                 {"offset", normal_number()},
                                 {"degree", static_cast<double>(between(1, coin() ? 3 : 40))}});
        break;
      case 2:
        it = item("sigmoid", {{"scale", positive()}, {"offset", normal_number()}});
        break;
      case 3:
        it = item("rbf", {{"gamma", positive()}});
        break;
      case 4:
        it = item("laplacian", {{"sigma", positive()}});
        break;
      case 5:
        it = item("matern", {{"nu", nus[between(0, 2)]}, {"sigma", positive()}});
        break;
      case 6:
        it = item("rational_quadratic", {{"sigma", positive()}, {"alpha", positive()}});
        break;
      case 7:
        it = item("cauchy", {{"sigma", positive()}});
        break;
      case 8:
        it = item("anova", {{"sigma", positive()}, {"degree", static_cast<double>(between(1, 5))}});
        break;
      case 9:
        it = item("chisq", {{"gamma", positive()}});
        break;
      case 10:
        it = item("intersection");
        break;
      default:
        it = item("rbf", {{"gamma", std::ldexp(1.0, static_cast<int>(between(-6, 7)))}});
    }
    if (coin(0.3)) {
      Indices columns;
      for (Index k = between(0, d); k > 0; --k) columns.push_back(between(0, d - 1));
      it = on(it, columns);
    }
    return it;
  }

  Matrix gram(Index n) {
    Matrix k = definite_matrix(n, random_.bits());
    if (coin(0.3)) {  // indefinite
      const Matrix a = normal_matrix(n, n, random_.bits());
      k = a + a.transpose();
    }
    return k * scale();
  }

  // Kernels for n rows of d columns; matrices are added to `stored`.
  std::vector<State> kernels(Index n, Index d, std::vector<Matrix>& stored) {
    std::vector<State> items;
    for (Index k = between(1, 4); k > 0; --k) {
      State it;
      if (coin(0.1)) {
        it = item("precomputed");
        stored.push_back(gram(n));
      } else if (coin(0.1) && d > 0) {
        it = item("rbf_bags", {{"count", static_cast<double>(between(1, 6))},
                               {"max_features", static_cast<double>(between(1, 5))},
                               {"beta", coin() ? NAN : positive()},
                               {"seed", static_cast<double>(between(0, 1000))}});
      } else if (coin(0.15)) {
        std::vector<State> factors = {family(d)};
        if (coin()) factors.push_back(family(d));
        if (coin(0.3)) {
          factors.push_back(item("precomputed"));
          stored.push_back(gram(n));
        }
        it = product(factors);
      } else {
        it = family(d);
      }
      it.set("normalize", Value(chain()));
      items.push_back(it);
    }
    return items;
  }

  Problem problem(Index n) {
    Problem p;
    p.kind = every_task()[static_cast<std::size_t>(between(0, 2))];
    p.classes = between(2, 4);
    p.weights = Vector::Ones(n);
    if (coin(0.3))
      for (Index i = 0; i < n; ++i) p.weights[i] = coin(0.2) ? 0.0 : positive();
    p.reduction = coin() ? Reduction::one_vs_one : Reduction::one_vs_rest;
    p.probability = coin(0.3);
    if (p.kind == one_class()) return p;
    p.y.resize(n);
    const double size = scale();
    for (Index i = 0; i < n; ++i)
      p.y[i] =
          p.kind == regression()
              ? size * normal_number()
              : static_cast<double>(i < p.classes && coin(0.9) ? i : between(0, p.classes - 1));
    return p;
  }

  LearnerPath learner(Index n_kernels) {
    State p = parameters({{"cost", positive()},
                          {"epsilon", coin(0.2) ? 0.0 : positive()},
                          {"nu", 0.01 + 0.99 * random_.uniform()}});
    SmoOptions smo;
    smo.tol = coin() ? 1e-3 : 1e-8;
    smo.max_iter = 2000;
    smo.shrinking = coin(0.8);
    // The first four often, as everything rests on them. What a learner cannot do, such as a task
    // or a number of kernels, it must refuse with a reason.
    static const std::vector<std::string> names = {
        "svm",      "average", "random", "best", "simplemkl", "silpmkl",
        "levelmkl", "glmkl",   "lpmkl",  "gmkl", "svm2k",     "komd",
        "easymkl",  "mkboost", "lmkl",   "mhks", "cca_mhks"};
    const Index last = coin() ? 3 : static_cast<Index>(names.size()) - 1;
    const std::string name = names[static_cast<std::size_t>(between(0, last))];
    if (name != "best") p.set("iterations", 20.0);
    p.set("gap", coin() ? 1e-2 : 1e-5);
    p.set("p", coin() ? 1.0 : 1.0 + positive());
    p.set("lambda", random_.uniform());
    p.set("coupling", coin(0.2) ? 0.0 : positive());
    p.set("trials", 5.0);
    if (coin(0.2)) p.set("loss", "squared_hinge");
    if (name == "svm") {
      Vector weights(n_kernels);
      for (Index m = 0; m < n_kernels; ++m) weights[m] = coin(0.2) ? 0.0 : positive();
      p = with_weights(p, weights);
    }
    return make_path({name, {p}, smo, nullptr});
  }

 private:
  Random random_;
};

bool finite(const Matrix& m) { return m.allFinite(); }

// One problem from end to end; the sentence says what was not finite.
std::string one_round(Fuzz& fuzz) {
  const Index n = fuzz.coin(0.1) ? fuzz.between(1, 3) : fuzz.between(4, fuzz.coin(0.1) ? 150 : 30);
  const Index d = fuzz.coin(0.2) ? fuzz.between(15, 40) : fuzz.between(1, 6);
  const Matrix x = fuzz.features(n, d), fresh = fuzz.features(fuzz.between(0, 12), d);
  TestRuntime runtime(static_cast<int>(fuzz.between(1, 3)));
  runtime.seed = static_cast<std::uint64_t>(fuzz.between(1, 100));
  runtime.memory = fuzz.coin(0.7) ? 1e9 : 8.0 * static_cast<double>(n * fuzz.between(0, 3));
  const auto levels = simd_levels();
  runtime.simd = &choose_simd(
      levels[static_cast<std::size_t>(fuzz.between(0, static_cast<Index>(levels.size()) - 1))]);

  std::vector<Matrix> stored;
  const auto items = fuzz.kernels(n, d, stored);
  std::vector<MatrixView> views, fresh_views;
  std::vector<Matrix> fresh_stored;
  for (const Matrix& k : stored) {
    fresh_stored.push_back(k.topRows(std::min(k.rows(), fresh.rows())));
  }
  for (const Matrix& k : stored) views.push_back(view(k));
  for (const Matrix& k : fresh_stored) fresh_views.push_back(view(k));
  const Index n_fresh = stored.empty() ? fresh.rows() : std::min(n, fresh.rows());

  const auto set = kernel_set(items, d);
  const Examples training = dense_examples(view(x), views);
  Examples fresh_examples = dense_examples(view(fresh));
  for (std::size_t s = 0; s < stored.size(); ++s)
    fresh_examples.sources.push_back(
        std::make_shared<StoredGram>(fresh_views[s], Vector(stored[s].diagonal())));
  set->check_domain(training, "x");
  set->check_domain(fresh_examples, "x");
  const KernelBank bank(set, training, runtime);
  const Problem problem = fuzz.problem(n);
  const auto method = fuzz.learner(bank.size());
  const auto models = std::move(fit_problem(method, bank, problem, runtime).front());
  const Matrix fitted = training_decision(models, bank, runtime);
  if (!finite(fitted)) return "decision values of the training rows";
  const std::vector<FittedPair> pairs(models.begin(), models.end());
  std::vector<const Model*> pointers;
  std::vector<std::unique_ptr<Model>> restored;
  for (const SubModel& m : models) {
    const Report& r = m.model->report;
    // The gap bounds an error; a bound may overflow, and some learners have none (NaN).
    if (!std::isfinite(r.objective) || r.gap < 0.0 || !std::isfinite(r.violation))
      return "report: objective " + format_number(r.objective) + ", gap " + format_number(r.gap) +
             ", violation " + format_number(r.violation);
    restored.push_back(restore_model(m.model->state()));
    pointers.push_back(restored.back().get());
  }
  const auto group = std::make_shared<RowGroup>(
      std::make_shared<const Examples>(std::move(fresh_examples)), all_rows(n_fresh), false);
  const CrossBank cross(bank.fitted(), group, bank.fitted()->training, runtime);
  const Matrix decision = decision_values(pointers, cross);
  if (problem.kind == classification()) {
    for (const Matrix* f : {&fitted, &decision}) {
      for (Index winner : vote(*f, pairs, problem.classes))
        if (winner < 0 || winner >= problem.classes) return "vote";
      if (!problem.probability || !finite(*f)) continue;
      const Matrix p = class_probabilities(*f, pairs, problem.classes);
      if (!finite(p) || (p.size() > 0 && (p.minCoeff() < -1e-9 || p.maxCoeff() > 1.0 + 1e-9)))
        return "probabilities";
    }
  }
  // A kernel may overflow on new rows, or in the product with a huge coefficient; the seam reports
  // what is not finite. Ordinary rows and models have no such excuse.
  bool ordinary = stored.empty();
  for (const Matrix* m : {&x, &fresh})
    ordinary = ordinary && (m->size() == 0 ||
                            (m->cwiseAbs().maxCoeff() < 1e5 && m->cwiseAbs().maxCoeff() > 1e-5));
  for (const SubModel& m : models) {
    if (m.model->expansion() == nullptr) continue;
    const Expansion& e = *m.model->expansion();
    ordinary = ordinary && e.weights.cwiseAbs().maxCoeff() < 1e20 &&
               (e.rows.empty() || e.coefficients.cwiseAbs().maxCoeff() < 1e20);
  }
  if (ordinary && !finite(decision)) return "decision values of new rows";
  return "";
}

}  // namespace

TEST(random_problems_end_well) {
  const auto seed = static_cast<std::uint64_t>(environment("FUZZ_SEED", 1.0));
  const double seconds = environment("FUZZ_SECONDS", 5.0);
  const auto only = static_cast<std::uint64_t>(environment("FUZZ_ROUND", 0.0));
  const auto start = Clock::now();
  std::map<std::string, long> outcomes;
  std::uint64_t round = only == 0 ? 0 : only - 1;
  long fits = 0;
  while (std::chrono::duration<double>(Clock::now() - start).count() < seconds) {
    ++round;
    Fuzz fuzz(seed, round);
    std::string problem;
    const auto begin = Clock::now();
    try {
      problem = one_round(fuzz);
      ++fits;
    } catch (const InvalidArgument& error) {
      const std::string text = error.what();
      if (text.size() < 20 || text.back() != '.') problem = "text of an error: " + text;
      ++outcomes[text.substr(0, 40)];
    } catch (const std::exception& error) {
      problem = std::string("another exception: ") + error.what();
    }
    const double took = std::chrono::duration<double>(Clock::now() - begin).count();
    if (took > 5.0) problem += " took " + std::to_string(took) + " seconds";
    if (!problem.empty())
      problem +=
          " (FUZZ_SEED=" + std::to_string(seed) + " FUZZ_ROUND=" + std::to_string(round) + ")";
    check::record(problem.empty(), __FILE__, __LINE__, problem);
    if (only != 0 || check::state().failed > 20) break;
  }
  std::printf("%ld rounds from seed %lu: %ld fits, %lu kinds of errors\n", static_cast<long>(round),
              static_cast<unsigned long>(seed), fits, static_cast<unsigned long>(outcomes.size()));
  if (only == 0) CHECK(fits > 20 && !outcomes.empty());
}
