#include "strings.hpp"

namespace mk {

SharedFeatures make_strings(const State& state) {
  return std::make_shared<Strings>(state.texts("values"));
}

}  // namespace mk
