// Some kernels of a set, ready to be evaluated tile by tile between two groups of examples.
// Kernels on the same sum over features are evaluated next to each other, so that the sum is
// formed once and Gaussians climb the ladder of squarings (see Gaussian::squarings_from).
#pragma once

#include <vector>

#include "../base/runtime.hpp"
#include "kernel_set.hpp"
#include "normalizer.hpp"

namespace mk {

// Kernels with the normalizers that were fitted on their training examples.
struct FittedKernels {
  std::shared_ptr<const KernelSet> set;
  std::shared_ptr<const RowGroup> training;
  Normalizers normalizers;
};

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
    double factor;     // multiplies the values: normalization that is a factor and nothing else
    std::vector<StageValues> stages;
  };

  // `stages` limits normalization to its first stages (used while normalizers are being fitted).
  KernelBlock(const FittedKernels& fitted, const Indices& kernels, const RowGroup& a,
              const RowGroup& b, const Runtime& runtime, Index stages = -1);

  const std::vector<Step>& steps() const { return steps_; }

  // sum_m weights_m K_m on a tile, in the buffer `total` of this thread; continues the sums that
  // `so_far` (leading dimension `stride`) holds there, unless it is null.
  double* weighted_sum(const Tile& tile, const Vector& weights, const double* so_far,
                       Index stride) const;
  // sum_m weights_m log K_m in the same buffer.
  double* weighted_log_sum(const Tile& tile, const Vector& weights) const;

  // Calls sink(step, values) for each kernel; values has leading dimension panel_rows and is to
  // be multiplied by step.factor. The sink may keep the buffer (TileScratch::keep).
  template <class Sink>
  void evaluate(const Tile& tile, const Sink& sink) const {
    TileScratch& scratch = thread_scratch();
    for (const Step& step : steps_) sink(step, values(step, tile, scratch));
  }

  // Calls sink(step, logs) with the logarithms of the values, normalized: NaN where a value is
  // negative.
  template <class Sink>
  void evaluate_logs(const Tile& tile, const Sink& sink) const {
    TileScratch& scratch = thread_scratch();
    for (const Step& step : steps_) sink(step, logs(step, tile, scratch));
  }

 private:
  double* values(const Step& step, const Tile& tile, TileScratch& scratch) const;
  double* logs(const Step& step, const Tile& tile, TileScratch& scratch) const;
  double* begin_total(const Tile& tile, const double* so_far, Index stride) const;
  void plan(std::vector<Step> unordered);
  void prepare_stages(Step& step, const FittedKernels& fitted, const Runtime& runtime,
                      Index stages);
  void normalize(Step& step, const std::vector<Normalization>& kinds, const FittedKernels& fitted,
                 const Runtime& runtime) const;
  void mask(Step& step) const;
  void raw_values(const Step& step, const Tile& tile, TileScratch& scratch, double* raw) const;
  void sum_features(const Factor& factor, const Tile& tile, TileScratch& scratch) const;
  void map_values(const Factor& factor, const Tile& tile, const double* sums, double* out) const;

  const RowGroup& a_;
  const RowGroup& b_;
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

// Runs a task on every tile of a_count examples against b_count others, in parallel. Each thread
// has panels of its own, so that sums over tiles do not depend on their number.
template <class Task>
void for_tiles(Index a_count, Index b_count, const Runtime& runtime, const Task& task) {
  runtime.parallel_for(panel_count(a_count), [&](Index panel) {
    for (const Tile& tile : tiles_of_panel(a_count, panel, b_count)) {
      runtime.check_interrupt();
      task(tile);
    }
  });
}

// What stage s of the normalization of kernel m needs of each example of `group`: 1 / sqrt(k(x,
// x)), the means, or nothing. Takes their values with themselves from before the stage to behind
// it; `diagonal` may be empty if no stage needs them.
Vector pass_stage(const FittedKernels& fitted, Index m, Index s, const RowGroup& group,
                  Vector& diagonal, const Runtime& runtime);

// 1 for the examples that have the views that a kernel sees, else 0.
Vector seen_by(const Kernel& kernel, const RowGroup& group);

// Means over the training examples (that have the views of the kernel) of the values of kernel m
// that enter a stage of its normalization, for each example of `group`.
Vector stage_means(const FittedKernels& fitted, Index m, const RowGroup& group,
                   const Runtime& runtime, Index stage);

// The positions of the entries other than 0.
Indices nonzero(const Vector& values);

}  // namespace mk
