// The moments of the rows of each class, which are those of all two-class problems: one pass over
// the rows for all of them.
#pragma once

#include <memory>
#include <vector>

#include "../learners/moments.hpp"

namespace mk {

class SharedMoments {
 public:
  // Null where the problems are not solved from moments, or where there is but one.
  static std::unique_ptr<const SharedMoments> make(const LearnerPath& path, const KernelBank& bank,
                                                   const Target& target, Index classes,
                                                   const std::vector<ClassPair>& pairs,
                                                   const Runtime& runtime);
  // Those of one problem, whose weights are `factor` times those of the rows.
  Moments of(const ClassPair& pair, double factor) const;

 private:
  std::vector<Moments> classes_;
};

}  // namespace mk
