// A precomputed kernel: the matrix of its values between some examples (rows) and the training
// examples (columns) takes the place of sums over features.
#pragma once

#include "../base/checks.hpp"
#include "features.hpp"

namespace mk {

class StoredGram final : public Features {
 public:
  // Of the training examples, whose values with themselves are the diagonal.
  explicit StoredGram(const MatrixView& k) : k_(k), own_(as_matrix(k).diagonal()) {}
  // `own`: k(x, x) of the examples, or empty if they are not known. The matrix may be absent for
  // training examples that meet no others.
  StoredGram(const MatrixView& k, Vector own) : k_(k), own_(std::move(own)) {}

  const char* type() const override { return "stored"; }
  Index rows() const override { return k_.rows; }
  Index columns() const override { return k_.cols; }
  void check(const PairSum&, const std::string&, const std::string&) const override {}
  std::unique_ptr<const FeatureRows> pack(const SharedIndices& rows, const Origin&) const override;
  Matrix values(const Indices& rows, const Indices& columns) const override {
    return take(k_, rows, columns);
  }
  MatrixView stored_matrix() const override { return k_; }

 private:
  MatrixView k_;
  Vector own_;
};

}  // namespace mk
