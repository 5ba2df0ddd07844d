// Sequential minimal optimization for the problems of smo_problem.hpp. The working pair is chosen
// with second-order information (Fan, Chen & Lin 2005).
#pragma once

#include "../base/runtime.hpp"
#include "q_matrix.hpp"
#include "smo_problem.hpp"

namespace mk {

// A matrix of low rank (see low_rank.hpp) is solved by low_rank_newton.hpp instead.
// `start` may be empty; otherwise it is moved to the nearest feasible point that keeps its shape.
SmoResult solve_smo(QMatrix& q, const SmoProblem& problem, const Vector& start,
                    const SmoOptions& options, const Runtime& runtime);

}  // namespace mk
