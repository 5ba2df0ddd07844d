// Normalization of kernels in stages, fitted on the training examples and applied with the same
// numbers at prediction. With k the values that enter a stage:
//   trace       k / mean_i k(x_i, x_i)              (trace n)
//   unit_trace  k / sum_i k(x_i, x_i)               (trace 1)
//   cosine      k(x, z) / sqrt(k(x, x) k(z, z))
//   center      k(x, z) - mean_l k(x, x_l) - mean_l k(x_l, z) + mean_lm k(x_l, x_m)
#pragma once

#include <vector>

#include "../base/state.hpp"
#include "../features/tiles.hpp"

namespace mk {

enum class Normalization { trace, unit_trace, cosine, center };

// What was fitted for the kernels of one item, stage by stage.
struct StageFit {
  Normalization kind = Normalization::trace;
  Vector value;  // trace: the factor; center: the grand mean; one number per kernel
  Matrix means;  // center: column c = means over the training rows, for kernel c of the item
};
using ItemNormalizer = std::vector<StageFit>;
using Normalizers = std::vector<ItemNormalizer>;

std::vector<Normalization> read_stages(const Texts& stages);

State normalizer_state(const ItemNormalizer& item);
ItemNormalizer restore_normalizer(const State& state);

// One stage of one kernel, ready to be applied to blocks of values.
struct StageValues {
  Normalization kind = Normalization::trace;
  double value = 1.0;
  Vector a;  // per row of group A: cosine 1/sqrt(k(x,x)), center the row mean
  Vector b;  // per row of group B
};

// True if all stages together are one factor, which callers fold into a weight.
bool is_plain_factor(const std::vector<Normalization>& stages);

// 1 / sqrt(k(x, x)) for the kernel of this name; throws InvalidArgument where there is none.
// `may_vanish`: examples with k(x, x) = 0 are similar to none, and get 0.
Vector inverse_roots(const Vector& diagonal, const std::string& name, bool may_vanish);

// k(x, x) of a centered kernel, in place: k(x, x) - 2 mean_l k(x, x_l) + mean. What is nothing but
// rounding becomes 0, so that a later stage refuses to divide by it.
void center_diagonal(const Vector& means, double mean, Vector& diagonal);

// values: of a tile, column-major with leading dimension panel_rows, in place.
void apply_stage(const StageValues& stage, const Tile& tile, double* values);
// The same for logarithms of values. Centered kernels have none: their rows sum to 0, so that some
// values are not positive; they become NaN.
void apply_log_stage(const StageValues& stage, const Tile& tile, double* logs);

}  // namespace mk
