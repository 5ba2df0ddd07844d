// Some kernels of a set, ready to be evaluated tile by tile between two groups of examples.
// Kernels on the same sum over features are evaluated next to each other, so that the sum is
// formed once and Gaussians climb the ladder of squarings (see Gaussian::squarings_from).
#pragma once

#include <vector>

#include "../base/runtime.hpp"
#include "kernel_set.hpp"
#include "normalizer.hpp"
#include "packed_rows.hpp"

namespace mk {

// Examples on one side of a block: rows of x; the same positions address stored matrices.
struct Side {
  MatrixView x;
  Indices rows;
  Origin origin;  // distances are formed from there if the other side has the same
  PackedRows packed;
  const std::vector<Vector>* stored_diagonals = nullptr;  // of precomputed kernels
  bool training = false;  // rows are positions in the training set, whose means are known

  Side() = default;
  Side(const MatrixView& features, Indices positions, const std::vector<Vector>* diagonals,
       bool is_training, Origin from = nullptr)
      : x(features),
        rows(std::move(positions)),
        origin(std::move(from)),
        packed(x, rows, origin),
        stored_diagonals(diagonals),
        training(is_training) {}
  Index count() const { return static_cast<Index>(rows.size()); }
};

// A tile: up to panel_rows examples of side A against up to tile_columns of side B; or against up
// to wide_columns where there is one kernel only, whose matrix is then written in longer pieces.
constexpr Index tile_columns = 32;
constexpr Index wide_columns = 128;
struct Tile {
  Index a_first, a_count;  // a_first is a multiple of strip_rows
  Index b_first, b_count;
};

// A tile in the terms of the SIMD loops.
PanelPair panel_pair(const Side& a, const Side& b, const Tile& tile,
                     const std::vector<int>& features, double parameter);

// Buffers of one thread.
struct TileScratch {
  Vector sums, raw, work, other, total, spare;
  const double* last_raw = nullptr;  // where the values of the last step are, before its stages
  TileOnItsWay on_its_way;           // written while sums are formed
  TileScratch();
  // Puts another buffer in the place of the one that begins there, whose values last until the
  // next call.
  void keep(const double* values);
};
TileScratch& thread_scratch();

class KernelBlock {
 public:
  struct Step {
    Index m;         // number of the kernel in its set
    Index position;  // in the list given to the block
    Kernel kernel;
    bool shares_sums;  // with the step before
    int squarings;     // > 0: from the values of the step before
    double factor;     // of a plain chain: multiplies the values
    std::vector<StageValues> stages;
  };

  // `stages` limits the chain to its first stages (used while a chain is being fitted).
  KernelBlock(const KernelSet& set, const std::vector<MatrixView>& stored,
              const Normalizers& normalizers, const Indices& kernels, const Side& a, const Side& b,
              const Side& training, const Runtime& runtime, Index stages = -1);

  const std::vector<Step>& steps() const { return steps_; }

  // sum_m weights_m K_m on a tile, in the buffer `total` of this thread; continues the sums that
  // `so_far` (leading dimension `stride`) holds there, unless it is null.
  double* weighted_sum(const Tile& tile, const Vector& weights, const double* so_far,
                       Index stride) const;
  // sum_m weights_m log K_m in the same way.
  double* weighted_log_sum(const Tile& tile, const Vector& weights, const double* so_far,
                           Index stride) const;

  // Calls sink(step, values) for each kernel; values has leading dimension panel_rows and is to
  // be multiplied by step.factor. The sink may keep the buffer (TileScratch::keep).
  template <class Sink>
  void evaluate(const Tile& tile, TileScratch& scratch, const Sink& sink) const {
    for (const Step& step : steps_) sink(step, values(step, tile, scratch));
  }

  // Calls sink(step, logs) with the logarithms of the values, normalised: NaN where a value is
  // negative.
  template <class Sink>
  void evaluate_logs(const Tile& tile, TileScratch& scratch, const Sink& sink) const {
    for (const Step& step : steps_) sink(step, logs(step, tile, scratch));
  }

 private:
  double* values(const Step& step, const Tile& tile, TileScratch& scratch) const;
  double* logs(const Step& step, const Tile& tile, TileScratch& scratch) const;
  double* begin_total(const Tile& tile, const double* so_far, Index stride) const;
  void plan(std::vector<Step> unordered);
  void prepare_stages(Step& step, const Normalizers& normalizers, const Side& training,
                      const Runtime& runtime, Index stages);
  void factor_values(const Factor& factor, const Tile& tile, TileScratch& scratch,
                     double* out) const;
  void factor_logs(const Factor& factor, const Tile& tile, bool summed, TileScratch& scratch,
                   double* out) const;
  void stored_values(const Factor& factor, const Tile& tile, double* out) const;
  void sum_features(const Factor& factor, const Tile& tile, TileScratch& scratch) const;
  void map_values(const Factor& factor, const Tile& tile, const double* sums, double* out) const;

  const KernelSet& set_;
  const std::vector<MatrixView>& stored_;
  const Side& a_;
  const Side& b_;
  const Simd& simd_;
  std::vector<Step> steps_;
};

// Kernels are evaluated in blocks: bounds the time between two looks at the interrupt flag, and
// the memory of kernels that are made on demand. Calls f(kernels of the block, position of its
// first one in the list).
template <class F>
void for_blocks(const Indices& kernels, const F& f) {
  constexpr std::size_t block_size = 256;
  for (std::size_t first = 0; first < kernels.size(); first += block_size) {
    const std::size_t last = std::min(first + block_size, kernels.size());
    f(Indices(kernels.begin() + static_cast<Index>(first),
              kernels.begin() + static_cast<Index>(last)),
      static_cast<Index>(first));
  }
}

// The origin for the kernels of a set on training rows x; null if none of them looks at distances
// by way of dot products.
Origin origin_for(const KernelSet& set, const MatrixView& x);

// k(x_i, x_i) before normalisation.
Vector kernel_diagonal(const Kernel& kernel, const Side& side, const Simd& simd);

// All tiles of A x B, column slice by column slice within a panel of A.
std::vector<Tile> tiles_of_panel(const Side& a, Index panel, const Side& b);
// The tiles of the lower triangle of A x A, diagonal tiles trimmed to where they start.
std::vector<Tile> lower_tiles(const Side& a, Index columns = tile_columns);

// Fits the chain of every kernel of the set on the training rows.
Normalizers fit_normalizers(const KernelSet& set, const std::vector<MatrixView>& stored,
                            const Side& training, const Runtime& runtime);

// The kernels with a weight other than 0.
Indices nonzero(const Vector& weights);

}  // namespace mk
