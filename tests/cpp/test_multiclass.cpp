// Several classes by two-class problems, votes and probabilities.
#include "check.hpp"
#include "learning.hpp"
#include "reduction/coupling.hpp"
#include "reduction/multiclass.hpp"

using namespace mk;
using namespace fixtures;

namespace {

// Classes around centres on a circle.
struct Several {
  Several(Index n, Index n_classes, std::uint64_t seed = 1, double radius = 2.0)
      : x(normal_matrix(n, 2, seed)) {
    problem.classes = n_classes;
    problem.y.resize(n);
    problem.weights = Vector::Ones(n);
    for (Index i = 0; i < n; ++i) {
      const Index code = i % n_classes;
      const double angle =
          6.283185307179586 * static_cast<double>(code) / static_cast<double>(n_classes);
      problem.y[i] = static_cast<double>(code);
      x(i, 0) += radius * std::cos(angle);
      x(i, 1) += radius * std::sin(angle);
    }
  }
  KernelBank bank(const TestRuntime& runtime) const {
    return make_bank({item("rbf", {{"gamma", 0.5}}), item("linear")}, x, runtime);
  }

  Matrix x;
  Problem problem;
};

std::vector<FittedPair> pairs_of(const std::vector<SubModel>& models) {
  return {models.begin(), models.end()};
}

std::vector<FittedPair> calibrated(std::vector<FittedPair> pairs,
                                   const std::vector<Sigmoid>& sigmoids) {
  for (std::size_t p = 0; p < pairs.size(); ++p) pairs[p].sigmoid = sigmoids[p];
  return pairs;
}

bool operator==(const Sigmoid& s, const Sigmoid& t) { return s.a == t.a && s.b == t.b; }

double accuracy(const Indices& winners, const Vector& y) {
  double right = 0.0;
  for (std::size_t i = 0; i < winners.size(); ++i)
    right += static_cast<double>(winners[i]) == y[static_cast<Index>(i)];
  return right / static_cast<double>(winners.size());
}

const std::vector<FittedPair> three_pairs = {{{1, 0}, {}}, {{2, 0}, {}}, {{2, 1}, {}}};
const std::vector<FittedPair> three_against_rest = {{{0, -1}, {}}, {{1, -1}, {}}, {{2, -1}, {}}};

Matrix row(std::initializer_list<double> values) {
  Matrix m(1, static_cast<Index>(values.size()));
  Index j = 0;
  for (double v : values) m(0, j++) = v;
  return m;
}

}  // namespace

TEST(votes_of_pairs) {
  CHECK(vote(row({1.0, 1.0, 1.0}), three_pairs, 3) == Indices{2});
  CHECK(vote(row({-1.0, -1.0, 5.0}), three_pairs, 3) == Indices{0});
  CHECK(vote(row({1.0, 5.0, -1.0}), three_pairs, 3) == Indices{1});
  // One vote each, in a circle: the sum of decision values decides.
  // 1 beats 0 by a, 0 beats 2 by b, 2 beats 1 by c: sums b - a, a - c, c - b.
  CHECK(vote(row({1.0, -3.0, 2.0}), three_pairs, 3) == Indices{0});
  CHECK(vote(row({3.0, -2.0, 1.0}), three_pairs, 3) == Indices{1});
  CHECK(vote(row({2.0, -1.0, 3.0}), three_pairs, 3) == Indices{2});
  CHECK(vote(row({1.0, -1.0, 1.0}), three_pairs, 3) == Indices{0});  // all the same: the first
  CHECK(vote(row({0.0, 0.0, 0.0}), three_pairs, 3) == Indices{2});   // 0 is positive
  CHECK(vote(Matrix(0, 3), three_pairs, 3).empty());
}

TEST(votes_of_two_classes) {
  const std::vector<FittedPair> pair = {{{1, 0}, {}}};
  CHECK(vote(row({0.5}), pair, 2) == Indices{1});
  CHECK(vote(row({-0.5}), pair, 2) == Indices{0});
  CHECK(vote(row({0.0}), pair, 2) == Indices{1});
  CHECK(vote(row({-0.0}), pair, 2) == Indices{1});
}

TEST(votes_against_the_rest) {
  CHECK(vote(row({-1.0, 0.2, -0.3}), three_against_rest, 3) == Indices{1});
  CHECK(vote(row({-1.0, -0.2, -0.1}), three_against_rest, 3) == Indices{2});
  CHECK(vote(row({2.0, 2.0, 1.0}), three_against_rest, 3) == Indices{0});
}

