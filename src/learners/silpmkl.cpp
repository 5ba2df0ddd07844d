#include "silpmkl.hpp"

#include "cuts.hpp"

namespace mk {

MklLearner silpmkl_learner(const State& parameters, const SmoOptions& smo) {
  const auto lowest = [](const CuttingPlanes&, const Vector&, const Vector& d) { return d; };
  return {"silpmkl", MklOptions::read(parameters, smo),
          [lowest](MklSearch& search, const Runtime& runtime) {
            search_by_cuts(search, runtime, lowest);
          }};
}

}  // namespace mk
