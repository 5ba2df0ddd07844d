// Minimization of a smooth function over x >= 0 whose values and derivatives are found by an inner
// solver, and so are only as exact as that solver was asked to be.
//   projected  x <- P(x - s g), with s by backtracking: the value falls at every step
//   spectral   a line search along P(x - a g) - x with the step a of Barzilai and Borwein; the
//   value
//              need only fall below the largest of the last ten (SPG of Birgin, Martinez & Raydan
//              2000, as in SPG-GMKL)
// P sets negative entries to 0. The inner solver is made more exact as the search comes to rest.
#pragma once

#include <string>
#include <vector>

#include "../base/runtime.hpp"

namespace mk {

struct InexactValue {
  double value = 0.0;  // infinite where the function is not defined
  Vector gradient;
  double error = 0.0;  // the true value is at most this much larger
};

class InexactFunction {
 public:
  virtual ~InexactFunction() = default;
  virtual InexactValue evaluate(const Vector& x) = 0;
  // How far x is from stationary, in units in which 1 is much: 0 if no entry can be moved to gain.
  virtual double violation(const Vector& x, const InexactValue& at) const = 0;
  // Makes the next evaluations more exact; false if there is nothing to gain.
  virtual bool tighten() = 0;
};

struct ProjectedOptions {
  bool spectral = true;
  double tolerance = 1e-3;  // violation that ends the search
  Index iterations = 1000;
};

struct ProjectedResult {
  Vector x;
  InexactValue at;
  double violation = 0.0;
  bool converged = false;    // the violation is at most the tolerance
  std::vector<double> path;  // the value at the start and after each step
};

// `start` > 0 also says what size of change is much for an entry. `name` heads the lines for the
// user.
ProjectedResult minimize_projected(InexactFunction& f, const Vector& start,
                                   const ProjectedOptions& options, const std::string& name,
                                   const Runtime& runtime);

}  // namespace mk
