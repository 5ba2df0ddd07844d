// The descent of localized multiple kernel learning: the parameters v of the gating model minimize
//   J(v) + 1/2 penalty J(v0) ||v - v0||^2,
// where J is the optimal value of the SVM and v0 a gating model of equal weights everywhere. The
// penalty keeps the gates from closing: where they are shut the gradient vanishes, however far
// from a minimum.
#pragma once

#include <vector>

#include "gating.hpp"
#include "local_kernel.hpp"
#include "svm.hpp"

namespace mk {

struct DescentOptions {
  bool line_search = true;  // false: the paper's fixed step
  double step = 0.01;
  double penalty = 1e-2;
  Index iterations = 500;
  double tolerance = 1e-4;  // norm of the gradient, relative to the start
  SvmOptions svm;
};

// The SVM at one setting of the gating model.
struct LocalSvm {
  Gating gating;
  Matrix eta;
  SvmSolution svm;
  KernelProducts products;  // with coefficients near those of the SVM
  double objective() const { return svm.solved.objective; }
};

struct Descent {
  LocalSvm point;
  std::vector<double> path;  // the objective at the start and after each step
  double gradient_norm = 0.0;
  bool converged = false;  // to the tolerance; always with the fixed step, which has none
  bool at_limit = false;   // of the iterations
  double objective() const { return path.back(); }
};

// What all starts share; it must outlive them.
struct LocalProblem {
  const Matrix& z;
  const Matrix& open;  // gates, see Gating::weights()
  const TrainingSet& data;
  const HeldKernels& kernels;
  const DescentOptions& options;
  const Runtime& runtime;
  Matrix k;  // memory of the combined kernel, the same for all evaluations
};

Descent descend(LocalProblem& problem, const Gating& start);

}  // namespace mk
