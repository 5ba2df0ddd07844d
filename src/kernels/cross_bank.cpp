#include "cross_bank.hpp"

#include <algorithm>

namespace mk {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// The expansions in which a training row takes part.
struct Term {
  std::size_t expansion;
  double coefficient;
};

}  // namespace

CrossBank::CrossBank(std::shared_ptr<const KernelSet> set, std::vector<MatrixView> stored,
                     Normalizers normalizers, std::shared_ptr<const Side> fresh,
                     std::shared_ptr<const Side> training, const Runtime& runtime)
    : set_(std::move(set)),
      stored_(std::move(stored)),
      normalizers_(std::move(normalizers)),
      fresh_(std::move(fresh)),
      training_(std::move(training)),
      runtime_(runtime) {}

void CrossBank::fill(const Indices& kernels, const std::vector<double*>& out) const {
  for (std::size_t first = 0; first < kernels.size(); first += at(kernel_block_size)) {
    const std::size_t last = std::min(first + at(kernel_block_size), kernels.size());
    const Indices some(kernels.begin() + static_cast<Index>(first),
                       kernels.begin() + static_cast<Index>(last));
    const KernelBlock block(*set_, stored_, normalizers_, some, *fresh_, *training_, *training_,
                            runtime_);
    runtime_.parallel_for(fresh_->packed.panels(), [&](Index panel) {
      for (const Tile& tile : tiles_of_panel(*fresh_, panel, *training_))
        block.evaluate(tile, thread_scratch(),
                       [&](const KernelBlock::Step& step, const double* values) {
                         const auto k = std::find(some.begin(), some.end(), step.m) - some.begin();
                         double* target = out[first + static_cast<std::size_t>(k)];
                         for (Index j = 0; j < tile.b_count; ++j)
                           for (Index i = 0; i < tile.a_count; ++i)
                             target[tile.a_first + i + (tile.b_first + j) * rows()] =
                                 step.factor * values[i + j * panel_rows];
                       });
    });
  }
}

Matrix CrossBank::expand(const std::vector<Expansion>& expansions) const {
  Matrix decision(rows(), static_cast<Index>(expansions.size()));
  std::vector<std::vector<Term>> terms(at(training_rows()));
  Vector any = Vector::Zero(size());
  for (std::size_t e = 0; e < expansions.size(); ++e) {
    decision.col(static_cast<Index>(e)).setConstant(expansions[e].bias);
    any += expansions[e].weights.cwiseAbs();
    for (std::size_t i = 0; i < expansions[e].rows.size(); ++i)
      terms[at(expansions[e].rows[i])].push_back(
          {e, expansions[e].coefficients[static_cast<Index>(i)]});
  }
  const Indices kernels = nonzero(any);
  for (std::size_t first = 0; first < kernels.size(); first += at(kernel_block_size)) {
    const std::size_t last = std::min(first + at(kernel_block_size), kernels.size());
    const Indices some(kernels.begin() + static_cast<Index>(first),
                       kernels.begin() + static_cast<Index>(last));
    const KernelBlock block(*set_, stored_, normalizers_, some, *fresh_, *training_, *training_,
                            runtime_);
    runtime_.parallel_for(fresh_->packed.panels(), [&](Index panel) {
      for (const Tile& tile : tiles_of_panel(*fresh_, panel, *training_))
        block.evaluate(tile, thread_scratch(),
                       [&](const KernelBlock::Step& step, const double* values) {
                         for (Index j = 0; j < tile.b_count; ++j)
                           for (const Term& term : terms[at(tile.b_first + j)]) {
                             const double weight = expansions[term.expansion].weights[step.m];
                             if (weight == 0.0) continue;
                             runtime_.simd->axpy(
                                 step.factor * weight * term.coefficient, values + j * panel_rows,
                                 decision.col(static_cast<Index>(term.expansion)).data() +
                                     tile.a_first,
                                 tile.a_count);
                           }
                       });
    });
  }
  return decision;
}

}  // namespace mk
