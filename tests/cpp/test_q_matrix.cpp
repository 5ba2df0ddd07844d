// Columns of the quadratic term: in memory, on demand and doubled, through long random sequences
// of calls, against the dense matrix.
#include "check.hpp"
#include "fixtures.hpp"
#include "solvers/deferred_q.hpp"
#include "solvers/path_q.hpp"

using namespace mk;
using namespace fixtures;

namespace {

Indices random_part(Index n, Index size, Random& random, bool ordered) {
  Indices all = all_rows(n);
  random.shuffle(all);
  all.resize(static_cast<std::size_t>(size));
  if (ordered) std::sort(all.begin(), all.end());
  return all;
}

// What SMO does, and more: activates, asks for columns (holding two), and for products.
void check_sequence(QMatrix& q, const Matrix& dense, std::uint64_t seed) {
  Random random(seed, 1);
  const Index n = dense.rows();
  CHECK(q.size() == n);
  for (Index v = 0; v < n; ++v) CHECK_CLOSE(q.diagonal(v), dense(v, v), 1e-13);
  q.activate({});
  Indices active = all_rows(n);
  double worst = 0.0;
  const auto compare = [&](const double* got, Index variable) {
    for (std::size_t i = 0; i < active.size(); ++i)
      worst = std::max(worst, std::fabs(got[i] - dense(active[i], variable)));
  };
  for (int call = 0; call < 300; ++call) {
    const double choice = random.uniform();
    if (choice < 0.08) {
      // A part of what is active (rows on demand are squeezed), any part, or everything.
      const Index most = static_cast<Index>(active.size());
      if (choice < 0.04 && most > 2) {
        const Indices places = random_part(most, 2 + random.below(most - 2), random, true);
        Indices part;
        for (Index place : places) part.push_back(active[static_cast<std::size_t>(place)]);
        active = part;
      } else if (choice < 0.06) {
        active = random_part(n, 1 + random.below(n - 1), random, random.uniform() < 0.5);
      } else {
        active = all_rows(n);
      }
      q.activate(static_cast<Index>(active.size()) == n ? Indices() : active);
    } else if (choice < 0.2) {
      active = all_rows(n);
      q.activate({});
      Vector b = Vector::Zero(n);
      for (Index count = random.below(n); count >= 0; --count)
        b[random.below(n)] = random.uniform() - 0.5;
      worst = std::max(worst, distance(q.multiply(b, TestRuntime()), Vector(dense * b)));
    } else {
      const Index most = static_cast<Index>(active.size());
      const Index i = random.below(most), j = random.below(most);
      const double* column_i = q.column(i);
      compare(column_i, active[static_cast<std::size_t>(i)]);
      const double* column_j = q.column(j);
      compare(column_j, active[static_cast<std::size_t>(j)]);
      compare(column_i, active[static_cast<std::size_t>(i)]);  // the first is still valid
    }
  }
  CHECK_CLOSE(worst, 0.0, 1e-12);
}

Matrix doubled(const Matrix& k) {
  Matrix twice(2 * k.rows(), 2 * k.rows());
  twice << k, k, k, k;
  return twice;
}

struct OnDemand {
  explicit OnDemand(Index n)
      : x(normal_matrix(n, 3, 4)),
        bank(
            make_bank({item("rbf", {{"gamma", 0.3}}), item("linear", {}, {"center"})}, x, runtime)),
        weights(Vector::LinSpaced(2, 0.5, 1.0)),
        dense(to_matrix(bank.combination(weights, runtime).view)) {}

  TestRuntime runtime;
  Matrix x;
  KernelBank bank;
  Vector weights;
  Matrix dense;
};

}  // namespace

TEST(stored) {
  const TestRuntime runtime;
  const Matrix k = definite_matrix(30, 1);
  for (double spare : {0.0, 8.0 * 15 * 15, 1e9}) {  // copies never, sometimes, always fit
    StoredQ q(view(k), spare, runtime);
    for (std::uint64_t seed = 1; seed < 6; ++seed) check_sequence(q, k, seed);
  }
}

TEST(path) {
  const TestRuntime runtime;
  const Matrix k = definite_matrix(30, 1);
  for (double spare : {0.0, 8.0 * 15 * 15, 1e9}) {
    PathQ q(view(k), spare, runtime);
    for (std::uint64_t seed = 1; seed < 6; ++seed) check_sequence(q, k, seed);
  }
}

// Coefficients at their bounds grow by one factor, some others change, and all follow from the last
// product; a wrong product that it is told of shows.
TEST(path_products) {
  const TestRuntime runtime;
  const Matrix k = definite_matrix(40, 2);
  PathQ q(view(k), 1e9, runtime);
  Vector b = Vector::Ones(40);
  for (Index i = 30; i < 40; ++i) b[i] = 0.01 * static_cast<double>(i);
  for (int step = 0; step < 6; ++step) {
    CHECK_CLOSE(distance(q.multiply(b, runtime), Vector(k * b)), 0.0, 1e-10);
    b.head(30) *= 2.5;
    b[30 + step] += 0.1;
  }
  q.remember(b, Vector::Zero(40));
  b[0] += 1.0;
  CHECK(distance(q.multiply(b, runtime), Vector(k * b)) > 0.5);
  CHECK(q.multiply(Vector::Zero(40), runtime).isZero(0.0));
}

