#include "empirical_map.hpp"

#include "../base/errors.hpp"
#include "../base/product.hpp"
#include "cross_bank.hpp"

namespace mk {

namespace {

std::string name_of(const KernelBank& bank, Index kernel) {
  return "Kernel `" + bank.set().item_name(bank.set().locate(kernel).first) + "`";
}

Spectrum spectrum_of(Matrix gram, const KernelBank& bank, Index kernel, Index rank,
                     const Runtime& runtime) {
  if (!gram.allFinite())
    throw InvalidArgument(name_of(bank, kernel) +
                          " has values beyond the range of numbers: scale the features.");
  Spectrum s = leading_spectrum(std::move(gram), rank, runtime);
  if (s.values.size() == 0)
    throw InvalidArgument(name_of(bank, kernel) +
                          " has no positive eigenvalue: its empirical map is empty.");
  // The sign of an eigenvector is free.
  for (Index c = 0; c < s.vectors.cols(); ++c) {
    Index largest = 0;
    s.vectors.col(c).cwiseAbs().maxCoeff(&largest);
    if (s.vectors(largest, c) < 0.0) s.vectors.col(c) = -s.vectors.col(c);
  }
  return s;
}

// The kernel between the landmarks alone: for many rows the whole matrix is what they avoid.
Spectrum landmark_spectrum(const KernelBank& bank, const Indices& landmarks, Index kernel,
                           Index rank, const Runtime& runtime) {
  const KernelBank few = bank.subset(landmarks);
  Matrix gram(few.rows(), few.rows());
  few.fill({kernel}, {gram.data()}, runtime);
  return spectrum_of(std::move(gram), bank, kernel, rank, runtime);
}

}  // namespace

Spectrum kernel_spectrum(const KernelBank& bank, Index kernel, Index rank, const Runtime& runtime) {
  const GramView k = bank.matrix(kernel, runtime);
  return spectrum_of(Eigen::Map<const Matrix>(k.view.data, k.view.rows, k.view.cols), bank, kernel,
                     rank, runtime);
}

EmpiricalMap make_empirical_map(const KernelBank& bank, Index kernel, const Indices& landmarks,
                                Index rank, const Runtime& runtime) {
  const bool all = landmarks.empty();
  Spectrum s = all ? kernel_spectrum(bank, kernel, rank, runtime)
                   : landmark_spectrum(bank, landmarks, kernel, rank, runtime);
  EmpiricalMap map;
  map.rows = all ? all_rows(bank.rows()) : landmarks;
  map.projection = s.vectors * s.values.cwiseSqrt().cwiseInverse().asDiagonal();
  if (all) {
    map.training = s.vectors * s.values.cwiseSqrt().asDiagonal();
  } else {
    Matrix block(bank.rows(), static_cast<Index>(landmarks.size()));
    bank.cross(all_rows(bank.rows()), landmarks, runtime)->fill({kernel}, {block.data()});
    map.training = product(block, map.projection, runtime);
  }
  map.values = std::move(s.values);
  return map;
}

std::vector<EmpiricalMap> make_empirical_maps(const KernelBank& bank, Index n_landmarks, Index rank,
                                              const Runtime& runtime) {
  Indices landmarks;
  if (n_landmarks > 0 && n_landmarks < bank.rows())
    landmarks = spread_rows(bank.rows(), n_landmarks);
  std::vector<EmpiricalMap> maps(static_cast<std::size_t>(bank.size()));
  runtime.parallel_for(bank.size(), [&](Index m) {
    maps[static_cast<std::size_t>(m)] = make_empirical_map(bank, m, landmarks, rank, runtime);
  });
  return maps;
}

Matrix side_by_side(const std::vector<Matrix>& parts) {
  Index columns = 0;
  for (const Matrix& part : parts) columns += part.cols();
  Matrix all(parts.front().rows(), columns);
  Index from = 0;
  for (const Matrix& part : parts) {
    all.middleCols(from, part.cols()) = part;
    from += part.cols();
  }
  return all;
}

Indices spread_rows(Index n, Index n_landmarks) {
  Indices rows;
  for (Index k = 0; k < n_landmarks; ++k) rows.push_back(k * n / n_landmarks);
  return rows;
}

}  // namespace mk
