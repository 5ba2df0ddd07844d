// Positive semi-definite matrices of low rank, Z Z' with a row of Z for each example: what lets a
// solver work in time that is linear in the examples.
#pragma once

#include <memory>

#include "../base/types.hpp"

namespace mk {

class LowRank {
 public:
  virtual ~LowRank() = default;
  virtual Index examples() const = 0;
  virtual Index columns() const = 0;
  virtual Vector forward(const Vector& w) const = 0;   // Z w
  virtual Vector backward(const Vector& b) const = 0;  // Z'b; rows with b = 0 cost nothing
  // Z' diag(weights) Z; the lower triangle. Rows of weight 0 cost nothing.
  virtual Matrix gram(const Vector& weights) const = 0;
  // Z' diag(weights) Z w in one pass. Rows of weight 0 cost nothing.
  virtual Vector curve(const Vector& weights, const Vector& w) const = 0;
  // A bound of the squared lengths of the rows of Z, or about so.
  virtual double largest() const = 0;
  // Those of some examples, for many passes; it may share what this one holds, which outlives it.
  virtual std::unique_ptr<LowRank> part(const Indices& examples) const = 0;
};

// scale * Z Z' + diag(ridge), with `copies` variables for each example: variable i + n is one of
// example i. `z` is null for matrices that are not known in this form.
struct LowRankForm {
  const LowRank* z = nullptr;
  double scale = 1.0;
  Vector ridge = {};  // empty: 0
  Index copies = 1;
};

}  // namespace mk
