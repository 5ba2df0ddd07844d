#include "silpmkl.hpp"

#include "cuts.hpp"

namespace mk {

std::unique_ptr<Model> SilpmklLearner::fit(const TrainingSet& data, const Runtime& runtime) const {
  MklSearch search(data, options_, "silpmkl", runtime);
  search_by_cuts(search, runtime, [](const CuttingPlanes&, const Vector&, const Vector& lowest) {
    return lowest;
  });
  return search.model();
}

}  // namespace mk
