// Widths of distance kernels taken from the training rows.
//   mean_distance  sigma = mean of ||x_i - x_j|| over all i, j          (Wang, Chen & Sun 2008,
//   section 3.1) nearest        sigma = s / sqrt(2), s = mean distance to the nearest other row
//   (Gönen & Alpaydin 2008:
//                  its kernel is exp(-d2 / s^2))
//   median         sigma = median of ||x_i - x_j||, i < j; from 2000 evenly spaced rows if n is
//   more
//   alignment      that of the global alignment kernel, see global_alignment.hpp; for series too
#pragma once

#include <string>

#include "../base/runtime.hpp"
#include "../features/features.hpp"

namespace mk {

// From the distances over some columns.
double width_by_rule(const Features& x, const std::vector<int>& columns, const std::string& rule,
                     const Runtime& runtime);

}  // namespace mk
