#include "kernel_bank.hpp"

#include <algorithm>
#include <cmath>

#include "../base/memory.hpp"
#include "cross_bank.hpp"

namespace mk {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

std::shared_ptr<Matrix> new_matrix(Index n) {
  auto matrix = std::make_shared<Matrix>(n, n);
  prefer_huge_pages(matrix->data(), static_cast<std::size_t>(matrix->size()) * sizeof(double));
  return matrix;
}

}  // namespace

void KernelBank::Context::use(double bytes) {
  double before = used.load();
  while (!used.compare_exchange_weak(before, before + bytes)) {
  }
}

KernelBank::Store::~Store() { context->use(-bytes); }

KernelBank::KernelBank(std::shared_ptr<const KernelSet> set, const MatrixView& x,
                       std::vector<MatrixView> stored, Index n, const Runtime& runtime)
    : context_(std::make_shared<Context>()) {
  context_->set = std::move(set);
  context_->x = x;
  context_->stored = std::move(stored);
  context_->budget = runtime.memory;
  for (const MatrixView& matrix : context_->stored) {
    Vector diagonal(n);
    for (Index i = 0; i < n; ++i) diagonal[i] = matrix(i, i);
    context_->stored_diagonals.push_back(std::move(diagonal));
  }
  side_ = std::make_shared<Side>(x, all_rows(n), &context_->stored_diagonals, true,
                                 origin_for(*context_->set, x));
  context_->training = side_;
  store_ = std::make_shared<Store>(context_);
  context_->normalizers =
      fit_normalizers(*context_->set, context_->stored, *context_->training, runtime);
}

bool KernelBank::fits(double count) const {
  return context_->used.load() + count * matrix_bytes() <= context_->budget;
}

bool KernelBank::fits_all(double extra, const Runtime& runtime) const {
  std::size_t kept;
  {
    const auto lock = lock_patiently(store_->mutex, runtime);
    kept = store_->kept.size();
  }
  return fits(static_cast<double>(size()) - static_cast<double>(kept) + extra);
}

std::shared_ptr<const Side> KernelBank::part(const Indices& positions) const {
  Indices rows(positions.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = side_->rows[at(positions[i])];
  return std::make_shared<Side>(context_->x, std::move(rows), &context_->stored_diagonals, true,
                                side_->origin);
}

KernelBank KernelBank::subset(const Indices& positions) const {
  KernelBank bank;
  bank.context_ = context_;
  bank.side_ = part(positions);
  bank.store_ = std::make_shared<Store>(context_);
  bank.parent_ = std::make_shared<KernelBank>(*this);
  bank.positions_ = positions;
  return bank;
}

KernelBlock KernelBank::block(const Indices& kernels, const Runtime& runtime) const {
  return KernelBlock(*context_->set, context_->stored, context_->normalizers, kernels, *side_,
                     *side_, *context_->training, runtime);
}

void KernelBank::each_tile(const Indices& kernels, const Runtime& runtime, Reader reader,
                           const TileTask& task) const {
  const std::vector<Tile> tiles =
      lower_tiles(*side_, kernels.size() == 1 ? wide_columns : tile_columns);
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
              block.evaluate(
                  tile, thread_scratch(), [&](const KernelBlock::Step& step, double* values) {
                    writer.put(tile, values, step.factor, out[at(first + step.position)]);
                  });
            });
}

void KernelBank::fill_logs(const Indices& kernels, const std::vector<double*>& out,
                           const Runtime& runtime) const {
  each_tile(kernels, runtime, Reader::soon,
            [&](const KernelBlock& block, const Tile& tile, Index first, TileWriter& writer) {
              block.evaluate_logs(tile, thread_scratch(),
                                  [&](const KernelBlock::Step& step, double* logs) {
                                    writer.put(tile, logs, 1.0, out[at(first + step.position)]);
                                  });
            });
}

