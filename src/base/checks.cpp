#include "checks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "errors.hpp"
#include "simd.hpp"

namespace mk {

Index first_not_finite(const MatrixView& x) {
  const Index size = x.rows * x.cols;
  // A finite sum of squares has no bad entry; only otherwise is it worth looking closely.
  if (std::isfinite(choose_simd("auto").dot(x.data, x.data, size))) return -1;
  for (Index k = 0; k < size; ++k)
    if (!std::isfinite(x.data[k])) return k;
  return -1;
}

void check_finite(const MatrixView& x, const std::string& argument) {
  const Index k = first_not_finite(x);
  if (k < 0) return;
  throw InvalidArgument(argument, "finite",
                        format_number(x.data[k]) + " in row " + std::to_string(k % x.rows + 1) +
                            ", column " + std::to_string(k / x.rows + 1));
}

std::optional<Place> find_asymmetry(const MatrixView& k) {
  const Index n = k.rows;
  constexpr Index block = 64;  // a block and its mirror image stay in the first-level cache
  double size = 0.0, worst = 0.0;
  Place place;
  for (Index j0 = 0; j0 < n; j0 += block)
    for (Index i0 = j0; i0 < n; i0 += block)
      for (Index j = j0; j < std::min(n, j0 + block); ++j)
        for (Index i = i0; i < std::min(n, i0 + block); ++i) {
          const double gap = std::abs(k(i, j) - k(j, i));
          size = std::max(size, std::max(std::abs(k(i, j)), std::abs(k(j, i))));
          if (gap > worst) {
            worst = gap;
            place = {i, j};
          }
        }
  if (worst > std::sqrt(std::numeric_limits<double>::epsilon()) * size) return place;
  return std::nullopt;
}

std::string format_size(Index rows, Index cols) {
  return std::to_string(rows) + " x " + std::to_string(cols);
}

}  // namespace mk
