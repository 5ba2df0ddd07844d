#include "packed_rows.hpp"

namespace mk {

PackedRows::PackedRows(const MatrixView& x, const Indices& rows)
    : count_(static_cast<Index>(rows.size())), features_(x.cols) {
  // The loops read whole vectors, a few entries past the last example.
  data_.assign(static_cast<std::size_t>(panels() * panel_rows * features_ + 8), 0.0);
  for (Index p = 0; p < panels(); ++p) {
    double* panel = data_.data() + p * panel_rows * features_;
    const Index* panel_row = rows.data() + p * panel_rows;
    const Index size = panel_size(p);
    for (Index f = 0; f < features_; ++f) {
      const double* column = x.column(f);
      for (Index i = 0; i < size; ++i) panel[f * panel_rows + i] = column[panel_row[i]];
    }
  }
}

}  // namespace mk
