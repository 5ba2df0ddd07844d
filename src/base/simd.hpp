// The hot loops, once per instruction set, chosen at run time: a table of functions.
// simd_body.hpp holds the loops as templates over a vector type; simd_baseline.cpp and
// simd_avx2.cpp instantiate them. Build flags stay portable.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "types.hpp"

namespace mk {

// Rows are packed in panels of `panel_rows` examples, feature by feature:
// value of feature f of the panel's example i = data[f * panel_rows + i], padded with zeros.
constexpr Index panel_rows = 128;

// What one pass over the features of two examples adds up (see kernels/kernel.hpp).
enum class PairKind { dot, squared_distance, absolute_distance, minimum, chi_squared, anova };
constexpr int pair_kinds = 6;

// A panel against a panel: out[i + panel_rows * j] for i < a_count, j < b_count, summed over the
// listed features. Entries up to the next multiple of 8 beyond a_count may be overwritten.
struct PanelPair {
  const double* a;
  Index a_count;
  const double* b;
  Index b_count;
  const int* features;
  Index n_features;
  double parameter;  // of the reduction: anova's sigma
};
using ReduceFunction = void (*)(const PanelPair&, double* out);

// The state of SMO that its two loops touch (solvers/smo.cpp explains it).
struct SmoArrays {
  double* gradient;
  const double* diagonal;
  const double* up_penalty;   // 0 where beta may grow, +inf where it may not
  const double* low_penalty;  // 0 where beta may shrink, -inf where it may not
  Index n;
};
struct SmoExtremes {
  Index up_index;   // smallest gradient among those that may grow
  double up_value;  // +inf if there is none
  double low_value; // largest gradient among those that may shrink, -inf if there is none
};

struct Simd {
  const char* name;
  ReduceFunction reduce[pair_kinds];
  void (*exp_scaled)(const double* in, double scale, double* out, Index n);  // exp(scale * in)
  void (*square)(const double* in, double* out, Index n);
  void (*affine_power)(const double* in, double scale, double offset, int degree, double* out,
                       Index n);  // (scale * in + offset)^degree, degree >= 1
  void (*axpy)(double weight, const double* in, double* out, Index n);        // out += weight * in
  double (*dot)(const double* x, const double* y, Index n);
  SmoExtremes (*smo_scan)(const SmoArrays&);
  // gradient += step * (column_i - column_j), then as smo_scan, in one pass.
  SmoExtremes (*smo_update)(const SmoArrays&, const double* column_i, const double* column_j,
                            double step);
  // The partner with the largest second-order gain, or -1.
  Index (*smo_partner)(const SmoArrays&, const double* column_i, double gradient_i,
                       double diagonal_i);
};

const Simd& simd_baseline();
const Simd* simd_avx2();  // null where the compiler or the processor has none

// "auto", "baseline" or "avx2"; throws InvalidArgument for a level this machine does not have.
const Simd& choose_simd(const std::string& level);
std::vector<std::string> simd_levels();

}  // namespace mk
