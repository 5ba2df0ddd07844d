#include "empirical_map.hpp"

#include <cmath>

#include "../base/errors.hpp"
#include "cross_bank.hpp"

namespace mk {

namespace {

constexpr double least_share = 1e-10;  // of the largest eigenvalue

// Eigenvalues worth keeping, counted from the largest.
Index kept_count(const Vector& ascending, Index rank) {
  const Index n = ascending.size();
  if (n == 0 || !(ascending[n - 1] > 0.0)) return 0;
  Index count = 0;
  while (count < n && ascending[n - 1 - count] > least_share * ascending[n - 1]) ++count;
  return rank > 0 ? std::min(rank, count) : count;
}

}  // namespace

ThinDecomposition decompose(const Matrix& z, const Runtime& runtime) {
  Matrix vectors = z.transpose() * z;
  Vector ascending;
  runtime.eigen_symmetric(vectors, ascending);
  const Index r = kept_count(ascending, 0);
  ThinDecomposition d;
  d.values = ascending.tail(r).reverse();
  d.v = vectors.rightCols(r).rowwise().reverse();
  d.u = z * d.v * d.values.cwiseSqrt().cwiseInverse().asDiagonal();
  return d;
}

EmpiricalMap make_empirical_map(const KernelBank& bank, Index kernel, const Indices& landmarks,
                                Index rank, const Runtime& runtime) {
  EmpiricalMap map;
  const bool all = landmarks.empty();
  map.rows = all ? all_rows(bank.rows()) : landmarks;
  const KernelBank part = all ? bank : bank.subset(landmarks);
  const GramView k = part.matrix(kernel, runtime);
  Matrix vectors = Eigen::Map<const Matrix>(k.view.data, k.view.rows, k.view.cols);
  Vector ascending;
  runtime.eigen_symmetric(vectors, ascending);
  const Index r = kept_count(ascending, rank);
  if (r == 0)
    throw InvalidArgument("Kernel `" + bank.set().item_name(bank.set().locate(kernel).first) +
                          "` has no positive eigenvalue: its empirical map is empty.");
  map.values = ascending.tail(r).reverse();
  Matrix q = vectors.rightCols(r).rowwise().reverse();
  // The sign of an eigenvector is free: the largest entry is made positive.
  for (Index c = 0; c < r; ++c) {
    Index largest = 0;
    q.col(c).cwiseAbs().maxCoeff(&largest);
    if (q(largest, c) < 0.0) q.col(c) = -q.col(c);
  }
  map.projection = q * map.values.cwiseSqrt().cwiseInverse().asDiagonal();
  if (all) {
    map.training = q * map.values.cwiseSqrt().asDiagonal();
  } else {
    Matrix block(bank.rows(), static_cast<Index>(landmarks.size()));
    bank.cross(all_rows(bank.rows()), landmarks, runtime)->fill({kernel}, {block.data()});
    map.training = block * map.projection;
  }
  return map;
}

Indices spread_rows(Index n, Index n_landmarks) {
  Indices rows;
  for (Index k = 0; k < n_landmarks; ++k) rows.push_back(k * n / n_landmarks);
  return rows;
}

}  // namespace mk
