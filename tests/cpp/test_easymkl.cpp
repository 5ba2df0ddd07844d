// EasyMKL: its weights, its blocks of kernels, other ways to run its passes, memory and threads.
#include "check.hpp"
#include "fixtures.hpp"
#include "learners/easymkl.hpp"

using namespace mk;
using namespace fixtures;

namespace {

constexpr Index n = 60;

const Matrix& features() {
  static const Matrix x = normal_matrix(n, 4, 1);
  return x;
}

Vector labels() {
  Vector y(n);
  for (Index i = 0; i < n; ++i) y[i] = features()(i, 0) + 0.5 * features()(i, 1) > 0.2 ? 1.0 : -1.0;
  return y;
}

State bags(double count) {
  return item("rbf_bags", {{"count", count}, {"max_features", 3}, {"beta", 1.0}, {"seed", 7}},
              {"trace"});
}

State parameters(double lambda, const std::string& norm = "two",
                 const std::string& final = "komd") {
  State state;
  state.set("lambda", lambda);
  state.set("norm", norm);
  state.set("final", final);
  state.set("cost", 3.0);
  return state;
}

SmoOptions tight() {
  SmoOptions smo;
  smo.tol = 1e-6;
  return smo;
}

std::unique_ptr<Model> fit(
    const KernelBank& bank, const State& p, const Runtime& runtime,
    std::shared_ptr<const KernelPasses> passes = std::make_shared<KernelPasses>()) {
  return std::move(EasymklLearner::fit_path({EasymklLearner(p, tight(), std::move(passes))},
                                            {bank, {classification(), labels(), Vector::Ones(n)}},
                                            runtime)
                       .front());
}

bool same(const Model& a, const Model& b) {
  return identical(a.fitted, b.fitted) && identical(a.kernel_weights(), b.kernel_weights()) &&
         a.expansion()->rows == b.expansion()->rows &&
         identical(a.expansion()->coefficients, b.expansion()->coefficients);
}

// Every block from a bank of its own kernels, as another process would do it.
class ByBlocks final : public KernelPasses {
 public:
  Matrix sum(const KernelBank& bank, const Vector& weights, const Runtime& runtime) const override {
    Matrix total;
    each(bank, runtime, [&](const KernelBank& part, Index first) {
      Matrix k(bank.rows(), bank.rows());
      part.sum(weights.segment(first, part.size()), k.data(), runtime);
      if (first == 0) total = k;
      else total += k;
    });
    return total;
  }
  Vector forms(const KernelBank& bank, const Vector& b, const Runtime& runtime) const override {
    Vector forms(bank.size());
    each(bank, runtime, [&](const KernelBank& part, Index first) {
      forms.segment(first, part.size()) = part.quadratic_forms(all_rows(part.size()), b, runtime);
    });
    return forms;
  }
  mutable int blocks = 0;

 private:
  template <class F>
  void each(const KernelBank& bank, const Runtime& runtime, const F& f) const {
    const Indices bounds = kernel_blocks(bank.size());
    for (std::size_t b = 0; b + 1 < bounds.size(); ++b, ++blocks) {
      State some = bags(static_cast<double>(bounds[b + 1] - bounds[b]));
      State values = some.list("parameters").front();
      values.set("first", static_cast<double>(bounds[b] + 1));
      some.set("parameters", Value(std::vector<State>{values}));
      const KernelBank all(kernel_set({some}, features().cols()), dense_examples(view(features())),
                           runtime);
      f(all.subset(bank.group().rows()), bounds[b]);
    }
  }
};

}  // namespace

TEST(blocks_cover_all_kernels) {
  for (Index m : {1, 2, 255, 256, 257, 5000, 8192, 8193, 1000000}) {
    const Indices bounds = kernel_blocks(m);
    CHECK(bounds.front() == 0 && bounds.back() == m);
    CHECK(bounds.size() >= 2 && bounds.size() <= 33);
    for (std::size_t b = 1; b < bounds.size(); ++b) {
      CHECK(bounds[b] > bounds[b - 1]);
      CHECK(b + 1 == bounds.size() || bounds[b] % 256 == 0);
    }
  }
}

TEST(weights_are_the_forms_of_the_first_solution) {
  TestRuntime runtime;
  const KernelBank bank =
      make_bank({item("rbf", {{"gamma", 0.2}}, {"trace"}), item("linear", {}, {"trace"}), bags(10)},
                features(), runtime);
  for (double lambda : {0.0, 0.1, 0.9}) {
    const KomdSolution first =
        solve_komd({bank, {classification(), labels(), Vector::Ones(n)}}, Vector::Ones(bank.size()),
                   KomdOptions::read(parameters(lambda), tight()), runtime);
    Vector eta(bank.size());
    bank.visit([&](Index m, const Matrix& k) { eta[m] = first.beta.dot(k * first.beta); }, runtime);
    const auto two = fit(bank, parameters(lambda), runtime);
    const auto sum = fit(bank, parameters(lambda, "sum"), runtime);
    CHECK(distance(two->kernel_weights(), Vector(eta / eta.norm())) < 1e-4);
    CHECK(distance(sum->kernel_weights(), Vector(eta / eta.sum())) < 1e-4);
    CHECK(two->report.converged && sum->report.converged);
    const auto cross = bank.cross(all_rows(n), all_rows(n), runtime);
    CHECK(distance(two->fitted, two->decision(*cross)) < 1e-9);
  }
}

