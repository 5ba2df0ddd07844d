// The features of one kernel on all examples in one of three forms: stored in double precision, in
// single precision, or made anew in every pass. What is stored, or made, is the features or the
// values that they are a product of (feature_maker.hpp), whichever is cheaper; all sums are in
// double precision.
#pragma once

#include <memory>
#include <string>

#include "feature_maker.hpp"

namespace mk {

// A row for each example.
template <class Number>
using RowsOf = Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowMatrix = RowsOf<double>;

enum class FeatureForm { full, single, anew };
const char* form_name(FeatureForm form);  // "double", "single" or "anew"

// Some examples of a store, panel by panel; threads may work on panels side by side.
class FeaturePass {
 public:
  virtual ~FeaturePass() = default;
  // How many numbers of memory a thread needs, and fills with open(), for the other functions.
  virtual Index room() const { return 0; }
  virtual void open(Index /*panel*/, double* /*buffer*/) const {}
  // f_i += v_i'w for the examples of a panel, and w += sum_i b_i v_i.
  virtual void forward(Index panel, const double* buffer, const double* w, double* f) const = 0;
  virtual void backward(Index panel, const double* buffer, const double* b, double* w) const = 0;
  // The numbers of each example, row by row: features if `whole`, else what is held.
  virtual void read(Index panel, const double* buffer, bool whole, double* out) const = 0;
};

class FeatureStore {
 public:
  virtual ~FeatureStore() = default;
  virtual FeatureForm form() const = 0;
  virtual Index rows() const = 0;
  virtual Index columns() const = 0;
  virtual double bytes() const = 0;
  // Those of the examples at these positions.
  virtual std::unique_ptr<const FeaturePass> pass(const SharedIndices& rows,
                                                  const Runtime& runtime) const = 0;

  // Of the values that are held; empty if features are.
  const FeatureTriangle& triangle() const;
  // Whether products of values with values lose too many digits on their way to those of features.
  bool steep() const;
  double largest() const { return largest_; }

 protected:
  FeatureStore(std::shared_ptr<const FeatureTriangle> triangle, double largest)
      : triangle_(std::move(triangle)), largest_(largest) {}

 private:
  std::shared_ptr<const FeatureTriangle> triangle_;
  double largest_;
};

using SharedStore = std::shared_ptr<const FeatureStore>;

// Features that are known.
SharedStore hold_features(std::shared_ptr<const RowMatrix> features);

// Those of kernel m for the examples of a group.
SharedStore make_store(FeatureForm form, std::shared_ptr<const FeatureMaker> maker, Index m,
                       std::shared_ptr<const RowGroup> group, const Runtime& runtime);

}  // namespace mk
