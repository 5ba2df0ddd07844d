#include "registry.hpp"

#include <map>

#include "../base/errors.hpp"
#include "dense.hpp"
#include "graphs.hpp"
#include "series.hpp"
#include "sparse.hpp"
#include "strings.hpp"

namespace mk {

SharedFeatures make_features(const State& state) {
  static const std::map<std::string, SharedFeatures (*)(const State&)> makers = {
      {"dense", make_dense_features},   {"graphs", make_graphs},   {"series", make_series},
      {"sparse", make_sparse_features}, {"strings", make_strings},
  };
  const std::string& type = state.text("type");
  const auto found = makers.find(type);
  if (found == makers.end())
    throw InvalidArgument("type", "the name of a type of features", "\"" + type + "\"");
  return found->second(state);
}

}  // namespace mk
