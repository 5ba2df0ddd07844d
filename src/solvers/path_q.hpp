// The matrix of problems that follow each other, such as those of growing costs: each starts near
// the solution of the one before.
#pragma once

#include "q_matrix.hpp"

namespace mk {

// A matrix in memory. Where it exceeds the caches, the time of a problem that starts near its
// solution is that of reading columns, so that this class reads few of them:
// * the product with the last coefficients is kept; that with new ones needs the columns of those
//   that are neither the same nor have grown by one common factor, as those at their bounds have;
// * the copy of the active columns is kept, and the next one takes from it what both have.
// Products that follow from each other collect rounding errors: not for tolerances near these.
class PathQ final : public QMatrix {
 public:
  PathQ(const MatrixView& k, double spare_bytes, const Runtime& runtime, Index narrow_from = 2048);
  Index size() const override { return k_.rows; }
  double diagonal(Index variable) const override { return diagonal_[variable]; }
  const double* column(Index position) override;
  Vector multiply(const Vector& b, const Runtime& runtime) override;
  void activate(const Indices& variables) override;
  bool activate_narrow(const Indices& variables) override;
  const float* narrow_column(Index position) override { return narrow_.col(position).data(); }
  void remember(const Vector& b, const Vector& product) override;
  double spare_bytes() const override { return spare_bytes_; }

 private:
  template <class Copy>
  bool copy_active(const Indices& variables, Copy& copy);
  void drop_copies();

  MatrixView k_;
  double spare_bytes_;
  const Runtime& runtime_;
  Index narrow_from_;
  Vector diagonal_;
  Vector known_, product_;  // K known_ = product_
  Indices active_;          // empty: all
  Indices copied_;          // variables of the copy, which stays while all are active
  Matrix copy_;
  Eigen::MatrixXf narrow_;
  Vector buffers_[2];
  int next_ = 0;
};

}  // namespace mk
