#include "kernel_pca.hpp"

#include "../base/errors.hpp"
#include "../kernels/row_blocks.hpp"
#include "../solvers/spectrum.hpp"

namespace mk {

KernelPca kernel_pca(const KernelBank& bank, const Vector& weights, Index most, bool center,
                     const Runtime& runtime) {
  const Index n = bank.rows();
  Matrix gram(n, n);
  bank.sum(weights, gram.data(), runtime);
  check_kernel_values(gram);
  Vector means = Vector::Zero(n);
  if (center) {
    means = gram.colwise().mean().transpose();
    const double middle = means.mean();
    for (Index j = 0; j < n; ++j) gram.col(j).array() -= means.array() + (means[j] - middle);
  }
  KernelPca out;
  out.total = gram.trace();
  Spectrum s = leading_spectrum(std::move(gram), most, runtime);
  if (s.values.size() == 0)
    throw InvalidArgument(
        "The kernel matrix has no positive eigenvalue: all rows are alike under these kernels.",
        "kernels");
  fix_signs(s.vectors);
  out.projection = s.vectors * s.values.cwiseSqrt().cwiseInverse().asDiagonal();
  if (center) out.projection.rowwise() -= out.projection.colwise().mean();  // 0 but for rounding
  out.shift = -out.projection.transpose() * means;
  out.values = std::move(s.values);
  out.vectors = std::move(s.vectors);
  return out;
}

}  // namespace mk
