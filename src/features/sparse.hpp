// A sparse matrix of features, examples x columns, that is never made dense: dot products by way of
// the entries that two examples share, squared distances by way of dot products, and for
// non-negative features sums of minima by way of shared entries as well.
//
// Columns may be centered and scaled, x~_f = (x_f - c_f) / s_f. Entries are stored as x_f / s_f,
// and
//   x~'z~ = sum_f (x_f / s_f) (z_f / s_f) - o(x) - o(z) + sum_f (c_f / s_f)^2,
//   o(x) = sum_f (x_f / s_f) (c_f / s_f),
// where every sum but the last one goes over the entries alone; distances do not see the center. No
// digits are lost as long as |c_f| < s_f. A column whose mean is larger than its standard deviation
// has entries in more than half of its rows: it is stored centered, in all rows.
#pragma once

#include <cstdint>

#include "../base/state.hpp"
#include "features.hpp"

namespace mk {

class SparseFeatures final : public Features {
 public:
  // Column by column: the rows of the entries of column f, in increasing order, are
  // positions[starts[f]], ..., positions[starts[f + 1] - 1].
  struct Columns {
    Index rows = 0;
    Indices starts, positions;
    Vector values;
    Vector center, scale;  // one number per column
    // These, or InvalidArgument if they do not describe a matrix of finite values.
    const Columns& checked() const;
    Index count() const { return starts.empty() ? 0 : static_cast<Index>(starts.size()) - 1; }
  };
  explicit SparseFeatures(const Columns& x);

  const char* type() const override { return "sparse"; }
  Index rows() const override { return static_cast<Index>(starts_.size()) - 1; }
  Index columns() const override { return shift_.size(); }
  void check(const PairSum& sum, const std::string& kernel,
             const std::string& argument) const override;
  std::unique_ptr<const FeatureRows> pack(const SharedIndices& rows,
                                          const Origin& origin) const override;
  Matrix values(const Indices& rows, const Indices& columns) const override;

  // An entry of a row: its column and its scaled value.
  struct Entry {
    std::int32_t column;
    double value;
  };
  struct Row {
    const Entry* first;
    const Entry* last;
    const Entry* begin() const { return first; }
    const Entry* end() const { return last; }
  };
  Row row(Index i) const {
    return {entries_.data() + starts_[at(i)], entries_.data() + starts_[at(i) + 1]};
  }
  // c_f / s_f; 0 for columns that are stored centered.
  const Vector& shift() const { return shift_; }

 private:
  void check_nonnegative(const PairSum& sum, const std::string& kernel,
                         const std::string& argument) const;

  Indices starts_;  // row by row
  std::vector<Entry> entries_;
  Vector shift_;
};

// {type: "sparse", rows: their number, starts, positions, values, center, scale}; the last two are
// optional.
SharedFeatures make_sparse_features(const State& state);

}  // namespace mk
