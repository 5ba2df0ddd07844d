#include "kernel_bank.hpp"

#include <algorithm>
#include <cmath>

#include "../base/errors.hpp"
#include "../base/memory.hpp"
#include "normalizer_fit.hpp"

namespace mk {

namespace {

std::shared_ptr<Matrix> new_matrix(Index n) {
  auto matrix = std::make_shared<Matrix>(n, n);
  prefer_huge_pages(matrix->data(), static_cast<std::size_t>(matrix->size()) * sizeof(double));
  return matrix;
}

// Bytes of matrices that are formed in a few milliseconds, in memory that is at hand
// (base/memory.hpp).
constexpr double small_matrix = 33554432.0;

// Products of sparse examples, or of counts of words, are found by an index of the columns of a
// tile: a tile of one column takes as long as a whole one.
bool has_slow_rows(const Features& x) {
  const std::string type = x.type();
  return type == "sparse" || type == "words";
}

}  // namespace

KernelBank::KernelBank(std::shared_ptr<const KernelSet> set, Examples examples,
                       const Runtime& runtime)
    : budget_(std::make_shared<MemoryBudget>(runtime.memory)),
      keeps_sums_(std::make_shared<bool>(false)),
      shared_(std::make_shared<bool>(false)),
      store_(std::make_shared<GramStore>(budget_)) {
  Origins origins = set->origins(examples);
  group_ = whole_group(std::move(examples), true, std::move(origins));
  fitted_ = std::make_shared<FittedKernels>(fit_normalizers(std::move(set), group_, runtime));
}

bool KernelBank::fits(double count) const {
  return features_ == nullptr && budget_->fits(count * matrix_bytes());
}

bool KernelBank::fits_all(double extra, const Runtime& runtime) const {
  if (features_ != nullptr) return false;
  Index kept;
  {
    const auto lock = store_->lock(runtime);
    kept = store_->matrices();
  }
  return fits(static_cast<double>(size() - kept) + extra);
}

bool KernelBank::forms_at_once(const Vector& weights, const Runtime& runtime) const {
  if (matrix_bytes() <= small_matrix || parent_ != nullptr || *keeps_sums_ || *shared_) return true;
  const auto& sources = group_->examples().sources;
  if (std::any_of(sources.begin(), sources.end(),
                  [](const SharedFeatures& x) { return has_slow_rows(*x); }))
    return true;
  const Indices kernels = nonzero(weights);
  if (kernels.size() != 1 || weights[kernels[0]] != 1.0) return false;
  if (users_matrix(kernels[0]).data != nullptr) return true;
  const auto lock = store_->lock(runtime);
  return store_->matrix(kernels[0]).view.data != nullptr;
}

KernelBank KernelBank::subset(const Indices& positions) const {
  KernelBank bank = *this;
  bank.group_ = group_->part(positions);
  bank.store_ = std::make_shared<GramStore>(budget_);
  bank.parent_ = std::make_shared<KernelBank>(*this);
  bank.positions_ = positions;
  if (features_ != nullptr) bank.features_ = features_->subset(positions);
  return bank;
}

KernelBank KernelBank::approximate(std::shared_ptr<const KernelFeatures> features) const {
  KernelBank bank = *this;
  bank.features_ = std::move(features);
  return bank;
}

void KernelBank::require_matrices() const {
  if (features_ == nullptr) return;
  throw InvalidArgument("approximate", "left out for this learner, which needs kernel matrices",
                        "an approximation");
}

KernelBlock KernelBank::block(const Indices& kernels, const Runtime& runtime) const {
  return KernelBlock(*fitted_, kernels, *group_, *group_, runtime);
}

void KernelBank::each_tile(const Indices& kernels, const Runtime& runtime, Reader reader,
                           const TileTask& task) const {
  require_matrices();
  const std::vector<Tile> tiles =
      lower_tiles(rows(), kernels.size() == 1 ? wide_columns : tile_columns);
  const Index n_tiles = static_cast<Index>(tiles.size());
  // Tiles that follow each other on one thread are written while the next is computed.
  const Index groups = runtime.threads == 1 ? 1 : std::min<Index>(n_tiles, 8 * runtime.threads);
  for_blocks(kernels, [&](const Indices& some, Index first) {
    const KernelBlock part = block(some, runtime);
    runtime.parallel_for(groups, [&](Index group) {
      TileWriter writer(rows(), reader, *runtime.simd);
      for (Index t = group * n_tiles / groups; t < (group + 1) * n_tiles / groups; ++t) {
        runtime.check_interrupt();
        task(part, tiles[at(t)], first, writer);
      }
      writer.finish();
    });
    runtime.advance(static_cast<Index>(some.size()));
  });
}

void KernelBank::fill(const Indices& kernels, const std::vector<double*>& out,
                      const Runtime& runtime, Reader reader) const {
  each_tile(kernels, runtime, reader,
            [&](const KernelBlock& block, const Tile& tile, Index first, TileWriter& writer) {
              block.evaluate(tile, [&](const KernelBlock::Step& step, double* values) {
                writer.put(tile, values, step.factor, out[at(first + step.position)]);
              });
            });
}

// A user's matrix that needs no normalization, no mask and no selection of rows is used where it
// is; without data for other kernels.
MatrixView KernelBank::users_matrix(Index m) const {
  require_matrices();
  if (parent_ != nullptr || !set().normalization(set().locate(m).first).empty()) return {};
  const Kernel kernel = set().kernel(m);
  if (kernel.factors.size() != 1 || kernel.mask(*group_).size() > 0) return {};
  return group_->examples().sources[at(kernel.factors.front().source)]->stored_matrix();
}

GramView KernelBank::compute(Index m, const Runtime& runtime) const {
  auto matrix = new_matrix(rows());
  fill({m}, {matrix->data()}, runtime);
  return {matrix, view(*matrix)};
}

// The kept matrix of kernel m, kept now if there is room; without data if there is none.
GramView KernelBank::stored_matrix(Index m, const Runtime& runtime) const {
  const GramView users{nullptr, users_matrix(m)};
  if (users.view.data != nullptr) return users;
  const auto lock = store_->lock(runtime);
  const GramView known = store_->matrix(m);
  if (known.view.data != nullptr || !fits(1.0)) return known;
  const GramView matrix = compute(m, runtime);
  store_->keep(m, matrix);
  store_->book(matrix_bytes());
  return matrix;
}

std::shared_ptr<const void> KernelBank::reserve(double count) const {
  const double bytes = count * matrix_bytes();
  const std::shared_ptr<MemoryBudget> budget = budget_;
  budget->use(bytes);
  return {nullptr, [budget, bytes](const void*) { budget->use(-bytes); }};
}

// The rows of this bank in a matrix of its parent.
GramView KernelBank::part_of(const MatrixView& whole) const {
  const auto part = std::make_shared<const Matrix>(take(whole, positions_, positions_));
  return {part, view(*part)};
}

GramView KernelBank::matrix(Index m, const Runtime& runtime) const {
  if (parent_ != nullptr) {
    const GramView whole = parent_->stored_matrix(m, runtime);
    if (whole.view.data != nullptr) return part_of(whole.view);
  }
  const GramView kept = stored_matrix(m, runtime);
  return kept.view.data != nullptr ? kept : compute(m, runtime);
}

// ---- triangles ---------------------------------------------------------------------------------

// Those that are there already, one view per kernel. The mutex of the store is locked.
std::vector<TriangleView> KernelBank::known_triangles() const {
  std::vector<TriangleView> all(at(size()));
  for (Index m = 0; m < size(); ++m) all[at(m)] = {nullptr, users_matrix(m).data, rows(), false};
  store_->triangles(all);
  return all;
}

// The rows of this bank in a triangle of its parent.
void KernelBank::copy_part(const TriangleView& whole, double* out) const {
  for (Index j = 0; j < rows(); ++j)
    for (Index i = j; i < rows(); ++i) {
      const Index a = positions_[at(i)], b = positions_[at(j)];
      *out++ = whole.column(std::min(a, b))[std::abs(a - b)];
    }
}

void KernelBank::fill_triangles(const Indices& kernels, const std::vector<double*>& out,
                                const Runtime& runtime) const {
  const Index n = rows();
  const auto store = [&](const KernelBlock& block, const Tile& tile, Index first, TileWriter&) {
    block.evaluate(tile, [&](const KernelBlock::Step& step, const double* values) {
      double* triangle = out[at(first + step.position)];
      for (Index c = 0; c < tile.b_count; ++c, values += panel_rows) {
        const Index j = tile.b_first + c, skip = std::max<Index>(j - tile.a_first, 0);
        double* to = triangle + triangle_start(j, n) + tile.a_first - j;
        for (Index r = skip; r < tile.a_count; ++r) to[r] = step.factor * values[r];
      }
    });
  };
  each_tile(kernels, runtime, Reader::soon, store);
}

std::vector<TriangleView> KernelBank::triangles(const Runtime& runtime) const {
  const auto lock = store_->lock(runtime);
  std::vector<TriangleView> all = known_triangles();
  Indices missing;
  for (Index m = 0; m < size(); ++m)
    if (all[at(m)].data == nullptr) missing.push_back(m);
  const Index n = rows(), length = triangle_size(n);
  const double bytes = 8.0 * static_cast<double>(length);
  const double room = std::floor(budget_->room() / bytes);
  if (static_cast<double>(missing.size()) > room)
    missing.resize(static_cast<std::size_t>(std::max(room, 0.0)));
  if (missing.empty()) return all;
  // One piece of memory for all: huge pages, and the kernels share their sums over features.
  const auto piece = std::make_shared<Matrix>(length, static_cast<Index>(missing.size()));
  prefer_huge_pages(piece->data(), static_cast<std::size_t>(piece->size()) * sizeof(double));
  store_->book(bytes * static_cast<double>(missing.size()));
  std::vector<TriangleView> whole(at(size()));
  if (parent_ != nullptr) {
    const auto lock_parent = parent_->store_->lock(runtime);
    whole = parent_->known_triangles();
  }
  Indices fresh;
  std::vector<double*> out;
  for (std::size_t k = 0; k < missing.size(); ++k) {
    double* to = piece->col(static_cast<Index>(k)).data();
    const Index m = missing[k];
    all[at(m)] = {piece, to, n, true};
    if (whole[at(m)].data != nullptr) {
      runtime.check_interrupt();
      copy_part(whole[at(m)], to);
    } else {
      fresh.push_back(m);
      out.push_back(to);
    }
  }
  fill_triangles(fresh, out, runtime);
  for (const Index m : missing) store_->keep(m, all[at(m)]);
  return all;
}

void KernelBank::visit(const Visitor& f, const Runtime& runtime) const {
  Matrix matrix(rows(), rows());
  for (Index m = 0; m < size(); ++m) {
    fill({m}, {matrix.data()}, runtime);
    f(m, matrix);
  }
}

void KernelBank::refuse_missing_views() {
  throw InvalidArgument("missing",
                        "\"impute\" or \"omit\", as a product of kernels needs all views",
                        "\"available\"");
}

void KernelBank::visit_logs(const Visitor& f, const Runtime& runtime) const {
  for (Index m = 0; m < size(); ++m)
    if (set().kernel(m).mask(*group_).size() > 0) refuse_missing_views();
  Matrix matrix(rows(), rows());
  for (Index m = 0; m < size(); ++m) {
    each_tile({m}, runtime, Reader::soon,
              [&](const KernelBlock& block, const Tile& tile, Index, TileWriter& writer) {
                block.evaluate_logs(tile, [&](const KernelBlock::Step&, double* logs) {
                  writer.put(tile, logs, 1.0, matrix.data());
                });
              });
    f(m, matrix);
  }
}

GramView KernelBank::combination(const Vector& weights, const Runtime& runtime) const {
  const Indices kernels = nonzero(weights);
  if (kernels.size() == 1 && weights[kernels[0]] == 1.0) return matrix(kernels[0], runtime);
  if (*keeps_sums_) {
    const auto whole = (parent_ == nullptr ? *this : *parent_).kept_sum(weights, runtime);
    if (whole != nullptr && parent_ != nullptr) return part_of(view(*whole));
    if (whole != nullptr) return {whole, view(*whole)};
  }
  const auto total = new_matrix(rows());
  sum(weights, total->data(), runtime);
  return {total, view(*total)};
}

// The last combination, if it had these weights; else it is replaced, provided that there is room
// for it and for the matrix that the caller may want.
std::shared_ptr<const Matrix> KernelBank::kept_sum(const Vector& weights,
                                                   const Runtime& runtime) const {
  const auto lock = store_->lock(runtime);
  auto known = store_->sum(weights);
  if (known != nullptr) return known;
  if (store_->has_sum()) store_->book(-matrix_bytes());
  store_->keep_sum({}, nullptr);
  if (!fits(2.0)) return nullptr;
  auto total = new_matrix(rows());
  sum(weights, total->data(), runtime);
  store_->keep_sum(weights, total);
  store_->book(matrix_bytes());
  return total;
}

// The store is free while a decomposition is found, so that those of several kernels are found side
// by side.
std::shared_ptr<const MapDecomposition> KernelBank::decomposition(
    const MapKey& key, const std::function<MapDecomposition()>& find,
    const Runtime& runtime) const {
  KeptDecomposition* kept;
  {
    const auto lock = store_->lock(runtime);
    kept = &store_->decomposition(key);
  }
  const auto lock_kept = lock_patiently(kept->mutex, runtime);
  if (kept->value != nullptr) return kept->value;
  const auto found = std::make_shared<const MapDecomposition>(find());
  const auto lock = store_->lock(runtime);
  if (!budget_->fits(found->bytes())) return found;
  kept->value = found;
  store_->book(found->bytes());
  return found;
}

void KernelBank::sum(const Vector& weights, double* out, const Runtime& runtime,
                     Reader reader) const {
  const Index n = rows();
  const Indices kernels = nonzero(weights);
  if (kernels.empty()) std::fill(out, out + n * n, 0.0);
  each_tile(kernels, runtime, reader,
            [&](const KernelBlock& block, const Tile& tile, Index first, TileWriter& writer) {
              writer.put(tile, block.weighted_sum(tile, weights, first == 0 ? nullptr : out, n),
                         1.0, out);
            });
}

namespace {

// b'Kb on one tile of the lower triangle: entries below the diagonal block count twice.
double tile_form(const Tile& tile, const double* values, const Vector& b, Vector& weighted,
                 const Simd& simd) {
  for (Index i = 0; i < tile.a_count; ++i) {
    const Index row = tile.a_first + i;
    weighted[i] = (row < tile.b_first + tile.b_count ? 1.0 : 2.0) * b[row];
  }
  double sum = 0.0;
  for (Index j = 0; j < tile.b_count; ++j)
    if (b[tile.b_first + j] != 0.0)
      sum += b[tile.b_first + j] * simd.dot(weighted.data(), values + j * panel_rows, tile.a_count);
  return sum;
}

}  // namespace

Vector KernelBank::quadratic_forms(const Indices& kernels, const Vector& b,
                                   const Runtime& runtime) const {
  Vector forms = Vector::Zero(static_cast<Index>(kernels.size()));
  if (features_ != nullptr) {
    for (std::size_t k = 0; k < kernels.size(); ++k)
      forms[static_cast<Index>(k)] = features_->backward(kernels[k], b, runtime).squaredNorm();
    return forms;
  }
  const std::vector<Tile> tiles = lower_tiles(rows());
  const Index n_tiles = static_cast<Index>(tiles.size());
  // A fixed number of tasks, whatever the number of threads: sums are added in the same order.
  const Index tasks = std::min<Index>(n_tiles, 64);
  for_blocks(kernels, [&](const Indices& some, Index first) {
    const KernelBlock part = block(some, runtime);
    Matrix partial = Matrix::Zero(static_cast<Index>(some.size()), tasks);
    runtime.parallel_for(tasks, [&](Index task) {
      Vector weighted(panel_rows);
      for (Index t = task * n_tiles / tasks; t < (task + 1) * n_tiles / tasks; ++t)
        part.evaluate(tiles[at(t)], [&](const KernelBlock::Step& step, const double* values) {
          partial(step.position, task) +=
              step.factor * tile_form(tiles[at(t)], values, b, weighted, *runtime.simd);
        });
    });
    forms.segment(first, partial.rows()) = partial.rowwise().sum();
    runtime.advance(partial.rows());
  });
  return forms;
}

std::unique_ptr<RowSource> KernelBank::row_evaluator(const Vector& weights,
                                                     const Runtime& runtime) const {
  if (features_ != nullptr) return std::make_unique<FeatureSum>(features_, weights, runtime);
  return std::make_unique<RowEvaluator>(fitted_, group_, weights, runtime);
}

}  // namespace mk
