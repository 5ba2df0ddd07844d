#include "row_evaluator.hpp"

#include <algorithm>

namespace mk {

RowEvaluator::RowEvaluator(std::shared_ptr<const FittedKernels> fitted,
                           std::shared_ptr<const RowGroup> all, const Vector& weights,
                           const Runtime& runtime)
    : fitted_(std::move(fitted)),
      all_(std::move(all)),
      runtime_(runtime),
      weights_(weights),
      kernels_(nonzero(weights)) {
  activate(all_rows(size()));
  diagonal_.resize(size());
  for (Index i = 0; i < size(); ++i) {
    if (i % 64 == 0) runtime_.check_interrupt();
    const Index place = i % strip_rows;  // tiles start with a strip
    const Tile tile = {i - place, place + 1, i, 1};
    double value = 0.0;
    block_->evaluate(tile, [&](const KernelBlock::Step& step, const double* values) {
      value += step.factor * weights_[step.m] * values[place];
    });
    diagonal_[i] = value;
  }
}

void RowEvaluator::activate(const Indices& positions) {
  active_ = all_->part(positions);
  block_ = std::make_unique<KernelBlock>(*fitted_, kernels_, *active_, *all_, runtime_);
}

void RowEvaluator::row(Index i, double* out) const {
  // With many kernels one row may take long.
  const Index pause = kernels_.size() > 16 ? 1 : 64;
  for (Index panel = 0; panel < active_->panels(); ++panel) {
    const Tile tile = {panel * panel_rows, panel_size(active_->count(), panel), i, 1};
    double* to = out + tile.a_first;
    std::fill(to, to + tile.a_count, 0.0);
    if (panel % pause == 0) runtime_.check_interrupt();
    block_->evaluate(tile, [&](const KernelBlock::Step& step, const double* values) {
      runtime_.simd->axpy(step.factor * weights_[step.m], values, to, tile.a_count);
    });
  }
}

// By tiles of many columns, which take less than half of the time of single rows.
Vector RowEvaluator::multiply(const Vector& b) const {
  const Indices positions = nonzero(b);
  Vector product = Vector::Zero(size());
  if (positions.empty()) return product;
  const auto columns = all_->part(positions);
  const KernelBlock block(*fitted_, kernels_, *all_, *columns, runtime_);
  for_tiles(size(), columns->count(), runtime_, [&](const Tile& tile) {
    const double* values = block.weighted_sum(tile, weights_, nullptr, 0);
    for (Index j = 0; j < tile.b_count; ++j)
      runtime_.simd->axpy(b[positions[at(tile.b_first + j)]], values + j * panel_rows,
                          product.data() + tile.a_first, tile.a_count);
  });
  return product;
}

}  // namespace mk
