// The random streams: reproducible, independent of one another, and uniform.
#include <algorithm>
#include <set>

#include "base/random.hpp"
#include "check.hpp"

using namespace mk;

TEST(a_stream_depends_on_seed_and_task_alone) {
  Random one(7, 3), two(7, 3), other_seed(8, 3), other_task(7, 4);
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t bits = one.bits();
    CHECK(bits == two.bits());
    CHECK(bits != other_seed.bits());
    CHECK(bits != other_task.bits());
  }
}

// Models are stored with their seed, so these numbers must never change. Computed apart, from the
// definition of SplitMix64.
TEST(the_numbers_are_fixed) {
  Random one(1, 0), other(42, 7);
  for (std::uint64_t bits : {0x810145e2f14b896dULL, 0x79e1e88840bb343bULL, 0x0e2fa2ad0fc46356ULL})
    CHECK(one.bits() == bits);
  for (std::uint64_t bits : {0xb1d031fb3d144310ULL, 0x74d5bf8096abbf87ULL, 0xccac3bc322b69d15ULL})
    CHECK(other.bits() == bits);
}

TEST(streams_of_neighbouring_keys_do_not_meet) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 30; ++seed)
    for (std::uint64_t task = 0; task < 30; ++task) {
      Random random(seed, task);
      for (int i = 0; i < 10; ++i) seen.insert(random.bits());
    }
  CHECK(seen.size() == 9000);
}

TEST(uniform_lies_inside_and_is_uniform) {
  Random random(5, 1);
  const int n = 100000, bins = 20;
  double sum = 0.0, square = 0.0, least = 1.0, most = 0.0;
  std::vector<int> count(bins, 0);
  for (int i = 0; i < n; ++i) {
    const double u = random.uniform();
    least = std::min(least, u);
    most = std::max(most, u);
    sum += u;
    square += u * u;
    ++count[static_cast<std::size_t>(u * bins)];
  }
  CHECK(least > 0.0);
  CHECK(most < 1.0);
  CHECK_CLOSE(sum / n, 0.5, 0.005);
  CHECK_CLOSE(square / n, 1.0 / 3.0, 0.005);
  double chi = 0.0;
  for (int c : count) chi += (c - n / bins) * (c - n / bins) / static_cast<double>(n / bins);
  CHECK(chi < 44.0);  // 19 degrees of freedom, p = 0.001
}

// The first number of streams 0, 1, 2, ... is what bags and folds are drawn from.
TEST(uniform_across_streams) {
  const int n = 20000, bins = 10;
  std::vector<int> count(bins, 0);
  for (int task = 0; task < n; ++task)
    ++count[static_cast<std::size_t>(Random(3, static_cast<std::uint64_t>(task)).uniform() * bins)];
  double chi = 0.0;
  for (int c : count) chi += (c - n / bins) * (c - n / bins) / static_cast<double>(n / bins);
  CHECK(chi < 27.9);  // 9 degrees of freedom, p = 0.001
}

TEST(below_covers_its_range) {
  for (Index bound : {1, 2, 3, 7, 10, 1000}) {
    Random random(9, static_cast<std::uint64_t>(bound));
    std::vector<int> count(static_cast<std::size_t>(bound), 0);
    const int n = 200 * static_cast<int>(bound);
    for (int i = 0; i < n; ++i) {
      const Index value = random.below(bound);
      CHECK(value >= 0 && value < bound);
      if (value >= 0 && value < bound) ++count[static_cast<std::size_t>(value)];
    }
    CHECK(*std::min_element(count.begin(), count.end()) > 100);
    CHECK(bound == 1 || *std::max_element(count.begin(), count.end()) < 300);
  }
  // A range of which a plain modulus would hit the lower third twice as often.
  Random random(2, 2);
  const Index bound = static_cast<Index>(UINT64_MAX / 3);
  int low = 0;
  for (int i = 0; i < 3000; ++i) low += random.below(bound) < bound / 2;
  CHECK_CLOSE(low / 3000.0, 0.5, 0.04);
}

TEST(shuffle_is_a_fair_permutation) {
  Random random(4, 4);
  Indices values = {0, 1, 2, 3, 4, 5, 6};
  random.shuffle(values);
  Indices sorted = values;
  std::sort(sorted.begin(), sorted.end());
  CHECK(sorted == (Indices{0, 1, 2, 3, 4, 5, 6}));
  Indices none, one = {5};
  random.shuffle(none);
  random.shuffle(one);
  CHECK(none.empty() && one == Indices{5});
  std::vector<int> count(6, 0);
  for (int i = 0; i < 12000; ++i) {
    Indices three = {0, 1, 2};
    random.shuffle(three);
    ++count[static_cast<std::size_t>(three[0] * 2 + (three[1] > three[2] ? 1 : 0))];
  }
  for (int c : count) CHECK_CLOSE(c / 12000.0, 1.0 / 6.0, 0.02);
}
