// The hot loops, once per instruction set, chosen at run time: a table of functions.
// simd_body.hpp gathers the loops, templates over a vector type; simd_baseline.cpp, simd_avx2.cpp
// and simd_avx512.cpp instantiate them. Build flags stay portable.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "types.hpp"

// Whether loops for AVX2 and AVX-512 are compiled. On Windows GCC does not align its stack for
// their vectors (GCC bug 54412): the baseline has to do.
#if defined(__x86_64__) && defined(__GNUC__) && (defined(__clang__) || !defined(_WIN32))
#define MK_WIDE_VECTORS 1
#else
#define MK_WIDE_VECTORS 0
#endif

namespace mk {

// Examples are packed in strips of `strip_rows`, feature by feature, so that the loops walk
// through memory in order: feature f of example i is at
//   data[(i / strip_rows) * strip_rows * n_features + f * strip_rows + i % strip_rows].
// The last strip is padded with zeros. A tile of values has up to `panel_rows` rows.
constexpr Index strip_rows = 8;
constexpr Index panel_rows = 128;

// Squared distances over fewer features are not worth the detour over dot products.
constexpr Index dot_features = 16;

// What one pass over the features of two examples adds up (see features/features.hpp); `stored` is
// a value that needs no sum.
enum class PairKind {
  stored = -1,
  dot,
  squared_distance,
  absolute_distance,
  minimum,
  chi_squared,
  anova
};
constexpr int pair_kinds = 6;

// A finished tile on its way past the caches to its place in a symmetric matrix: values (leading
// dimension panel_rows) * factor to direct(i, j), and to mirror(j, i) from row `mirrored_from` on.
// It is written run by run between the sums of the next tile: memory takes the runs up meanwhile,
// where it would keep the processor waiting if they came all at once.
struct TileOnItsWay {
  const double* values = nullptr;
  double factor = 1.0;
  Index a_count = 0, b_count = 0;  // up to panel_rows of each
  Index mirrored_from = 0;
  double* direct = nullptr;
  double* mirror = nullptr;
  Index stride = 0;
  Index runs_left = 0;  // columns of both images: b_count + a_count - mirrored_from at first
  Index at_once = 1;    // runs after each small tile of sums, so that all are written by the last
  double turned[8 * panel_rows];  // the next rows of values: columns of the mirror
};

// Some examples against others: out[i + panel_rows * j] for i < a_count, j < b_count, summed over
// the listed features. Rows up to the next multiple of 8 beyond a_count may be overwritten.
struct PanelPair {
  const double* a;  // the strip with A's first example, which is the first of its strip
  Index a_count;
  const double* b;  // the strip with B's first example
  Index b_offset;   // and its place there; a multiple of 4 if there are 4 examples or more
  Index b_count;
  Index stride;  // from strip to strip
  const int* features;
  Index n_features;
  double parameter;  // of the reduction: anova's sigma
  // The same strips with an origin taken off, if there is one: distances do not change, but the
  // rows are shorter, and dot products can serve (see DotsToDistances in simd_pairs.hpp).
  const double* a_moved = nullptr;
  const double* b_moved = nullptr;
  // The listed features are all of them, in their order.
  bool in_order = false;
  // Squared lengths over all features, of the moved examples if there are any: A's up to the next
  // multiple of 8, B's from its first example on. Both or none.
  const double* a_lengths = nullptr;
  const double* b_lengths = nullptr;
  // A run of this one is written after each few sums.
  TileOnItsWay* on_its_way = nullptr;
};
using ReduceFunction = void (*)(const PanelPair&, double* out);

// The state of SMO that its two loops touch (solvers/smo.cpp explains it).
struct SmoArrays {
  double* gradient;
  const double* half_diagonal;  // K_ii / 2
  const double* up_penalty;     // 0 where beta may grow, +inf where it may not
  const double* low_penalty;    // 0 where beta may shrink, -inf where it may not
  Index n;
};
// Half the least curvature K_ii + K_jj - 2 K_ij that a pair is given; less is rounding. It matters
// only where K_jj is near K_ii, so that K_ii is enough to tell. It is relative, because kernels
// come in all sizes, and not 0 for a row of zeros. Internal linkage: see simd_vectors.hpp.
static inline __attribute__((always_inline)) double smo_least_curvature(double half_diagonal_i) {
  const double share = 1e-12 * (half_diagonal_i < 0.0 ? -half_diagonal_i : half_diagonal_i);
  return share > 1e-300 ? share : 1e-300;
}
struct SmoExtremes {
  Index up_index;    // smallest gradient among those that may grow
  double up_value;   // +inf if there is none
  double low_value;  // largest gradient among those that may shrink, -inf if there is none
};

struct Simd {
  const char* name;
  ReduceFunction reduce[pair_kinds];
  void (*exp_decay)(const double* in, double rate, double* out,
                    Index n);  // exp(-rate * in) for rate, in >= 0
  // scale times the cosine and the sine of angles in turns. Beyond 2^50 turns, where an angle has
  // no digits left after the point, that of 0.
  void (*waves)(const double* turns, double scale, double* cosine, double* sine, Index n);
  void (*square)(const double* in, double* out, Index n);
  void (*affine_power)(const double* in, double scale, double offset, int degree, double* out,
                       Index n);  // (scale * in + offset)^degree, degree >= 1
  void (*axpy)(double weight, const double* in, double* out, Index n);  // out += weight * in
  // values (leading dimension panel_rows) * factor to direct(i, j) and mirror(j, i), for up to
  // panel_rows of each, by way of the caches.
  void (*store_mirrored)(const double* values, double factor, Index a_count, Index b_count,
                         double* direct, double* mirror, Index stride);
  // What is left of a tile.
  void (*write_rest)(TileOnItsWay&);
  // From here on other threads may read what was written past the caches.
  void (*fence)();
  double (*dot)(const double* x, const double* y, Index n);
  // The same with numbers in single precision; sums are in double precision.
  double (*dot_narrow)(const float* x, const double* y, Index n);
  void (*axpy_narrow)(double weight, const float* in, double* out, Index n);
  SmoExtremes (*smo_scan)(const SmoArrays&);
  // gradient += step * (column_i - column_j), then as smo_scan, in one pass.
  SmoExtremes (*smo_update)(const SmoArrays&, const double* column_i, const double* column_j,
                            double step);
  // The partner with the largest second-order gain, or -1.
  Index (*smo_partner)(const SmoArrays&, const double* column_i, double gradient_i,
                       double half_diagonal_i);
  // The same with columns in single precision.
  SmoExtremes (*smo_update_narrow)(const SmoArrays&, const float* column_i, const float* column_j,
                                   double step);
  Index (*smo_partner_narrow)(const SmoArrays&, const float* column_i, double gradient_i,
                              double half_diagonal_i);
};

const Simd& simd_baseline();
const Simd* simd_avx2();    // null where the compiler or the processor has none
const Simd* simd_avx512();  // the same
bool avx512_pays();         // whether "auto" chooses it

// "auto", "baseline", "avx2" or "avx512"; throws InvalidArgument for a level this machine does not
// have.
const Simd& choose_simd(const std::string& level);
std::vector<std::string> simd_levels();

}  // namespace mk
