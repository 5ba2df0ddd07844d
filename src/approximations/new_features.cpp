#include "new_features.hpp"

#include <algorithm>
#include <numeric>

#include "../features/tiles.hpp"

namespace mk {

namespace {

// The first column in which a row is not 0.
Index first_used(const Matrix& w, Index row) {
  for (Index c = 0; c < w.cols(); ++c)
    if (w(row, c) != 0.0) return c;
  return w.cols();
}

}  // namespace

LandmarkProduct::LandmarkProduct(const Matrix& back) : columns_(back.cols()) {
  Indices first(at(back.rows()));
  for (Index i = 0; i < back.rows(); ++i) {
    first[at(i)] = first_used(back, i);
    if (first[at(i)] < columns_) pivots_.push_back(i);
  }
  std::stable_sort(pivots_.begin(), pivots_.end(),
                   [&](Index a, Index b) { return first[at(a)] < first[at(b)]; });
  const auto depth = static_cast<Index>(pivots_.size());
  for (Index column = 0; column < columns_; column += panel_rows) {
    const Index last = std::min(columns_, column + panel_rows);
    needed_.push_back(std::count_if(pivots_.begin(), pivots_.end(),
                                    [&](Index i) { return first[at(i)] < last; }));
  }
  packed_ = pack_strips(columns_, depth, [&](Index f, Index c) { return back(pivots_[at(f)], c); });
  order_.resize(at(depth));
  std::iota(order_.begin(), order_.end(), 0);
}

void LandmarkProduct::write(const Matrix& k, Index offset, FeatureRowsMatrix& z,
                            const Runtime& runtime) const {
  const auto depth = static_cast<Index>(pivots_.size());
  runtime.parallel_for(panel_count(k.rows()), [&](Index panel) {
    const Index first = panel * panel_rows, rows = panel_size(k.rows(), panel);
    const Vector fresh =
        pack_strips(rows, depth, [&](Index f, Index i) { return k(first + i, pivots_[at(f)]); });
    Vector values(panel_rows * panel_rows);
    for (Index column = 0; column < columns_; column += panel_rows) {
      const Index count = std::min(panel_rows, columns_ - column);
      const PanelPair pair = {packed_.data() + column * depth,
                              count,
                              fresh.data(),
                              0,
                              rows,
                              strip_rows * depth,
                              order_.data(),
                              needed_[at(column / panel_rows)],
                              0.0};
      runtime.simd->reduce[static_cast<int>(PairKind::dot)](pair, values.data());
      for (Index i = 0; i < rows; ++i)
        std::copy_n(values.data() + i * panel_rows, count,
                    z.data() + (first + i) * z.cols() + offset + column);
    }
  });
}

NewFeatures::NewFeatures(const CrossBank& cross, const std::vector<Matrix>& back,
                         const FeatureDraw& draw)
    : cross_(cross), offsets_{0} {
  for (Index m = 0; m < cross.size(); ++m) {
    if (back.empty()) {
      maps_.push_back(std::make_unique<ExplicitMap>(cross.fitted(), m, draw, cross.runtime()));
      offsets_.push_back(offsets_.back() + maps_.back()->columns());
    } else {
      products_.emplace_back(back[at(m)]);
      offsets_.push_back(offsets_.back() + products_.back().columns());
    }
  }
}

FeatureRowsMatrix NewFeatures::rows(const Indices& positions) const {
  const auto count = static_cast<Index>(positions.size());
  const Runtime& runtime = cross_.runtime();
  FeatureRowsMatrix z(count, offsets_.back());
  const CrossBank part = cross_.part(positions);
  for (std::size_t m = 0; m < maps_.size(); ++m) {
    const auto own = maps_[m]->rows(part.fresh(), runtime);
    const Index width = maps_[m]->columns();
    runtime.parallel_for(panel_count(count), [&](Index panel) {
      Matrix values(panel_rows, width);
      own->values(panel, values.data());
      const Index rows = panel_size(count, panel);
      z.block(panel * panel_rows, offsets_[m], rows, width) = values.topRows(rows);
    });
  }
  if (products_.empty()) return z;
  // Kernels of the same distances share these if they are evaluated together.
  std::vector<Matrix> k(products_.size(), Matrix(count, cross_.training_rows()));
  std::vector<double*> to;
  for (Matrix& one : k) to.push_back(one.data());
  part.fill(all_rows(cross_.size()), to);
  for (std::size_t m = 0; m < k.size(); ++m) products_[m].write(k[m], offsets_[m], z, runtime);
  return z;
}

}  // namespace mk
