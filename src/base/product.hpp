// Products of large matrices, a few columns at a time: with the threads of the runtime, and so that
// they can be interrupted.
#pragma once

#include <algorithm>

#include "runtime.hpp"
#include "types.hpp"

namespace mk {

// a b. The blocks depend on the sizes alone, and so does the result.
template <class A, class B>
Matrix product(const A& a, const B& b, const Runtime& runtime) {
  Matrix out(a.rows(), b.cols());
  // Some tenths of a second at most; narrower blocks would not fill the registers.
  const Index size = std::max<Index>(1, a.rows() * a.cols());
  const Index width = std::clamp<Index>((Index{1} << 29) / size, 16, 256);
  runtime.parallel_for((b.cols() + width - 1) / width, [&](Index block) {
    const Index first = block * width, count = std::min(width, b.cols() - first);
    out.middleCols(first, count).noalias() = a * b.middleCols(first, count);
  });
  return out;
}

}  // namespace mk
