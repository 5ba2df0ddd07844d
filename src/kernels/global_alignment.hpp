// The global alignment kernel of two series (Cuturi 2011): the sum over all alignments of the
// product of a local kernel over the pairs of times that an alignment joins,
//   k(x, z) = sum over alignments of prod kappa(x_i, z_j),  kappa = g / (2 - g),
//   g = w(i, j) exp(-|x_i - z_j|^2 / (2 sigma^2)),
// where w is 1, or max(0, 1 - |i - j| / T) for a band of width T. The local kernel g / (2 - g) is
// geometrically divisible, which makes k positive definite.
#pragma once

#include <string>
#include <vector>

#include "../base/runtime.hpp"
#include "../features/series.hpp"

namespace mk {

struct AlignmentRule {
  double rate = 1.0;  // 1 / (2 sigma^2)
  Index band = 0;     // T; 0 for none
};

// log k of example i of x and example j of z; -inf where the band lets no alignment pass. The same
// number with both exchanged.
double log_alignment(const Series& x, Index i, const Series& z, Index j, const AlignmentRule& rule,
                     const Runtime& runtime);

// The width that Cuturi 2011 starts from: the median distance of times of different series, from up
// to 2000 times, multiplied by the square root of the median length.
double alignment_width(const Series& x, const Runtime& runtime);

}  // namespace mk
