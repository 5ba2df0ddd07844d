// MKBoost: the recursion, its special cases, the model that can be cut, states.
#include "check.hpp"
#include "fixtures.hpp"
#include "learners/mkboost.hpp"

using namespace mk;
using namespace fixtures;

namespace {

constexpr Index n = 70;

const Matrix& features() {
  static const Matrix x = normal_matrix(n, 3, 3);
  return x;
}

Vector labels(double noise = 0.0) {
  Random random(5, 1);
  Vector y(n);
  for (Index i = 0; i < n; ++i) {
    y[i] = features()(i, 0) * features()(i, 1) > -0.1 ? 1.0 : -1.0;
    if (random.uniform() < noise) y[i] = -y[i];
  }
  return y;
}

std::vector<State> kernels() {
  return {item("rbf", {{"gamma", 0.1}}), item("rbf", {{"gamma", 1.0}}), item("linear"),
          item("polynomial", {{"scale", 1.0}, {"offset", 1.0}, {"degree", 2}})};
}

State parameters(const std::string& variant, double trials = 15, double sampling = 0.2,
                 double decay = 0.03125) {
  State state;
  state.set("variant", variant);
  state.set("trials", trials);
  state.set("sampling", sampling);
  state.set("decay", decay);
  state.set("cost", 10.0);
  return state;
}

std::unique_ptr<MkboostModel> fit(const State& p, const TestRuntime& runtime,
                                  const Vector& y = labels()) {
  const KernelBank bank = make_bank(kernels(), features(), runtime);
  Models models = MkboostLearner::fit_path({MkboostLearner(p, SmoOptions())},
                                           {bank, {classification(), y, Vector::Ones(n)}}, runtime);
  return std::unique_ptr<MkboostModel>(static_cast<MkboostModel*>(models.front().release()));
}

// The model predicts what it was fitted to.
Vector decision(const Model& model, const TestRuntime& runtime) {
  const KernelBank bank = make_bank(kernels(), features(), runtime);
  return model.decision(*bank.cross(all_rows(n), all_rows(n), runtime));
}

bool same(const MkboostModel& a, const MkboostModel& b) {
  if (a.classifiers.size() != b.classifiers.size()) return false;
  for (std::size_t k = 0; k < a.classifiers.size(); ++k) {
    const BaseClassifier &p = a.classifiers[k], &q = b.classifiers[k];
    if (p.trial != q.trial || p.kernel != q.kernel || p.vote != q.vote ||
        p.expansion.rows != q.expansion.rows ||
        !identical(p.expansion.coefficients, q.expansion.coefficients))
      return false;
  }
  return identical(a.alpha, b.alpha) && identical(a.error, b.error) &&
         identical(a.tried, b.tried) && identical(a.fitted, b.fitted);
}

const char* const variants[] = {"D1", "D2", "S1", "S2"};

}  // namespace

TEST(weights_errors_and_bounds) {
  TestRuntime runtime;
  for (const char* variant : variants) {
    const auto model = fit(parameters(variant, 30), runtime, labels(0.2));
    double product = 1.0;
    bool plain = true;
    for (Index t = 0; t < 30; ++t) {
      const double e = std::max(model->error[t], 0.5 / n);
      CHECK(model->error[t] >= 0.0 && model->error[t] <= 1.0);
      CHECK_CLOSE(model->alpha[t], e >= 0.5 ? 0.0 : 0.5 * std::log((1.0 - e) / e), 1e-14);
      CHECK(model->training_error[t] <= model->report.path[t]);
      plain = plain && e < 0.5 && e == model->error[t];
      product *= 2.0 * std::sqrt(e * (1.0 - e));
      if (plain) CHECK_CLOSE(model->report.path[t] / product, 1.0, 1e-9);
    }
    CHECK(distance(decision(*model, runtime), model->fitted) < 1e-12);
    CHECK_CLOSE(model->kernel_weights().sum(), 1.0, 1e-12);
  }
}

