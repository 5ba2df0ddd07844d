// The loop that cutting plane methods for convex MKL share. A solved SVM gives a cut of J: linear
// in d, with the same value and derivative at its own d, nowhere above J.
#pragma once

#include "../solvers/cutting_planes.hpp"
#include "mkl_search.hpp"

namespace mk {

// Cuts that did not bind for so many iterations are dropped.
constexpr int patience = 50;

// `choose(cuts, d, lowest)`: the next weights, from the cuts, the present weights and the point
// where the largest cut is least.
template <class Choose>
void search_by_cuts(MklSearch& search, const Runtime& runtime, const Choose& choose) {
  CuttingPlanes cuts(search.size());
  // Equal weights whatever is known: cuts in the neighbourhood of an optimum say little of the
  // rest.
  Vector d = search.equal_weights();
  for (;;) {
    const MklProblem::Value value = search.evaluate(d);
    cuts.forget_slack(patience);
    cuts.add(value.objective + 0.5 * d.dot(value.forms), -0.5 * value.forms);
    const CuttingPlanes::Point lowest = cuts.minimum(search.upper(), runtime);
    if (lowest.solved) search.raise_lower(lowest.value);
    search.record(search.upper());
    if (search.done() || search.exhausted()) return;
    const Vector next = choose(cuts, d, lowest.d);
    // The same weights again: only a more exact SVM can tell more.
    if ((next - d).cwiseAbs().maxCoeff() < 1e-10 && !search.tighten()) return;
    d = next;
  }
}

}  // namespace mk
