// Blocks of rows of several kernel matrices at a time, for sums over their entries: within the
// memory budget, whatever the number of kernels.
#pragma once

#include <functional>
#include <vector>

#include "kernel_bank.hpp"

namespace mk {

// f(rows, blocks): `blocks` has a matrix for each kernel, those rows against all rows. It may
// change them. A third of the memory is left to f.
using BlockVisitor = std::function<void(const Indices& rows, std::vector<Matrix>& blocks)>;
void each_row_block(const KernelBank& bank, const Indices& kernels, const BlockVisitor& f,
                    const Runtime& runtime);

// The diagonals of some kernels, a column each.
Matrix kernel_diagonals(const KernelBank& bank, const Indices& kernels, const Runtime& runtime);

// Throws InvalidArgument unless all values are finite.
void check_kernel_values(const Matrix& values);

}  // namespace mk
