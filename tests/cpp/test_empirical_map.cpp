// The empirical kernel map and the decompositions under it.
#include "check.hpp"

#include "fixtures.hpp"
#include "kernels/cross_bank.hpp"
#include "kernels/empirical_map.hpp"

using namespace fixtures;
using namespace mk;

TEST(inner_products_of_the_coordinates_are_the_kernel) {
  const TestRuntime runtime;
  const Matrix x = histogram_matrix(37, 4, 1);
  for (const State& it : every_family()) {
    if (it.text("family") == "sigmoid") continue;  // not positive semi-definite
    const KernelBank bank = make_bank({it}, x, runtime);
    const Matrix k = to_matrix(bank.matrix(0, runtime).view);
    const EmpiricalMap map = make_empirical_map(bank, 0, {}, 0, runtime);
    const double size = k.cwiseAbs().maxCoeff();
    CHECK(distance(Matrix(map.training * map.training.transpose() / size), Matrix(k / size)) <
          1e-9);
    CHECK(distance(Matrix(k * map.projection), map.training) < 1e-5 * std::sqrt(size));
    CHECK(map.rows == all_rows(37));
    for (Index r = 1; r < map.values.size(); ++r) CHECK(map.values[r] <= map.values[r - 1]);
  }
}

TEST(rank_keeps_the_largest) {
  const TestRuntime runtime;
  const Matrix x = normal_matrix(30, 3, 2);
  const KernelBank bank = make_bank({item("rbf", {{"gamma", 0.3}})}, x, runtime);
  const EmpiricalMap all = make_empirical_map(bank, 0, {}, 0, runtime);
  const EmpiricalMap some = make_empirical_map(bank, 0, {}, 5, runtime);
  CHECK(some.values.size() == 5 && all.values.size() > 20);
  CHECK(identical(some.training, Matrix(all.training.leftCols(5))));
  CHECK(make_empirical_map(bank, 0, {}, 1000, runtime).values.size() == all.values.size());
}

TEST(landmarks_are_mapped_exactly) {
  const TestRuntime runtime;
  for (const auto& normalize : std::vector<std::vector<std::string>>{{}, {"center", "trace"}}) {
    const Matrix x = normal_matrix(40, 3, 3);
    const KernelBank bank =
        make_bank({item("linear"), item("rbf", {{"gamma", 0.3}}, normalize)}, x, runtime);
    const Matrix k = to_matrix(bank.matrix(1, runtime).view);
    const Indices landmarks = spread_rows(40, 9);
    const EmpiricalMap map = make_empirical_map(bank, 1, landmarks, 0, runtime);
    CHECK(map.rows == landmarks);
    const Matrix inner = map.training * map.training.transpose();
    CHECK(distance(submatrix(inner, landmarks, landmarks), submatrix(k, landmarks, landmarks)) <
          1e-9);
    const Matrix block = submatrix(k, all_rows(40), landmarks);
    CHECK(distance(Matrix(block * map.projection), map.training) < 1e-9);
  }
}

// The whole matrix is neither computed nor kept: room for it is there as before.
TEST(landmarks_avoid_the_whole_matrix) {
  TestRuntime runtime;
  runtime.memory = 40.0 * 40.0 * 8.0;
  const Matrix x = normal_matrix(40, 3, 8);
  const KernelBank bank = make_bank({item("rbf", {{"gamma", 0.5}})}, x, runtime);
  CHECK(bank.fits(1.0));
  make_empirical_map(bank, 0, spread_rows(40, 9), 0, runtime);
  CHECK(bank.fits(1.0));
}

TEST(rows_are_spread_evenly) {
  CHECK(spread_rows(10, 5) == Indices({0, 2, 4, 6, 8}));
  CHECK(spread_rows(7, 3) == Indices({0, 2, 4}));
  CHECK(spread_rows(3, 3) == all_rows(3));
}

TEST(a_thin_decomposition_drops_what_is_not_there) {
  const TestRuntime runtime;
  Matrix z = normal_matrix(20, 4, 4);
  z.col(3) = z.col(0) - 2.0 * z.col(1);
  const ThinDecomposition d = decompose(z, runtime);
  CHECK(d.values.size() == 3 && d.u.cols() == 3 && d.v.cols() == 3);
  CHECK(distance(Matrix(d.u * d.values.cwiseSqrt().asDiagonal() * d.v.transpose()), z) < 1e-9);
  CHECK(distance(Matrix(d.u.transpose() * d.u), Matrix(Matrix::Identity(3, 3))) < 1e-9);
  CHECK(decompose(Matrix::Zero(5, 2), runtime).values.size() == 0);
}

TEST(kernels_without_a_map_are_named) {
  const TestRuntime runtime;
  const Matrix x = normal_matrix(6, 2, 5);
  const Matrix negative = -Matrix::Identity(6, 6);
  CHECK_THROWS(make_empirical_map(make_bank({item("precomputed")}, x, runtime, {&negative}), 0, {},
                                  0, runtime),
               InvalidArgument, "`precomputed` has no positive eigenvalue");
  const Matrix large = 1e200 * x;
  CHECK_THROWS(make_empirical_map(make_bank({item("linear")}, large, runtime), 0, {}, 0, runtime),
               InvalidArgument, "beyond the range of numbers");
}
