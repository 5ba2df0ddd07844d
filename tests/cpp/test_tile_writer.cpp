// Tiles on their way into symmetric matrices. That numbers do not depend on the way is tested with
// the bank of kernels.
#include "kernels/tile_writer.hpp"

#include "check.hpp"
#include "fixtures.hpp"

using namespace mk;
using namespace fixtures;

namespace {

// Fills the buffer `raw` of this thread: entry (i, j) of the tile is value(row, column).
template <class F>
double* fill_tile(const Tile& tile, const F& value) {
  double* values = thread_scratch().raw.data();
  for (Index j = 0; j < tile.b_count; ++j)
    for (Index i = 0; i < tile.a_count; ++i)
      values[i + j * panel_rows] = value(tile.a_first + i, tile.b_first + j);
  return values;
}

double place(Index i, Index j) { return static_cast<double>(1000 * i + j); }

}  // namespace

// A buffer with a tile on its way is not the one that is filled next, and every tile arrives.
TEST(tiles_follow_each_other) {
  const TestRuntime runtime;
  const Index n = 600;
  Matrix out = Matrix::Constant(n, n, -1.0);
  const Tile first = {256, 128, 0, 128}, second = {384, 100, 128, 32};
  {
    TileWriter writer(n, Reader::later, *runtime.simd);
    double* values = fill_tile(first, place);
    writer.put(first, values, 1.0, out.data());
    CHECK(thread_scratch().raw.data() != values);
    writer.put(second, fill_tile(second, place), 2.0, out.data());
    writer.finish();
  }
  Matrix expected = Matrix::Constant(n, n, -1.0);
  for (const auto& t : {std::make_pair(first, 1.0), std::make_pair(second, 2.0)})
    for (Index i = t.first.a_first; i < t.first.a_first + t.first.a_count; ++i)
      for (Index j = t.first.b_first; j < t.first.b_first + t.first.b_count; ++j)
        expected(i, j) = expected(j, i) = t.second * place(i, j);
  CHECK(out == expected);
}

// Nothing is left of a computation that was broken off: its matrix may be gone.
TEST(a_tile_that_is_given_up) {
  const TestRuntime runtime;
  const Index n = 600;
  const Tile tile = {128, 128, 0, 128};
  {
    std::vector<double> gone(static_cast<std::size_t>(n * n));
    TileWriter writer(n, Reader::later, *runtime.simd);
    writer.put(tile, fill_tile(tile, place), 1.0, gone.data());
    CHECK(thread_scratch().on_its_way.runs_left > 0);
  }
  CHECK(thread_scratch().on_its_way.runs_left == 0);
}

// A user's matrix that differs from its transpose by rounding becomes symmetric: the lower triangle
// counts, whether the matrix is small or written past the caches.
TEST(squares_on_the_diagonal) {
  const TestRuntime runtime;
  for (Index n : {100, 600}) {
    Matrix out = Matrix::Constant(n, n, -1.0);
    for (const Tile& tile : {Tile{0, 70, 0, 32}, Tile{32, 38, 32, 32}, Tile{64, 6, 64, 6}}) {
      TileWriter writer(n, Reader::later, *runtime.simd);
      writer.put(tile, fill_tile(tile, place), 1.0, out.data());
      writer.finish();
    }
    bool fine = true;
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i)
        fine = fine &&
               out(i, j) == (std::max(i, j) < 70 ? place(std::max(i, j), std::min(i, j)) : -1.0);
    CHECK(fine);
  }
}
