// The kernels between new examples (rows) and training examples (columns), with the normalizers
// of the training rows. Decision values are accumulated tile by tile: no cross matrix is stored.
#pragma once

#include <memory>
#include <vector>

#include "kernel_bank.hpp"

namespace mk {

// f(x) = sum_m weights_m sum_i coefficients_i K_m(x, x_rows[i]) + bias
struct Expansion {
  Vector weights;
  Indices rows;
  Vector coefficients;
  double bias = 0.0;
};

class CrossBank {
 public:
  // Throws InvalidArgument if the new examples have features of another type.
  CrossBank(std::shared_ptr<const FittedKernels> fitted, std::shared_ptr<const RowGroup> fresh,
            std::shared_ptr<const RowGroup> training, const Runtime& runtime);

  Index size() const { return fitted_->set->size(); }
  Index rows() const { return fresh_->count(); }
  Index training_rows() const { return training_->count(); }
  const RowGroup& fresh() const { return *fresh_; }
  const FittedKernels& fitted() const { return *fitted_; }
  const Runtime& runtime() const { return runtime_; }

  // The same with the new examples at some positions only.
  CrossBank part(const Indices& positions) const;

  // Writes the matrices of the given kernels, each rows() x training_rows().
  void fill(const Indices& kernels, const std::vector<double*>& out) const;

  // Writes sum_m weights_m K_m, rows() x training_rows().
  void sum(const Vector& weights, double* out) const;

  // Decision values, one column per expansion; all expansions share one pass over the kernels.
  Matrix expand(const std::vector<Expansion>& expansions) const;

  // sum_i coefficients_i prod_m K_m(x, x_rows[i])^weights_m + bias: the weights are powers of
  // positive kernels. NaN where a value is negative.
  Vector expand_product(const Expansion& e) const;

 private:
  // Some of the new examples, `count` from position `first` on.
  struct Span {
    Index first, count;
  };
  // Runs a task on every block of kernels and, within it, on some of the new examples after the
  // other; its second argument is the position of the block's first kernel in the list.
  using BlockTask = std::function<void(const KernelBlock&, Index, const Span&)>;
  using SpanTask = std::function<void(const RowGroup&, const Span&)>;
  void each_span(const SpanTask& task) const;
  void require_all_views(const Indices& kernels) const;
  void each_block(const Indices& kernels, const BlockTask& task) const;

  std::shared_ptr<const FittedKernels> fitted_;
  std::shared_ptr<const RowGroup> fresh_, training_;
  const Runtime& runtime_;
};

}  // namespace mk
