// Explicit features of the kernels of some examples, K_m ~ Z_m Z_m': they stand for matrices that
// are too large to be formed. See src/approximations/ for how they are made.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "../base/runtime.hpp"
#include "../solvers/low_rank.hpp"
#include "../solvers/row_source.hpp"

namespace mk {

// A row for each example.
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

class KernelFeatures {
 public:
  explicit KernelFeatures(std::vector<std::shared_ptr<const RowMatrix>> features);

  Index size() const { return static_cast<Index>(features_.size()); }  // kernels
  Index rows() const { return static_cast<Index>(rows_.size()); }
  Index columns(Index m) const { return features_[at(m)]->cols(); }
  const double* row(Index m, Index i) const {
    return features_[at(m)]->data() + rows_[at(i)] * columns(m);
  }

  // Those of the examples at some positions; the numbers are shared.
  std::shared_ptr<const KernelFeatures> subset(const Indices& positions) const;

  Vector forward(Index m, const Vector& w, const Runtime& runtime) const;   // Z_m w
  Vector backward(Index m, const Vector& b, const Runtime& runtime) const;  // Z_m'b
  Vector squared_lengths(Index m, const Runtime& runtime) const;            // diagonal of Z_m Z_m'

 private:
  std::vector<std::shared_ptr<const RowMatrix>> features_;
  Indices rows_;  // of the matrices
};

// Uninitialized features of n rows, as many for each kernel as `columns` says. Throws
// InvalidArgument if they do not fit the memory; `fewer`: of what fewer would do.
std::vector<std::shared_ptr<RowMatrix>> make_room(const Indices& columns, Index n,
                                                  const std::string& fewer, const Runtime& runtime);

// sum_m weights_m Z_m Z_m', whose Z are those of the kernels with a weight, side by side. With
// nearly as many columns as examples, or more, the matrix itself is the shorter way: then it is of
// low rank in name only, and formed when its first row is asked for.
class FeatureSum final : public RowSource, public LowRank {
 public:
  FeatureSum(std::shared_ptr<const KernelFeatures> features, const Vector& weights,
             const Runtime& runtime);

  Index examples() const override { return features_->rows(); }
  Index columns() const override { return columns_; }
  Vector forward(const Vector& w) const override;
  Vector backward(const Vector& b) const override;
  Matrix gram(const Vector& weights) const override;

  Index size() const override { return examples(); }
  // By one thread at a time.
  void row(Index i, double* out) const override;
  Vector multiply(const Vector& b) const override { return forward(backward(b)); }
  const Vector& diagonal() const override { return diagonal_; }
  void activate(const Indices& positions) override { active_ = positions; }
  const LowRank* low_rank() const override { return serves_as_low_rank() ? this : nullptr; }

 private:
  // A kernel with a weight: where its columns begin, and the root of its weight.
  struct Part {
    Index kernel, first;
    double root;
  };
  bool serves_as_low_rank() const;
  bool has_room() const;
  void pack(const Indices& rows, Index first, Index count, const Vector& weights,
            Vector& packed) const;
  void pack_columns(const Part& part, Index first, Index count, Vector& packed) const;
  void add_products(const Vector& packed, Index size, Index count, Matrix& out) const;
  Matrix whole() const;

  std::shared_ptr<const KernelFeatures> features_;
  const Runtime& runtime_;
  std::vector<Part> parts_;
  Index columns_ = 0;
  Vector diagonal_;
  Indices active_;
  mutable Matrix whole_;  // empty until a row of it is asked for
};

}  // namespace mk
