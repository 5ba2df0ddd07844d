// Explicit features of kernels that need no landmarks,
//   k(x, z) ~ z(x)'z(z).
// Random Fourier features (Rahimi & Recht 2007): a kernel of differences is the mean of
// cos(w'(x - z)) over the frequencies w of its spectral density (Bochner's theorem), hence
//   z(x) = h^-1/2 (cos w_1'x, ..., cos w_h'x, sin w_1'x, ..., sin w_h'x).
// Cosine and sine come in pairs: k(x, x) is exact, and for Gaussian kernels the error is smaller
// than with one cosine of a random phase each (Sutherland & Schneider 2015). The frequencies of
// kernels of Euclidean distances are orthogonal in blocks of as many as there are columns (Yu et
// al. 2016): each has its distribution, but they repeat each other less. A product of kernels has
// the frequencies of its factors side by side. The features of the linear kernel are the columns,
// without error.
#pragma once

#include <memory>
#include <vector>

#include "../kernels/kernel_bank.hpp"

namespace mk {

// The same numbers give the same features.
struct FeatureDraw {
  std::uint64_t seed = 1;
  Index count = 0;  // of features asked for; in pairs, rounded up
};

// The features of one kernel.
class ExplicitMap {
 public:
  // How many features kernel m has. Throws InvalidArgument if it has none.
  static Index columns(const FittedKernels& fitted, Index m, const FeatureDraw& draw);

  // `fitted` must outlive the map.
  ExplicitMap(const FittedKernels& fitted, Index m, const FeatureDraw& draw,
              const Runtime& runtime);
  Index columns() const { return columns_; }

  // Those of the examples of a group, the same in any company. The map and the group must outlive
  // them.
  std::unique_ptr<const FeatureMaker::Rows> rows(const RowGroup& group,
                                                 const Runtime& runtime) const;
  // The largest squared length of the features of a group.
  double largest(const RowGroup& group, const Runtime& runtime) const;

 private:
  class Waves;
  // What a factor adds to the angles.
  struct Part {
    Index source;
    Indices columns;   // of the source, that the factor sees
    Vector packed;     // frequencies in turns, in strips; of dense features
    Matrix by_column;  // frequencies x columns; of sparse features
    Indices place;     // there, of each column of the source; -1 if it is not seen
  };
  Part make_part(const Factor& factor, std::uint64_t seed, const Runtime& runtime) const;
  Vector row_factors(const RowGroup& group, const Runtime& runtime) const;
  // For up to panel_rows examples: out[i + panel_rows * c].
  void copy_columns(const RowGroup& group, const Indices& rows, double* out) const;
  void write_waves(const RowGroup& group, const Indices& rows, const Simd& simd, double* out) const;
  void add_dense(const Part& part, const Features& x, const Indices& rows, const Simd& simd,
                 double* turns) const;
  void add_sparse(const Part& part, const Features& x, const Indices& rows, const Simd& simd,
                  double* turns) const;

  const FittedKernels& fitted_;
  Index m_, columns_;
  bool linear_;
  std::vector<Part> parts_;
};

// Those of all kernels, for the examples of any group.
class RandomFeatureMaker final : public FeatureMaker {
 public:
  // Throws InvalidArgument if a kernel has none.
  RandomFeatureMaker(std::shared_ptr<const FittedKernels> fitted, const FeatureDraw& draw,
                     const Runtime& runtime);
  Index size() const override { return static_cast<Index>(maps_.size()); }
  Index columns(Index m) const override { return maps_[at(m)].columns(); }
  const FeatureTriangle& triangle(Index) const override { return none_; }
  double largest(Index m) const override { return largest_[at(m)]; }
  std::unique_ptr<const Rows> rows(Index m, const RowGroup& group,
                                   const Runtime& runtime) const override {
    return maps_[at(m)].rows(group, runtime);
  }

 private:
  std::shared_ptr<const FittedKernels> fitted_;
  std::vector<ExplicitMap> maps_;
  std::vector<double> largest_;
  FeatureTriangle none_;
};

struct RandomFeatures {
  std::shared_ptr<const KernelFeatures> features;
  std::shared_ptr<const FeatureMaker> maker;  // of the same features for any examples
  // Of each kernel: ||K - ZZ'|| / ||K||, Frobenius norms, on some of the rows.
  Vector error;
};

// The features of all rows of the bank, held as the memory allows. Throws InvalidArgument if a
// kernel has none.
RandomFeatures make_random_features(const KernelBank& bank, const FeatureDraw& draw,
                                    const Runtime& runtime);

}  // namespace mk
