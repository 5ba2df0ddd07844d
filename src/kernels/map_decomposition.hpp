// A kernel as coordinates of the rows of a bank, ready for least squares: with the empirical map
// (empirical_map.hpp) of all rows Z = U diag(sqrt(values)) V'.
#pragma once

#include <tuple>

#include "../base/types.hpp"

namespace mk {

struct MapDecomposition {
  Indices rows;   // the rows the map is built on, positions in the bank
  Vector values;  // squared singular values, largest first
  Matrix u;
  Matrix back;  // from weights in the coordinates V to coefficients; empty: U diag(values)^(-1/2)

  Vector coefficients(const Vector& weights) const {
    if (back.size() > 0) return back * weights;
    return u * (weights.array() / values.array().sqrt()).matrix();
  }
  double bytes() const { return 8.0 * static_cast<double>(values.size() + u.size() + back.size()); }
};

// Kernel, rank (0: all) and landmarks (none: all rows).
using MapKey = std::tuple<Index, Index, Indices>;

}  // namespace mk
