#include "packed_rows.hpp"

#include <algorithm>

namespace mk {

namespace {
bool are_consecutive(const Index (&rows)[strip_rows]) {
  for (Index i = 1; i < strip_rows; ++i)
    if (rows[i] != rows[0] + i) return false;
  return true;
}
}  // namespace

PackedRows::PackedRows(const MatrixView& x, const Indices& rows, const Origin& origin)
    : count_(static_cast<Index>(rows.size())), features_(x.cols) {
  using Values = Eigen::Array<double, strip_rows, 1>;
  data_.resize(strips() * stride());
  if (origin != nullptr) moved_.resize(data_.size());
  for (Index s = 0; s < strips(); ++s) {
    Index from[strip_rows];  // all eight at once; those behind the last are taken away again
    for (Index i = 0; i < strip_rows; ++i)
      from[i] = rows[static_cast<std::size_t>(std::min(s * strip_rows + i, count_ - 1))];
    const bool consecutive = are_consecutive(from);
    for (Index f = 0; f < features_; ++f) {
      const double* column = x.column(f);
      const Index place = s * stride() + f * strip_rows;
      Eigen::Map<Values> to(data_.data() + place);
      if (consecutive) to = Eigen::Map<const Values>(column + from[0]);
      else
        for (Index i = 0; i < strip_rows; ++i) to[i] = column[from[i]];
      if (origin != nullptr) Eigen::Map<Values>(moved_.data() + place) = to - (*origin)[f];
    }
  }
  for (Vector* packed : {&data_, &moved_})
    for (Index i = count_; i < strips() * strip_rows && packed->size() > 0; ++i)
      for (Index f = 0; f < features_; ++f)
        (*packed)[(strips() - 1) * stride() + f * strip_rows + i % strip_rows] = 0.0;
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