TEST(models_evaluated_together_and_alone) {
  const TestRuntime runtime;
  const Several data(60, 4);
  const KernelBank bank = data.bank(runtime);
  const auto named = [](State state, const char* key, const char* value) {
    state.set(key, value);
    return state;
  };
  const State boost = parameters({{"trials", 50.0}});
  const std::vector<std::pair<std::string, State>> cases = {
      {"average", State()},
      {"mhks", State()},
      {"cca_mhks", named(State(), "combine", "vote")},
      {"lmkl", named(parameters({{"iterations", 3.0}}), "gating", "softmax")},
      {"mkboost", named(boost, "variant", "D1")},
      {"mkboost", named(boost, "variant", "D2")}};
  // So many rows that not all values of six models of up to 100 machines are held at a time.
  Indices fresh;
  for (Index i = 0; i < 20000; ++i) fresh.push_back((7 * i) % 60);
  const auto cross = bank.cross(fresh, all_rows(60), runtime);
  for (const auto& one : cases) {
    const auto models = fit_one(learner(one.first, one.second), bank, data.problem, runtime);
    std::vector<const Model*> pointers;
    for (const SubModel& sub : models) pointers.push_back(sub.model.get());
    const Matrix together = decision_values(pointers, *cross);
    for (std::size_t m = 0; m < models.size(); ++m) {
      const Vector alone = models[m].model->decision(*cross);
      CHECK(identical(Vector(together.col(static_cast<Index>(m))), alone));
      const Vector known = models[m].model->fitted;  // of the rows of the pair, in their order
      Index next = 0;
      for (Index i = 0; i < 60; ++i)
        if (i % 4 == models[m].classes.positive || i % 4 == models[m].classes.negative) {
          const Index position = (43 * i) % 60;  // 7 * 43 = 301 = 1 modulo 60
          CHECK_CLOSE(alone[position], known[next++], 1e-9);
        }
      CHECK(next == known.size());
    }
  }
}

// A sum of two kernels, with coefficients of 1 on all rows.
class TwoKernels final : public Model {
 public:
  TwoKernels(Index rows, Index kernels, Index a, Index b) {
    for (Index k : {a, b}) {
      Expansion e;
      e.weights = Vector::Unit(kernels, k);
      e.rows = all_rows(rows);
      e.coefficients = Vector::Ones(rows);
      parts_.push_back(e);
    }
  }
  std::vector<Expansion> parts(Index) const override { return parts_; }
  Vector combine(const Eigen::Ref<const Matrix>& values) const override {
    return values.rowwise().sum();
  }
  Vector kernel_weights() const override { return Vector(); }
  Indices support() const override { return {}; }
  void remap(const Indices&) override {}
  State state() const override { return State(); }
  State facts() const override { return State(); }

 private:
  std::vector<Expansion> parts_;
};

// Widths that are computed together share their squares, so the last digits of a model depend on
// those with it. They must not depend on the new rows as well.
TEST(values_of_a_row_in_any_company) {
  const TestRuntime runtime;
  const Index kernels = 8;
  const Several data(60, 4);
  std::vector<State> items;
  for (double gamma = 0.013; static_cast<Index>(items.size()) < kernels; gamma *= 2.0)
    items.push_back(item("rbf", {{"gamma", gamma}}));
  const KernelBank bank = make_bank(items, data.x, runtime);
  std::vector<std::unique_ptr<Model>> models;
  std::vector<const Model*> pointers;
  for (Index k = 0; k < kernels; ++k) {
    models.push_back(std::make_unique<TwoKernels>(60, kernels, k, (k + 3) % kernels));
    pointers.push_back(models.back().get());
  }
  Indices many;
  for (Index i = 0; i < 600000; ++i) many.push_back((7 * i) % 60);
  const Indices few(many.begin(), many.begin() + 2 * panel_rows);
  const Matrix all = decision_values(pointers, *bank.cross(many, all_rows(60), runtime));
  const Matrix some = decision_values(pointers, *bank.cross(few, all_rows(60), runtime));
  CHECK(identical(Matrix(all.topRows(2 * panel_rows)), some));
  const Matrix last = decision_values(
      pointers, *bank.cross(Indices(many.end() - 2, many.end()), all_rows(60), runtime));
  CHECK_CLOSE(distance(Matrix(all.bottomRows(2)), last), 0.0, 1e-12);
}