TEST(path_narrow) {
  const TestRuntime runtime;
  const Matrix k = definite_matrix(40, 3);
  PathQ q(view(k), 1e9, runtime, 10);
  Random random(5, 1);
  for (int round = 0; round < 20; ++round) {
    const Indices part = random_part(40, 10 + random.below(30), random, true);
    CHECK(q.activate_narrow(part));
    double worst = 0.0;
    for (std::size_t j = 0; j < part.size(); ++j)
      for (std::size_t i = 0; i < part.size(); ++i)
        worst = std::max(worst,
                         std::fabs(static_cast<double>(q.narrow_column(static_cast<Index>(j))[i]) -
                                   k(part[i], part[j])));
    CHECK_CLOSE(worst, 0.0, 1e-5);
    if (round % 3 == 0) q.activate({});
  }
}

TEST(cached) {
  const OnDemand problem(140);
  for (double bytes : {0.0, 8.0 * 140 * 3, 8.0 * 140 * 50, 1e9}) {
    CachedQ q(problem.bank.row_evaluator(problem.weights, problem.runtime), bytes);
    for (std::uint64_t seed = 1; seed < 4; ++seed) check_sequence(q, problem.dense, seed);
  }
}

// The whole matrix is made where most requests are for other rows than before, on the full problem,
// and before too many rows were computed; columns that were given out stay valid.
TEST(deferred) {
  const Index n = 1100;
  const OnDemand problem(n);
  int made = 0;
  const auto form = [&] {
    ++made;
    return view(problem.dense);
  };
  const auto fresh = [&] {
    return DeferredQ(problem.bank.row_evaluator(problem.weights, problem.runtime),
                     problem.bank.matrix_bytes(), form, 1e9, problem.runtime);
  };
  const auto matches = [&](const double* column, Index variable) {
    return distance(Vector(Eigen::Map<const Vector>(column, n)),
                    Vector(problem.dense.col(variable))) < 1e-12;
  };
  {
    DeferredQ q = fresh();  // every row is another one
    const double* before = nullptr;
    for (Index i = 0; i < 300; ++i) {
      const double* column = q.column(i);
      CHECK(matches(column, i));
      if (i > 0) CHECK(matches(before, i - 1));
      before = column;
    }
    CHECK(q.formed() && made == 1);
    CHECK(!q.activate_narrow({1, 2}));
    check_sequence(q, problem.dense, 1);
    CHECK(made == 1);
  }
  {
    DeferredQ q = fresh();  // the same rows again and again
    for (Index i = 0; i < 1500; ++i) CHECK(matches(q.column(i * i % 200), i * i % 200));
    CHECK(!q.formed());
  }
  {
    DeferredQ q = fresh();  // all others, but of a part
    Indices part = all_rows(n);
    part.resize(700);
    q.activate(part);
    for (Index i = 0; i < 700; ++i) CHECK_CLOSE(q.column(i)[5], problem.dense(5, i), 1e-12);
    q.activate({});
    for (Index i = 700; i < n; ++i) q.column(i);  // too late
    CHECK(!q.formed());
  }
  made = 0;
  Vector b = Vector::Zero(n);
  b.head(200).setOnes();
  DeferredQ few = fresh(), many = fresh();  // a start with few coefficients, and with many
  CHECK_CLOSE(distance(few.multiply(b, problem.runtime), Vector(problem.dense * b)), 0.0, 1e-11);
  CHECK(!few.formed());
  b.head(500).setOnes();
  CHECK_CLOSE(distance(many.multiply(b, problem.runtime), Vector(problem.dense * b)), 0.0, 1e-11);
  CHECK(many.formed() && made == 1);
}

// Products of rows on demand, on several panels: the same for any number of threads, and for the
// full set whatever is active.
TEST(cached_products_by_threads) {
  const OnDemand problem(301);
  Vector b = normal_matrix(301, 1, 6).col(0);
  for (Index i = 0; i < 301; i += 3) b[i] = 0.0;
  CachedQ alone(problem.bank.row_evaluator(problem.weights, problem.runtime), 1e5);
  const Vector product = alone.multiply(b, problem.runtime);
  CHECK_CLOSE(distance(product, Vector(problem.dense * b)), 0.0, 1e-11);
  CHECK(alone.multiply(Vector::Zero(301), problem.runtime).isZero(0.0));
  for (int threads : {2, 5}) {
    const TestRuntime runtime(threads);
    CachedQ q(problem.bank.row_evaluator(problem.weights, runtime), 1e5);
    q.activate({7, 3, 200});
    CHECK(identical(q.multiply(b, runtime), product));
    CHECK_CLOSE(q.column(1)[2], problem.dense(3, 200), 1e-12);
  }
}

