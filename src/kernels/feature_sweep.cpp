#include "feature_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mk {

namespace {

// Sums over examples are added up in so many pieces, or in as many as there are panels: the same
// for any number of threads.
constexpr Index most_pieces = 64;
// Examples whose products of features are added up at once.
constexpr Index block_rows = 2048;

}  // namespace

// Adds the products of all pairs of `size` things, packed in strips of `count` numbers each, to the
// lower triangle. Its tiles are the tasks.
void add_products(const Vector& packed, Index size, Index count, const Runtime& runtime,
                  Matrix& out) {
  const std::vector<Tile> tiles = lower_tiles(size, wide_columns);
  const Index stride = strip_rows * count;
  std::vector<int> order(at(count));
  std::iota(order.begin(), order.end(), 0);
  runtime.parallel_for(static_cast<Index>(tiles.size()), [&](Index t) {
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
    runtime.simd->reduce[static_cast<int>(PairKind::dot)](pair, values.data());
    for (Index j = 0; j < tile.b_count; ++j)
      runtime.simd->axpy(1.0, values.data() + j * panel_rows, &out(tile.a_first, tile.b_first + j),
                         tile.a_count);
  });
}

FeatureSweep::FeatureSweep(const std::vector<SharedStore>& stores, std::vector<FeaturePart> parts,
                           SharedIndices rows, const Runtime& runtime)
    : stores_(stores), parts_(std::move(parts)), rows_(std::move(rows)), runtime_(runtime) {
  for (const FeaturePart& p : parts_) {
    columns_ += store(p).columns();
    passes_.push_back(store(p).pass(rows_, runtime));
    room_ += passes_.back()->room();
  }
}

// For each panel: f = Z w if w is not null, middle(first, count, f), which puts numbers of its own
// in the place of f, and Z'f added to a column of sums if they are not null. `w` and the sums are
// those of what the stores hold.
template <class Middle>
void FeatureSweep::run(const Vector* w, const Middle& middle, Matrix* sums) const {
  const Index panels = panel_count(rows()), pieces = std::min(panels, most_pieces);
  if (sums != nullptr) *sums = Matrix::Zero(columns_, std::max<Index>(pieces, 1));
  runtime_.parallel_for(pieces, [&](Index piece) {
    Vector buffer(room_), f(panel_rows);
    for (Index p = piece * panels / pieces; p < (piece + 1) * panels / pieces; ++p) {
      runtime_.check_interrupt();
      f.setZero();
      double* own = buffer.data();
      for (std::size_t k = 0; k < parts_.size(); own += passes_[k++]->room()) {
        passes_[k]->open(p, own);
        if (w != nullptr) passes_[k]->forward(p, own, w->data() + parts_[k].first, f.data());
      }
      middle(p * panel_rows, panel_size(rows(), p), f.data());
      if (sums == nullptr) continue;
      own = buffer.data();
      for (std::size_t k = 0; k < parts_.size(); own += passes_[k++]->room())
        passes_[k]->backward(p, own, f.data(), sums->col(piece).data() + parts_[k].first);
    }
  });
}

Vector FeatureSweep::inward(const Vector& w) const {
  Vector out(w.size());
  for (const FeaturePart& p : parts_) {
    const Vector own = p.root * w.segment(p.first, store(p).columns());
    out.segment(p.first, own.size()) =
        store(p).triangle().empty() ? own : store(p).triangle().inward(own);
  }
  return out;
}

Vector FeatureSweep::outward(Matrix sums) const {
  Vector out = sums.rowwise().sum();
  for (const FeaturePart& p : parts_) {
    const Vector own = p.root * out.segment(p.first, store(p).columns());
    out.segment(p.first, own.size()) =
        store(p).triangle().empty() ? own : store(p).triangle().outward(own);
  }
  return out;
}

