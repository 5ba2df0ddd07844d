#include "kernel_block.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <tuple>

#include "../base/errors.hpp"

namespace mk {

namespace {
std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// A relative error grows 2^squarings-fold along the ladder: 2^6 keeps it below 1e-13.
constexpr int longest_ladder = 6;
}  // namespace

TileScratch::TileScratch() {
  for (auto* buffer : {&sums, &raw, &work, &other, &total, &spare})
    buffer->setZero(panel_rows * wide_columns);
}

void TileScratch::keep(const double* values) {
  for (auto* buffer : {&raw, &work, &total})
    if (buffer->data() == values) return buffer->swap(spare);
  throw std::logic_error("a tile that is none of the buffers of its thread");
}

TileScratch& thread_scratch() {
  static thread_local TileScratch scratch;
  return scratch;
}

KernelBlock::KernelBlock(const KernelSet& set, const std::vector<MatrixView>& stored,
                         const Normalizers& normalizers, const Indices& kernels, const Side& a,
                         const Side& b, const Side& training, const Runtime& runtime, Index stages)
    : set_(set), stored_(stored), a_(a), b_(b), simd_(*runtime.simd) {
  std::vector<Step> unordered;
  unordered.reserve(kernels.size());
  for (Index m : kernels)
    unordered.push_back(
        {m, static_cast<Index>(unordered.size()), set.kernel(m), false, 0, 1.0, {}});
  plan(std::move(unordered));
  for (Step& step : steps_) prepare_stages(step, normalizers, training, runtime, stages);
}

Vector kernel_diagonal(const Kernel& kernel, const Side& side, const Simd& simd) {
  Vector diagonal = Vector::Ones(side.count());
  for (const Factor& factor : kernel.factors) {
    if (!factor.is_stored()) {
      diagonal.array() *= factor_diagonal(factor, side.x, side.rows, simd).array();
      continue;
    }
    if (side.count() == 0) continue;
    if (side.stored_diagonals == nullptr || (*side.stored_diagonals)[at(factor.stored)].size() == 0)
      throw InvalidArgument(
          "Cosine normalisation of a precomputed kernel needs k(x, x) of the new examples: give "
          "the new matrix an attribute \"diagonal\".");
    const Vector& stored = (*side.stored_diagonals)[at(factor.stored)];
    for (Index i = 0; i < side.count(); ++i) diagonal[i] *= stored[side.rows[at(i)]];
  }
  return diagonal;
}

void KernelBlock::plan(std::vector<Step> unordered) {
  using Key = std::tuple<int, double, std::vector<int>>;
  std::map<Key, std::vector<Step>> groups;
  for (Step& step : unordered) {
    const Factor& factor = step.kernel.factors.front();
    if (step.kernel.factors.size() == 1 && !factor.is_stored())
      groups[{static_cast<int>(factor.kind), factor.parameter, factor.features}].push_back(
          std::move(step));
    else steps_.push_back(std::move(step));
  }
  for (auto& group : groups) {
    std::vector<Step>& steps = group.second;
    std::stable_sort(steps.begin(), steps.end(), [](const Step& x, const Step& y) {
      return x.kernel.factors[0].map->rank() < y.kernel.factors[0].map->rank();
    });
    int climbed = 0;
    for (std::size_t k = 1; k < steps.size(); ++k) {
      steps[k].shares_sums = true;
      const int squarings =
          steps[k].kernel.factors[0].map->squarings_from(*steps[k - 1].kernel.factors[0].map);
      climbed = squarings > 0 && climbed + squarings <= longest_ladder ? climbed + squarings : 0;
      steps[k].squarings = climbed > 0 ? squarings : 0;
    }
    std::move(steps.begin(), steps.end(), std::back_inserter(steps_));
  }
}

namespace {

// Means over the training rows of the values that enter a stage, for each example of `side`.
Vector stage_means(const KernelSet& set, const std::vector<MatrixView>& stored,
                   const Normalizers& normalizers, Index m, const Side& side, const Side& training,
                   const Runtime& runtime, Index stages) {
  const KernelBlock block(set, stored, normalizers, {m}, side, training, training, runtime, stages);
  Vector sums = Vector::Zero(side.count());
  runtime.parallel_for(side.packed.panels(), [&](Index panel) {
    TileScratch& scratch = thread_scratch();
    for (const Tile& tile : tiles_of_panel(side, panel, training))
      block.evaluate(tile, scratch, [&](const KernelBlock::Step& step, const double* values) {
        for (Index j = 0; j < tile.b_count; ++j)
          runtime.simd->axpy(step.factor, values + j * panel_rows, sums.data() + tile.a_first,
                             tile.a_count);
      });
  });
  return sums / static_cast<double>(training.count());
}

Vector gather(const Matrix& means, Index column, const Indices& rows) {
  Vector out(static_cast<Index>(rows.size()));
  for (Index i = 0; i < out.size(); ++i) out[i] = means(rows[at(i)], column);
  return out;
}

Vector inverse_roots(const Vector& diagonal, const std::string& name) {
  for (Index i = 0; i < diagonal.size(); ++i)
    if (!(diagonal[i] > 0.0) || std::isinf(diagonal[i]))
      throw InvalidArgument("Kernel `" + name + "` cannot be normalised by \"cosine\": its value " +
                            "of example " + std::to_string(i + 1) + " with itself is " +
                            format_number(diagonal[i]) + ", not a positive finite number.");
  return diagonal.array().sqrt().inverse().matrix();
}

}  // namespace

// Walks along the chain, with the diagonal of each side as it enters each stage.
void KernelBlock::prepare_stages(Step& step, const Normalizers& normalizers, const Side& training,
                                 const Runtime& runtime, Index stages) {
  const auto place = set_.locate(step.m);
  std::vector<Normalization> chain = set_.normalization(place.first);
  if (stages >= 0) chain.resize(at(std::min<Index>(stages, static_cast<Index>(chain.size()))));
  if (chain.empty()) return;
  const ItemNormalizer& fitted = normalizers[at(place.first)];
  if (is_plain_factor(chain)) {
    for (std::size_t s = 0; s < chain.size(); ++s) step.factor *= fitted[s].value[place.second];
    return;
  }
  const bool same = &a_ == &b_;
  const auto last_cosine = std::find(chain.rbegin(), chain.rend(), Normalization::cosine);
  const bool needs_diagonal = last_cosine != chain.rend();
  Vector diagonal_a, diagonal_b;
  if (needs_diagonal) {
    diagonal_a = kernel_diagonal(step.kernel, a_, simd_);
    if (!same) diagonal_b = kernel_diagonal(step.kernel, b_, simd_);
  }
  for (std::size_t s = 0; s < chain.size(); ++s) {
    StageValues stage;
    stage.kind = chain[s];
    const auto walk = [&](const Side& side, Vector& diagonal, Vector& out) {
      switch (chain[s]) {
        case Normalization::trace:
        case Normalization::unit_trace:
          diagonal *= fitted[s].value[place.second];
          break;
        case Normalization::cosine:
          out = inverse_roots(diagonal, set_.item_name(place.first));
          diagonal.setOnes();
          break;
        case Normalization::center:
          // Rows of the training set have their means; for others they are computed.
          out = side.training ? gather(fitted[s].means, place.second, side.rows)
                              : stage_means(set_, stored_, normalizers, step.m, side, training,
                                            runtime, static_cast<Index>(s));
          if (diagonal.size() > 0) center_diagonal(out, fitted[s].value[place.second], diagonal);
          break;
      }
    };
    if (stage.kind != Normalization::cosine) stage.value = fitted[s].value[place.second];
    walk(a_, diagonal_a, stage.a);
    if (same) stage.b = stage.a;
    else walk(b_, diagonal_b, stage.b);
    step.stages.push_back(std::move(stage));
  }
}

PanelPair panel_pair(const Side& a, const Side& b, const Tile& tile,
                     const std::vector<int>& features, double parameter) {
  const Index a_strip = tile.a_first / strip_rows, b_strip = tile.b_first / strip_rows;
  PanelPair pair = {a.packed.strip(a_strip),
                    tile.a_count,
                    b.packed.strip(b_strip),
                    tile.b_first % strip_rows,
                    tile.b_count,
                    a.packed.stride(),
                    features.data(),
                    static_cast<Index>(features.size()),
                    parameter};
  if (a.origin != nullptr && a.origin == b.origin) {
    pair.a_moved = a.packed.moved_strip(a_strip);
    pair.b_moved = b.packed.moved_strip(b_strip);
  }
  pair.in_order = a.packed.in_order(features);
  if (pair.in_order && a.origin == b.origin) {
    pair.a_lengths = a.packed.squared_lengths() + tile.a_first;
    pair.b_lengths = b.packed.squared_lengths() + tile.b_first;
  }
  return pair;
}

Origin origin_for(const KernelSet& set, const MatrixView& x) {
  Index m = 0;
  for (Index item = 0; item < set.items(); m += set.item_size(item++)) {
    if (set.item_size(item) == 0) continue;
    for (const Factor& factor : set.kernel(m).factors)  // kernels of an item are of one kind
      if (!factor.is_stored() && factor.kind == PairKind::squared_distance &&
          static_cast<Index>(factor.features.size()) >= dot_features)
        return origin_of(x);
  }
  return nullptr;
}

void KernelBlock::sum_features(const Factor& factor, const Tile& tile, TileScratch& scratch) const {
  PanelPair pair = panel_pair(a_, b_, tile, factor.features, factor.parameter);
  pair.on_its_way = &scratch.on_its_way;
  simd_.reduce[static_cast<int>(factor.kind)](pair, scratch.sums.data());
}

void KernelBlock::map_values(const Factor& factor, const Tile& tile, const double* sums,
                             double* out) const {
  if (tile.a_count == panel_rows) {
    factor.map->apply(sums, out, panel_rows * tile.b_count, simd_);
    return;
  }
  for (Index j = 0; j < tile.b_count; ++j)
    factor.map->apply(sums + j * panel_rows, out + j * panel_rows, tile.a_count, simd_);
}

void KernelBlock::factor_values(const Factor& factor, const Tile& tile, TileScratch& scratch,
                                double* out) const {
  if (!factor.is_stored()) {
    sum_features(factor, tile, scratch);
    map_values(factor, tile, scratch.sums.data(), out);
    return;
  }
  stored_values(factor, tile, out);
}

void KernelBlock::stored_values(const Factor& factor, const Tile& tile, double* out) const {
  const MatrixView& matrix = stored_[at(factor.stored)];
  for (Index j = 0; j < tile.b_count; ++j) {
    const double* column = matrix.column(b_.rows[at(tile.b_first + j)]);
    for (Index i = 0; i < tile.a_count; ++i)
      out[i + j * panel_rows] = column[a_.rows[at(tile.a_first + i)]];
  }
}

double* KernelBlock::values(const Step& step, const Tile& tile, TileScratch& scratch) const {
  double* raw = scratch.raw.data();
  const auto& factors = step.kernel.factors;
  const Index size = panel_rows * tile.b_count;
  if (step.squarings > 0) {
    for (int s = 0; s < step.squarings; ++s)
      simd_.square(s == 0 ? scratch.last_raw : raw, raw, size);
  } else if (factors.size() == 1 && !factors[0].is_stored()) {
    if (!step.shares_sums) sum_features(factors[0], tile, scratch);
    map_values(factors[0], tile, scratch.sums.data(), raw);
  } else {
    factor_values(factors[0], tile, scratch, raw);
    for (std::size_t f = 1; f < factors.size(); ++f) {
      factor_values(factors[f], tile, scratch, scratch.other.data());
      for (Index j = 0; j < tile.b_count; ++j)
        for (Index i = 0; i < tile.a_count; ++i)
          raw[i + j * panel_rows] *= scratch.other[i + j * panel_rows];
    }
  }
  scratch.last_raw = raw;
  if (step.stages.empty()) return raw;
  double* work = scratch.work.data();  // raw stays: the next step may square it
  std::copy(raw, raw + size, work);
  for (const StageValues& stage : step.stages)
    apply_stage(stage, work, tile.a_first, tile.a_count, tile.b_first, tile.b_count);
  return work;
}

// `summed`: the sums over its features are there already.
void KernelBlock::factor_logs(const Factor& factor, const Tile& tile, bool summed,
                              TileScratch& scratch, double* out) const {
  if (factor.is_stored()) stored_values(factor, tile, out);
  else if (!summed) sum_features(factor, tile, scratch);
  const double* sums = scratch.sums.data();
  for (Index j = 0; j < tile.b_count; ++j) {
    double* to = out + j * panel_rows;
    if (!factor.is_stored()) factor.map->apply_log(sums + j * panel_rows, to, tile.a_count, simd_);
    else
      for (Index i = 0; i < tile.a_count; ++i) to[i] = std::log(to[i]);
  }
}

double* KernelBlock::logs(const Step& step, const Tile& tile, TileScratch& scratch) const {
  double* total = scratch.work.data();
  const auto& factors = step.kernel.factors;
  for (std::size_t f = 0; f < factors.size(); ++f) {
    double* out = f == 0 ? total : scratch.other.data();
    factor_logs(factors[f], tile, f == 0 && step.shares_sums, scratch, out);
    if (f == 0) continue;
    for (Index j = 0; j < tile.b_count; ++j)
      simd_.axpy(1.0, out + j * panel_rows, total + j * panel_rows, tile.a_count);
  }
  if (step.factor != 1.0) {
    const double shift = std::log(step.factor);
    for (Index j = 0; j < tile.b_count; ++j)
      for (Index i = 0; i < tile.a_count; ++i) total[i + j * panel_rows] += shift;
  }
  for (const StageValues& stage : step.stages)
    apply_log_stage(stage, total, tile.a_first, tile.a_count, tile.b_first, tile.b_count);
  return total;
}

// The buffer that sums over kernels are gathered in: zeros, or the sums of kernels before.
double* KernelBlock::begin_total(const Tile& tile, const double* so_far, Index stride) const {
  double* total = thread_scratch().total.data();
  for (Index j = 0; j < tile.b_count; ++j) {
    double* to = total + j * panel_rows;
    if (so_far == nullptr) std::fill(to, to + panel_rows, 0.0);
    else std::copy_n(so_far + (tile.b_first + j) * stride + tile.a_first, tile.a_count, to);
  }
  return total;
}

double* KernelBlock::weighted_sum(const Tile& tile, const Vector& weights, const double* so_far,
                                  Index stride) const {
  double* total = begin_total(tile, so_far, stride);
  evaluate(tile, thread_scratch(), [&](const Step& step, const double* values) {
    simd_.axpy(step.factor * weights[step.m], values, total, panel_rows * tile.b_count);
  });
  return total;
}

double* KernelBlock::weighted_log_sum(const Tile& tile, const Vector& weights, const double* so_far,
                                      Index stride) const {
  double* total = begin_total(tile, so_far, stride);
  evaluate_logs(tile, thread_scratch(), [&](const Step& step, const double* logs) {
    for (Index j = 0; j < tile.b_count; ++j)  // between the columns there may be anything
      simd_.axpy(weights[step.m], logs + j * panel_rows, total + j * panel_rows, tile.a_count);
  });
  return total;
}

Indices nonzero(const Vector& weights) {
  Indices kernels;
  for (Index m = 0; m < weights.size(); ++m)
    if (weights[m] != 0.0) kernels.push_back(m);
  return kernels;
}

std::vector<Tile> tiles_of_panel(const Side& a, Index panel, const Side& b) {
  std::vector<Tile> tiles;
  for (Index first = 0; first < b.count(); first += tile_columns)
    tiles.push_back({panel * panel_rows, a.packed.panel_size(panel), first,
                     std::min(tile_columns, b.count() - first)});
  return tiles;
}

std::vector<Tile> lower_tiles(const Side& a, Index columns) {
  std::vector<Tile> tiles;
  for (Index panel = 0; panel < a.packed.panels(); ++panel) {
    const Index end = panel * panel_rows + a.packed.panel_size(panel);
    const Index start = panel * panel_rows;
    for (Index first = 0; first < start; first += columns)
      tiles.push_back({start, end - start, first, std::min(columns, start - first)});
    for (Index first = start; first < end; first += tile_columns)
      tiles.push_back({first, end - first, first, std::min(tile_columns, end - first)});
  }
  return tiles;
}

namespace {

[[noreturn]] void bad_trace(const std::string& name, double trace) {
  throw InvalidArgument("Kernel `" + name + "` cannot be normalised by its trace: it is " +
                        format_number(trace) + ", not a positive finite number.");
}

[[noreturn]] void bad_mean(const std::string& name) {
  throw InvalidArgument("Kernel `" + name +
                        "` cannot be normalised by \"center\": the mean of its values is not a "
                        "finite number.");
}

}  // namespace

Normalizers fit_normalizers(const KernelSet& set, const std::vector<MatrixView>& stored,
                            const Side& training, const Runtime& runtime) {
  Normalizers normalizers(at(set.items()));
  for (Index item = 0; item < set.items(); ++item) {
    for (Normalization kind : set.normalization(item)) {
      StageFit fit;
      fit.kind = kind;
      if (kind != Normalization::cosine) fit.value = Vector::Ones(set.item_size(item));
      if (kind == Normalization::center) fit.means.resize(training.count(), set.item_size(item));
      normalizers[at(item)].push_back(std::move(fit));
    }
  }
  for (Index m = 0; m < set.size(); ++m) {
    if (m % 256 == 0) runtime.check_interrupt();
    const auto place = set.locate(m);
    ItemNormalizer& item = normalizers[at(place.first)];
    if (item.empty()) continue;
    const Kernel kernel = set.kernel(m);
    Vector diagonal = kernel_diagonal(kernel, training, *runtime.simd);
    for (std::size_t s = 0; s < item.size(); ++s) {
      StageFit& stage = item[s];
      switch (stage.kind) {
        case Normalization::trace:
        case Normalization::unit_trace: {
          const double trace = diagonal.sum();
          if (!(trace > 0.0) || std::isinf(trace)) bad_trace(set.item_name(place.first), trace);
          const double n = static_cast<double>(training.count());
          stage.value[place.second] = (stage.kind == Normalization::trace ? n : 1.0) / trace;
          diagonal *= stage.value[place.second];
          break;
        }
        case Normalization::cosine:
          inverse_roots(diagonal, set.item_name(place.first));
          diagonal.setOnes();
          break;
        case Normalization::center: {
          const Vector means = stage_means(set, stored, normalizers, m, training, training, runtime,
                                           static_cast<Index>(s));
          stage.means.col(place.second) = means;
          stage.value[place.second] = means.mean();
          if (!std::isfinite(stage.value[place.second])) bad_mean(set.item_name(place.first));
          center_diagonal(means, stage.value[place.second], diagonal);
          break;
        }
      }
    }
  }
  return normalizers;
}

}  // namespace mk
