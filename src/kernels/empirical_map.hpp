// Empirical kernel map (Wang, Chen & Sun 2008, eq. 5-7), coordinates whose inner products
// are the kernel:
//   K = Q L Q',  phi(x) = L^(-1/2) Q' (k(x, x_1), ..., k(x, x_n))'.
// Built on all rows or on landmarks; only the largest eigenvalues are kept if a rank is given.
#pragma once

#include "../solvers/spectrum.hpp"
#include "kernel_bank.hpp"

namespace mk {

struct EmpiricalMap {
  Indices rows;       // the rows it is built on, positions in the bank
  Vector values;      // eigenvalues kept, largest first
  Matrix projection;  // rows x rank: Q L^(-1/2); phi(x) = projection' k(x)
  Matrix training;    // phi of all rows of the bank, one row each
};

// No landmarks: all rows.
EmpiricalMap make_empirical_map(const KernelBank& bank, Index kernel, const Indices& landmarks,
                                Index rank, const Runtime& runtime);

// Its decomposition, which the bank keeps.
std::shared_ptr<const MapDecomposition> decompose_map(const KernelBank& bank, Index kernel,
                                                      const Indices& landmarks, Index rank,
                                                      const Runtime& runtime);

// The maps of all kernels, on `n_landmarks` evenly spaced rows (0 or too many: on all).
std::vector<EmpiricalMap> make_empirical_maps(const KernelBank& bank, Index n_landmarks, Index rank,
                                              const Runtime& runtime);

}  // namespace mk
