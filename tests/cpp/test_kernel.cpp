// Every kernel family, through the kernel set and the bank, against its formula.
#include <limits>

#include "check.hpp"
#include "fixtures.hpp"
#include "kernels/registry.hpp"

using namespace mk;
using namespace fixtures;

namespace {

const Matrix& data_for(const State& it) {
  static const Matrix any = normal_matrix(37, 6, 1), histogram = histogram_matrix(37, 6, 1);
  const std::string family = it.text("family");
  return family == "chisq" || family == "intersection" ? histogram : any;
}

Matrix bank_matrix(const State& it, const Matrix& x,
                   const std::vector<const Matrix*>& stored = {}) {
  const TestRuntime runtime;
  return to_matrix(make_bank({it}, x, runtime, stored).matrix(0, runtime).view);
}

State bags(double count, double max_features, double beta, double seed) {
  return item("rbf_bags",
              {{"count", count}, {"max_features", max_features}, {"beta", beta}, {"seed", seed}});
}

}  // namespace

TEST(every_family_has_its_formula) {
  for (const State& it : every_family()) {
    const Matrix& x = data_for(it);
    CHECK_CLOSE(distance(bank_matrix(it, x), naive_matrix(it, x, x)), 0.0, 1e-13);
  }
}

TEST(every_family_on_some_columns) {
  for (const State& it : every_family())
    for (const Indices& columns : {Indices{4}, Indices{5, 0, 2}, Indices{3, 3, 1}}) {
      const State part = on(it, columns);
      const Matrix& x = data_for(it);
      CHECK_CLOSE(distance(bank_matrix(part, x), naive_matrix(part, x, x)), 0.0, 1e-13);
    }
}

TEST(every_family_on_no_columns) {
  for (const State& it : every_family()) {
    const State part = on(it, {});
    const Matrix& x = data_for(it);
    CHECK_CLOSE(distance(bank_matrix(part, x), naive_matrix(part, x, x)), 0.0, 1e-13);
  }
}

TEST(the_diagonal_by_itself) {
  const TestRuntime runtime;
  for (const State& it : every_family()) {
    const Matrix& x = data_for(it);
    const KernelSet set({it}, x.cols());
    const Indices rows = {3, 0, 36, 5};
    const RowGroup group(std::make_shared<const Examples>(dense_examples(view(x))), rows, true);
    const Vector diagonal = set.kernel(0).diagonal(group, *runtime.simd);
    for (std::size_t i = 0; i < rows.size(); ++i)
      CHECK_CLOSE(diagonal[static_cast<Index>(i)], naive_kernel(it, x, rows[i], x, rows[i]), 1e-13);
  }
}

// The contract of PairMap: a block gives the same as each of its parts.
TEST(maps_do_not_depend_on_the_block) {
  const TestRuntime runtime;
  Random random(1, 1);
  Vector sums(700), whole(700), one(1);  // longer than the chunks inside the maps
  for (Index i = 0; i < sums.size(); ++i) sums[i] = 4.0 * random.uniform();
  for (const State& it : every_family()) {
    const auto map = KernelSet({it}, 3).kernel(0).factors.front().map;
    map->apply(sums.data(), whole.data(), sums.size(), *runtime.simd);
    bool same = true;
    for (Index i = 0; i < sums.size(); ++i) {
      map->apply(&sums[i], one.data(), 1, *runtime.simd);
      same = same && one[0] == whole[i];
    }
    CHECK(same);
  }
}

TEST(products) {
  const Matrix x = histogram_matrix(29, 5, 3);
  const auto families = every_family();
  for (const State& first : families) {
    const State two = product({first, on(families[3], {1, 2})});
    CHECK_CLOSE(distance(bank_matrix(two, x), naive_matrix(two, x, x)), 0.0, 1e-12);
  }
  const State three = product({families[0], families[4], on(families[1], {0})});
  CHECK_CLOSE(distance(bank_matrix(three, x), naive_matrix(three, x, x)), 0.0, 1e-12);
}

