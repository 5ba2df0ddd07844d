#include "silpmkl.hpp"

#include "cuts.hpp"

namespace mk {

void SilpmklLearner::run(MklSearch& search, const Runtime& runtime) const {
  search_by_cuts(search, runtime,
                 [](const CuttingPlanes&, const Vector&, const Vector& lowest) { return lowest; });
}

}  // namespace mk
