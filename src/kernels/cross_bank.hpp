// The kernels between new examples (rows) and training examples (columns), with the normalisers
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
  CrossBank(std::shared_ptr<const KernelSet> set, std::vector<MatrixView> stored,
            Normalizers normalizers, std::shared_ptr<const Side> fresh,
            std::shared_ptr<const Side> training, const Runtime& runtime);

  Index size() const { return set_->size(); }
  Index rows() const { return fresh_->count(); }
  Index training_rows() const { return training_->count(); }
  const Side& fresh() const { return *fresh_; }

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
  // Runs a task on every block of kernels; its last argument is the position of the block's first
  // kernel in the list. Within it, each_tile() runs a task on every tile, in parallel.
  using BlockTask = std::function<void(const KernelBlock&, Index)>;
  using TileTask = std::function<void(const Tile&)>;
  void each_block(const Indices& kernels, const BlockTask& task) const;
  void each_tile(const TileTask& task) const;

  std::shared_ptr<const KernelSet> set_;
  std::vector<MatrixView> stored_;
  Normalizers normalizers_;
  std::shared_ptr<const Side> fresh_, training_;
  const Runtime& runtime_;
};

}  // namespace mk
