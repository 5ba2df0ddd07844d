// Tables of mixed variables, compared variable by variable:
//   s(x, z) = 1/p sum_v s_v(x_v, z_v),
//   s_v(a, b) = max(0, 1 - |a - b| / r_v)   for numbers and for ranks, with a range r_v > 0,
//   s_v(a, b) = 1 if a = b, else 0           for categories, and where the range is 0.
// The first is (r - |a - b|) / r of Daemen & De Moor 2009, with the range of the training examples,
// and 0 for values further apart than that: the triangle kernel, positive semi-definite on all
// numbers, so that new examples outside of the range do no harm.
//
// Categories come as they are in the other features, as blocks of indicators (1 for the level of an
// example, else 0), so that all kernels read the same data. An example whose indicators are all 0
// has a level that was unknown: it equals no other, and is equal to itself.
#pragma once

#include "../base/state.hpp"
#include "feature_map.hpp"

namespace mk {

struct TableVariable {
  enum class Kind { number, category, rank };
  Kind kind = Kind::number;
  Index columns = 1;  // one, or one for each level, in the order of the levels
  double low = 0.0;   // the least value in training examples; levels count from 1
  double range = 0.0;
};

class TableMap final : public FeatureMap {
 public:
  // Variables in the order of the columns that the kernel sees.
  explicit TableMap(std::vector<TableVariable> variables);

  std::string key() const override { return key_; }
  Index columns(Index) const override { return 0; }
  SharedFeatures apply(const MapInput& input, const Runtime& runtime) const override;

 private:
  std::vector<TableVariable> variables_;
  std::string key_;
};

// {kinds: 0, 1, 2 as above, sizes, lows, ranges}, one number of each for each variable.
std::vector<TableVariable> read_table_variables(const State& state);

}  // namespace mk
