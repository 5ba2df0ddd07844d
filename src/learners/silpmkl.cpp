#include "silpmkl.hpp"

#include "cuts.hpp"

namespace mk {

std::unique_ptr<Model> SilpmklLearner::fit(const TrainingSet& data, const Runtime& runtime) const {
  MklSearch search(data, options_, "silpmkl", runtime);
  CuttingPlanes cuts(search.size());
  Vector d = search.equal_weights();
  for (;;) {
    add_cut(cuts, d, search.evaluate(d));
    const CuttingPlanes::Point next = cuts.minimum(search.upper(), runtime);
    if (next.solved) search.raise_lower(next.value);
    search.record(search.upper());
    if (search.done() || search.exhausted()) return search.model();
    if ((next.d - d).cwiseAbs().maxCoeff() < 1e-10 && !search.tighten()) return search.model();
    d = next.d;
  }
}

}  // namespace mk