TEST(one_model_per_pair) {
  const TestRuntime runtime;
  const Several data(60, 4);
  const KernelBank bank = data.bank(runtime);
  const auto learn = learner("average", State(), 1e-8);
  const auto models = fit_one(learn, bank, data.problem, runtime);
  CHECK(models.size() == 6);
  const Matrix decision = training_decision(models, bank, runtime);
  CHECK(decision.rows() == 60 && decision.cols() == 6);
  std::size_t next = 0;
  for (Index a = 0; a < 4; ++a)
    for (Index b = a + 1; b < 4; ++b) {
      const SubModel& sub = models[next];
      CHECK(sub.classes.positive == b && sub.classes.negative == a && !sub.sigmoid);
      Indices rows;
      Vector y(30);
      for (Index i = 0; i < 60; ++i)
        if (i % 4 == a || i % 4 == b) {
          y[static_cast<Index>(rows.size())] = i % 4 == b ? 1.0 : -1.0;
          rows.push_back(i);
        }
      const KernelBank part = bank.subset(rows);
      const auto alone = learn->fit({part, {classification(), y, Vector::Ones(30)}}, runtime);
      CHECK_CLOSE(sub.model->report.objective, alone->report.objective, 1e-9);
      // Rows count in the whole problem.
      for (Index r : sub.model->support()) CHECK(r % 4 == a || r % 4 == b);
      for (std::size_t k = 0; k < rows.size(); ++k)
        CHECK_CLOSE(decision(rows[k], static_cast<Index>(next)),
                    alone->fitted[static_cast<Index>(k)], 1e-5);
      ++next;
    }
  CHECK(accuracy(vote(decision, pairs_of(models), 4), data.problem.y) > 0.7);
}

TEST(one_model_per_class) {
  const TestRuntime runtime;
  Several data(60, 3);
  data.problem.reduction = Reduction::one_vs_rest;
  const KernelBank bank = data.bank(runtime);
  const auto learn = learner("average", State(), 1e-8);
  const auto models = fit_one(learn, bank, data.problem, runtime);
  CHECK(models.size() == 3);
  for (Index c = 0; c < 3; ++c) {
    const SubModel& sub = models[static_cast<std::size_t>(c)];
    CHECK(sub.classes.positive == c && sub.classes.negative == -1);
    Vector y(60);
    for (Index i = 0; i < 60; ++i) y[i] = i % 3 == c ? 1.0 : -1.0;
    const auto alone = learn->fit({bank, {classification(), y, Vector::Ones(60)}}, runtime);
    CHECK(identical(sub.model->fitted, alone->fitted));
  }
  const Indices winners = vote(training_decision(models, bank, runtime), pairs_of(models), 3);
  CHECK(accuracy(winners, data.problem.y) > 0.8);
}

// What several processes fit, a part of the pairs each, is what one fits.
TEST(some_of_the_pairs) {
  const TestRuntime runtime;
  for (Reduction reduction : {Reduction::one_vs_one, Reduction::one_vs_rest}) {
    Several data(60, 4);
    data.problem.reduction = reduction;
    data.problem.probability = true;
    const KernelBank bank = data.bank(runtime);
    const auto learn = learner("average", State(), 1e-8);
    const auto all = fit_one(learn, bank, data.problem, runtime);
    data.problem.pairs = {3, 1};
    const auto some = fit_one(learn, bank, data.problem, runtime);
    CHECK(some.size() == 2);
    for (std::size_t k = 0; k < 2; ++k) {
      const SubModel& expected = all[static_cast<std::size_t>(data.problem.pairs[k])];
      CHECK(some[k].classes.positive == expected.classes.positive);
      CHECK(some[k].classes.negative == expected.classes.negative);
      CHECK(*some[k].sigmoid == *expected.sigmoid);
      CHECK(some[k].model->support() == expected.model->support());
      CHECK(identical(some[k].model->fitted, expected.model->fitted));
    }
    // Fits to all rows know their values on them, the others do not.
    const Matrix known = known_decision(some, 60);
    CHECK(known.hasNaN() == (reduction == Reduction::one_vs_one));
    for (Index bad : {Index{-1}, Index{reduction == Reduction::one_vs_one ? 6 : 4}}) {
      data.problem.pairs = {0, bad};
      CHECK_THROWS(fit_one(learn, bank, data.problem, runtime), InvalidArgument, "`pairs`");
    }
  }
}