TEST(stored_factors) {
  const Matrix x = normal_matrix(21, 3, 4), first = definite_matrix(21, 5),
               second = definite_matrix(21, 6);
  const TestRuntime runtime;
  const State rbf = item("rbf", {{"gamma", 0.5}});
  // Stored matrices are numbered in the order in which they are met, inside products too.
  const auto bank = make_bank({item("precomputed"), product({rbf, item("precomputed")}),
                               product({item("precomputed"), item("precomputed")})},
                              x, runtime, {&first, &second, &first, &second});
  CHECK(identical(to_matrix(bank.matrix(0, runtime).view), first));
  const Matrix k = naive_matrix(rbf, x, x);
  CHECK_CLOSE(distance(to_matrix(bank.matrix(1, runtime).view), k.cwiseProduct(second)), 0.0,
              1e-14);
  CHECK_CLOSE(distance(to_matrix(bank.matrix(2, runtime).view), first.cwiseProduct(second)), 0.0,
              1e-15);
}

TEST(numbers_and_names_of_a_set) {
  State named = item("rbf", {{"gamma", 1.0}}, {"cosine", "trace"});
  named.set("name", "mine");
  const KernelSet set({item("linear"), bags(5, 3, 1.0, 1), named}, 4);
  CHECK(set.size() == 7);
  CHECK(set.items() == 3);
  CHECK(set.item_size(0) == 1 && set.item_size(1) == 5 && set.item_size(2) == 1);
  CHECK(set.item_name(2) == "mine");
  CHECK(set.normalization(0).empty());
  CHECK(set.normalization(2) ==
        (std::vector<Normalization>{Normalization::cosine, Normalization::trace}));
  CHECK(set.locate(0) == (std::pair<Index, Index>(0, 0)));
  CHECK(set.locate(1) == (std::pair<Index, Index>(1, 0)));
  CHECK(set.locate(5) == (std::pair<Index, Index>(1, 4)));
  CHECK(set.locate(6) == (std::pair<Index, Index>(2, 0)));
}

TEST(bags_have_the_right_form) {
  const TestRuntime runtime;
  const State fixed = on(bags(400, 3, 2.0, 11), {1, 4, 5});
  const KernelSet set({fixed}, 6);
  const Matrix x = normal_matrix(9, 6, 7);
  std::vector<int> sizes(4, 0), uses(6, 0);
  for (Index m = 0; m < set.size(); ++m) {
    const Kernel kernel = set.kernel(m);
    CHECK(kernel.factors.size() == 1);
    const Factor& factor = kernel.factors.front();
    CHECK(factor.sum.kind == PairKind::squared_distance);
    CHECK(factor.sum.features.size() >= 1 && factor.sum.features.size() <= 3);
    if (factor.sum.features.size() <= 3) ++sizes[factor.sum.features.size()];
    for (int f : factor.sum.features) {
      CHECK(f == 1 || f == 4 || f == 5);
      ++uses[static_cast<std::size_t>(f)];
    }
    const double one = 1.0;
    double value = 0.0;
    factor.map->apply(&one, &value, 1, *runtime.simd);
    CHECK_CLOSE(value, std::exp(-2.0 / static_cast<double>(factor.sum.features.size())), 1e-14);
  }
  for (int size : {1, 2, 3}) CHECK(sizes[static_cast<std::size_t>(size)] > 90);
  for (int f : {1, 4, 5}) CHECK(uses[static_cast<std::size_t>(f)] > 200);
  // exp(-(beta / p) sum over the bag of (x_f - z_f)^2), through the bank.
  const auto bank = make_bank({fixed}, x, runtime);
  for (Index m : {0, 1, 2, 17, 399}) {
    const Kernel kernel = set.kernel(m);
    Indices columns(kernel.factors[0].sum.features.begin(), kernel.factors[0].sum.features.end());
    const State same =
        on(item("rbf", {{"gamma", 2.0 / static_cast<double>(columns.size())}}), columns);
    CHECK_CLOSE(distance(to_matrix(bank.matrix(m, runtime).view), naive_matrix(same, x, x)), 0.0,
                1e-14);
  }
}

