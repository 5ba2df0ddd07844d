// Fits the normalizers of kernels on their training examples.
#pragma once

#include "kernel_block.hpp"

namespace mk {

FittedKernels fit_normalizers(std::shared_ptr<const KernelSet> set,
                              std::shared_ptr<const RowGroup> training, const Runtime& runtime);

}  // namespace mk
