#include "kernel_features.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "../base/errors.hpp"
#include "../base/memory.hpp"
#include "../features/tiles.hpp"

namespace mk {

namespace {

// Examples in a parallel task, and in a block whose products of features are added up at once. They
// do not depend on the number of threads, so that sums do not either.
constexpr Index task_rows = 1024;
constexpr Index block_rows = 2048;

// Newton's method on few columns is fast in any case; on many it takes about as long as the matrix
// of all examples with this many times as many of them.
constexpr Index few_columns = 256;
constexpr Index balance = 4;

// Runs f(task, first, last) on pieces of n examples.
template <class F>
void in_pieces(Index n, const Runtime& runtime, const F& f) {
  runtime.parallel_for((n + task_rows - 1) / task_rows, [&](Index task) {
    f(task, task * task_rows, std::min(n, (task + 1) * task_rows));
  });
}

}  // namespace

KernelFeatures::KernelFeatures(std::vector<std::shared_ptr<const RowMatrix>> features)
    : features_(std::move(features)), rows_(all_rows(features_.front()->rows())) {}

std::shared_ptr<const KernelFeatures> KernelFeatures::subset(const Indices& positions) const {
  auto part = std::make_shared<KernelFeatures>(*this);
  part->rows_.resize(positions.size());
  for (std::size_t i = 0; i < positions.size(); ++i) part->rows_[i] = rows_[at(positions[i])];
  return part;
}

Vector KernelFeatures::forward(Index m, const Vector& w, const Runtime& runtime) const {
  Vector f(rows());
  in_pieces(rows(), runtime, [&](Index, Index first, Index last) {
    for (Index i = first; i < last; ++i) f[i] = runtime.simd->dot(row(m, i), w.data(), w.size());
  });
  return f;
}

Vector KernelFeatures::backward(Index m, const Vector& b, const Runtime& runtime) const {
  const Index r = columns(m);
  Matrix sums = Matrix::Zero(r, (rows() + task_rows - 1) / task_rows);
  in_pieces(rows(), runtime, [&](Index task, Index first, Index last) {
    for (Index i = first; i < last; ++i)
      if (b[i] != 0.0) runtime.simd->axpy(b[i], row(m, i), sums.col(task).data(), r);
  });
  return sums.rowwise().sum();
}

Vector KernelFeatures::squared_lengths(Index m, const Runtime& runtime) const {
  const Index r = columns(m);
  Vector lengths(rows());
  in_pieces(rows(), runtime, [&](Index, Index first, Index last) {
    for (Index i = first; i < last; ++i) lengths[i] = runtime.simd->dot(row(m, i), row(m, i), r);
  });
  return lengths;
}

std::vector<std::shared_ptr<RowMatrix>> make_room(const Indices& columns, Index n,
                                                  const std::string& fewer,
                                                  const Runtime& runtime) {
  constexpr double working_share = 0.1;
  double all = 0.0;
  for (const Index count : columns) all += static_cast<double>(count);
  const double bytes = (1.0 + working_share) * 8.0 * all * static_cast<double>(n);
  if (bytes > runtime.memory)
    throw InvalidArgument("memory",
                          format_number(std::ceil(bytes / 1e8) / 10.0) + " GB at least, or fewer " +
                              fewer + ", for the features of " + std::to_string(n) + " rows",
                          format_number(runtime.memory / 1e9) + " GB");
  std::vector<std::shared_ptr<RowMatrix>> out;
  for (const Index count : columns) {
    out.push_back(std::make_shared<RowMatrix>(n, count));
    prefer_huge_pages(out.back()->data(),
                      static_cast<std::size_t>(out.back()->size()) * sizeof(double));
  }
  return out;
}

FeatureSum::FeatureSum(std::shared_ptr<const KernelFeatures> features, const Vector& weights,
                       const Runtime& runtime)
    : features_(std::move(features)), runtime_(runtime), diagonal_(Vector::Zero(examples())) {
  for (Index m = 0; m < weights.size(); ++m) {
    if (!(weights[m] > 0.0)) continue;
    parts_.push_back({m, columns_, std::sqrt(weights[m])});
    columns_ += features_->columns(m);
    diagonal_ += weights[m] * features_->squared_lengths(m, runtime);
  }
  active_ = all_rows(examples());
}

Vector FeatureSum::forward(const Vector& w) const {
  Vector f = Vector::Zero(examples());
  for (const Part& p : parts_)
    f += p.root *
         features_->forward(p.kernel, w.segment(p.first, features_->columns(p.kernel)), runtime_);
  return f;
}

Vector FeatureSum::backward(const Vector& b) const {
  Vector w(columns_);
  for (const Part& p : parts_)
    w.segment(p.first, features_->columns(p.kernel)) =
        p.root * features_->backward(p.kernel, b, runtime_);
  return w;
}

// The features of some examples times the roots of their weights, packed as the loops for pairs of
// examples want it, with the part of examples and features exchanged: strips of features, example
// by example.
void FeatureSum::pack(const Indices& rows, Index first, Index count, const Vector& weights,
                      Vector& packed) const {
  const Index strips = (columns_ + strip_rows - 1) / strip_rows;
  packed.setZero(strips * strip_rows * count);
  constexpr Index together = 64;
  runtime_.parallel_for((count + together - 1) / together, [&](Index task) {
    for (Index k = task * together; k < std::min(count, (task + 1) * together); ++k) {
      const Index i = rows[at(first + k)];
      const double root = std::sqrt(weights[i]);
      for (const Part& p : parts_) {
        const double* from = features_->row(p.kernel, i);
        for (Index c = 0; c < features_->columns(p.kernel); ++c) {
          const Index column = p.first + c;
          packed[(column / strip_rows) * strip_rows * count + k * strip_rows +
                 column % strip_rows] = root * p.root * from[c];
        }
      }
    }
  });
}

// Adds the products of all pairs of `size` things, packed in strips of `count` numbers each, to the
// lower triangle. Its tiles are the tasks.
void FeatureSum::add_products(const Vector& packed, Index size, Index count, Matrix& out) const {
  const std::vector<Tile> tiles = lower_tiles(size, wide_columns);
  const Index stride = strip_rows * count;
  std::vector<int> order(at(count));
  std::iota(order.begin(), order.end(), 0);
  runtime_.parallel_for(static_cast<Index>(tiles.size()), [&](Index t) {
    const Tile& tile = tiles[at(t)];
    Vector values(panel_rows * wide_columns);
    const PanelPair pair = {packed.data() + tile.a_first / strip_rows * stride,
                            tile.a_count,
                            packed.data() + tile.b_first / strip_rows * stride,
                            tile.b_first % strip_rows,
                            tile.b_count,
                            stride,
                            order.data(),
                            count,
                            0.0};
    runtime_.simd->reduce[static_cast<int>(PairKind::dot)](pair, values.data());
    for (Index j = 0; j < tile.b_count; ++j)
      runtime_.simd->axpy(1.0, values.data() + j * panel_rows, &out(tile.a_first, tile.b_first + j),
                          tile.a_count);
  });
}

Matrix FeatureSum::gram(const Vector& weights) const {
  Indices rows;
  for (Index i = 0; i < examples(); ++i)
    if (weights[i] > 0.0) rows.push_back(i);
  Matrix out = Matrix::Zero(columns_, columns_);
  Vector packed;
  const Index n = static_cast<Index>(rows.size());
  for (Index first = 0; first < n; first += block_rows) {
    const Index count = std::min(block_rows, n - first);
    pack(rows, first, count, weights, packed);
    add_products(packed, columns_, count, out);
  }
  return out;
}

// ---- as a matrix -------------------------------------------------------------------------------

// Newton's method holds about three matrices of columns x columns.
bool FeatureSum::serves_as_low_rank() const {
  const double columns = static_cast<double>(columns_);
  if (3.0 * 8.0 * columns * columns > runtime_.memory) return false;
  return columns_ < few_columns || balance * columns_ < examples() || !has_room();
}

// For the matrix, a copy of its rows in a cache, and a block of columns.
bool FeatureSum::has_room() const {
  const double n = static_cast<double>(examples());
  return 8.0 * n * (2.0 * n + static_cast<double>(block_rows)) <= runtime_.memory;
}

// Strips of examples, column by column, of some columns of one kernel.
void FeatureSum::pack_columns(const Part& part, Index first, Index count, Vector& packed) const {
  const Index strips = (examples() + strip_rows - 1) / strip_rows;
  packed.setZero(strips * strip_rows * count);
  runtime_.parallel_for(strips, [&](Index strip) {
    double* to = packed.data() + strip * strip_rows * count;
    const Index rows = std::min(strip_rows, examples() - strip * strip_rows);
    for (Index i = 0; i < rows; ++i) {
      const double* from = features_->row(part.kernel, strip * strip_rows + i) + first;
      for (Index c = 0; c < count; ++c) to[c * strip_rows + i] = part.root * from[c];
    }
  });
}

Matrix FeatureSum::whole() const {
  Matrix out = Matrix::Zero(examples(), examples());
  Vector packed;
  for (const Part& p : parts_) {
    const Index columns = features_->columns(p.kernel);
    for (Index first = 0; first < columns; first += block_rows) {
      const Index count = std::min(block_rows, columns - first);
      pack_columns(p, first, count, packed);
      add_products(packed, examples(), count, out);
    }
  }
  out.triangularView<Eigen::StrictlyUpper>() = out.transpose();
  return out;
}

void FeatureSum::row(Index i, double* out) const {
  if (whole_.size() == 0 && has_room()) whole_ = whole();
  for (std::size_t k = 0; k < active_.size(); ++k) {
    if (whole_.size() > 0) {
      out[k] = whole_(active_[k], i);
      continue;
    }
    double sum = 0.0;
    for (const Part& p : parts_)
      sum += p.root * p.root *
             runtime_.simd->dot(features_->row(p.kernel, i), features_->row(p.kernel, active_[k]),
                                features_->columns(p.kernel));
    out[k] = sum;
  }
}

}  // namespace mk
