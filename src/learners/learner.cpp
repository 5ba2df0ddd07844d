#include "learner.hpp"

#include <limits>

namespace mk {

Vector Model::decision(const CrossBank& cross) const {
  return combine(cross.expand(parts(std::numeric_limits<Index>::max())));
}

std::vector<Expansion> Model::parts(Index /*most*/) const { return {}; }

Vector Model::combine(const Eigen::Ref<const Matrix>& values) const { return values.col(0); }

}  // namespace mk
