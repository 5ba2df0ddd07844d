// Rows of a weighted sum of kernels on demand, for solvers whose matrix does not fit the memory.
#pragma once

#include <memory>
#include <vector>

#include "../solvers/row_source.hpp"
#include "kernel_block.hpp"

namespace mk {

// Rows of sum_m d_m K_m.
class RowEvaluator final : public RowSource {
 public:
  RowEvaluator(std::shared_ptr<const FittedKernels> fitted, std::shared_ptr<const RowGroup> all,
               const Vector& weights, const Runtime& runtime);

  Index size() const override { return all_->count(); }
  void row(Index i, double* out) const override;
  Vector multiply(const Vector& b) const override;
  const Vector& diagonal() const override { return diagonal_; }
  void activate(const Indices& positions) override;

 private:
  std::shared_ptr<const FittedKernels> fitted_;
  std::shared_ptr<const RowGroup> all_, active_;
  const Runtime& runtime_;
  Vector weights_;
  Indices kernels_;
  Vector diagonal_;
  std::unique_ptr<KernelBlock> block_;
};

}  // namespace mk
