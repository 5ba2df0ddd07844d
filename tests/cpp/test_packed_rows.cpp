// Rows in strips, as the loops read them: every value at its place, and nothing but zeros behind
// the last row.
#include "features/packed_rows.hpp"

#include "check.hpp"
#include "features/dense.hpp"
#include "fixtures.hpp"

using namespace mk;
using namespace fixtures;

namespace {

// Every `step`-th row: consecutive ones have a way of their own.
void check_packed(Index count, Index step, const Origin& origin) {
  const Index features = 5;
  const Matrix x = histogram_matrix(40, features, 3);
  Indices rows;
  for (Index i = 0; i < count; ++i) rows.push_back((step * i + 2) % x.rows());
  const PackedRows packed(view(x), std::make_shared<const Indices>(rows), origin);
  const Index strips = (count + strip_rows - 1) / strip_rows;
  for (Index i = 0; i < strips * strip_rows; ++i) {
    double length = 0.0;
    for (Index f = 0; f < features; ++f) {
      const Index place = f * strip_rows + i % strip_rows;
      const double value = i < count ? x(rows[static_cast<std::size_t>(i)], f) : 0.0;
      const double moved = i < count && origin != nullptr ? value - (*origin)[f] : value;
      CHECK(packed.strip(i / strip_rows)[place] == value);
      if (origin != nullptr) CHECK(packed.moved_strip(i / strip_rows)[place] == moved);
      length += moved * moved;
    }
    CHECK_CLOSE(packed.squared_lengths()[i], length, 1e-14);
  }
}

}  // namespace

TEST(rows_in_strips) {
  const auto origin = std::make_shared<Vector>((Vector(5) << 0.5, 0.0, -2.0, 1e3, 3.0).finished());
  for (Index count : {0, 1, 7, 8, 9, 16, 21})
    for (Index step : {1, 7}) {
      check_packed(count, step, nullptr);
      check_packed(count, step, origin);
    }
}

TEST(features_in_order) {
  const auto in_order = [](std::vector<int> features) {
    return PairSum{PairKind::dot, 0.0, std::move(features)}.in_order(3);
  };
  CHECK(in_order({0, 1, 2}));
  CHECK(!in_order({0, 1}));
  CHECK(!in_order({0, 2, 1}));
  CHECK(!in_order({0, 1, 1}));
}

// Means that are far from 0 against the spread of their column, and no others.
TEST(origin_of_far_columns) {
  Matrix x(4, 3);
  x << 10, -1, 0.1,  //
      11, 1, -0.1,   //
      12, -1, 0.1,   //
      13, 1, -0.1;
  const Origin origin = DenseFeatures(view(x)).origin();
  CHECK(origin != nullptr);
  CHECK_CLOSE((*origin)[0], 11.5, 1e-15);
  CHECK((*origin)[1] == 0.0);
  CHECK((*origin)[2] == 0.0);
  const Matrix centred = x.rightCols(2);
  CHECK(DenseFeatures(view(centred)).origin() == nullptr);
}
