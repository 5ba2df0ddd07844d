// Minimization of a function by L-BFGS (Nocedal & Wright 2006, algorithm 7.4) with a line search
// for the weak Wolfe conditions, which also works across kinks (Lewis & Overton 2013, algorithm
// 2.6). Values are found by an inner solver and are only as exact as that solver was asked to be.
//
// The search ends where the gradient is small compared with that of the start. At a kink the
// gradient stays large on either side; there the value comes to rest, and the shortest convex
// combination of the gradients nearby says whether the point is stationary (Lewis & Overton 2013,
// section 6.3). A stationary point is confirmed by pushes in random directions, after which the
// search must not find a lower value: it leaves saddle points.
#pragma once

#include <deque>
#include <vector>

#include "../base/types.hpp"

namespace mk {

class SmoothFunction {
 public:
  virtual ~SmoothFunction() = default;
  // The value at x, which is remembered until the next call.
  virtual double evaluate(const Vector& x) = 0;
  // Of the last value: the true one is at most this much larger.
  virtual double error() const = 0;
  // At the last x.
  virtual Vector gradient() = 0;
  // The search moves to the last x.
  virtual void accept() = 0;
  // Makes the next evaluations more exact; false if that is not possible.
  virtual bool tighten() = 0;
  // Called before each evaluation of a line search; may throw to end the search.
  virtual void check() {}
};

struct LbfgsOptions {
  Index iterations = 500;
  double tolerance = 1e-4;  // norm of the gradient, relative to the start
};

enum class LbfgsEnd {
  stationary,   // the gradient is small, or the shortest combination of those nearby
  iterations,   // the limit
  no_progress,  // the value came to rest, or the line search failed, and the gradient is not small
};

struct LbfgsResult {
  Vector x, gradient;
  std::vector<double> path;  // the value at the start and after each iteration
  LbfgsEnd end = LbfgsEnd::iterations;
};

LbfgsResult minimize_lbfgs(SmoothFunction& f, const Vector& start, const LbfgsOptions& options);

// Norm of the shortest vector in the convex hull of the columns of g.
double shortest_in_hull(const Matrix& g);

}  // namespace mk
