// Passes over the features of some examples: products with vectors and with each other.
#pragma once

#include <memory>
#include <vector>

#include "feature_store.hpp"

namespace mk {

// A kernel with a weight: where its columns begin, and the root of its weight.
struct FeaturePart {
  Index kernel, first;
  double root;
};

// Adds the products of all pairs of `size` things, packed in strips of `count` numbers each, to the
// lower triangle of a matrix.
void add_products(const Vector& packed, Index size, Index count, const Runtime& runtime,
                  Matrix& out);

// Passes over some examples, with the features of several kernels side by side.
class FeatureSweep {
 public:
  // `rows`: positions in the stores.
  FeatureSweep(const std::vector<SharedStore>& stores, std::vector<FeaturePart> parts,
               SharedIndices rows, const Runtime& runtime);

  Index rows() const { return static_cast<Index>(rows_->size()); }
  Index columns() const { return columns_; }
  Vector forward(const Vector& w) const;                       // Z w
  Vector backward(const Vector& b) const;                      // Z'b
  Vector curve(const Vector& weights, const Vector& w) const;  // Z' diag(weights) Z w
  Matrix gram(const Vector& weights) const;  // Z' diag(weights) Z, the lower triangle

 private:
  const FeatureStore& store(const FeaturePart& part) const { return *stores_[at(part.kernel)]; }
  Vector inward(const Vector& w) const;
  Vector outward(Matrix sums) const;
  template <class Middle>
  void run(const Vector* w, const Middle& middle, Matrix* sums) const;
  void pack(Index first, Index count, const Vector& weights, Vector& packed) const;
  bool multiplies_features(const FeaturePart& part) const;
  void outward_both(Matrix& products) const;
  void multiply_columns(const FeaturePart& part, Matrix& products) const;

  const std::vector<SharedStore>& stores_;
  const std::vector<FeaturePart> parts_;
  const SharedIndices rows_;
  const Runtime& runtime_;
  Index columns_ = 0, room_ = 0;
  std::vector<std::unique_ptr<const FeaturePass>> passes_;  // of each part
};

}  // namespace mk
