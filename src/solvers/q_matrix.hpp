// The quadratic term of a problem, column by column. The solver sees columns, never kernels.
//
// Solving shrinks: the solver keeps a list of active variables and asks for columns restricted
// to it. Positions count in the active set, in the order given to activate().
#pragma once

#include <algorithm>
#include <list>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../base/runtime.hpp"
#include "low_rank.hpp"
#include "row_source.hpp"

namespace mk {

// Runs f(first, count) on blocks of n rows or columns. Those of small matrices are done sooner than
// other threads are called.
template <class Task>
void in_blocks(Index n, Index width, const Runtime& runtime, const Task& f) {
  if (n < 512) {
    f(0, n);
    return;
  }
  runtime.parallel_for((n + width - 1) / width,
                       [&](Index block) { f(block * width, std::min(width, n - block * width)); });
}

class QMatrix {
 public:
  virtual ~QMatrix() = default;
  virtual Index size() const = 0;  // of the full problem
  virtual double diagonal(Index variable) const = 0;
  // Column of the active variable at `position`, over the active set. Stays valid until the
  // second next call: SMO holds two columns at a time.
  virtual const double* column(Index position) = 0;
  // Q b on the full problem, for gradients from scratch. To be called while all variables are
  // active.
  virtual Vector multiply(const Vector& b, const Runtime& runtime) = 0;
  // Restricts columns to these variables of the full problem; empty = all.
  virtual void activate(const Indices& variables) = 0;
  // The same with columns in single precision, as narrow_column(); column() remains exact but slow.
  // False, and nothing is done, where that would not pay.
  virtual bool activate_narrow(const Indices& /*variables*/) { return false; }
  virtual const float* narrow_column(Index /*position*/) { return nullptr; }
  // Memory that is left beside the matrix.
  virtual double spare_bytes() const { return 0.0; }
  // Tells what the product with b is, for matrices that make use of it: see path_q.hpp.
  virtual void remember(const Vector& /*b*/, const Vector& /*product*/) {}
  // How the matrix is known to be of low rank; `z` is null where it is not.
  virtual LowRankForm low_rank() const { return {}; }
};

// A matrix in memory. Active submatrices are copied while they fit `spare_bytes`. Copies in single
// precision pay from `narrow_from` rows on, where those in double precision exceed the caches.
class StoredQ final : public QMatrix {
 public:
  StoredQ(const MatrixView& k, double spare_bytes, const Runtime& runtime, Index narrow_from = 2048)
      : k_(k), spare_bytes_(spare_bytes), runtime_(runtime), narrow_from_(narrow_from) {}
  Index size() const override { return k_.rows; }
  double diagonal(Index variable) const override { return k_(variable, variable); }
  const double* column(Index position) override;
  Vector multiply(const Vector& b, const Runtime& runtime) override;
  void activate(const Indices& variables) override;
  bool activate_narrow(const Indices& variables) override;
  const float* narrow_column(Index position) override { return narrow_.col(position).data(); }
  double spare_bytes() const override { return spare_bytes_; }

 private:
  template <class Copy>
  bool copy_active(Copy& copy) const;

  MatrixView k_;
  double spare_bytes_;
  const Runtime& runtime_;
  Index narrow_from_;
  Indices active_;
  Matrix copy_;
  Eigen::MatrixXf narrow_;
  Vector buffers_[2];
  int next_ = 0;
};

// Rows computed on demand, the most recently used ones kept within `cache_bytes`: one block of
// memory with a slot for each, because rows that shrink one by one would leave holes behind.
class CachedQ final : public QMatrix {
 public:
  CachedQ(std::unique_ptr<RowSource> rows, double cache_bytes);
  Index size() const override { return rows_->size(); }
  double diagonal(Index variable) const override { return rows_->diagonal()[variable]; }
  const double* column(Index position) override;
  Vector multiply(const Vector& b, const Runtime&) override { return rows_->multiply(b); }
  void activate(const Indices& variables) override;
  double spare_bytes() const override { return spare_bytes_; }
  LowRankForm low_rank() const override { return {rows_->low_rank()}; }

  // How many rows were computed so far, counting each time.
  Index computed() const { return computed_; }

 private:
  struct Entry {
    Index variable;
    std::size_t slot;
  };
  std::size_t capacity() const { return room_ / std::max<std::size_t>(active_.size(), 1); }
  double* values(std::size_t slot) { return block_.get() + slot * active_.size(); }
  void squeeze(const Indices& next, const std::vector<Index>& old_position);

  std::unique_ptr<RowSource> rows_;
  Indices active_;
  std::size_t room_;                 // of the block, in numbers
  double spare_bytes_;               // of the cache, beyond the whole matrix
  std::unique_ptr<double[]> block_;  // not touched before it is used
  std::list<Entry> recent_;          // front = last used
  std::unordered_map<Index, std::list<Entry>::iterator> where_;
  Index computed_ = 0;
};

// scale * Q + diag(ridge)
class RidgedQ final : public QMatrix {
 public:
  RidgedQ(QMatrix& base, double scale, Vector ridge)
      : base_(base), scale_(scale), ridge_(std::move(ridge)) {}
  Index size() const override { return base_.size(); }
  double diagonal(Index variable) const override {
    return scale_ * base_.diagonal(variable) + ridge_[variable];
  }
  const double* column(Index position) override;
  Vector multiply(const Vector& b, const Runtime& runtime) override;
  void activate(const Indices& variables) override;
  LowRankForm low_rank() const override;

 private:
  QMatrix& base_;
  double scale_;
  Vector ridge_;
  Indices active_;  // empty: all
  Vector buffers_[2];
  int next_ = 0;
};

// Two variables per example, for epsilon-SVR: variable i and i + n share the row of example i.
class DoubledQ final : public QMatrix {
 public:
  explicit DoubledQ(QMatrix& base) : base_(base) { activate({}); }
  Index size() const override { return 2 * base_.size(); }
  double diagonal(Index variable) const override { return base_.diagonal(variable % base_.size()); }
  const double* column(Index position) override;
  Vector multiply(const Vector& b, const Runtime& runtime) override;
  void activate(const Indices& variables) override;
  LowRankForm low_rank() const override;

 private:
  QMatrix& base_;
  Indices example_;  // active position -> position of its example in the active base
  Vector buffers_[2];
  int next_ = 0;
};

}  // namespace mk