TEST(two_classes_and_other_tasks_give_one_model) {
  const TestRuntime runtime;
  Several data(40, 2);
  const KernelBank bank = data.bank(runtime);
  for (Reduction reduction : {Reduction::one_vs_one, Reduction::one_vs_rest}) {
    data.problem.reduction = reduction;
    const auto models = fit_one(learner("average"), bank, data.problem, runtime);
    CHECK(models.size() == 1 && models[0].classes.positive == 1 && models[0].classes.negative == 0);
    // The second class is the positive one.
    const Vector f = training_decision(models, bank, runtime).col(0);
    CHECK(accuracy(vote(f, pairs_of(models), 2), data.problem.y) > 0.8);
    for (Index i = 0; i < 40; ++i)
      CHECK((f[i] >= 0.0) == (vote(f.segment(i, 1), pairs_of(models), 2)[0] == 1));
  }
  data.problem.kind = regression();
  data.problem.y = Vector::LinSpaced(40, -1.5, 2.5);  // numbers, not class codes
  data.problem.probability = true;                    // means nothing here
  const auto regression = fit_one(learner("average"), bank, data.problem, runtime);
  CHECK(regression.size() == 1 && regression[0].classes.positive == -1 && !regression[0].sigmoid);
  data.problem.kind = one_class();
  data.problem.y = Vector();
  const auto outliers = fit_one(learner("average"), bank, data.problem, runtime);
  CHECK(outliers.size() == 1 && outliers[0].model->fitted.size() == 40);
}

TEST(probabilities_follow_the_classes) {
  const TestRuntime runtime;
  for (Index classes : {2, 3, 4})
    for (Reduction reduction : {Reduction::one_vs_one, Reduction::one_vs_rest}) {
      Several data(80, classes, 5, 3.0);
      data.problem.reduction = reduction;
      data.problem.probability = true;
      const KernelBank bank = data.bank(runtime);
      const auto models = fit_one(learner("average"), bank, data.problem, runtime);
      for (const SubModel& m : models) CHECK(m.sigmoid && m.sigmoid->a < 0.0);
      const Matrix decision = training_decision(models, bank, runtime);
      const Matrix p = class_probabilities(decision, pairs_of(models), classes);
      CHECK(p.rows() == 80 && p.cols() == classes);
      double right = 0.0;
      for (Index i = 0; i < 80; ++i) {
        CHECK_CLOSE(p.row(i).sum(), 1.0, 1e-9);
        CHECK(p.row(i).minCoeff() >= 0.0 && p.row(i).maxCoeff() <= 1.0);
        right += p(i, i % classes) > 0.5;
      }
      CHECK(right > 60.0);
      if (classes == 2)
        for (Index i = 0; i < 80; ++i)
          CHECK_CLOSE(p(i, 1), sigmoid_probability(*models[0].sigmoid, decision(i, 0)), 1e-15);
    }
}

TEST(probabilities_from_given_sigmoids) {
  const std::vector<Sigmoid> sigmoids = {{-1.0, 0.0}, {-2.0, 0.5}, {-0.5, -0.3}};
  const Matrix f = row({0.3, -0.7, 1.1});
  Matrix r = Matrix::Zero(3, 3);
  for (std::size_t k = 0; k < 3; ++k) {
    const double p =
        1.0 / (1.0 + std::exp(sigmoids[k].a * f(0, static_cast<Index>(k)) + sigmoids[k].b));
    const ClassPair& pair = three_pairs[k].classes;
    r(pair.positive, pair.negative) = p;
    r(pair.negative, pair.positive) = 1.0 - p;
  }
  const Vector expected = couple(r);
  const Matrix p = class_probabilities(f, calibrated(three_pairs, sigmoids), 3);
  for (Index c = 0; c < 3; ++c) CHECK_CLOSE(p(0, c), expected[c], 1e-12);
  // Against the rest: brought to sum 1.
  const Matrix q = class_probabilities(f, calibrated(three_against_rest, sigmoids), 3);
  double sum = 0.0;
  for (Index c = 0; c < 3; ++c) {
    const std::size_t k = static_cast<std::size_t>(c);
    sum += 1.0 / (1.0 + std::exp(sigmoids[k].a * f(0, c) + sigmoids[k].b));
  }
  for (Index c = 0; c < 3; ++c) {
    const std::size_t k = static_cast<std::size_t>(c);
    CHECK_CLOSE(q(0, c), 1.0 / (1.0 + std::exp(sigmoids[k].a * f(0, c) + sigmoids[k].b)) / sum,
                1e-12);
  }
}

