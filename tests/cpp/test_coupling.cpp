// From pairwise to class probabilities.
#include "check.hpp"
#include "fixtures.hpp"
#include "reduction/coupling.hpp"

using namespace mk;
using namespace fixtures;

namespace {

Vector random_simplex(Index k, Random& random) {
  Vector p(k);
  for (Index i = 0; i < k; ++i) p[i] = -std::log(random.uniform());
  return p / p.sum();
}

Matrix pairwise(const Vector& p) {
  Matrix r = Matrix::Constant(p.size(), p.size(), -3.0);  // the diagonal is ignored
  for (Index i = 0; i < p.size(); ++i)
    for (Index j = 0; j < p.size(); ++j)
      if (i != j) r(i, j) = p[i] / (p[i] + p[j]);
  return r;
}

Matrix random_pairwise(Index k, Random& random) {
  Matrix r = Matrix::Zero(k, k);
  for (Index i = 0; i < k; ++i)
    for (Index j = 0; j < i; ++j) {
      r(i, j) = random.uniform();
      r(j, i) = 1.0 - r(i, j);
    }
  return r;
}

double objective(const Matrix& r, const Vector& p) {
  double sum = 0.0;
  for (Index i = 0; i < p.size(); ++i)
    for (Index j = 0; j < i; ++j) {
      const double d = r(j, i) * p[i] - r(i, j) * p[j];
      sum += d * d;
    }
  return sum;
}

void check_simplex(const Vector& p) {
  CHECK_CLOSE(p.sum(), 1.0, 1e-12);
  CHECK(p.allFinite() && p.minCoeff() >= -1e-12);
}

}  // namespace

TEST(consistent_probabilities_are_recovered) {
  Random random(1, 1);
  for (Index k = 2; k <= 26; ++k)
    for (int repeat = 0; repeat < 5; ++repeat) {
      const Vector p = random_simplex(k, random), q = couple(pairwise(p));
      check_simplex(q);
      CHECK_CLOSE(distance(q, p), 0.0, 1e-6);
    }
}

TEST(two_classes) {
  for (double value : {1e-7, 0.1, 0.5, 0.9, 1.0 - 1e-7}) {
    Matrix r = Matrix::Zero(2, 2);
    r(0, 1) = value;
    r(1, 0) = 1.0 - value;
    const Vector p = couple(r);
    CHECK_CLOSE(p[0], value, 1e-6);
    CHECK_CLOSE(p[1], 1.0 - value, 1e-6);
  }
}

TEST(equal_probabilities) {
  for (Index k : {2, 3, 10, 26}) {
    const Vector p = couple(Matrix::Constant(k, k, 0.5));
    for (Index i = 0; i < k; ++i) CHECK_CLOSE(p[i], 1.0 / static_cast<double>(k), 1e-12);
  }
}

// No feasible direction improves the least squares problem.
TEST(contradicting_probabilities_give_the_least_squares) {
  Random random(2, 2);
  for (Index k = 2; k <= 26; k += 3)
    for (int repeat = 0; repeat < 4; ++repeat) {
      const Matrix r = random_pairwise(k, random);
      const Vector p = couple(r);
      check_simplex(p);
      const double best = objective(r, p);
      for (int trial = 0; trial < 200; ++trial) {
        const Vector other = random_simplex(k, random);
        for (double step : {1e-4, 1e-2, 1.0})
          CHECK(objective(r, p + step * (other - p)) >= best - 1e-12);
      }
    }
}

TEST(the_order_of_the_classes_does_not_matter) {
  Random random(3, 3);
  const Index k = 7;
  const Matrix r = random_pairwise(k, random);
  Indices order = all_rows(k);
  random.shuffle(order);
  const Vector p = couple(r), q = couple(submatrix(r, order, order));
  for (Index i = 0; i < k; ++i) CHECK_CLOSE(q[i], p[order[static_cast<std::size_t>(i)]], 1e-6);
}

// What class_probabilities() makes of certainties.
TEST(nearly_certain_pairs) {
  for (Index k : {3, 5, 26})
    for (double least : {1e-7, 1e-3}) {
      Matrix r = Matrix::Constant(k, k, 0.5);
      for (Index i = 0; i < k; ++i)
        for (Index j = 0; j < i; ++j) {
          r(i, j) = least;
          r(j, i) = 1.0 - least;
        }
      const Vector p = couple(r);  // class 0 beats all, class 1 all others, ...
      check_simplex(p);
      CHECK(p[0] > 0.5);
      Matrix circle = Matrix::Constant(3, 3, 0.5);  // 0 beats 1 beats 2 beats 0
      circle(0, 1) = circle(1, 2) = circle(2, 0) = 1.0 - least;
      circle(1, 0) = circle(2, 1) = circle(0, 2) = least;
      const Vector even = couple(circle);
      for (Index i = 0; i < 3; ++i) CHECK_CLOSE(even[i], 1.0 / 3.0, 1e-5);
    }
}
