#include "shared_moments.hpp"

#include "../learners/condensed_rows.hpp"

namespace mk {

std::unique_ptr<const SharedMoments> SharedMoments::make(const LearnerPath& path,
                                                         const KernelBank& bank,
                                                         const Target& target, Index classes,
                                                         const std::vector<ClassPair>& pairs,
                                                         const Runtime& runtime) {
  if (pairs.size() < 2 || !CondensedRows::serves(path, target, bank, bank.rows(), runtime))
    return nullptr;
  double columns = 0.0;
  for (Index m = 0; m < bank.size(); ++m)
    columns += static_cast<double>(bank.features()->columns(m));
  if (8.0 * columns * columns * static_cast<double>(classes) > 0.5 * runtime.memory) return nullptr;
  std::vector<Indices> rows(at(classes));
  for (Index i = 0; i < bank.rows(); ++i) rows[static_cast<std::size_t>(target.y[i])].push_back(i);
  for (const ClassPair& pair : pairs) {
    if (pair.negative < 0) continue;
    const auto size =
        static_cast<Index>(rows[at(pair.positive)].size() + rows[at(pair.negative)].size());
    if (!CondensedRows::serves(path, target, bank, size, runtime)) return nullptr;
  }
  auto out = std::make_unique<SharedMoments>();
  for (const Indices& own : rows) {
    const KernelBank part = bank.subset(own);
    Target ones = target.rows(own);
    ones.y.setOnes();
    out->classes_.push_back(moments_of({part, ones}, runtime));
  }
  return out;
}

Moments SharedMoments::of(const ClassPair& pair, double factor) const {
  Moments out;
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    const bool positive = static_cast<Index>(c) == pair.positive;
    if (positive) out.add_class(classes_[c], 1.0);
    else if (pair.negative < 0 || static_cast<Index>(c) == pair.negative)
      out.add_class(classes_[c], -1.0);
  }
  const Moments unscaled = out;
  out.add(unscaled, factor - 1.0);
  return out;
}

}  // namespace mk