TEST(probabilities_of_extreme_decisions) {
  const std::vector<Sigmoid> sigmoids(3, Sigmoid{-3.0, 0.0});
  for (const Matrix& f : {row({1e300, 1e300, -1e300}), row({-1e300, 1e300, 1e300}),
                          row({1e300, -1e300, 1e300}), row({-1e300, -1e300, -1e300})})
    for (const auto& pairs : {three_pairs, three_against_rest}) {
      const Matrix p = class_probabilities(f, calibrated(pairs, sigmoids), 3);
      CHECK(p.allFinite() && p.minCoeff() >= 0.0);
      CHECK_CLOSE(p.sum(), 1.0, 1e-9);
    }
  const Matrix none = class_probabilities(row({-1e300, -1e300, -1e300}),
                                          calibrated(three_against_rest, sigmoids), 3);
  for (Index c = 0; c < 3; ++c) CHECK_CLOSE(none(0, c), 1.0 / 3.0, 1e-12);
}

// A class with one example cannot be held out: the fit's own values calibrate.
TEST(calibration_with_a_single_example) {
  const TestRuntime runtime;
  Several data(21, 2);
  data.problem.y.setZero();
  data.problem.y[20] = 1.0;
  data.problem.probability = true;
  const auto models = fit_one(learner("average"), data.bank(runtime), data.problem, runtime);
  CHECK(models[0].sigmoid.has_value());
  CHECK(std::isfinite(models[0].sigmoid->a) && std::isfinite(models[0].sigmoid->b));
}

TEST(threads_do_not_change_the_result) {
  Several data(90, 3);
  data.problem.probability = true;
  Matrix decision;
  std::vector<Sigmoid> sigmoids;
  for (int threads : {1, 2, 3}) {
    const TestRuntime runtime(threads);
    const KernelBank bank = data.bank(runtime);
    const auto models = fit_one(learner("average"), bank, data.problem, runtime);
    const Matrix f = training_decision(models, bank, runtime);
    if (threads == 1) {
      decision = f;
      for (const SubModel& m : models) sigmoids.push_back(*m.sigmoid);
    }
    CHECK(identical(f, decision));
    for (std::size_t m = 0; m < models.size(); ++m) CHECK(*models[m].sigmoid == sigmoids[m]);
  }
}

TEST(decision_values_in_one_pass) {
  const TestRuntime runtime;
  const Several data(45, 3);
  const KernelBank bank = data.bank(runtime);
  const auto models = fit_one(learner("average"), bank, data.problem, runtime);
  const auto cross = bank.cross(all_rows(20), all_rows(45), runtime);
  std::vector<const Model*> pointers;
  for (const SubModel& m : models) pointers.push_back(m.model.get());
  const Matrix all = decision_values(pointers, *cross);
  for (std::size_t m = 0; m < pointers.size(); ++m)
    CHECK_CLOSE(distance(Vector(all.col(static_cast<Index>(m))), pointers[m]->decision(*cross)),
                0.0, 1e-12);
}

TEST(example_weights_reach_the_learner) {
  const TestRuntime runtime;
  Several data(45, 3);
  for (Index i = 0; i < 45; ++i) data.problem.weights[i] = i % 2 == 0 ? 0.0 : 2.0;
  const auto models = fit_one(learner("average"), data.bank(runtime), data.problem, runtime);
  for (const SubModel& m : models)
    for (Index r : m.model->support()) CHECK(r % 2 == 1);
}

