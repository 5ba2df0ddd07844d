#include "packed_rows.hpp"

#include <algorithm>

namespace mk {

PackedRows::PackedRows(const MatrixView& x, const Indices& rows, const Origin& origin)
    : count_(static_cast<Index>(rows.size())), features_(x.cols) {
  data_.resize(strips() * stride());
  if (origin != nullptr) moved_.resize(data_.size());
  for (Index s = 0; s < strips(); ++s) {
    const Index* row = rows.data() + s * strip_rows;
    const Index here = std::min(strip_rows, count_ - s * strip_rows);
    for (Index f = 0; f < features_; ++f) {
      const double* column = x.column(f);
      double* to = data_.data() + s * stride() + f * strip_rows;
      for (Index i = 0; i < here; ++i) to[i] = column[row[i]];
      std::fill(to + here, to + strip_rows, 0.0);
      if (origin == nullptr) continue;
      double* moved = moved_.data() + (to - data_.data());
      for (Index i = 0; i < here; ++i) moved[i] = to[i] - (*origin)[f];
      std::fill(moved + here, moved + strip_rows, 0.0);
    }
  }
  sum_squares();
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

bool PackedRows::in_order(const std::vector<int>& features) const {
  if (static_cast<Index>(features.size()) != features_) return false;
  for (std::size_t k = 0; k < features.size(); ++k)
    if (features[k] != static_cast<int>(k)) return false;
  return true;
}

Origin origin_of(const MatrixView& x) {
  constexpr double far = 0.1;  // squared mean against variance
  auto origin = std::make_shared<Vector>(Vector::Zero(x.cols));
  bool any = false;
  for (Index f = 0; f < x.cols && x.rows > 0; ++f) {
    const Eigen::Map<const Vector> column(x.column(f), x.rows);
    const double mean = column.mean();
    // Not finite: values that large are compared as they are.
    if (!(mean * mean > far * (column.array() - mean).square().mean())) continue;
    (*origin)[f] = mean;
    any = true;
  }
  return any ? origin : nullptr;
}

}  // namespace mk
