#include "cross_bank.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "../base/errors.hpp"

namespace mk {

namespace {

// The coefficients of an expansion, sorted by training row.
struct SortedTerms {
  Indices rows;
  std::vector<double> coefficients;

  explicit SortedTerms(const Expansion& e) {
    Indices order = all_rows(e.coefficients.size());
    // Stable, so that a row that comes twice keeps its order of summation.
    if (!std::is_sorted(e.rows.begin(), e.rows.end()))
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

CrossBank::CrossBank(std::shared_ptr<const FittedKernels> fitted,
                     std::shared_ptr<const RowGroup> fresh,
                     std::shared_ptr<const RowGroup> training, const Runtime& runtime)
    : fitted_(std::move(fitted)),
      fresh_(std::move(fresh)),
      training_(std::move(training)),
      runtime_(runtime) {
  const auto& known = training_->examples().sources;
  const auto& given = fresh_->examples().sources;
  for (std::size_t s = 0; s < std::min(known.size(), given.size()); ++s) {
    const std::string type = known[s]->type(), found = given[s]->type();
    if (found != type) throw InvalidArgument("newdata", type + ", as the training data", found);
  }
  if (known.size() != given.size())
    throw InvalidArgument("newdata", "of as many sources as the training data", "others");
}

// Here, as a bank needs to know no more of them.
std::unique_ptr<CrossBank> KernelBank::cross(const Indices& fresh, const Indices& training,
                                             const Runtime& runtime) const {
  return std::make_unique<CrossBank>(fitted_, group_->part(fresh), group_->part(training), runtime);
}

CrossBank CrossBank::part(const Indices& positions) const {
  return CrossBank(fitted_, fresh_->part(positions), training_, runtime_);
}

// New examples are packed some at a time, so that no packed copy of all of them is made. Training
// examples are packed already.
void CrossBank::each_span(const SpanTask& task) const {
  const Index panels = std::max<Index>(64, 8 * runtime_.threads);  // enough for all threads
  const Index step = fresh_->training() ? rows() : panels * panel_rows;
  for (Index first = 0; first < rows(); first += step) {
    const Span span = {first, std::min(step, rows() - first)};
    Indices positions(at(span.count));
    std::iota(positions.begin(), positions.end(), first);
    task(*fresh_->part(positions), span);
  }
}

void CrossBank::each_block(const Indices& kernels, const BlockTask& task) const {
  for_blocks(kernels, [&](const Indices& some, Index first) {
    each_span([&](const RowGroup& fresh, const Span& span) {
      task(KernelBlock(*fitted_, some, fresh, *training_, runtime_), first, span);
    });
    runtime_.advance(static_cast<Index>(some.size()));
  });
}

void CrossBank::fill(const Indices& kernels, const std::vector<double*>& out) const {
  each_block(kernels, [&](const KernelBlock& block, Index first, const Span& span) {
    for_tiles(span.count, training_rows(), runtime_, [&](const Tile& tile) {
      block.evaluate(tile, [&](const KernelBlock::Step& step, const double* values) {
        store_tile(tile, values, step.factor, out[at(first + step.position)] + span.first, rows(),
                   *runtime_.simd);
      });
    });
  });
}

void CrossBank::sum(const Vector& weights, double* out) const {
  std::fill(out, out + rows() * training_rows(), 0.0);
  each_block(nonzero(weights), [&](const KernelBlock& block, Index, const Span& span) {
    double* to = out + span.first;
    for_tiles(span.count, training_rows(), runtime_, [&](const Tile& tile) {
      store_tile(tile, block.weighted_sum(tile, weights, to, rows()), 1.0, to, rows(),
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
  each_block(nonzero(any), [&](const KernelBlock& block, Index, const Span& span) {
    const auto users = users_of(block, expansions);
    for_tiles(span.count, training_rows(), runtime_, [&](const Tile& tile) {
      block.evaluate(tile, [&](const KernelBlock::Step& step, const double* values) {
        for (const User& user : users[at(step.position)]) {
          const SortedTerms& term = terms[user.expansion];
          double* to =
              decision.col(static_cast<Index>(user.expansion)).data() + span.first + tile.a_first;
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

// An example that lacks a view of one kernel has no product: its factor 0 would say that it is
// similar to nothing.
void CrossBank::require_all_views(const Indices& kernels) const {
  for (const Index m : kernels)
    if (fitted_->set->kernel(m).mask(*fresh_).size() > 0) KernelBank::refuse_missing_views();
}

Vector CrossBank::expand_product(const Expansion& e) const {
  Vector decision = Vector::Constant(rows(), e.bias);
  Vector coefficients = Vector::Zero(training_rows());
  for (std::size_t i = 0; i < e.rows.size(); ++i)
    coefficients[e.rows[i]] = e.coefficients[static_cast<Index>(i)];
  // All kernels together: the product of a part of them is of no use.
  const Indices kernels = nonzero(e.weights);
  require_all_views(kernels);
  each_span([&](const RowGroup& fresh, const Span& span) {
    const KernelBlock block(*fitted_, kernels, fresh, *training_, runtime_);
    for_tiles(span.count, training_rows(), runtime_, [&](const Tile& tile) {
      const double* logs = block.weighted_log_sum(tile, e.weights);
      for (Index j = 0; j < tile.b_count; ++j) {
        const double beta = coefficients[tile.b_first + j];
        if (beta == 0.0) continue;
        double* to = decision.data() + span.first + tile.a_first;
        for (Index i = 0; i < tile.a_count; ++i) to[i] += beta * std::exp(logs[i + j * panel_rows]);
      }
    });
  });
  return decision;
}

}  // namespace mk
