// The Cholesky factor of a dense symmetric matrix: seconds for some thousand rows, so it uses the
// threads of the runtime and can be interrupted.
#pragma once

#include <Eigen/Cholesky>

#include "runtime.hpp"
#include "types.hpp"

namespace mk {

// A = LL', in the place of the lower triangle of A. With the names of Eigen::LLT.
class Cholesky {
 public:
  Cholesky(Matrix& a, const Runtime& runtime);

  Eigen::ComputationInfo info() const { return info_; }
  auto matrixL() const { return a_.triangularView<Eigen::Lower>(); }
  template <class Right>  // a matrix or a vector, for which Eigen is faster
  void solveInPlace(Right& right) const {
    matrixL().solveInPlace(right);
    a_.transpose().triangularView<Eigen::Upper>().solveInPlace(right);
  }

 private:
  bool factor(const Runtime& runtime);

  Matrix& a_;
  Eigen::ComputationInfo info_;
};

}  // namespace mk
