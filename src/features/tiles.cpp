#include "tiles.hpp"

namespace mk {

std::vector<Tile> tiles_of_panel(Index a_count, Index panel, Index b_count) {
  std::vector<Tile> tiles;
  for (Index first = 0; first < b_count; first += tile_columns)
    tiles.push_back({panel * panel_rows, panel_size(a_count, panel), first,
                     std::min(tile_columns, b_count - first)});
  return tiles;
}

std::vector<Tile> lower_tiles(Index count, Index columns) {
  std::vector<Tile> tiles;
  for (Index panel = 0; panel < panel_count(count); ++panel) {
    const Index start = panel * panel_rows, end = start + panel_size(count, panel);
    for (Index first = 0; first < start; first += columns)
      tiles.push_back({start, end - start, first, std::min(columns, start - first)});
    for (Index first = start; first < end; first += tile_columns)
      tiles.push_back({first, end - first, first, std::min(tile_columns, end - first)});
  }
  return tiles;
}

}  // namespace mk
