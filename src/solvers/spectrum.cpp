#include "spectrum.hpp"

#include <algorithm>

#include "../base/product.hpp"
#include "../base/symmetric_eigen.hpp"

namespace mk {

Spectrum leading_spectrum(Matrix a, Index most, const Runtime& runtime) {
  constexpr double least_share = 1e-10;
  if (a.size() == 0) return {Vector(0), Matrix(0, 0)};
  Vector ascending;
  symmetric_eigen(a, ascending, runtime);
  const Index n = ascending.size();
  Index r = 0;
  while (r < n && ascending[n - 1 - r] > std::max(0.0, least_share * ascending[n - 1])) ++r;
  if (most > 0) r = std::min(r, most);
  return {ascending.tail(r).reverse(), a.rightCols(r).rowwise().reverse()};
}

void fix_signs(Matrix& vectors) {
  for (Index c = 0; c < vectors.cols(); ++c) {
    Index largest = 0;
    vectors.col(c).cwiseAbs().maxCoeff(&largest);
    if (vectors(largest, c) < 0.0) vectors.col(c) = -vectors.col(c);
  }
}

ThinDecomposition decompose(const Matrix& z, const Runtime& runtime) {
  Spectrum s = leading_spectrum(product(z.transpose(), z, runtime), 0, runtime);
  ThinDecomposition d;
  d.u = product(z, s.vectors, runtime) * s.values.cwiseSqrt().cwiseInverse().asDiagonal();
  d.v = std::move(s.vectors);
  d.values = std::move(s.values);
  return d;
}

}  // namespace mk
