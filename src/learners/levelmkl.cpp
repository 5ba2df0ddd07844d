#include "levelmkl.hpp"

#include "../base/parameters.hpp"
#include "cuts.hpp"

namespace mk {

MklLearner levelmkl_learner(const State& parameters, const SmoOptions& smo) {
  MklOptions options = MklOptions::read(parameters, smo);
  // Share of the upper bound in the level.
  const double share = read_number(parameters, "level", 0.5, {0.0, 1.0, true, true});
  // An SVM less exact than the distance of the level from the upper bound would hide the way down.
  options.svm_share = 0.4 * (1.0 - share);
  const auto run = [share](MklSearch& search, const Runtime& runtime) {
    search_by_cuts(search, runtime, [&](const CuttingPlanes& cuts, const Vector& d, const Vector&) {
      const double level = share * search.upper() + (1.0 - share) * search.lower();
      return cuts.project(d, level, runtime);
    });
  };
  return {"levelmkl", options, run, share};
}

}  // namespace mk
