// Tiles: kernels between two groups of examples are evaluated in pieces that fit the caches.
#pragma once

#include <algorithm>
#include <vector>

#include "../base/simd.hpp"
#include "../base/types.hpp"

namespace mk {

// Up to panel_rows examples of group A against up to tile_columns of group B; or against up to
// wide_columns where there is one kernel only, whose matrix is then written in longer pieces.
constexpr Index tile_columns = 32;
constexpr Index wide_columns = 128;
struct Tile {
  Index a_first, a_count;  // a_first is a multiple of strip_rows
  Index b_first, b_count;
};

// A group of `count` examples in panels of panel_rows.
inline Index panel_count(Index count) { return (count + panel_rows - 1) / panel_rows; }
inline Index panel_size(Index count, Index panel) {
  return std::min(panel_rows, count - panel * panel_rows);
}

// Examples as the loops over pairs want them (base/simd.hpp): strips, feature by feature.
// `entry(f, i)`: feature f of example i.
template <class Entry>
Vector pack_strips(Index examples, Index features, const Entry& entry) {
  const Index strips = (examples + strip_rows - 1) / strip_rows;
  Vector packed = Vector::Zero(strips * strip_rows * features);
  for (Index i = 0; i < examples; ++i)
    for (Index f = 0; f < features; ++f)
      packed[(i / strip_rows * features + f) * strip_rows + i % strip_rows] = entry(f, i);
  return packed;
}

// The tiles of one panel of A against all of B, in the order of B.
std::vector<Tile> tiles_of_panel(Index a_count, Index panel, Index b_count);
// The tiles of the lower triangle of A x A, diagonal tiles trimmed to where they start.
std::vector<Tile> lower_tiles(Index count, Index columns = tile_columns);

}  // namespace mk
