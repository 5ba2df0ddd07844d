// Takes finished tiles of the lower triangle into symmetric matrices.
#pragma once

#include "kernel_block.hpp"

namespace mk {

// Who reads a matrix next: a solver, soon, or a user, later. Large ones are written past the
// caches; those that are read soon must be larger for that.
enum class Reader { soon, later };

// For n x n matrices, on the thread that made it. The tiles of a large matrix are on their way
// until the next one comes, or until finish(); without that, as after an exception, the last one
// stays unwritten.
class TileWriter {
 public:
  TileWriter(Index n, Reader reader, const Simd& simd);
  ~TileWriter();
  TileWriter(const TileWriter&) = delete;
  TileWriter& operator=(const TileWriter&) = delete;

  // values * factor, and its mirror image; values is a buffer of this thread's scratch.
  void put(const Tile& tile, double* values, double factor, double* out);
  void finish();

 private:
  Index n_;
  bool streamed_;
  const Simd& simd_;
  TileScratch& scratch_;
};

}  // namespace mk
