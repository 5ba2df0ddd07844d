// The loop that cutting plane methods for convex MKL share. A solved SVM gives a cut of J: linear
// in d, with the same value and derivative at its own d, nowhere above J.
#pragma once

#include "../solvers/cutting_planes.hpp"
#include "mkl_search.hpp"

namespace mk {

// Cuts that did not bind for so many iterations are dropped, and a gap that did not close by so
// small a share in as many is as small as the SVM lets it be.
constexpr int patience = 50;
constexpr double least_progress = 1e-3;

// `choose(cuts, d, lowest)`: the next weights, from the cuts, the present weights and the point
// where the largest cut is least.
template <class Choose>
void search_by_cuts(MklSearch& search, const Runtime& runtime, const Choose& choose) {
  CuttingPlanes cuts(search.size());
  // Equal weights whatever is known: cuts in the neighborhood of an optimum say little of the
  // rest.
  Vector d = search.equal_weights();
  double gap = infinity;
  int idle = 0;
  for (;;) {
    const MklProblem::Value value = search.evaluate(d);
    cuts.forget_slack(patience);
    const double linear = value.objective + 0.5 * d.dot(value.forms);
    cuts.add(linear - search.rounding(value), -0.5 * value.forms);
    const CuttingPlanes::Point lowest = cuts.minimum(search.upper(), runtime);
    if (lowest.solved) search.raise_lower(lowest.value);
    search.record(search.upper());
    if (search.done() || search.exhausted()) return;
    idle = search.gap() < (1.0 - least_progress) * gap ? 0 : idle + 1;
    if (idle == 0) gap = search.gap();
    const Vector next = choose(cuts, d, lowest.d);
    // The same weights again, or the same gap: only a more exact SVM can tell more.
    if ((next - d).cwiseAbs().maxCoeff() < 1e-10 || idle == patience) {
      if (!search.tighten()) return;
      idle = 0;
    }
    d = next;
  }
}

}  // namespace mk
