#include "kernel_block.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "../base/errors.hpp"

namespace mk {

namespace {

// A relative error grows 2^squarings-fold along the ladder: 2^6 keeps it below 1e-13.
constexpr int longest_ladder = 6;

// k(x, x), 1 for examples that lack a view of the kernel: nothing is divided by 0 there.
void fill_absent(const Vector& mask, Vector& diagonal) {
  for (Index i = 0; i < std::min(mask.size(), diagonal.size()); ++i)
    if (mask[i] == 0.0) diagonal[i] = 1.0;
}

// Kernels that share their sums, from a rank to the next.
void order_group(std::vector<KernelBlock::Step>& steps) {
  const auto map_of = [](const KernelBlock::Step& step) -> const PairMap& {
    return *step.kernel.factors.front().map;
  };
  std::stable_sort(steps.begin(), steps.end(),
                   [&](const KernelBlock::Step& x, const KernelBlock::Step& y) {
                     return map_of(x).rank() < map_of(y).rank();
                   });
  int climbed = 0;
  for (std::size_t k = 1; k < steps.size(); ++k) {
    steps[k].shares_sums = true;
    const int squarings = map_of(steps[k]).squarings_from(map_of(steps[k - 1]));
    climbed = squarings > 0 && climbed + squarings <= longest_ladder ? climbed + squarings : 0;
    steps[k].squarings = climbed > 0 ? squarings : 0;
  }
}

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

KernelBlock::KernelBlock(const FittedKernels& fitted, const Indices& kernels, const RowGroup& a,
                         const RowGroup& b, const Runtime& runtime, Index stages)
    : a_(a), b_(b), simd_(*runtime.simd) {
  std::vector<Step> unordered;
  unordered.reserve(kernels.size());
  for (Index m : kernels)
    unordered.push_back(
        {m, static_cast<Index>(unordered.size()), fitted.set->kernel(m), false, 0, 1.0, {}});
  plan(std::move(unordered));
  for (Step& step : steps_) prepare_stages(step, fitted, runtime, stages);
}

void KernelBlock::plan(std::vector<Step> unordered) {
  std::map<Factor, std::vector<Step>> groups;
  for (Step& step : unordered) {
    if (step.kernel.factors.size() > 1) steps_.push_back(std::move(step));
    else groups[step.kernel.factors.front()].push_back(std::move(step));
  }
  for (auto& group : groups) {
    order_group(group.second);
    std::move(group.second.begin(), group.second.end(), std::back_inserter(steps_));
  }
}

Vector seen_by(const Kernel& kernel, const RowGroup& group) {
  const Vector mask = kernel.mask(group);
  if (mask.size() == 0) return Vector::Ones(group.count());
  return (mask.array() != 0.0).cast<double>().matrix();
}

Vector stage_means(const FittedKernels& fitted, Index m, const RowGroup& group,
                   const Runtime& runtime, Index stage) {
  const RowGroup& training = *fitted.training;
  const KernelBlock block(fitted, {m}, group, training, runtime, stage);
  const Vector seen = seen_by(fitted.set->kernel(m), training);
  Vector sums = Vector::Zero(group.count());
  for_tiles(group.count(), training.count(), runtime, [&](const Tile& tile) {
    block.evaluate(tile, [&](const KernelBlock::Step& step, const double* values) {
      for (Index j = 0; j < tile.b_count; ++j)
        runtime.simd->axpy(step.factor * seen[tile.b_first + j], values + j * panel_rows,
                           sums.data() + tile.a_first, tile.a_count);
    });
  });
  return sums / seen.sum();
}

Vector pass_stage(const FittedKernels& fitted, Index m, Index s, const RowGroup& group,
                  Vector& diagonal, const Runtime& runtime) {
  const auto place = fitted.set->locate(m);
  const StageFit& fit = fitted.normalizers[at(place.first)][at(s)];
  const Kernel kernel = fitted.set->kernel(m);
  Vector out;
  fill_absent(kernel.mask(group), diagonal);
  switch (fit.kind) {
    case Normalization::trace:
    case Normalization::unit_trace:
      diagonal *= fit.value[place.second];
      break;
    case Normalization::cosine:
      out = inverse_roots(diagonal, fitted.set->item_name(place.first), kernel.may_vanish());
      diagonal = (out.array() != 0.0).cast<double>().matrix();
      break;
    case Normalization::center:
      // Training examples have their means; for others they are computed.
      out = group.training() ? take(fit.means.col(place.second), group.rows())
                             : stage_means(fitted, m, group, runtime, s);
      if (diagonal.size() > 0) center_diagonal(out, fit.value[place.second], diagonal);
      break;
  }
  return out;
}

void KernelBlock::prepare_stages(Step& step, const FittedKernels& fitted, const Runtime& runtime,
                                 Index stages) {
  const auto place = fitted.set->locate(step.m);
  std::vector<Normalization> kinds = fitted.set->normalization(place.first);
  if (stages >= 0) kinds.resize(at(std::min<Index>(stages, static_cast<Index>(kinds.size()))));
  normalize(step, kinds, fitted, runtime);
  if (stages < 0) mask(step);
}

// A mask is a factor for each example, as what cosine normalization multiplies by is.
void KernelBlock::mask(Step& step) const {
  const bool same = &a_ == &b_;
  StageValues stage;
  stage.kind = Normalization::cosine;
  stage.a = step.kernel.mask(a_);
  stage.b = same ? stage.a : step.kernel.mask(b_);
  if (stage.a.size() == 0 && stage.b.size() == 0) return;
  if (stage.a.size() == 0) stage.a.setOnes(a_.count());
  if (stage.b.size() == 0) stage.b.setOnes(b_.count());
  step.stages.push_back(std::move(stage));
}

void KernelBlock::normalize(Step& step, const std::vector<Normalization>& kinds,
                            const FittedKernels& fitted, const Runtime& runtime) const {
  if (kinds.empty()) return;
  const auto place = fitted.set->locate(step.m);
  const ItemNormalizer& item = fitted.normalizers[at(place.first)];
  if (is_plain_factor(kinds)) {
    for (std::size_t s = 0; s < kinds.size(); ++s) step.factor *= item[s].value[place.second];
    return;
  }
  const bool same = &a_ == &b_;
  Vector diagonal_a, diagonal_b;
  if (std::find(kinds.begin(), kinds.end(), Normalization::cosine) != kinds.end()) {
    diagonal_a = step.kernel.diagonal(a_, simd_);
    if (!same) diagonal_b = step.kernel.diagonal(b_, simd_);
  }
  for (std::size_t s = 0; s < kinds.size(); ++s) {
    StageValues stage;
    stage.kind = kinds[s];
    if (stage.kind != Normalization::cosine) stage.value = item[s].value[place.second];
    const Index number = static_cast<Index>(s);
    stage.a = pass_stage(fitted, step.m, number, a_, diagonal_a, runtime);
    stage.b = same ? stage.a : pass_stage(fitted, step.m, number, b_, diagonal_b, runtime);
    step.stages.push_back(std::move(stage));
  }
}

// The same for all factors that do not differ by <.
void KernelBlock::sum_features(const Factor& factor, const Tile& tile, TileScratch& scratch) const {
  a_.source(factor.source)
      .sums(b_.source(factor.source), tile, factor.sum, simd_, &scratch.on_its_way,
            scratch.sums.data());
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

// Before normalization.
void KernelBlock::raw_values(const Step& step, const Tile& tile, TileScratch& scratch,
                             double* raw) const {
  for (int s = 0; s < step.squarings; ++s)
    simd_.square(s == 0 ? scratch.last_raw : raw, raw, panel_rows * tile.b_count);
  if (step.squarings > 0) return;
  const auto& factors = step.kernel.factors;
  for (std::size_t f = 0; f < factors.size(); ++f) {
    if (!step.shares_sums) sum_features(factors[f], tile, scratch);
    double* out = f == 0 ? raw : scratch.other.data();
    map_values(factors[f], tile, scratch.sums.data(), out);
    if (f == 0) continue;
    for (Index j = 0; j < tile.b_count; ++j)
      for (Index i = 0; i < tile.a_count; ++i) raw[i + j * panel_rows] *= out[i + j * panel_rows];
  }
}

double* KernelBlock::values(const Step& step, const Tile& tile, TileScratch& scratch) const {
  double* raw = scratch.raw.data();
  raw_values(step, tile, scratch, raw);
  scratch.last_raw = raw;
  if (step.stages.empty()) return raw;
  double* work = scratch.work.data();  // raw stays: the next step may square it
  std::copy(raw, raw + panel_rows * tile.b_count, work);
  for (const StageValues& stage : step.stages) apply_stage(stage, tile, work);
  return work;
}

double* KernelBlock::logs(const Step& step, const Tile& tile, TileScratch& scratch) const {
  double* total = scratch.work.data();
  const auto& factors = step.kernel.factors;
  for (std::size_t f = 0; f < factors.size(); ++f) {
    double* out = f == 0 ? total : scratch.other.data();
    if (!step.shares_sums) sum_features(factors[f], tile, scratch);
    for (Index j = 0; j < tile.b_count; ++j) {
      const Index first = j * panel_rows;
      factors[f].map->apply_log(scratch.sums.data() + first, out + first, tile.a_count, simd_);
      if (f > 0) simd_.axpy(1.0, out + first, total + first, tile.a_count);
    }
  }
  if (step.factor != 1.0) {
    const double shift = std::log(step.factor);
    for (Index j = 0; j < tile.b_count; ++j)
      for (Index i = 0; i < tile.a_count; ++i) total[i + j * panel_rows] += shift;
  }
  for (const StageValues& stage : step.stages) apply_log_stage(stage, tile, total);
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
  evaluate(tile, [&](const Step& step, const double* values) {
    simd_.axpy(step.factor * weights[step.m], values, total, panel_rows * tile.b_count);
  });
  return total;
}

double* KernelBlock::weighted_log_sum(const Tile& tile, const Vector& weights) const {
  double* total = begin_total(tile, nullptr, 0);
  evaluate_logs(tile, [&](const Step& step, const double* logs) {
    for (Index j = 0; j < tile.b_count; ++j)  // between the columns there may be anything
      simd_.axpy(weights[step.m], logs + j * panel_rows, total + j * panel_rows, tile.a_count);
  });
  return total;
}

Indices nonzero(const Vector& values) {
  Indices positions;
  for (Index i = 0; i < values.size(); ++i)
    if (values[i] != 0.0) positions.push_back(i);
  return positions;
}

}  // namespace mk
