// Lower triangles of symmetric matrices, column by column: half the memory, and half the way
// through it for whatever takes each pair of examples once.
#pragma once

#include <algorithm>
#include <memory>

#include "../base/runtime.hpp"
#include "../base/types.hpp"

namespace mk {

// Where column j starts, at its entry on the diagonal; n: the length of the whole.
inline Index triangle_start(Index j, Index n) { return j * n - j * (j - 1) / 2; }
inline Index triangle_size(Index n) { return n * (n + 1) / 2; }

// A triangle on its own, or that of a whole matrix.
struct TriangleView {
  std::shared_ptr<const void> owner;
  const double* data = nullptr;
  Index rows = 0;
  bool packed = true;

  // Entries (j, j), (j + 1, j), ..., (rows - 1, j).
  const double* column(Index j) const {
    return data + (packed ? triangle_start(j, rows) : j * (rows + 1));
  }
};

// Copies the lower triangle of a matrix to its upper one, a few columns at a time: whole rows at
// once would miss the cache.
inline void mirror_lower(Matrix& k, const Runtime& runtime) {
  constexpr Index block = 32;
  const Index n = k.rows();
  runtime.parallel_for((n + block - 1) / block, [&](Index task) {
    const Index first = task * block, last = std::min(n, first + block);
    for (Index i = 0; i < last; ++i)
      for (Index j = std::max(first, i + 1); j < last; ++j) k(i, j) = k(j, i);
  });
}

// b'Kb over the rows where b is not 0.
inline double quadratic_form(const TriangleView& k, const Vector& b, const Simd& simd) {
  const Index n = b.size();
  double sum = 0.0;
  for (Index j = 0; j < n; ++j) {
    if (b[j] == 0.0) continue;
    const double* column = k.column(j);
    sum += b[j] * (b[j] * column[0] + 2.0 * simd.dot(column + 1, b.data() + j + 1, n - j - 1));
  }
  return sum;
}

// K b on the rows where b is not 0; what the others hold is not defined.
inline void multiply_support(const TriangleView& k, const Vector& b, double* out,
                             const Simd& simd) {
  const Index n = b.size();
  std::fill(out, out + n, 0.0);
  for (Index j = 0; j < n; ++j) {
    if (b[j] == 0.0) continue;
    const double* column = k.column(j);
    out[j] += simd.dot(column + 1, b.data() + j + 1, n - j - 1);
    simd.axpy(b[j], column, out + j, n - j);
  }
}

}  // namespace mk
