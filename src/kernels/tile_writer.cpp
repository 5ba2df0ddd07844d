#include "tile_writer.hpp"

namespace mk {

namespace {

// Whether an n x n matrix is written past the caches. Solvers start on theirs at once: up to 16 MB
// the caches serve them well. The memory of what a user gets has not been touched for long, if
// ever: from 2 MB on, more than a core's own cache, reading it before it is overwritten shows.
bool is_streamed(Index n, Reader reader) { return n >= (reader == Reader::soon ? 1448 : 512); }

// A tile on the diagonal begins with a square that is its own image. It is its own image to the
// last digit for all kernels but a user's matrix, which may differ from its transpose by rounding.
void make_symmetric(double* values, Index count) {
  for (Index j = 1; j < count; ++j)
    for (Index i = 0; i < j; ++i) values[i + j * panel_rows] = values[j + i * panel_rows];
}

}  // namespace

TileWriter::TileWriter(Index n, Reader reader, const Simd& simd)
    : n_(n), streamed_(is_streamed(n, reader)), simd_(simd), scratch_(thread_scratch()) {
  // What runs while R looks for interrupts may come here in the middle of another matrix.
  simd_.write_rest(scratch_.on_its_way);
}

TileWriter::~TileWriter() {
  scratch_.on_its_way.runs_left = 0;
  if (streamed_) simd_.fence();  // the memory may go to others
}

void TileWriter::put(const Tile& tile, double* values, double factor, double* out) {
  const bool diagonal = tile.a_first == tile.b_first;
  if (diagonal) make_symmetric(values, tile.b_count);
  double* direct = out + tile.b_first * n_ + tile.a_first;
  double* mirror = out + tile.a_first * n_ + tile.b_first;
  if (!streamed_) {
    simd_.store_mirrored(values, factor, tile.a_count, tile.b_count, direct, mirror, n_);
    return;
  }
  TileOnItsWay& next = scratch_.on_its_way;
  simd_.write_rest(next);
  next.values = values;
  next.factor = factor;
  next.a_count = tile.a_count;
  next.b_count = tile.b_count;
  next.mirrored_from = diagonal ? tile.b_count : 0;
  next.direct = direct;
  next.mirror = mirror;
  next.stride = n_;
  next.runs_left = tile.b_count + tile.a_count - next.mirrored_from;
  scratch_.keep(values);
}

void TileWriter::finish() {
  if (!streamed_) return;
  simd_.write_rest(scratch_.on_its_way);
  simd_.fence();
}

}  // namespace mk