// Algorithms 1 to 4 written out: rows drawn one by one, a row that comes twice as two examples of
// its own, kernels from their definitions, every machine by itself.
namespace {

SmoOptions tight() {
  SmoOptions smo;
  smo.tol = 1e-9;
  return smo;
}

double half_log(double e) {
  e = std::min(std::max(e, 0.5 / n), 1.0 - 0.5 / n);
  return 0.5 * std::log((1.0 - e) / e);
}

double side(double value) { return value >= 0.0 ? 1.0 : -1.0; }

// A fifth of the rows by the distribution d, both classes among them.
Indices draw_rows(const Vector& d, const Vector& y, Random& random) {
  Indices sample;
  double sum = 0.0;
  while (std::abs(sum) == static_cast<double>(sample.size())) {
    sample.clear();
    sum = 0.0;
    for (Index k = 0; k < n / 5; ++k) {
      double left = random.uniform() * d.sum();
      Index i = 0;
      while (i + 1 < n && left >= d[i]) left -= d[i++];
      sample.push_back(i);
      sum += y[i];
    }
  }
  return sample;
}

Indices draw_kernels(const Vector& s, Random& random) {
  Indices used;
  for (Index m = 0; m < s.size(); ++m)
    if (random.uniform() < s[m]) used.push_back(m);
  Index most = 0;
  s.maxCoeff(&most);
  if (used.empty()) used.push_back(most);
  return used;
}

// Outputs on all rows of the machine of one kernel on a sample.
Vector machine(Index kernel, const Indices& sample, const Vector& y, const TestRuntime& runtime) {
  const State one = kernels()[static_cast<std::size_t>(kernel)];
  const Indices columns = all_rows(features().cols());
  const Matrix own = submatrix(features(), sample, columns);
  Vector own_y(own.rows());
  for (Index k = 0; k < own.rows(); ++k) own_y[k] = y[sample[static_cast<std::size_t>(k)]];
  const Matrix gram = naive_matrix(one, own, own), cross = naive_matrix(one, features(), own);
  const KernelBank bank = make_bank({item("precomputed")}, own, runtime, {&gram});
  State cost;
  cost.set("cost", 10.0);
  const SvmOptions options = SvmOptions::read(cost, tight());
  const auto svm = fit_svm({bank, {classification(), own_y, Vector::Ones(own.rows())}},
                           Vector::Ones(1), options, runtime);
  const Expansion& e = *svm->expansion();
  Vector f = Vector::Constant(n, e.bias);
  for (std::size_t k = 0; k < e.rows.size(); ++k)
    f += e.coefficients[static_cast<Index>(k)] * cross.col(e.rows[k]);
  return f.unaryExpr(&side);
}

double error_of(const Vector& output, const Vector& y, const Vector& d) {
  return (output.array() != y.array()).select(d, 0.0).sum();
}

}  // namespace

