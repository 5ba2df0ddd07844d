// A dense matrix of features, examples x columns: sums by vector instructions on packed rows.
#pragma once

#include "../base/checks.hpp"
#include "../base/state.hpp"
#include "features.hpp"

namespace mk {

class DenseFeatures final : public Features {
 public:
  // x must outlive the object.
  explicit DenseFeatures(const MatrixView& x) : x_(x) {}

  const char* type() const override { return "dense"; }
  Index rows() const override { return x_.rows; }
  Index columns() const override { return x_.cols; }
  void check(const PairSum& sum, const std::string& kernel,
             const std::string& argument) const override;
  void check_finite(const std::string& argument) const override { mk::check_finite(x_, argument); }
  Origin origin() const override;
  std::unique_ptr<const FeatureRows> pack(const SharedIndices& rows,
                                          const Origin& origin) const override;
  Matrix values(const Indices& rows, const Indices& columns) const override {
    return take(x_, rows, columns);
  }

 private:
  MatrixView x_;
};

// Features that hold their own matrix.
SharedFeatures own_dense(Matrix x);

// {type: "dense", x: a matrix that outlives the features}
SharedFeatures make_dense_features(const State& state);

}  // namespace mk
