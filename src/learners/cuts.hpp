// From a solved SVM to a cut of J: linear in d, with the same value and derivative at its own d.
#pragma once

#include "../solvers/cutting_planes.hpp"
#include "mkl_problem.hpp"

namespace mk {

// Cuts that did not bind for so many iterations are dropped.
constexpr int patience = 50;

inline void add_cut(CuttingPlanes& cuts, const Vector& d, const MklProblem::Value& value) {
  cuts.forget_slack(patience);
  cuts.add(value.objective + 0.5 * d.dot(value.forms), -0.5 * value.forms);
}

}  // namespace mk
