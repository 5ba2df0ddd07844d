#include "row_source.hpp"

#include <algorithm>

namespace mk {

namespace {
std::size_t at(Index i) { return static_cast<std::size_t>(i); }
}  // namespace

RowEvaluator::RowEvaluator(const KernelSet& set, const std::vector<MatrixView>& stored,
                           const Normalizers& normalizers, std::shared_ptr<const Side> all,
                           const Side& training, const Vector& weights, const Runtime& runtime)
    : set_(set),
      stored_(stored),
      normalizers_(normalizers),
      all_(std::move(all)),
      training_(training),
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
    block_->evaluate(tile, thread_scratch(),
                     [&](const KernelBlock::Step& step, const double* values) {
                       value += step.factor * weights_[step.m] * values[place];
                     });
    diagonal_[i] = value;
  }
}

void RowEvaluator::activate(const Indices& positions) {
  Indices rows(positions.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = all_->rows[at(positions[i])];
  active_ =
      std::make_unique<Side>(all_->x, std::move(rows), all_->stored_diagonals, true, all_->origin);
  block_ = std::make_unique<KernelBlock>(set_, stored_, normalizers_, kernels_, *active_, *all_,
                                         training_, runtime_);
}

void RowEvaluator::row(Index i, double* out) const {
  // With many kernels one row may take long.
  const Index pause = kernels_.size() > 16 ? 1 : 64;
  for (Index panel = 0; panel < active_->packed.panels(); ++panel) {
    const Tile tile = {panel * panel_rows, active_->packed.panel_size(panel), i, 1};
    double* to = out + tile.a_first;
    std::fill(to, to + tile.a_count, 0.0);
    if (panel % pause == 0) runtime_.check_interrupt();
    block_->evaluate(
        tile, thread_scratch(), [&](const KernelBlock::Step& step, const double* values) {
          runtime_.simd->axpy(step.factor * weights_[step.m], values, to, tile.a_count);
        });
  }
}

// By tiles of many columns, which take less than half of the time of single rows. Each thread has
// panels of its own, so that sums do not depend on their number.
Vector RowEvaluator::multiply(const Vector& b) const {
  Indices rows;
  std::vector<double> factors;
  for (Index i = 0; i < size(); ++i)
    if (b[i] != 0.0) {
      rows.push_back(all_->rows[at(i)]);
      factors.push_back(b[i]);
    }
  Vector product = Vector::Zero(size());
  if (rows.empty()) return product;
  const Side columns(all_->x, std::move(rows), all_->stored_diagonals, true, all_->origin);
  const KernelBlock block(set_, stored_, normalizers_, kernels_, *all_, columns, training_,
                          runtime_);
  runtime_.parallel_for(all_->packed.panels(), [&](Index panel) {
    for (const Tile& tile : tiles_of_panel(*all_, panel, columns)) {
      runtime_.check_interrupt();
      const double* values = block.weighted_sum(tile, weights_, nullptr, 0);
      for (Index j = 0; j < tile.b_count; ++j)
        runtime_.simd->axpy(factors[at(tile.b_first + j)], values + j * panel_rows,
                            product.data() + tile.a_first, tile.a_count);
    }
  });
  return product;
}

}  // namespace mk
