// k(x, z) = 1/p sum_v s_v(x_v, z_v) over the variables v of a table, see features/table.hpp: the
// clinical kernel of Daemen & De Moor 2009, and the share of equal categories (overlap).
#include "../features/table.hpp"

#include "registry.hpp"

namespace mk {

Factor make_table(const State& parameters) {
  return {{PairKind::dot},
          make_identity_map(),
          std::make_shared<TableMap>(read_table_variables(parameters))};
}

}  // namespace mk
