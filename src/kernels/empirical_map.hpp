// Empirical kernel map (paper 004, eq. 5-7): coordinates whose inner products are the kernel,
//   K = Q L Q',  phi(x) = L^(-1/2) Q' (k(x, x_1), ..., k(x, x_n))'.
// Built on all rows or on landmarks; only the largest eigenvalues are kept if a rank is given.
#pragma once

#include "kernel_bank.hpp"

namespace mk {

struct EmpiricalMap {
  Indices rows;       // the rows it is built on, positions in the bank
  Vector values;      // eigenvalues kept, largest first
  Matrix projection;  // rows x rank: Q L^(-1/2); phi(x) = projection' k(x)
  Matrix training;    // phi of all rows of the bank, one row each
};

// rank = 0 keeps every eigenvalue above 1e-10 times the largest.
EmpiricalMap make_empirical_map(const KernelBank& bank, Index kernel, const Indices& landmarks,
                                Index rank, const Runtime& runtime);

// Thin decomposition Z = U diag(sqrt(values)) V' of a tall matrix through Z'Z, small singular
// values dropped.
struct ThinDecomposition {
  Matrix u, v;
  Vector values;  // squared singular values, largest first
};
ThinDecomposition decompose(const Matrix& z, const Runtime& runtime);

// n_landmarks evenly spaced rows out of n.
Indices spread_rows(Index n, Index n_landmarks);

}  // namespace mk