TEST(a_fit_is_the_loop_of_the_paper) {
  TestRuntime runtime;
  const Vector y = labels(0.1);
  const Index trials = 12;
  for (const char* variant : variants) {
    const bool vote = variant[1] == '2', stochastic = variant[0] == 'S';
    const KernelBank bank = make_bank(kernels(), features(), runtime);
    const State point = parameters(variant, static_cast<double>(trials));
    const Models fitted = MkboostLearner::fit_path(
        {MkboostLearner(point, tight())}, {bank, {classification(), y, Vector::Ones(n)}}, runtime);
    const auto& model = static_cast<const MkboostModel&>(*fitted.front());
    Vector d = Vector::Constant(n, 1.0 / n), s = Vector::Ones(4), f = Vector::Zero(n);
    std::size_t next = 0;
    for (Index t = 0; t < trials; ++t) {
      Random rows(runtime.seed, static_cast<std::uint64_t>(2 * t));
      Random draws(runtime.seed, static_cast<std::uint64_t>(2 * t + 1));
      const Indices sample = draw_rows(d, y, rows);
      const Indices used = stochastic ? draw_kernels(s, draws) : all_rows(4);
      CHECK(model.tried[t] == static_cast<double>(used.size()));
      Vector votes = Vector::Zero(n), best;
      double least = 2.0;
      Index chosen = -1;
      for (const Index m : used) {
        const Vector h = machine(m, sample, y, runtime);
        const double e = error_of(h, y, d);
        s[m] *= std::pow(0.03125, e);
        votes += half_log(e) * h;
        if (vote) {
          CHECK(model.classifiers[next].kernel == m && model.classifiers[next].trial == t);
          CHECK_CLOSE(model.classifiers[next++].vote, half_log(e), 1e-10);
        }
        if (e < least) {
          least = e;
          best = h;
          chosen = m;
        }
      }
      s /= s.maxCoeff();
      if (!vote) {
        CHECK(model.classifiers[next].kernel == chosen && model.classifiers[next].trial == t);
        ++next;
      }
      const Vector output = vote ? Vector(votes.unaryExpr(&side)) : best;
      const double error = error_of(output, y, d);
      const double alpha = error >= 0.5 ? 0.0 : half_log(error);
      CHECK_CLOSE(model.error[t], error, 1e-12);
      CHECK_CLOSE(model.alpha[t], alpha, 1e-10);
      if (alpha == 0.0) d.setConstant(1.0 / n);
      else d.array() *= (-alpha * y.array() * output.array()).exp();
      d /= d.sum();
      f += alpha * output;
    }
    CHECK(next == model.classifiers.size());
    CHECK(distance(f, model.fitted) < 1e-10);
  }
}

TEST(no_decay_makes_stochastic_variants_deterministic) {
  TestRuntime runtime;
  CHECK(same(*fit(parameters("S1", 15, 0.2, 1.0), runtime), *fit(parameters("D1"), runtime)));
  CHECK(same(*fit(parameters("S2", 15, 0.2, 1.0), runtime), *fit(parameters("D2"), runtime)));
  CHECK(!same(*fit(parameters("S1"), runtime), *fit(parameters("D1"), runtime)));
  const auto few = fit(parameters("S1", 40), runtime);
  CHECK(few->tried[0] == 4.0);
  CHECK(few->tried.minCoeff() >= 1.0 && few->tried.sum() < 160.0);
}

TEST(threads_memory_and_seeds) {
  TestRuntime one, two(2), poor, other;
  poor.memory = 1.0;
  other.seed = 2;
  for (const char* variant : variants) {
    const auto model = fit(parameters(variant), one);
    CHECK(same(*model, *fit(parameters(variant), two)));
    CHECK(same(*model, *fit(parameters(variant), poor)));
    CHECK(!same(*model, *fit(parameters(variant), other)));
  }
}

TEST(a_model_can_be_cut) {
  TestRuntime runtime;
  for (const char* variant : variants) {
    const auto whole = fit(parameters(variant), runtime);
    for (Index t : {1, 4, 15}) {
      const auto brief = fit(parameters(variant, static_cast<double>(t)), runtime);
      State state = whole->state();
      state.set("trials", static_cast<double>(t));
      const auto cut = MkboostModel::restore(state);
      CHECK(identical(decision(*cut, runtime), decision(*brief, runtime)));
      CHECK(identical(cut->kernel_weights(), brief->kernel_weights()));
    }
  }
}

TEST(errors_of_zero_and_of_a_half) {
  TestRuntime runtime;
  Vector y(n);
  for (Index i = 0; i < n; ++i) y[i] = features()(i, 0) > 0.0 ? 1.0 : -1.0;
  const auto easy = fit(parameters("D1", 60, 1.0), runtime, y);
  bool clipped = false;
  for (Index t = 0; t < 60; ++t)
    if (easy->error[t] == 0.0) {
      clipped = true;
      CHECK_CLOSE(easy->alpha[t], 0.5 * std::log(2.0 * n - 1.0), 1e-14);
    }
  CHECK(clipped);
  const auto chance = fit(parameters("D1", 60, 0.03), runtime, labels(0.5));
  bool discarded = false;
  for (Index t = 0; t < 60; ++t)
    if (chance->error[t] >= 0.5) {
      discarded = true;
      CHECK(chance->alpha[t] == 0.0);
      CHECK(t == 0 || chance->training_error[t] == chance->training_error[t - 1]);
    }
  CHECK(discarded);
  CHECK(distance(decision(*chance, runtime), chance->fitted) < 1e-12);
}

