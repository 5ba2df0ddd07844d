#include "stored_gram.hpp"

#include "../base/errors.hpp"

namespace mk {

namespace {

class StoredRows final : public FeatureRows {
 public:
  StoredRows(const MatrixView& k, const Vector& own, SharedIndices rows)
      : k_(k), own_(own), rows_(std::move(rows)) {}

  void sums(const FeatureRows& other, const Tile& tile, const PairSum&, const Simd&, TileOnItsWay*,
            double* out) const override {
    const auto& b = static_cast<const StoredRows&>(other);
    for (Index j = 0; j < tile.b_count; ++j) {
      const double* column = k_.column((*b.rows_)[at(tile.b_first + j)]);
      for (Index i = 0; i < tile.a_count; ++i)
        out[i + j * panel_rows] = column[(*rows_)[at(tile.a_first + i)]];
    }
  }

  Vector self_sums(const PairSum&) const override {
    if (!rows_->empty() && own_.size() == 0)
      throw InvalidArgument(
          "Cosine normalisation of a precomputed kernel needs k(x, x) of the new examples: give "
          "the new matrix an attribute \"diagonal\".",
          "diagonal");
    return take(own_, *rows_);
  }

 private:
  MatrixView k_;
  const Vector& own_;  // of the source, which outlives its rows
  SharedIndices rows_;
};

}  // namespace

std::unique_ptr<const FeatureRows> StoredGram::pack(const SharedIndices& rows,
                                                    const Origin&) const {
  return std::make_unique<StoredRows>(k_, own_, rows);
}

}  // namespace mk