// A user's matrix that needs no normalisation and no selection of rows is used where it is.
bool KernelBank::is_plain_stored(Index m, GramView& view) const {
  if (parent_ != nullptr || !context_->set->normalization(context_->set->locate(m).first).empty())
    return false;
  const Kernel kernel = context_->set->kernel(m);
  if (kernel.factors.size() != 1 || !kernel.factors[0].is_stored()) return false;
  view.view = context_->stored[at(kernel.factors[0].stored)];
  return true;
}

GramView KernelBank::compute(Index m, const Runtime& runtime) const {
  auto matrix = new_matrix(rows());
  fill({m}, {matrix->data()}, runtime);
  return {matrix, view(*matrix)};
}

// A matrix that is there already: a user's or a kept one. The mutex of the store is locked.
GramView KernelBank::known_matrix(Index m) const {
  GramView result;
  if (is_plain_stored(m, result)) return result;
  for (const auto& kept : store_->kept)
    if (kept.first == m) return kept.second;
  return result;
}

// The kept matrix of kernel m, kept now if there is room; without data if there is none.
GramView KernelBank::stored_matrix(Index m, const Runtime& runtime) const {
  const auto lock = lock_patiently(store_->mutex, runtime);
  const GramView known = known_matrix(m);
  if (known.view.data != nullptr || !fits(1.0)) return known;
  const GramView matrix = compute(m, runtime);
  store_->kept.emplace_back(m, matrix);
  book(matrix_bytes());
  return matrix;
}

// Bytes that the store holds from now on; its mutex is locked.
void KernelBank::book(double bytes) const {
  store_->bytes += bytes;
  context_->use(bytes);
}

std::shared_ptr<const void> KernelBank::reserve(double count) const {
  const double bytes = count * matrix_bytes();
  const std::shared_ptr<Context> context = context_;
  context->use(bytes);
  return {nullptr, [context, bytes](const void*) { context->use(-bytes); }};
}