TEST(problems_that_cannot_be_fitted) {
  const TestRuntime runtime;
  const Several good(30, 3);
  const KernelBank bank = good.bank(runtime);
  const auto learn = learner("average");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto fit = [&](const Problem& p) { return fit_one(learn, bank, p, runtime).size(); };
  for (double bad : {3.0, -1.0, 0.5, nan, static_cast<double>(INFINITY)}) {
    Problem p = good.problem;
    p.y[7] = bad;
    CHECK_THROWS(fit(p), InvalidArgument, "position 8");
  }
  for (double bad : {-1.0, nan, static_cast<double>(INFINITY)}) {
    Problem p = good.problem;
    p.weights[4] = bad;
    CHECK_THROWS(fit(p), InvalidArgument, "position 5");
  }
  Problem p = good.problem;
  p.y.conservativeResize(29);
  CHECK_THROWS(fit(p), InvalidArgument, "`y` must be of length 30");
  p = good.problem;
  p.weights.conservativeResize(29);
  CHECK_THROWS(fit(p), InvalidArgument, "`weights` must be of length 30");
  p = good.problem;
  p.kind = regression();
  p.y[3] = nan;
  CHECK_THROWS(fit(p), InvalidArgument, "position 4");
  p = good.problem;
  for (Index i = 0; i < 30; ++i) p.y[i] = static_cast<double>(i % 2);  // class 2 is empty
  CHECK_THROWS(fit(p), InvalidArgument, "one class");
  p.reduction = Reduction::one_vs_rest;
  CHECK_THROWS(fit(p), InvalidArgument, "one class");
  p.classes = 2;
  p.y.setZero();
  CHECK_THROWS(fit(p), InvalidArgument, "one class");
}

TEST(interrupts_come_through) {
  for (int threads : {1, 3}) {
    TestRuntime runtime(threads);
    Several data(60, 3);
    data.problem.probability = true;
    const KernelBank bank = data.bank(runtime);
    runtime.interrupt_after = runtime.looks + 1;
    CHECK_THROWS(
        fit_one(learner("average", parameters({{"cost", 1e4}}), 1e-9), bank, data.problem, runtime),
        Interrupted, "");
  }
}

// Two empty classes make a pair without any row.
TEST(two_empty_classes) {
  for (int threads : {1, 3}) {
    const TestRuntime runtime(threads);
    Several data(12, 3);
    data.problem.y.setConstant(2.0);
    const KernelBank bank = data.bank(runtime);
    CHECK_THROWS(fit_one(learner("average"), bank, data.problem, runtime), InvalidArgument,
                 "one class");
  }
}

TEST(several_points_are_each_as_if_alone) {
  // Points that take no start from each other, since they differ in more than their costs: to the
  // last bit, whatever is kept, on any threads.
  for (double memory : {1e9, 0.0})
    for (int threads : {1, 3}) {
      TestRuntime runtime(threads);
      runtime.memory = memory;
      const Several data(60, 3);
      KernelBank shared = data.bank(runtime);
      shared.keep_sums();
      std::vector<State> points;
      for (double cost : {0.5, 2.0, 20.0})
        points.push_back(parameters({{"cost", cost}, {"gap", 1e-3 * cost}}));
      const auto path = make_path({"simplemkl", points, smo_options(1e-6), nullptr});
      const auto fits = fit_problem(path, shared, data.problem, runtime);
      CHECK(fits.size() == 3);
      for (std::size_t l = 0; l < 3; ++l) {
        const auto alone = fit_one(learner("simplemkl", points[l], 1e-6), data.bank(runtime),
                                   data.problem, runtime);
        CHECK(fits[l].size() == alone.size());
        for (std::size_t m = 0; m < alone.size(); ++m) {
          CHECK(fits[l][m].classes.positive == alone[m].classes.positive);
          CHECK(fits[l][m].model->support() == alone[m].model->support());
          CHECK(identical(fits[l][m].model->fitted, alone[m].model->fitted));
        }
      }
    }
}

TEST(probabilities_of_several_points_are_those_of_each) {
  const TestRuntime runtime(2);
  Several data(60, 3);
  data.problem.probability = true;
  std::vector<State> points;
  for (double cost : {0.5, 20.0}) points.push_back(parameters({{"cost", cost}}));
  const auto path = make_path({"average", points, smo_options(1e-8), nullptr});
  const auto fits = fit_problem(path, data.bank(runtime), data.problem, runtime);
  for (std::size_t l = 0; l < 2; ++l) {
    const auto alone =
        fit_one(learner("average", points[l], 1e-8), data.bank(runtime), data.problem, runtime);
    for (std::size_t m = 0; m < alone.size(); ++m) {
      CHECK_CLOSE(fits[l][m].sigmoid->a, alone[m].sigmoid->a, 1e-4);
      CHECK_CLOSE(fits[l][m].sigmoid->b, alone[m].sigmoid->b, 1e-4);
    }
  }
}
