#include "packed_rows.hpp"

namespace mk {

PackedRows::PackedRows(const MatrixView& x, const Indices& rows, const Origin& origin)
    : count_(static_cast<Index>(rows.size())), features_(x.cols) {
  const Index strips = (count_ + strip_rows - 1) / strip_rows;
  data_.assign(static_cast<std::size_t>(strips * stride()), 0.0);
  if (origin != nullptr) moved_ = data_;
  for (Index f = 0; f < features_; ++f) {
    const double* column = x.column(f);
    for (Index i = 0; i < count_; ++i)
      data_[place(i, f)] = column[rows[static_cast<std::size_t>(i)]];
    if (origin == nullptr) continue;
    for (Index i = 0; i < count_; ++i) moved_[place(i, f)] = data_[place(i, f)] - (*origin)[f];
  }
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