TEST(samples_of_one_class_are_mended) {
  TestRuntime runtime;
  Vector y = Vector::Constant(n, -1.0);
  y[17] = 1.0;
  const auto model = fit(parameters("D1", 10, 0.02), runtime, y);
  for (const BaseClassifier& c : model->classifiers) {
    bool found = false;
    for (Index row : c.expansion.rows) found = found || row == 17;
    CHECK(found);
  }
}

TEST(states) {
  TestRuntime runtime;
  const auto model = fit(parameters("S2"), runtime);
  const auto again = MkboostModel::restore(model->state());
  CHECK(identical(decision(*again, runtime), decision(*model, runtime)));
  const auto broken = [&](const char* name, const Value& value) {
    State state = model->state();
    state.set(name, value);
    CHECK_THROWS(MkboostModel::restore(state), InvalidArgument, "`");
  };
  const Vector length = model->state().vector("length"), trial = model->state().vector("trial");
  const double more = length[0] + 1.0;  // the first becomes negative, the sum stays
  Vector shift = Vector::Zero(length.size());
  shift[0] = -more;
  shift[1] = more;
  broken("length", Value(Vector(length + shift)));
  broken("length", Value(Vector(length.head(2))));
  broken("trial", Value(Vector(trial * 1000.0)));
  broken("kernel", Value(Vector(trial * std::nan(""))));
  broken("alpha", Value(Vector(Vector::Constant(15, std::nan("")))));
  broken("trials", Value(Vector(Vector::Constant(1, 1000.0))));  // more than there are
  broken("trials", Value(Vector(Vector::Constant(1, -1.0))));
  broken("coefficients", Value(Vector()));
}

TEST(bad_parameters_and_interrupts) {
  TestRuntime runtime;
  CHECK_THROWS(fit(parameters("D3"), runtime), InvalidArgument, "`variant`");
  CHECK_THROWS(fit(parameters("D1", 0), runtime), InvalidArgument, "`trials`");
  CHECK_THROWS(fit(parameters("D1", 2.5), runtime), InvalidArgument, "`trials`");
  CHECK_THROWS(fit(parameters("D1", 5, 0.0), runtime), InvalidArgument, "`sampling`");
  CHECK_THROWS(fit(parameters("S1", 5, 0.2, 1.5), runtime), InvalidArgument, "`decay`");
  runtime.interrupt_after = 40;
  CHECK_THROWS(fit(parameters("D1", 1000), runtime), Interrupted, "");
}

TEST(points_that_differ_in_trials_are_as_if_alone) {
  TestRuntime runtime;
  for (const char* variant : variants) {
    const KernelBank bank = make_bank(kernels(), features(), runtime);
    std::vector<State> points;
    for (const double trials : {7.0, 1.0, 12.0}) points.push_back(parameters(variant, trials));
    points.push_back(parameters(variant, 3.0, 0.3));
    std::vector<MkboostLearner> learners;
    for (const State& point : points) learners.emplace_back(point, SmoOptions());
    const Models models = MkboostLearner::fit_path(
        learners, {bank, {classification(), labels(), Vector::Ones(n)}}, runtime);
    for (std::size_t p = 0; p < points.size(); ++p) {
      const auto& model = static_cast<const MkboostModel&>(*models[p]);
      const auto alone = fit(points[p], runtime);
      CHECK(same(model, *alone) && identical(model.fitted, alone->fitted));
      CHECK(identical(model.report.path, alone->report.path));
      CHECK(model.report.objective == alone->report.objective &&
            model.report.violation == alone->report.violation);
    }
  }
}
