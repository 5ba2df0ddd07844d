// Matrices that are too large to be stored: row by row, over the examples that are active.
#pragma once

#include "../base/types.hpp"

namespace mk {

class LowRank;

class RowSource {
 public:
  virtual ~RowSource() = default;
  virtual Index size() const = 0;
  // Entries (i, j) for all j in the active set; i counts in the full set.
  virtual void row(Index i, double* out) const = 0;
  // The product with b, on the full set, whatever is active.
  virtual Vector multiply(const Vector& b) const = 0;
  virtual const Vector& diagonal() const = 0;
  // Its largest entry, or a bound of about that size where it takes less time.
  virtual double largest_diagonal() const { return diagonal().cwiseAbs().maxCoeff(); }
  // The active set: positions in the full set.
  virtual void activate(const Indices& positions) = 0;
  // The same matrix as Z Z', where it is known so; else null.
  virtual const LowRank* low_rank() const { return nullptr; }
};

}  // namespace mk
