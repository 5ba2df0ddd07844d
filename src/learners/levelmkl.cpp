#include "levelmkl.hpp"

#include "../base/errors.hpp"
#include "cuts.hpp"

namespace mk {

LevelmklLearner::LevelmklLearner(const State& parameters, const SmoOptions& smo)
    : MklLearner("levelmkl", MklOptions::read(parameters, smo), parameters.number("level", 0.5)),
      level_(parameters.number("level", 0.5)) {
  if (!(level_ > 0.0 && level_ < 1.0))
    throw InvalidArgument("level", "a number in (0, 1)", format_number(level_));
  // An SVM less exact than the distance of the level from the upper bound would hide the way down.
  options_.svm_share = 0.4 * (1.0 - level_);
}

void LevelmklLearner::run(MklSearch& search, const Runtime& runtime) const {
  search_by_cuts(search, runtime, [&](const CuttingPlanes& cuts, const Vector& d, const Vector&) {
    const double level = level_ * search.upper() + (1.0 - level_) * search.lower();
    return cuts.project(d, level, runtime);
  });
}

}  // namespace mk
