// Inner cross-validation: which rows are held out together.
#pragma once

#include <vector>

#include "../losses/target.hpp"

namespace mk {

// Random folds from the seed, stratified as the target asks for. At most `count`; fewer if the
// smaller stratum has fewer rows, none if one has a single row.
std::vector<Indices> make_folds(const Target& target, Index count, std::uint64_t seed);

Indices complement(const Indices& rows, Index n);

}  // namespace mk