TEST(doubled_stored) {
  const TestRuntime runtime;
  const Matrix k = definite_matrix(17, 2);
  for (double spare : {0.0, 1e9}) {
    StoredQ base(view(k), spare, runtime);
    DoubledQ q(base);
    for (std::uint64_t seed = 1; seed < 9; ++seed) check_sequence(q, doubled(k), seed);
  }
}

TEST(doubled_cached) {
  const OnDemand problem(25);
  for (double bytes : {0.0, 8.0 * 25 * 4, 1e9}) {
    CachedQ base(problem.bank.row_evaluator(problem.weights, problem.runtime), bytes);
    DoubledQ q(base);
    for (std::uint64_t seed = 1; seed < 9; ++seed) check_sequence(q, doubled(problem.dense), seed);
  }
}

TEST(ridged) {
  const OnDemand problem(25);
  const Vector ridge = Vector::LinSpaced(25, 0.0, 2.0);
  Matrix dense = 0.3 * problem.dense;
  dense.diagonal() += ridge;
  StoredQ stored(view(problem.dense), 0.0, problem.runtime);
  RidgedQ q(stored, 0.3, ridge);
  for (std::uint64_t seed = 1; seed < 6; ++seed) check_sequence(q, dense, seed);
  CachedQ cached(problem.bank.row_evaluator(problem.weights, problem.runtime), 8.0 * 25 * 4);
  RidgedQ p(cached, 0.3, ridge);
  for (std::uint64_t seed = 1; seed < 6; ++seed) check_sequence(p, dense, seed);
}

// Large enough for several threads.
TEST(stored_by_threads) {
  const Index n = 1301;
  const Matrix k = definite_matrix(n, 4);
  Random random(5, 1);
  const Indices active = random_part(n, 700, random, false);
  Vector b = normal_matrix(n, 1, 6).col(0);
  for (Index i = 0; i < n; i += 3) b[i] = 0.0;
  const TestRuntime one;
  StoredQ alone(view(k), 1e9, one);
  const Vector product = alone.multiply(b, one);
  CHECK_CLOSE(distance(product, Vector(k * b)), 0.0, 1e-9);
  for (int threads : {2, 5}) {
    const TestRuntime runtime(threads);
    StoredQ q(view(k), 1e9, runtime, 2);
    CHECK(identical(q.multiply(b, runtime), product));
    q.activate(active);
    bool same = true;
    for (Index j = 0; j < 700; ++j)
      for (Index i = 0; i < 700; ++i)
        same = same && q.column(j)[i] == k(active[static_cast<std::size_t>(i)],
                                           active[static_cast<std::size_t>(j)]);
    CHECK(same);
    Matrix large = k;
    large(active[650], active[3]) = large(active[3], active[650]) = 1e39;
    StoredQ beyond(view(large), 1e9, runtime, 2);
    CHECK(!beyond.activate_narrow(active));
    CHECK(q.activate_narrow(active));
  }
}

TEST(narrow_copies) {
  const TestRuntime runtime;
  const Matrix k = definite_matrix(30, 3);
  const Indices active = {29, 4, 5, 17, 0, 8};
  const auto check = [&](StoredQ& q) {
    for (std::size_t j = 0; j < active.size(); ++j) {
      const double* wide = q.column(static_cast<Index>(j));
      const float* narrow = q.narrow_column(static_cast<Index>(j));
      for (std::size_t i = 0; i < active.size(); ++i) {
        CHECK(wide[i] == k(active[i], active[j]));
        CHECK(narrow[i] == static_cast<float>(k(active[i], active[j])));
      }
    }
  };
  StoredQ q(view(k), 1e9, runtime, 6);
  CHECK(!q.activate_narrow({1, 2, 3, 4, 5}));  // too few to pay
  CHECK(q.column(2)[3] == k(3, 2));            // and nothing has changed
  CHECK(q.activate_narrow(active));
  check(q);
  q.activate({3, 2});
  CHECK(q.column(1)[0] == k(3, 2));
  CHECK(q.activate_narrow(active));
  check(q);
  q.activate({});
  CHECK_CLOSE(distance(q.multiply(Vector::Ones(30), TestRuntime()), Vector(k.rowwise().sum())), 0.0,
              1e-12);
  Matrix large = k;
  large(4, 5) = large(5, 4) = 1e39;
  StoredQ beyond(view(large), 1e9, runtime, 6);
  CHECK(!beyond.activate_narrow(active) && beyond.column(5)[4] == 1e39);
  StoredQ tight(view(k), 4.0 * 6 * 6 - 1.0, runtime, 6);
  tight.activate({7, 8});
  CHECK(!tight.activate_narrow(active));
  CHECK(tight.column(0)[1] == k(8, 7));
}
