#include "cross_bank.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mk {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// The coefficients of an expansion, sorted by training row.
struct SortedTerms {
  Indices rows;
  std::vector<double> coefficients;

  explicit SortedTerms(const Expansion& e) {
    Indices order(e.rows.size());
    std::iota(order.begin(), order.end(), Index{0});
    // Stable, so that a row that comes twice keeps its order of summation.
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return e.rows[at(a)] < e.rows[at(b)]; });
    for (const Index i : order) {
      rows.push_back(e.rows[at(i)]);
      coefficients.push_back(e.coefficients[i]);
    }
  }
  // Position of the first term at training row `row` or after it.
  std::size_t from(Index row) const {
    return static_cast<std::size_t>(std::lower_bound(rows.begin(), rows.end(), row) - rows.begin());
  }
};

// An expansion that gives a kernel a weight.
struct User {
  std::size_t expansion;
  double weight;
};

// For each kernel of a block its users. With thousands of expansions on one kernel each, as
// boosting has, looking for them at every tile would take longer than the sums.
std::vector<std::vector<User>> users_of(const KernelBlock& block,
                                        const std::vector<Expansion>& expansions) {
  std::vector<std::vector<User>> users(block.steps().size());
  for (const KernelBlock::Step& step : block.steps())
    for (std::size_t e = 0; e < expansions.size(); ++e) {
      const double weight = expansions[e].weights[step.m];
      if (weight != 0.0) users[at(step.position)].push_back({e, weight});
    }
  return users;
}

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

CrossBank CrossBank::part(const Indices& positions) const {
  Indices rows;
  for (const Index i : positions) rows.push_back(fresh_->rows[at(i)]);
  auto some = std::make_shared<Side>(fresh_->x, std::move(rows), fresh_->stored_diagonals,
                                     fresh_->training, fresh_->origin);
  return CrossBank(set_, stored_, normalizers_, std::move(some), training_, runtime_);
}

void CrossBank::each_block(const Indices& kernels, const BlockTask& task) const {
  for_blocks(kernels, [&](const Indices& some, Index first) {
    task(KernelBlock(*set_, stored_, normalizers_, some, *fresh_, *training_, *training_, runtime_),
         first);
    runtime_.advance(static_cast<Index>(some.size()));
  });
}

void CrossBank::each_tile(const TileTask& task) const {
  runtime_.parallel_for(fresh_->packed.panels(), [&](Index panel) {
    for (const Tile& tile : tiles_of_panel(*fresh_, panel, *training_)) {
      runtime_.check_interrupt();
      task(tile);
    }
  });
}

void CrossBank::fill(const Indices& kernels, const std::vector<double*>& out) const {
  each_block(kernels, [&](const KernelBlock& block, Index first) {
    each_tile([&](const Tile& tile) {
      block.evaluate(tile, thread_scratch(),
                     [&](const KernelBlock::Step& step, const double* values) {
                       store_tile(tile, values, step.factor, out[at(first + step.position)], rows(),
                                  *runtime_.simd);
                     });
    });
  });
}

void CrossBank::sum(const Vector& weights, double* out) const {
  std::fill(out, out + rows() * training_rows(), 0.0);
  each_block(nonzero(weights), [&](const KernelBlock& block, Index) {
    each_tile([&](const Tile& tile) {
      store_tile(tile, block.weighted_sum(tile, weights, out, rows()), 1.0, out, rows(),
                 *runtime_.simd);
    });
  });
}

Matrix CrossBank::expand(const std::vector<Expansion>& expansions) const {
  Matrix decision(rows(), static_cast<Index>(expansions.size()));
  std::vector<SortedTerms> terms;
  Vector any = Vector::Zero(size());
  for (std::size_t e = 0; e < expansions.size(); ++e) {
    decision.col(static_cast<Index>(e)).setConstant(expansions[e].bias);
    any += expansions[e].weights.cwiseAbs();
    terms.emplace_back(expansions[e]);
  }
  each_block(nonzero(any), [&](const KernelBlock& block, Index) {
    const auto users = users_of(block, expansions);
    each_tile([&](const Tile& tile) {
      block.evaluate(
          tile, thread_scratch(), [&](const KernelBlock::Step& step, const double* values) {
            for (const User& user : users[at(step.position)]) {
              const SortedTerms& term = terms[user.expansion];
              double* to = decision.col(static_cast<Index>(user.expansion)).data() + tile.a_first;
              for (std::size_t i = term.from(tile.b_first);
                   i < term.rows.size() && term.rows[i] < tile.b_first + tile.b_count; ++i)
                runtime_.simd->axpy(step.factor * user.weight * term.coefficients[i],
                                    values + (term.rows[i] - tile.b_first) * panel_rows, to,
                                    tile.a_count);
            }
          });
    });
  });
  return decision;
}

Vector CrossBank::expand_product(const Expansion& e) const {
  Vector decision = Vector::Constant(rows(), e.bias);
  Vector coefficients = Vector::Zero(training_rows());
  for (std::size_t i = 0; i < e.rows.size(); ++i)
    coefficients[e.rows[i]] = e.coefficients[static_cast<Index>(i)];
  // All kernels together: the product of a part of them is of no use.
  const KernelBlock block(*set_, stored_, normalizers_, nonzero(e.weights), *fresh_, *training_,
                          *training_, runtime_);
  runtime_.parallel_for(fresh_->packed.panels(), [&](Index panel) {
    for (const Tile& tile : tiles_of_panel(*fresh_, panel, *training_)) {
      runtime_.check_interrupt();
      const double* logs = block.weighted_log_sum(tile, e.weights, nullptr, 0);
      for (Index j = 0; j < tile.b_count; ++j) {
        const double beta = coefficients[tile.b_first + j];
        if (beta == 0.0) continue;
        for (Index i = 0; i < tile.a_count; ++i)
          decision[tile.a_first + i] += beta * std::exp(logs[i + j * panel_rows]);
      }
    }
  });
  return decision;
}

}  // namespace mk
