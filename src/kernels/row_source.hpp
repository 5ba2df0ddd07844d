// Matrices that are too large to be stored: row by row, over the examples that are active.
#pragma once

#include <memory>
#include <vector>

#include "kernel_block.hpp"

namespace mk {

class RowSource {
 public:
  virtual ~RowSource() = default;
  virtual Index size() const = 0;
  // Entries (i, j) for all j in the active set; i counts in the full set.
  virtual void row(Index i, double* out) const = 0;
  // The product with b, on the full set, whatever is active.
  virtual Vector multiply(const Vector& b) const = 0;
  virtual const Vector& diagonal() const = 0;
  // The active set: positions in the full set.
  virtual void activate(const Indices& positions) = 0;
};

// Rows of sum_m d_m K_m.
class RowEvaluator final : public RowSource {
 public:
  RowEvaluator(const KernelSet& set, const std::vector<MatrixView>& stored,
               const Normalizers& normalizers, std::shared_ptr<const Side> all,
               const Side& training, const Vector& weights, const Runtime& runtime);

  Index size() const override { return all_->count(); }
  void row(Index i, double* out) const override;
  Vector multiply(const Vector& b) const override;
  const Vector& diagonal() const override { return diagonal_; }
  void activate(const Indices& positions) override;

 private:
  const KernelSet& set_;
  const std::vector<MatrixView>& stored_;
  const Normalizers& normalizers_;
  std::shared_ptr<const Side> all_;
  const Side& training_;
  const Runtime& runtime_;
  Vector weights_;
  Indices kernels_;
  Vector diagonal_;
  std::unique_ptr<Side> active_;
  std::unique_ptr<KernelBlock> block_;
};

}  // namespace mk
