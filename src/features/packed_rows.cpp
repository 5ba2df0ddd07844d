#include "packed_rows.hpp"

#include <algorithm>

namespace mk {

namespace {
bool are_consecutive(const Index (&rows)[strip_rows]) {
  for (Index i = 1; i < strip_rows; ++i)
    if (rows[i] != rows[0] + i) return false;
  return true;
}

// An example with itself.
double self_sum(const PairSum& sum, const MatrixView& x, Index row) {
  double total = 0.0;
  switch (sum.kind) {
    case PairKind::dot:
      for (int f : sum.features) total += x(row, f) * x(row, f);
      return total;
    case PairKind::minimum:
      for (int f : sum.features) total += x(row, f);
      return total;
    case PairKind::anova:
      return static_cast<double>(sum.features.size());
    default:
      return 0.0;
  }
}
}  // namespace

PackedRows::PackedRows(const MatrixView& x, SharedIndices rows, const Origin& origin)
    : x_(x), rows_(std::move(rows)), origin_(origin) {
  pack();
  sum_squares();
}

void PackedRows::pack() {
  using Values = Eigen::Array<double, strip_rows, 1>;
  const Index count = static_cast<Index>(rows_->size());
  data_.resize(strips() * stride());
  if (origin_ != nullptr) moved_.resize(data_.size());
  for (Index s = 0; s < strips(); ++s) {
    Index from[strip_rows];  // all eight at once; those behind the last are taken away again
    for (Index i = 0; i < strip_rows; ++i)
      from[i] = (*rows_)[at(std::min(s * strip_rows + i, count - 1))];
    const bool consecutive = are_consecutive(from);
    for (Index f = 0; f < x_.cols; ++f) {
      const double* column = x_.column(f);
      const Index place = s * stride() + f * strip_rows;
      Eigen::Map<Values> to(data_.data() + place);
      if (consecutive) to = Eigen::Map<const Values>(column + from[0]);
      else
        for (Index i = 0; i < strip_rows; ++i) to[i] = column[from[i]];
      if (origin_ != nullptr) Eigen::Map<Values>(moved_.data() + place) = to - (*origin_)[f];
    }
  }
  for (Vector* packed : {&data_, &moved_})
    for (Index i = count; i < strips() * strip_rows && packed->size() > 0; ++i)
      for (Index f = 0; f < x_.cols; ++f)
        (*packed)[(strips() - 1) * stride() + f * strip_rows + i % strip_rows] = 0.0;
}

// Eight features at a time, each block summed by itself: fewer roundings stand behind a sum.
void PackedRows::sum_squares() {
  constexpr Index block = 8 * strip_rows;
  lengths_ = Vector::Zero(strips() * strip_rows);
  const Vector& rows = moved_.size() == 0 ? data_ : moved_;
  for (Index s = 0; s < strips(); ++s) {
    double* lengths = lengths_.data() + s * strip_rows;
    for (Index first = 0; first < stride(); first += block) {
      const double* x = rows.data() + s * stride() + first;
      double part[strip_rows] = {};
      for (Index k = std::min(block, stride() - first); k > 0; k -= strip_rows, x += strip_rows)
        for (Index i = 0; i < strip_rows; ++i) part[i] += x[i] * x[i];
      for (Index i = 0; i < strip_rows; ++i) lengths[i] += part[i];
    }
  }
}

void PackedRows::sums(const FeatureRows& b, const Tile& tile, const PairSum& sum, const Simd& simd,
                      TileOnItsWay* on_its_way, double* out) const {
  PanelPair pair = panel_pair(static_cast<const PackedRows&>(b), tile, sum);
  pair.on_its_way = on_its_way;
  simd.reduce[static_cast<int>(sum.kind)](pair, out);
}

// A tile in the terms of the SIMD loops.
PanelPair PackedRows::panel_pair(const PackedRows& b, const Tile& tile, const PairSum& sum) const {
  const Index a_strip = tile.a_first / strip_rows, b_strip = tile.b_first / strip_rows;
  PanelPair pair = {
      strip(a_strip), tile.a_count, b.strip(b_strip),    tile.b_first % strip_rows,
      tile.b_count,   stride(),     sum.features.data(), static_cast<Index>(sum.features.size()),
      sum.parameter};
  if (origin_ != nullptr && origin_ == b.origin_) {
    pair.a_moved = moved_strip(a_strip);
    pair.b_moved = b.moved_strip(b_strip);
  }
  pair.in_order = sum.in_order(x_.cols);
  if (pair.in_order && origin_ == b.origin_) {
    pair.a_lengths = squared_lengths() + tile.a_first;
    pair.b_lengths = b.squared_lengths() + tile.b_first;
  }
  return pair;
}

Vector PackedRows::self_sums(const PairSum& sum) const {
  Vector sums(static_cast<Index>(rows_->size()));
  for (Index i = 0; i < sums.size(); ++i) sums[i] = self_sum(sum, x_, (*rows_)[at(i)]);
  return sums;
}

}  // namespace mk
