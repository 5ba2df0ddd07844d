#include "blocks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "../approximations/landmarks.hpp"
#include "../approximations/new_features.hpp"
#include "../approximations/nystrom.hpp"
#include "../base/errors.hpp"
#include "../learners/feature_model.hpp"

namespace mk {

namespace {

constexpr Index rows_together = 2048;  // whose features are held at a time
constexpr Index error_rows = 256;      // that the error of random features is measured on

bool is_factor(Normalization kind) {
  return kind == Normalization::trace || kind == Normalization::unit_trace;
}

// The values of the stages of one kernel, as fit_normalizers() finds them on all rows at once.
std::vector<double> stage_values(const std::vector<Normalization>& stages, double trace,
                                 double present, double rows, const std::string& name) {
  std::vector<double> values;
  for (const Normalization kind : stages) {
    if (kind == Normalization::cosine) {
      trace = present;
      values.push_back(1.0);
      continue;
    }
    if (!is_factor(kind) || !(trace > 0.0) || std::isinf(trace))
      throw InvalidArgument("Kernel `" + name + "` cannot be normalised: its trace is " +
                                format_number(trace) + ", not a positive finite number.",
                            name);
    const double value = (kind == Normalization::trace ? rows : 1.0) / trace;
    trace *= value;
    values.push_back(value);
  }
  return values;
}

Normalizers normalizers_of(const KernelSet& set, const KernelTotals& totals) {
  Normalizers out(at(set.items()));
  for (Index m = 0; m < set.size(); ++m) {
    const auto [item, place] = set.locate(m);
    const std::vector<Normalization>& stages = set.normalization(item);
    const std::vector<double> values =
        stage_values(stages, totals.trace[m], totals.present[m], totals.rows, set.item_name(item));
    out[at(item)].resize(stages.size());
    for (std::size_t s = 0; s < stages.size(); ++s) {
      StageFit& stage = out[at(item)][s];
      stage.kind = stages[s];
      if (!is_factor(stage.kind)) continue;
      if (stage.value.size() == 0) stage.value = Vector::Ones(set.item_size(item));
      stage.value[place] = values[s];
    }
  }
  return out;
}

// The factor of the stages after the last cosine, before which factors do not matter.
double plain_factor(const ItemNormalizer& stages, Index place) {
  double factor = 1.0;
  for (const StageFit& stage : stages)
    factor = is_factor(stage.kind) ? factor * stage.value[place] : 1.0;
  return factor;
}

// New rows against landmarks, with the normalizers of all rows.
CrossBank block_bank(const BlockMap& map, const SharedFeatures& x, const Runtime& runtime) {
  check_shape(*x, *map.landmarks, "x");
  x->check_finite("x");
  const KernelItems items = read_kernels(*x, map.landmarks->rows(), map.kernels);
  Examples examples = new_examples(x, items, "x", runtime);
  items.set->check_domain(examples, "x");
  Examples kept = kept_examples(map.landmarks, items, runtime);
  const Origins origins = items.set->origins(kept);
  const auto fresh = whole_group(std::move(examples), false, origins);
  const auto training = whole_group(std::move(kept), true, origins);
  FittedKernels fitted{items.set, training, {}};
  for (const State& state : map.normalizers)
    fitted.normalizers.push_back(restore_normalizer(state));
  return CrossBank(std::make_shared<FittedKernels>(std::move(fitted)), fresh, training, runtime);
}

// Labels and weights of one problem at some rows; rows of other classes have the weight 0.
SumsTarget target_of(const RowBlock& block, const BlockProblem& problem, const Vector& center,
                     Index first, Index count) {
  SumsTarget out{block.y.segment(first, count), block.weights.segment(first, count),
                 center.segment(first, count)};
  if (problem.classes.positive < 0) return out;
  for (Index i = 0; i < count; ++i) {
    const auto code = static_cast<Index>(out.y[i]);
    const bool positive = code == problem.classes.positive;
    const bool other = problem.classes.negative >= 0 && code != problem.classes.negative;
    if (!positive && other) out.weights[i] = 0.0;
    out.y[i] = positive ? 1.0 : -1.0;
  }
  return out;
}

// k(x, x) of kernel m, normalized.
Vector normalized_diagonal(const CrossBank& cross, Index m) {
  const auto [item, place] = cross.fitted().set->locate(m);
  Vector diagonal = cross.fitted().set->kernel(m).diagonal(cross.fresh(), *cross.runtime().simd);
  for (const StageFit& stage : cross.fitted().normalizers[at(item)]) {
    if (is_factor(stage.kind)) diagonal *= stage.value[place];
    else diagonal = (diagonal.array() != 0.0).cast<double>();
  }
  return diagonal;
}

void add_residuals(const CrossBank& cross, const FeatureRowsMatrix& z, const Indices& offsets,
                   const Indices& positions, BlockSums& out) {
  const CrossBank part = cross.part(positions);
  Vector all = Vector::Zero(z.rows());
  for (Index m = 0; m < cross.size(); ++m) {
    const Vector exact = normalized_diagonal(part, m);
    const Index first = offsets[at(m)], count = offsets[at(m) + 1] - first;
    const Vector lengths = z.middleCols(first, count).rowwise().squaredNorm();
    out.diagonal[m] += exact.lpNorm<1>();
    out.residual[m] += (exact - lengths).lpNorm<1>();
    all += lengths;
  }
  out.longest = std::max(out.longest, all.maxCoeff());
}

}  // namespace

KernelTotals kernel_totals(const SharedFeatures& x, const std::vector<State>& kernels,
                           const Runtime& runtime) {
  const KernelItems items = read_kernels(*x, 0, kernels);
  Examples examples = new_examples(x, items, "x", runtime);
  items.set->check_domain(examples, "x");
  const auto group = whole_group(std::move(examples), false);
  KernelTotals out{Vector(items.set->size()), Vector(items.set->size()),
                   static_cast<double>(x->rows())};
  for (Index m = 0; m < items.set->size(); ++m) {
    runtime.check_interrupt();
    const Vector diagonal = items.set->kernel(m).diagonal(*group, *runtime.simd);
    out.trace[m] = diagonal.sum();
    out.present[m] = static_cast<double>((diagonal.array() != 0.0).count());
  }
  return out;
}

BlockMapFit fit_block_map(const SharedFeatures& sample, const std::vector<State>& kernels,
                          const KernelTotals& totals, const FeatureDraw& draw,
                          const Runtime& runtime) {
  const KernelBank bank = training_bank(sample, kernels, runtime);
  BlockMapFit out;
  out.normalizers = normalizers_of(bank.set(), totals);
  out.columns.resize(bank.size());
  if (draw.count > 0) {
    for (Index m = 0; m < bank.size(); ++m)
      out.columns[m] = static_cast<double>(ExplicitMap::columns(*bank.fitted(), m, draw));
    const KernelBank part =
        bank.subset(spread_rows(bank.rows(), std::min(bank.rows(), error_rows)));
    out.error = make_random_features(part, draw, runtime).error;
    return out;
  }
  Nystrom nystrom = make_nystrom(bank, all_rows(bank.rows()), runtime);
  for (Index m = 0; m < bank.size(); ++m) {
    // The bank has the normalizers of the landmarks alone: its kernel is another multiple.
    const auto [item, place] = bank.set().locate(m);
    const double ratio = plain_factor(bank.normalizers()[at(item)], place) /
                         plain_factor(out.normalizers[at(item)], place);
    out.back.push_back(nystrom.back[at(m)] * std::sqrt(ratio));
    out.columns[m] = static_cast<double>(out.back.back().cols());
  }
  out.indefinite = nystrom.indefinite;
  return out;
}

Indices block_landmarks(const std::string& method, Index count, const SharedFeatures& sample,
                        const std::vector<State>& kernels, const Runtime& runtime) {
  return choose_landmarks(method, count, training_bank(sample, kernels, runtime), runtime);
}

BlockSums sum_block(const BlockMap& map, RowBlock& block, const std::vector<BlockProblem>& problems,
                    const std::vector<SumsRequest>& requests, bool residuals,
                    const Runtime& runtime) {
  const CrossBank cross = block_bank(map, block.x, runtime);
  const NewFeatures features(cross, map.back, map.draw);
  const Index n = cross.rows(), columns = features.offsets().back();
  BlockSums out;
  if (residuals) out.diagonal = out.residual = Vector::Zero(cross.size());
  block.centers.resize(problems.size());
  for (std::size_t p = 0; p < problems.size(); ++p) {
    if (requests[p].w.size() != columns + 1)
      throw InvalidArgument("w", "of length " + std::to_string(columns + 1),
                            "of length " + std::to_string(requests[p].w.size()));
    out.sums.emplace_back(columns, requests[p].steps.size());
    if (block.centers[p].size() != n) block.centers[p] = Vector::Zero(n);
  }
  for (Index first = 0; first < n; first += rows_together) {
    runtime.check_interrupt();
    Indices positions(at(std::min(rows_together, n - first)));
    std::iota(positions.begin(), positions.end(), first);
    const FeatureRowsMatrix z = features.rows(positions);
    if (residuals) add_residuals(cross, z, features.offsets(), positions, out);
    for (std::size_t p = 0; p < problems.size(); ++p) {
      SumsTarget target = target_of(block, problems[p], block.centers[p], first, z.rows());
      add_rows(z, target, requests[p], out.sums[p], runtime);
      block.centers[p].segment(first, z.rows()) = target.center;
    }
  }
  return out;
}

std::vector<BlocksFit> fit_blocks(const BlocksRequest& request, const SumsOracle& oracle,
                                  const Runtime& runtime) {
  std::vector<SumsNewton> problems;
  for (std::size_t p = 0; p < request.problems.size(); ++p)
    problems.emplace_back(BlockNorm(request.offsets, request.p, request.weights),
                          request.problems[p].loss, request.options,
                          request.starts.empty() ? Vector() : request.starts[p]);
  minimize_sums(problems, oracle, runtime);
  std::vector<BlocksFit> out;
  for (std::size_t p = 0; p < problems.size(); ++p)
    out.push_back({request.problems[p].classes, problems[p].solution(), problems[p].weights(),
                   problems[p].report()});
  return out;
}

std::unique_ptr<Model> block_model(const BlocksFit& fit, const Indices& offsets,
                                   const std::vector<Matrix>& back, const FeatureDraw& draw) {
  auto model = std::make_unique<FeatureModel>();
  model->weights = fit.weights;
  model->report = fit.report;
  model->draw = draw;
  model->bias = fit.w[offsets.back()];
  for (std::size_t m = 0; m + 1 < offsets.size(); ++m) {
    const Vector v = fit.w.segment(offsets[m], offsets[m + 1] - offsets[m]);
    model->v.push_back(v.isZero(0.0) ? Vector() : v);
  }
  if (back.empty()) return model;
  return model->on_landmarks(all_rows(back.front().rows()), back);
}

}  // namespace mk
