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

// Copies a tile, times a factor, into a matrix of `rows` rows.
void store_tile(const Tile& tile, const double* values, double factor, double* out, Index rows,
                const Simd& simd) {
  for (Index j = 0; j < tile.b_count; ++j)
    simd.affine_power(values + j * panel_rows, factor, 0.0, 1,
                      out + tile.a_first + (tile.b_first + j) * rows, tile.a_count);
}

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

void CrossBank::each_tile(const Indices& kernels, const TileTask& task) const {
  for_blocks(kernels, [&](const Indices& some, Index first) {
    const KernelBlock block(*set_, stored_, normalizers_, some, *fresh_, *training_, *training_,
                            runtime_);
    runtime_.parallel_for(fresh_->packed.panels(), [&](Index panel) {
      for (const Tile& tile : tiles_of_panel(*fresh_, panel, *training_)) {
        runtime_.check_interrupt();
        task(block, tile, first);
      }
    });
  });
}

void CrossBank::fill(const Indices& kernels, const std::vector<double*>& out) const {
  each_tile(kernels, [&](const KernelBlock& block, const Tile& tile, Index first) {
    block.evaluate(tile, thread_scratch(),
                   [&](const KernelBlock::Step& step, const double* values) {
                     store_tile(tile, values, step.factor, out[at(first + step.position)], rows(),
                                *runtime_.simd);
                   });
  });
}

void CrossBank::sum(const Vector& weights, double* out) const {
  std::fill(out, out + rows() * training_rows(), 0.0);
  each_tile(nonzero(weights), [&](const KernelBlock& block, const Tile& tile, Index) {
    store_tile(tile, block.weighted_sum(tile, weights, out, rows()), 1.0, out, rows(),
               *runtime_.simd);
  });
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
  each_tile(nonzero(any), [&](const KernelBlock& block, const Tile& tile, Index) {
    block.evaluate(
        tile, thread_scratch(), [&](const KernelBlock::Step& step, const double* values) {
          for (Index j = 0; j < tile.b_count; ++j)
            for (const Term& term : terms[at(tile.b_first + j)]) {
              const double weight = expansions[term.expansion].weights[step.m];
              if (weight == 0.0) continue;
              double* to = decision.col(static_cast<Index>(term.expansion)).data() + tile.a_first;
              runtime_.simd->axpy(step.factor * weight * term.coefficient,
                                  values + j * panel_rows, to, tile.a_count);
            }
        });
  });
  return decision;
}

}  // namespace mk
