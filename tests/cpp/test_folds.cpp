// Folds of inner cross-validation.
#include "check.hpp"
#include "fixtures.hpp"
#include "learners/folds.hpp"

using namespace mk;
using namespace fixtures;

namespace {

Vector labels(Index negative, Index positive) {
  Vector y(negative + positive);
  for (Index i = 0; i < y.size(); ++i) y[i] = i < negative ? -1.0 : 1.0;
  return y;
}

std::vector<Indices> folds_of(const TargetKind* kind, const Vector& y, Index count,
                              std::uint64_t seed) {
  return make_folds({kind, y, Vector::Ones(y.size())}, count, seed);
}

void check_partition(const std::vector<Indices>& folds, Index n) {
  std::vector<int> seen(static_cast<std::size_t>(n), 0);
  for (const Indices& fold : folds) {
    CHECK(std::is_sorted(fold.begin(), fold.end()));
    for (Index row : fold) {
      CHECK(row >= 0 && row < n);
      if (row >= 0 && row < n) ++seen[static_cast<std::size_t>(row)];
    }
  }
  CHECK(std::all_of(seen.begin(), seen.end(), [](int count) { return count == 1; }));
}

}  // namespace

TEST(folds_part_the_rows) {
  for (Index n : {2, 3, 5, 10, 11, 53})
    for (Index count : {2, 3, 5, 10}) {
      const Vector y = Vector::LinSpaced(n, -1.0, 1.0);
      const auto folds = folds_of(regression(), y, count, 1);
      CHECK(static_cast<Index>(folds.size()) == std::min(count, n));
      check_partition(folds, n);
      for (const Indices& fold : folds) {
        const auto size = static_cast<Index>(fold.size());
        CHECK(size >= n / static_cast<Index>(folds.size()));
        CHECK(size <= n / static_cast<Index>(folds.size()) + 1);
      }
    }
}

TEST(classes_are_spread_evenly) {
  for (Index positive : {2, 3, 5, 20, 41}) {
    const Index negative = 33;
    const Vector y = labels(negative, positive);
    const auto folds = folds_of(classification(), y, 5, 7);
    CHECK(static_cast<Index>(folds.size()) == std::min<Index>(5, positive));
    check_partition(folds, y.size());
    const Index k = static_cast<Index>(folds.size());
    for (const Indices& fold : folds) {
      const Index held =
          std::count_if(fold.begin(), fold.end(), [&](Index r) { return y[r] > 0.0; });
      CHECK(held >= positive / k && held <= positive / k + 1);
      CHECK(held < positive);  // both classes are left to train on
      CHECK(static_cast<Index>(fold.size()) - held < negative);
    }
  }
}

TEST(too_few_rows_give_no_folds) {
  CHECK(folds_of(classification(), labels(9, 1), 5, 1).empty());
  CHECK(folds_of(classification(), labels(1, 9), 5, 1).empty());
  CHECK(folds_of(classification(), labels(0, 1), 5, 1).empty());
  CHECK(folds_of(regression(), Vector::Ones(1), 5, 1).empty());
  CHECK(folds_of(classification(), labels(0, 8), 4, 1).size() == 4);
}

TEST(folds_depend_on_the_seed_alone) {
  const Vector y = labels(20, 20);
  const auto a = folds_of(classification(), y, 5, 3);
  CHECK(a == folds_of(classification(), y, 5, 3));
  CHECK(a != folds_of(classification(), y, 5, 4));
  // Shuffled: the first fold is not every fifth row.
  CHECK(a[0] != (Indices{0, 5, 10, 15, 20, 25, 30, 35}));
}

TEST(complement_and_take) {
  CHECK(complement({1, 3}, 5) == (Indices{0, 2, 4}));
  CHECK(complement({}, 3) == (Indices{0, 1, 2}));
  CHECK(complement({2, 0, 1}, 3).empty());
  CHECK(complement({}, 0).empty());
  const Vector values = Vector::LinSpaced(4, 10.0, 40.0);
  CHECK(identical(take(values, {3, 0, 0}), Vector((Vector(3) << 40.0, 10.0, 10.0).finished())));
  CHECK(take(values, {}).size() == 0);
}
