#include "folds.hpp"

#include <algorithm>

#include "../base/random.hpp"

namespace mk {

std::vector<Indices> make_folds(const Target& target, Index count, std::uint64_t seed) {
  Indices groups[2];
  for (Index i = 0; i < target.size(); ++i) groups[target.kind->stratum(target.y, i)].push_back(i);
  for (const Indices& group : groups)
    if (!group.empty()) count = std::min(count, static_cast<Index>(group.size()));
  if (count < 2) return {};
  std::vector<Indices> folds(static_cast<std::size_t>(count));
  std::uint64_t task_number = 1;
  std::size_t next = 0;
  for (Indices& group : groups) {
    Random random(seed, task_number++);
    random.shuffle(group);
    for (Index row : group) folds[next++ % folds.size()].push_back(row);
  }
  for (Indices& fold : folds) std::sort(fold.begin(), fold.end());
  return folds;
}

Indices complement(const Indices& rows, Index n) {
  std::vector<bool> in(static_cast<std::size_t>(n), false);
  for (Index row : rows) in[static_cast<std::size_t>(row)] = true;
  Indices out;
  for (Index i = 0; i < n; ++i)
    if (!in[static_cast<std::size_t>(i)]) out.push_back(i);
  return out;
}

}  // namespace mk
