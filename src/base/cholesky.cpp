#include "cholesky.hpp"

#include <algorithm>

namespace mk {

namespace {

constexpr Index panel = 128;

}  // namespace

Cholesky::Cholesky(Matrix& a, const Runtime& runtime)
    : a_(a), info_(factor(runtime) ? Eigen::Success : Eigen::NumericalIssue) {}

// Panel by panel: its own factor, the columns below it, and what it takes from the columns to its
// right. The blocks depend on the size of the matrix alone, and so does the result.
bool Cholesky::factor(const Runtime& runtime) {
  const Index n = a_.rows();
  for (Index first = 0; first < n; first += panel) {
    runtime.check_interrupt();
    const Index width = std::min(panel, n - first), next = first + width;
    Eigen::Ref<Matrix> corner = a_.block(first, first, width, width);
    if (Eigen::LLT<Eigen::Ref<Matrix>>(corner).info() != Eigen::Success) return false;
    const Index blocks = (n - next + panel - 1) / panel;
    runtime.parallel_for(blocks, [&](Index b) {
      const Index from = next + b * panel, count = std::min(panel, n - from);
      auto rows = a_.block(from, first, count, width);
      corner.transpose().triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(rows);
    });
    runtime.parallel_for(blocks, [&](Index b) {
      const Index from = next + b * panel, count = std::min(panel, n - from);
      const auto rows = a_.block(from, first, count, width);
      a_.block(from, from, count, count).selfadjointView<Eigen::Lower>().rankUpdate(rows, -1.0);
      const Index below = from + count;
      a_.block(below, from, n - below, count).noalias() -=
          a_.block(below, first, n - below, width) * rows.transpose();
    });
  }
  return true;
}

}  // namespace mk
