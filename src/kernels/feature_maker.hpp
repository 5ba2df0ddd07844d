// Explicit features of kernels for any examples, made when they are asked for: the part of an
// approximation that stays when the features of the training examples are not stored.
//
// The features of an example are a product of its values and a triangle, Z = V T: for the Nystrom
// approximation V holds kernel values at the landmarks and T whitens them. Sums of features need
// no product of all examples with T,
//   Z w = V (T w),  Z'b = T'(V'b).
#pragma once

#include <memory>
#include <vector>

#include "../base/runtime.hpp"
#include "../features/row_group.hpp"

namespace mk {

// T, packed for products with values. Of size 0 where the values are the features.
class FeatureTriangle {
 public:
  FeatureTriangle() = default;
  explicit FeatureTriangle(Matrix upper);

  bool empty() const { return upper_.size() == 0; }
  const Matrix& upper() const { return upper_; }
  // The squared Frobenius norm: how much rounding of values, relative to their size, grows.
  double growth() const { return growth_; }

  Vector inward(const Vector& w) const;   // T w
  Vector outward(const Vector& g) const;  // T'g
  // Features of up to panel_rows examples, a row each, from values[i + panel_rows * c].
  void multiply(const double* values, Index count, const Simd& simd, double* z) const;

 private:
  Matrix upper_;
  Vector packed_;
  std::vector<int> order_;
  double growth_ = 0.0;
};

class FeatureMaker {
 public:
  virtual ~FeatureMaker() = default;
  virtual Index size() const = 0;            // kernels
  virtual Index columns(Index m) const = 0;  // values of an example, and features
  virtual const FeatureTriangle& triangle(Index m) const = 0;
  // A bound of the squared lengths of the features, on the training examples and about so on
  // others.
  virtual double largest(Index m) const = 0;

  // The values of one kernel for the examples of a group.
  class Rows {
   public:
    virtual ~Rows() = default;
    // Of the examples of a panel (features/tiles.hpp): out[i + panel_rows * c]. By any thread.
    virtual void values(Index panel, double* out) const = 0;
  };
  // Both the maker and the group must outlive it.
  virtual std::unique_ptr<const Rows> rows(Index m, const RowGroup& group,
                                           const Runtime& runtime) const = 0;
};

}  // namespace mk
