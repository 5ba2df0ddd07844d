#include "row_blocks.hpp"

#include <algorithm>
#include <cmath>

#include "../base/errors.hpp"
#include "cross_bank.hpp"

namespace mk {

void each_row_block(const KernelBank& bank, const Indices& kernels, const BlockVisitor& f,
                    const Runtime& runtime) {
  const Index n = bank.rows();
  const double row = 8.0 * static_cast<double>(n) * static_cast<double>(kernels.size());
  const double most = std::clamp(std::floor(runtime.memory / (3.0 * row)), 1.0, double(n));
  const Index size = static_cast<Index>(most);
  std::vector<Matrix> blocks(kernels.size());
  for (Index first = 0; first < n; first += size) {
    runtime.check_interrupt();
    Indices rows;
    for (Index i = first; i < std::min(n, first + size); ++i) rows.push_back(i);
    std::vector<double*> out;
    for (Matrix& block : blocks) {
      block.resize(static_cast<Index>(rows.size()), n);
      out.push_back(block.data());
    }
    bank.cross(rows, all_rows(n), runtime)->fill(kernels, out);
    f(rows, blocks);
  }
}

Matrix kernel_diagonals(const KernelBank& bank, const Indices& kernels, const Runtime& runtime) {
  Matrix diagonals(bank.rows(), static_cast<Index>(kernels.size()));
  each_row_block(
      bank, kernels,
      [&](const Indices& rows, std::vector<Matrix>& blocks) {
        for (std::size_t k = 0; k < blocks.size(); ++k)
          for (std::size_t i = 0; i < rows.size(); ++i)
            diagonals(rows[i], static_cast<Index>(k)) = blocks[k](static_cast<Index>(i), rows[i]);
      },
      runtime);
  return diagonals;
}

void check_kernel_values(const Matrix& values) {
  if (!values.allFinite())
    throw InvalidArgument(
        "The kernels have values that are not finite: scale the features or choose other kernel "
        "parameters.");
}

}  // namespace mk
