// For positive parts of a whole, in centered log ratios clr(x)_f = log x_f - mean_g log x_g:
//   k(x, z) = clr(x)'clr(z), or exp(-gamma ||clr(x) - clr(z)||^2) where gamma is given.
// The norm is the distance of Aitchison 1982.
#include "../base/errors.hpp"
#include "../features/log_ratios.hpp"
#include "registry.hpp"

namespace mk {

Factor make_aitchison(const State& parameters) {
  const double pseudocount = finite_parameter(parameters, "pseudocount");
  if (pseudocount < 0.0)
    throw InvalidArgument("pseudocount", "a non-negative number", format_number(pseudocount));
  const auto map = std::make_shared<LogRatioMap>(pseudocount);
  if (!parameters.has("gamma")) return {{PairKind::dot}, make_identity_map(), map};
  return {{PairKind::squared_distance},
          make_gaussian_map(positive_parameter(parameters, "gamma")),
          map};
}

}  // namespace mk
