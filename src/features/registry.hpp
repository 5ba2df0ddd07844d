// From the type of some features and their data to the features.
#pragma once

#include "../base/state.hpp"
#include "features.hpp"

namespace mk {

// `state` has the text "type" and what that type needs. Throws InvalidArgument for an unknown type
// or data that do not fit together.
SharedFeatures make_features(const State& state);

}  // namespace mk