TEST(bags_are_reproducible) {
  const TestRuntime runtime;
  const double drawn = std::numeric_limits<double>::quiet_NaN();
  const KernelSet one({bags(50, 8, drawn, 3)}, 5),
      again({item("linear"), bags(60, 8, drawn, 3)}, 5), other({bags(50, 8, drawn, 4)}, 5);
  const auto value = [&](const Factor& factor) {
    const double sum = 1.0;
    double out = 0.0;
    factor.map->apply(&sum, &out, 1, *runtime.simd);
    return out;
  };
  int different = 0;
  double least = 1.0, most = 0.0;
  for (Index m = 0; m < one.size(); ++m) {
    // By number alone: neither the length of the list nor its neighbours matter.
    const Factor a = one.kernel(m).factors[0], b = again.kernel(m + 1).factors[0],
                 c = other.kernel(m).factors[0];
    CHECK(a.sum.features == b.sum.features && value(a) == value(b));
    CHECK(a.sum.features == one.kernel(m).factors[0].sum.features);
    different += a.sum.features != c.sum.features;
    const double beta = -std::log(value(a)) * static_cast<double>(a.sum.features.size());
    least = std::min(least, beta);
    most = std::max(most, beta);
  }
  CHECK(different > 30);
  CHECK(least > 0.0 && least < 0.2);
  CHECK(most < 1.0 && most > 0.8);
}

TEST(bags_in_pieces) {
  const KernelSet whole({bags(20, 4, 1.0, 3)}, 5);
  State piece = bags(6, 4, 1.0, 3), inner = piece.list("parameters").front();
  inner.set("first", 8.0);  // counted from 1
  piece.set("parameters", Value(std::vector<State>{inner}));
  const KernelSet part({piece}, 5);
  CHECK(part.size() == 6);
  for (Index m = 0; m < 6; ++m)
    CHECK(part.kernel(m).factors[0].sum.features == whole.kernel(m + 7).factors[0].sum.features);
}

TEST(parameters_out_of_range) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = INFINITY;
  const auto make = [](const std::string& family, const Parameters& p) {
    return KernelSet({item(family, p)}, 3).size();
  };
  for (double bad : {0.0, -1.0, nan, inf}) {
    CHECK_THROWS(make("rbf", {{"gamma", bad}}), InvalidArgument, "`gamma`");
    CHECK_THROWS(make("laplacian", {{"sigma", bad}}), InvalidArgument, "`sigma`");
    CHECK_THROWS(make("matern", {{"nu", 0.5}, {"sigma", bad}}), InvalidArgument, "`sigma`");
    CHECK_THROWS(make("rational_quadratic", {{"sigma", 1.0}, {"alpha", bad}}), InvalidArgument,
                 "`alpha`");
    CHECK_THROWS(make("rational_quadratic", {{"sigma", bad}, {"alpha", 1.0}}), InvalidArgument,
                 "`sigma`");
    CHECK_THROWS(make("anova", {{"sigma", bad}, {"degree", 1}}), InvalidArgument, "`sigma`");
    CHECK_THROWS(make("cauchy", {{"sigma", bad}}), InvalidArgument, "`sigma`");
    CHECK_THROWS(make("chisq", {{"gamma", bad}}), InvalidArgument, "`gamma`");
    CHECK_THROWS(make("polynomial", {{"scale", bad}, {"offset", 0.0}, {"degree", 2}}),
                 InvalidArgument, "`scale`");
    CHECK_THROWS(KernelSet({bags(bad, 2, 1, 1)}, 3), InvalidArgument, "`count`");
    CHECK_THROWS(KernelSet({bags(2, bad, 1, 1)}, 3), InvalidArgument, "`max_features`");
  }
  for (double bad : {0.0, -1.0, 1.5, 1001.0, nan, inf}) {
    CHECK_THROWS(make("polynomial", {{"scale", 1}, {"offset", 0.0}, {"degree", bad}}),
                 InvalidArgument, "`degree`");
    CHECK_THROWS(make("anova", {{"sigma", 1}, {"degree", bad}}), InvalidArgument, "`degree`");
  }
  for (double bad : {nan, inf}) {
    CHECK_THROWS(make("polynomial", {{"scale", 1}, {"offset", bad}, {"degree", 2}}),
                 InvalidArgument, "`offset`");
    CHECK_THROWS(make("sigmoid", {{"scale", bad}, {"offset", 0.0}}), InvalidArgument, "`scale`");
    CHECK_THROWS(make("sigmoid", {{"scale", 1.0}, {"offset", bad}}), InvalidArgument, "`offset`");
    CHECK_THROWS(KernelSet({bags(2, 2, 1, bad)}, 3), InvalidArgument, "`seed`");
  }
  for (double bad : {0.0, 1.0, 2.0, nan})
    CHECK_THROWS(make("matern", {{"nu", bad}, {"sigma", 1.0}}), InvalidArgument, "`nu`");
  for (double bad : {0.0, -1.0, inf})
    CHECK_THROWS(KernelSet({bags(2, 2, bad, 1)}, 3), InvalidArgument, "`beta`");
  CHECK_THROWS(KernelSet({bags(2.5, 2, 1, 1)}, 3), InvalidArgument, "`count`");
  CHECK_THROWS(make("rbf", {}), InvalidArgument, "`gamma` must be a number, not missing.");
}