// The rows of this bank in a matrix of its parent.
GramView KernelBank::part_of(const MatrixView& whole) const {
  auto part = std::make_shared<Matrix>(rows(), rows());
  for (Index j = 0; j < rows(); ++j) {
    const double* column = whole.column(positions_[at(j)]);
    for (Index i = 0; i < rows(); ++i) (*part)(i, j) = column[positions_[at(i)]];
  }
  return {part, mk::view(*part)};
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
  for (Index m = 0; m < size(); ++m) {
    GramView whole;
    if (is_plain_stored(m, whole)) all[at(m)] = {nullptr, whole.view.data, rows(), false};
  }
  for (const auto& kept : store_->kept)
    all[at(kept.first)] = {kept.second.owner, kept.second.view.data, rows(), false};
  for (const auto& kept : store_->triangles) all[at(kept.first)] = kept.second;
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
    block.evaluate(
        tile, thread_scratch(), [&](const KernelBlock::Step& step, const double* values) {
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
  const auto lock = lock_patiently(store_->mutex, runtime);
  std::vector<TriangleView> all = known_triangles();
  Indices missing;
  for (Index m = 0; m < size(); ++m)
    if (all[at(m)].data == nullptr) missing.push_back(m);
  const Index n = rows(), length = triangle_size(n);
  const double bytes = 8.0 * static_cast<double>(length);
  const double room = std::floor((context_->budget - context_->used.load()) / bytes);
  if (static_cast<double>(missing.size()) > room)
    missing.resize(static_cast<std::size_t>(std::max(room, 0.0)));
  if (missing.empty()) return all;
  // One piece of memory for all: huge pages, and the kernels share their sums over features.
  const auto piece = std::make_shared<Matrix>(length, static_cast<Index>(missing.size()));
  prefer_huge_pages(piece->data(), static_cast<std::size_t>(piece->size()) * sizeof(double));
  book(bytes * static_cast<double>(missing.size()));
  std::vector<TriangleView> whole(at(size()));
  if (parent_ != nullptr) {
    const auto lock_parent = lock_patiently(parent_->store_->mutex, runtime);
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
  for (const Index m : missing) store_->triangles.emplace_back(m, all[at(m)]);
  return all;
}

void KernelBank::visit(const Visitor& f, const Runtime& runtime) const {
  Matrix matrix(rows(), rows());
  for (Index m = 0; m < size(); ++m) {
    fill({m}, {matrix.data()}, runtime);
    f(m, matrix);
  }
}

void KernelBank::visit_logs(const Visitor& f, const Runtime& runtime) const {
  Matrix matrix(rows(), rows());
  for (Index m = 0; m < size(); ++m) {
    fill_logs({m}, {matrix.data()}, runtime);
    f(m, matrix);
  }
}

GramView KernelBank::combination(const Vector& weights, const Runtime& runtime) const {
  const Indices kernels = nonzero(weights);
  if (kernels.size() == 1 && weights[kernels[0]] == 1.0) return matrix(kernels[0], runtime);
  GramView result;
  if (context_->keeps_sums) {
    const auto whole = (parent_ == nullptr ? *this : *parent_).kept_sum(weights, runtime);
    if (whole != nullptr && parent_ != nullptr) return part_of(view(*whole));
    result.owner = whole;
  }
  if (result.owner == nullptr) {
    auto total = new_matrix(rows());
    sum(weights, total->data(), runtime);
    result.owner = total;
  }
  result.view = view(*result.owner);
  return result;
}

// The last combination, if it had these weights; else it is replaced, provided that there is room
// for it and for the matrix that the caller may want.
std::shared_ptr<const Matrix> KernelBank::kept_sum(const Vector& weights,
                                                   const Runtime& runtime) const {
  const auto lock = lock_patiently(store_->mutex, runtime);
  if (store_->sum != nullptr && store_->sum_weights == weights) return store_->sum;
  if (store_->sum != nullptr) book(-matrix_bytes());
  store_->sum.reset();
  if (!fits(2.0)) return nullptr;
  auto total = new_matrix(rows());
  sum(weights, total->data(), runtime);
  store_->sum = total;
  store_->sum_weights = weights;
  book(matrix_bytes());
  return total;
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

Vector KernelBank::quadratic_forms(const Vector& b, const Runtime& runtime) const {
  return quadratic_forms(all_rows(size()), b, runtime);
}

Vector KernelBank::quadratic_forms(const Indices& kernels, const Vector& b,
                                   const Runtime& runtime) const {
  Vector forms = Vector::Zero(static_cast<Index>(kernels.size()));
  const std::vector<Tile> tiles = lower_tiles(*side_);
  const Index n_tiles = static_cast<Index>(tiles.size());
  // A fixed number of tasks, whatever the number of threads: sums are added in the same order.
  const Index tasks = std::min<Index>(n_tiles, 64);
  for_blocks(kernels, [&](const Indices& some, Index first) {
    const KernelBlock part = block(some, runtime);
    Matrix partial = Matrix::Zero(static_cast<Index>(some.size()), tasks);
    runtime.parallel_for(tasks, [&](Index task) {
      Vector weighted(panel_rows);
      for (Index t = task * n_tiles / tasks; t < (task + 1) * n_tiles / tasks; ++t)
        part.evaluate(tiles[at(t)], thread_scratch(),
                      [&](const KernelBlock::Step& step, const double* values) {
                        partial(step.position, task) +=
                            step.factor *
                            tile_form(tiles[at(t)], values, b, weighted, *runtime.simd);
                      });
    });
    forms.segment(first, partial.rows()) = partial.rowwise().sum();
    runtime.advance(partial.rows());
  });
  return forms;
}

std::unique_ptr<RowEvaluator> KernelBank::row_evaluator(const Vector& weights,
                                                        const Runtime& runtime) const {
  return std::make_unique<RowEvaluator>(*context_->set, context_->stored, context_->normalizers,
                                        side_, *context_->training, weights, runtime);
}

std::unique_ptr<CrossBank> KernelBank::cross(const Indices& fresh, const Indices& training,
                                             const Runtime& runtime) const {
  return std::make_unique<CrossBank>(context_->set, context_->stored, context_->normalizers,
                                     part(fresh), part(training), runtime);
}

}  // namespace mk
