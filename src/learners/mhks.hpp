// MHKS and MultiK-MHKS (paper 004): least squares towards margins that may grow, in the empirical
// feature space of each kernel (a view), with a penalty on views that disagree (eq. 8):
//   L = sum_l [ ||Y_l w_l - 1 - b_l||^2 + c ||w~_l||^2 ] + lambda sum_l ||Y_l w_l - mean_j Y_j w_j||^2
// with b_l >= 0. One view and lambda = 0 is MHKS.
#pragma once

#include "../kernels/empirical_map.hpp"
#include "per_kernel_model.hpp"

namespace mk {

struct MhksOptions {
  double c = 0.0625;
  double lambda = 0.0625;
  double rho = 0.99;        // learning rate of the margins, eq. (11)
  double margin = 1e-6;     // b at the start
  double tolerance = 1e-3;  // change of L that ends the iteration
  Index iterations = 1000;
  Index rank = 0;           // of the empirical maps, 0 = full
  Index landmarks = 0;      // rows they are built on, 0 = all

  static MhksOptions read(const State& parameters);
};

// One view, ready for least squares at any (c, lambda): U and the squared singular values of the
// mapped examples.
struct MhksView {
  EmpiricalMap map;
  ThinDecomposition thin;  // of map.training
  Vector ones;             // U'1
};

std::vector<MhksView> make_views(const KernelBank& bank, const MhksOptions& options,
                                 const Runtime& runtime);

struct MhksSolution {
  Matrix weights;  // of each view in the coordinates of its thin decomposition, columns padded
  Vector biases;
  Matrix outputs;  // one column per view: w_l'phi_l(x_i) + w_l0
  std::vector<double> path;  // L at the start and after each iteration
  bool converged = false;
};

MhksSolution solve_mhks(const std::vector<MhksView>& views, const Vector& y,
                        const MhksOptions& options, const Runtime& runtime);

class MhksLearner final : public Learner {
 public:
  MhksLearner(const State& parameters, const SmoOptions&)
      : options_(MhksOptions::read(parameters)) {}
  std::unique_ptr<Model> fit(const TrainingSet& data, const Runtime& runtime) const override;

 private:
  MhksOptions options_;
};

}  // namespace mk
