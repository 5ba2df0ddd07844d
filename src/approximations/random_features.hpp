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

  // Writes a row of columns() numbers for each example of a group, the same in any company.
  void write(const RowGroup& group, double* out, const Runtime& runtime) const;

 private:
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
  void copy_columns(const RowGroup& group, const Indices& rows, const double* factors,
                    double* out) const;
  void add_dense(const Part& part, const Features& x, const Indices& rows, const Simd& simd,
                 Matrix& turns) const;
  void add_sparse(const Part& part, const Features& x, const Indices& rows, const Simd& simd,
                  Matrix& turns) const;

  const FittedKernels& fitted_;
  Index m_, columns_;
  bool linear_;
  std::vector<Part> parts_;
};

struct RandomFeatures {
  std::shared_ptr<const KernelFeatures> features;
  // Of each kernel: ||K - ZZ'|| / ||K||, Frobenius norms, on some of the rows.
  Vector error;
};

// The features of all rows of the bank. Throws InvalidArgument if a kernel has none, or if they do
// not fit the memory.
RandomFeatures make_random_features(const KernelBank& bank, const FeatureDraw& draw,
                                    const Runtime& runtime);

}  // namespace mk
