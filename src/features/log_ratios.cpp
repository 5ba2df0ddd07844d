#include "log_ratios.hpp"

#include <cmath>
#include <cstdio>

#include "../base/errors.hpp"
#include "dense.hpp"

namespace mk {

namespace {

// Between two looks at the interrupt flag.
constexpr Index rows_at_once = 1024;

void check_part(double value, Index row, Index column, const MapInput& input) {
  if (value > 0.0) return;
  throw InvalidArgument(input.argument, "positive for kernel `" + input.kernel + "`",
                        format_number(value) + " in row " + std::to_string(row + 1) + ", column " +
                            std::to_string(column + 1));
}

}  // namespace

// All digits: nearly equal pseudocounts are different maps.
std::string LogRatioMap::key() const {
  char text[40];
  std::snprintf(text, sizeof text, "log_ratios %a", pseudocount_);
  return text;
}

SharedFeatures LogRatioMap::apply(const MapInput& input, const Runtime& runtime) const {
  input.x.check({PairKind::dot, 0.0, input.columns}, input.kernel, input.argument);
  const Indices columns(input.columns.begin(), input.columns.end());
  Matrix x = input.x.values(all_rows(input.x.rows()), columns);
  for (Index i = 0; i < x.rows(); ++i) {
    if (i % rows_at_once == 0) runtime.check_interrupt();
    if (!input.has(i)) continue;  // its values need not be positive
    for (Index f = 0; f < x.cols(); ++f) {
      x(i, f) += pseudocount_;
      check_part(x(i, f), i, columns[at(f)], input);
      x(i, f) = std::log(x(i, f));
    }
    if (x.cols() > 0) x.row(i).array() -= x.row(i).mean();
  }
  return own_dense(std::move(x));
}

}  // namespace mk