TEST(items_that_cannot_be_used) {
  CHECK_THROWS(KernelSet({}, 3), InvalidArgument, "at least one kernel");
  CHECK_THROWS(KernelSet({item("gauss")}, 3), InvalidArgument, "\"gauss\"");
  CHECK_THROWS(KernelSet({on(item("linear"), {3})}, 3), InvalidArgument, "from 1 to 3, not 4");
  CHECK_THROWS(KernelSet({on(item("linear"), {-1})}, 3), InvalidArgument, "from 1 to 3, not 0");
  CHECK_THROWS(KernelSet({product({})}, 3), InvalidArgument, "an empty list");
  CHECK_THROWS(KernelSet({item("linear", {}, {"unit"})}, 3), InvalidArgument, "\"unit\"");
  CHECK_THROWS(KernelSet({on(bags(2, 2, 1, 1), {})}, 3), InvalidArgument, "at least one column");
}

TEST(domain_of_histogram_kernels) {
  Matrix x = histogram_matrix(6, 3, 2);
  x(4, 1) = -0.5;
  const auto families = every_family();
  for (const State& it : families) {
    const bool histogram = it.text("family") == "chisq" || it.text("family") == "intersection";
    if (!histogram) {
      KernelSet({it}, 3).check_domain(dense_examples(view(x)), "x");
      continue;
    }
    CHECK_THROWS(KernelSet({it}, 3).check_domain(dense_examples(view(x)), "x"), InvalidArgument,
                 "-0.5 in row 5, column 2");
    CHECK_THROWS(
        KernelSet({product({families[0], it})}, 3).check_domain(dense_examples(view(x)), "x"),
        InvalidArgument, "-0.5 in row 5, column 2");
    KernelSet({on(it, {0, 2})}, 3).check_domain(dense_examples(view(x)), "x");
  }
  KernelSet({bags(3, 2, 1, 1), item("precomputed")}, 3)
      .check_domain(dense_examples(view(x), {view(x)}), "x");
}

// Far away is 0, not NaN; the same place is 1.
TEST(huge_and_tiny_distances) {
  Matrix x(4, 2);
  x << 0, 0, 1e200, 1e200, 1e-200, 0, 1e200, 1e200;
  for (const State& it : every_family()) {
    const std::string family = it.text("family");
    if (family == "linear" || family == "polynomial" || family == "intersection" ||
        family == "sigmoid" || family == "anova")
      continue;
    const Matrix k = bank_matrix(it, x);
    CHECK(k.allFinite());
    CHECK(k(0, 1) == 0.0);
    CHECK(k(0, 2) == 1.0);
    CHECK(k(1, 3) == 1.0);
    CHECK(k(1, 1) == 1.0);
  }
}
