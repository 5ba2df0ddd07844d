#include "packed_rows.hpp"

namespace mk {

PackedRows::PackedRows(const MatrixView& x, const Indices& rows)
    : count_(static_cast<Index>(rows.size())), features_(x.cols) {
  const Index strips = (count_ + strip_rows - 1) / strip_rows;
  data_.assign(static_cast<std::size_t>(strips * stride()), 0.0);
  for (Index f = 0; f < features_; ++f) {
    const double* column = x.column(f);
    for (Index i = 0; i < count_; ++i)
      data_[static_cast<std::size_t>(i / strip_rows * stride() + f * strip_rows +
                                     i % strip_rows)] = column[rows[static_cast<std::size_t>(i)]];
  }
}

}  // namespace mk
