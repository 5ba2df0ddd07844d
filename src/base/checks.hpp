// Checks of matrices that come from outside.
#pragma once

#include <optional>
#include <string>

#include "types.hpp"

namespace mk {

// The place of the first entry that is NaN or infinite, column by column; -1 if there is none.
Index first_not_finite(const MatrixView& x);
// Throws InvalidArgument if an entry of x is not finite.
void check_finite(const MatrixView& x, const std::string& argument);

// Where a square matrix differs most from its transpose, if that is beyond rounding.
std::optional<Place> find_asymmetry(const MatrixView& k);

// "2 x 3", for errors.
std::string format_size(Index rows, Index cols);

}  // namespace mk
