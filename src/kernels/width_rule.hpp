// Widths of distance kernels taken from the training rows.
//   mean_distance  sigma = mean of ||x_i - x_j|| over all i, j          (paper 004, section 3.1)
//   nearest        sigma = s / sqrt(2), s = mean distance to the nearest other row (paper 003:
//                  its kernel is exp(-d2 / s^2))
//   median         sigma = median of ||x_i - x_j||, i < j; from 2000 evenly spaced rows if n is
//   more
#pragma once

#include <string>

#include "kernel_block.hpp"

namespace mk {

double width_by_rule(const MatrixView& x, const std::vector<int>& features, const std::string& rule,
                     const Runtime& runtime);

}  // namespace mk