Vector FeatureSweep::forward(const Vector& w) const {
  Vector out(rows());
  const Vector inner = inward(w);
  run(
      &inner, [&](Index first, Index count, double* f) { std::copy_n(f, count, &out[first]); },
      nullptr);
  return out;
}

Vector FeatureSweep::backward(const Vector& b) const {
  Matrix sums;
  run(
      nullptr, [&](Index first, Index count, double* f) { std::copy_n(&b[first], count, f); },
      &sums);
  return outward(std::move(sums));
}

Vector FeatureSweep::curve(const Vector& weights, const Vector& w) const {
  Matrix sums;
  const Vector inner = inward(w);
  run(
      &inner,
      [&](Index first, Index count, double* f) {
        for (Index i = 0; i < count; ++i) f[i] *= weights[first + i];
      },
      &sums);
  return outward(std::move(sums));
}

// What the stores hold of some examples, times the roots of their weights, packed as the loops for
// pairs of examples want it, with the part of examples and columns exchanged: strips of columns,
// example by example. `first` is that of a panel.
void FeatureSweep::pack(Index first, Index count, const Vector& weights, Vector& packed) const {
  const Index strips = (columns_ + strip_rows - 1) / strip_rows;
  packed.setZero(strips * strip_rows * count);
  runtime_.parallel_for(panel_count(count), [&](Index panel) {
    const Index start = panel * panel_rows, own = panel_size(count, panel);
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      const FeaturePart& p = parts_[k];
      Vector buffer(passes_[k]->room());
      RowMatrix z(own, store(p).columns());
      const Index place = first / panel_rows + panel;
      passes_[k]->open(place, buffer.data());
      passes_[k]->read(place, buffer.data(), multiplies_features(p), z.data());
      for (Index i = 0; i < own; ++i) {
        const double root = p.root * std::sqrt(weights[first + start + i]);
        for (Index c = 0; c < z.cols(); ++c) {
          const Index column = p.first + c;
          packed[(column / strip_rows) * strip_rows * count + (start + i) * strip_rows +
                 column % strip_rows] = root * z(i, c);
        }
      }
    }
  });
}

Matrix FeatureSweep::gram(const Vector& weights) const {
  Matrix out = Matrix::Zero(columns_, columns_);
  Vector packed;
  for (Index first = 0; first < rows(); first += block_rows) {
    const Index count = std::min(block_rows, rows() - first);
    pack(first, count, weights, packed);
    add_products(packed, columns_, count, runtime_, out);
  }
  outward_both(out);
  return out;
}

// Whether products are those of features from the start: where those of values would lose digits,
// and of few rows, which are multiplied by the triangle in less time than the products.
bool FeatureSweep::multiplies_features(const FeaturePart& p) const {
  return store(p).triangle().empty() || store(p).steep() || rows() < store(p).columns();
}

// From products of values to those of features, T'GT: G T, transposed, times T.
void FeatureSweep::outward_both(Matrix& products) const {
  if (std::all_of(parts_.begin(), parts_.end(),
                  [&](const FeaturePart& p) { return multiplies_features(p); }))
    return;
  products.triangularView<Eigen::StrictlyUpper>() = products.transpose();
  for (int side = 0; side < 2; ++side) {
    for (const FeaturePart& p : parts_)
      if (!multiplies_features(p)) multiply_columns(p, products);
    products.transposeInPlace();
  }
}

// The columns of a kernel times its triangle.
void FeatureSweep::multiply_columns(const FeaturePart& p, Matrix& products) const {
  const Index width = store(p).columns();
  runtime_.parallel_for(panel_count(columns_), [&](Index panel) {
    const Index first = panel * panel_rows, count = panel_size(columns_, panel);
    Matrix values(panel_rows, width);
    RowMatrix z(count, width);
    values.topRows(count) = products.block(first, p.first, count, width);
    store(p).triangle().multiply(values.data(), count, *runtime_.simd, z.data());
    products.block(first, p.first, count, width) = z;
  });
}

}  // namespace mk
