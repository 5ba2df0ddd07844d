// Inner cross-validation: which rows are held out together.
#pragma once

#include <vector>

#include "../base/types.hpp"

namespace mk {

// Random folds from the seed, stratified by the sign of y for classification. At most `count`;
// fewer if the smaller class has fewer rows, none if a class has a single one.
std::vector<Indices> make_folds(const Vector& y, Task task, Index count, std::uint64_t seed);

Indices complement(const Indices& rows, Index n);
Vector take(const Vector& values, const Indices& rows);

}  // namespace mk