TEST(blocks_of_other_processes_give_the_same_bits) {
  TestRuntime runtime;
  for (double count : {40.0, 300.0, 1000.0}) {
    const KernelBank bank = make_bank({bags(count)}, features(), runtime);
    for (const char* final : {"komd", "svm"}) {
      const auto passes = std::make_shared<ByBlocks>();
      const auto here = fit(bank, parameters(0.1, "two", final), runtime);
      const auto there = fit(bank, parameters(0.1, "two", final), runtime, passes);
      CHECK(same(*here, *there));
      CHECK(passes->blocks == 3 * static_cast<int>(std::ceil(count / 256.0)));
    }
  }
}

TEST(threads_and_memory) {
  TestRuntime one, two(2), poor;
  poor.memory = 1.0;
  const auto alone = fit(make_bank({bags(300)}, features(), one), parameters(0.1), one);
  const auto both = fit(make_bank({bags(300)}, features(), two), parameters(0.1), two);
  const auto rows = fit(make_bank({bags(300)}, features(), poor), parameters(0.1), poor);
  CHECK(same(*alone, *both));
  CHECK(distance(alone->kernel_weights(), rows->kernel_weights()) < 1e-5);
  CHECK(distance(alone->fitted, rows->fitted) < 1e-4);
}

TEST(a_final_support_vector_machine) {
  TestRuntime runtime;
  const KernelBank bank = make_bank({bags(20)}, features(), runtime);
  const auto easy = fit(bank, parameters(0.1, "two", "svm"), runtime);
  SvmOptions options = SvmOptions::read(parameters(0.1), tight());
  const auto plain = fit_svm({bank, {classification(), labels(), Vector::Ones(n)}},
                             easy->kernel_weights(), options, runtime);
  CHECK(distance(easy->fitted, plain->fitted) < 1e-5);
  CHECK_CLOSE(easy->report.objective, plain->report.objective, 1e-8);
}

TEST(interrupts_and_messages) {
  TestRuntime runtime;
  const KernelBank bank = make_bank({bags(600)}, features(), runtime);
  runtime.verbose = true;
  fit(bank, parameters(0.1), runtime);
  CHECK(runtime.messages.size() >= 2);
  runtime.looks = 0;
  runtime.interrupt_after = 1;
  CHECK_THROWS(fit(bank, parameters(0.1), runtime), Interrupted, "");
}

TEST(bad_parameters) {
  CHECK_THROWS(EasymklLearner(parameters(0.1, "one"), tight()), InvalidArgument, "`norm`");
  CHECK_THROWS(EasymklLearner(parameters(0.1, "two", "lda"), tight()), InvalidArgument, "`final`");
  CHECK_THROWS(EasymklLearner(parameters(2.0), tight()), InvalidArgument, "`lambda`");
  TestRuntime runtime;
  Matrix bad = Matrix::Ones(n, n);
  bad(3, 4) = bad(4, 3) = std::nan("");
  const KernelBank bank = make_bank({bags(2), item("precomputed")}, features(), runtime, {&bad});
  CHECK_THROWS(fit(bank, parameters(0.1), runtime), InvalidArgument, "`precomputed`");
}

TEST(a_grid_shares_the_sums_and_gives_the_same_models) {
  TestRuntime runtime;
  for (const double room : {100.0, 3.0, 0.0}) {  // in matrices
    runtime.memory = room * 8.0 * static_cast<double>(n * n);
    const KernelBank bank = make_bank({bags(20)}, features(), runtime);
    const TrainingSet set = {bank, {classification(), labels(), Vector::Ones(n)}};
    const std::vector<State> grid = {parameters(0.1),
                                     parameters(0.1, "sum"),
                                     parameters(0.1, "sum", "svm"),
                                     parameters(0.5, "sum", "svm"),
                                     parameters(0.5),
                                     parameters(0.1, "two", "svm"),
                                     parameters(1.0)};
    std::vector<EasymklLearner> points;
    for (const State& point : grid) points.emplace_back(point, tight());
    const Models models = EasymklLearner::fit_path(points, set, runtime);
    for (std::size_t p = 0; p < grid.size(); ++p)
      CHECK(same(*models[p], *fit(make_bank({bags(20)}, features(), runtime), grid[p], runtime)));
  }
}
