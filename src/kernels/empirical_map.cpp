#include "empirical_map.hpp"

#include "../base/errors.hpp"
#include "../base/product.hpp"
#include "cross_bank.hpp"

namespace mk {

namespace {

std::string name_of(const KernelBank& bank, Index kernel) {
  return "Kernel `" + bank.set().item_name(bank.set().locate(kernel).first) + "`";
}

// The leading eigenvalues of a kernel between the landmarks, or between all rows if there are none;
// rank = 0: all that matter. The largest entry of each eigenvector is positive.
Spectrum kernel_spectrum(const KernelBank& bank, Index kernel, const Indices& landmarks, Index rank,
                         const Runtime& runtime) {
  Matrix gram(landmarks.size(), landmarks.size());
  // For many rows the whole matrix is what landmarks avoid.
  if (landmarks.empty()) gram = as_matrix(bank.matrix(kernel, runtime).view);
  else bank.subset(landmarks).fill({kernel}, {gram.data()}, runtime);
  if (!gram.allFinite())
    throw InvalidArgument(name_of(bank, kernel) +
                          " has values beyond the range of numbers: scale the features.");
  Spectrum s = leading_spectrum(std::move(gram), rank, runtime);
  if (s.values.size() == 0)
    throw InvalidArgument(name_of(bank, kernel) +
                          " has no positive eigenvalue: its empirical map is empty.");
  fix_signs(s.vectors);
  return s;
}

}  // namespace

EmpiricalMap make_empirical_map(const KernelBank& bank, Index kernel, const Indices& landmarks,
                                Index rank, const Runtime& runtime) {
  const bool all = landmarks.empty();
  Spectrum s = kernel_spectrum(bank, kernel, landmarks, rank, runtime);
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

std::shared_ptr<const MapDecomposition> decompose_map(const KernelBank& bank, Index kernel,
                                                      const Indices& landmarks, Index rank,
                                                      const Runtime& runtime) {
  const auto find = [&]() -> MapDecomposition {
    if (landmarks.empty()) {
      Spectrum s = kernel_spectrum(bank, kernel, landmarks, rank, runtime);
      return {all_rows(bank.rows()), std::move(s.values), std::move(s.vectors), Matrix()};
    }
    const EmpiricalMap map = make_empirical_map(bank, kernel, landmarks, rank, runtime);
    ThinDecomposition thin = decompose(map.training, runtime);
    Matrix back = map.projection * thin.v;
    return {landmarks, std::move(thin.values), std::move(thin.u), std::move(back)};
  };
  return bank.decomposition({kernel, rank, landmarks}, find, runtime);
}

std::vector<EmpiricalMap> make_empirical_maps(const KernelBank& bank, Index n_landmarks, Index rank,
                                              const Runtime& runtime) {
  Indices landmarks;
  if (n_landmarks > 0 && n_landmarks < bank.rows())
    landmarks = spread_rows(bank.rows(), n_landmarks);
  std::vector<EmpiricalMap> maps(at(bank.size()));
  runtime.parallel_for(bank.size(), [&](Index m) {
    maps[at(m)] = make_empirical_map(bank, m, landmarks, rank, runtime);
  });
  return maps;
}

}  // namespace mk
