// MHKS and MultiK-MHKS (Wang, Chen & Sun 2008): least squares toward margins that may grow, in the
// empirical feature space of each kernel (a view), with a penalty on views that disagree (eq. 8):
//   L = sum_l [ ||Y_l w_l - 1 - b_l||^2 + c ||w~_l||^2 ] + lambda sum_l ||Y_l w_l - mean_j Y_j
//   w_j||^2
// with b_l >= 0. One view and lambda = 0 is MHKS.
//
// The margins b_l only ever grow (eq. 11), so the iteration ends at a minimum of L over the w_l for
// the b_l that it found, with no margin left to raise; not at the minimum over both.
#pragma once

#include "../kernels/empirical_map.hpp"
#include "per_kernel_model.hpp"

namespace mk {

// What may differ within a grid.
struct MhksPoint {
  double c = 0.0625;
  double lambda = 0.0625;
};

struct MhksOptions {
  MhksPoint point;
  double rho = 0.99;        // learning rate of the margins, eq. (11)
  double margin = 1e-6;     // b at the start
  double tolerance = 1e-3;  // change of L that ends the iteration
  double iterations = 1e8;  // the most there may be
  Index rank = 0;           // of the empirical maps, 0 = full
  Index landmarks = 0;      // rows they are built on, 0 = all

  // c, lambda, rho, margin, rank and landmarks by name; the rest are those of every solver.
  static MhksOptions read(const State& parameters, const SmoOptions& smo);
};

// One view, ready for least squares at any (c, lambda): coordinates U diag(sqrt(values)) V' of the
// rows; weights are those in the coordinates V. U is stored, or on explicit features Z it is Z
// to_u.
struct MhksView {
  explicit MhksView(std::shared_ptr<const MapDecomposition> m)
      : map(std::move(m)), values(map->values), ones(map->u.colwise().sum().transpose()) {}
  // The features of kernel m of an approximated bank, which outlives the view.
  MhksView(const KernelBank& bank, Index m, Index rank, const Runtime& runtime);

  Matrix inner(const Matrix& t) const;   // U't
  Matrix outer(const Matrix& in) const;  // U in

  std::shared_ptr<const MapDecomposition> map;  // null on features
  Vector values;
  const KernelFeatures* features = nullptr;
  Index kernel = 0;
  Matrix to_u;
  const Runtime* runtime = nullptr;
  Vector ones;  // U'1
};

std::vector<MhksView> make_views(const KernelBank& bank, const MhksOptions& options,
                                 const Runtime& runtime);

struct MhksSolution {
  std::vector<Vector> weights;  // of each view
  Vector biases;
  Matrix outputs;            // one column per view: w_l'phi_l(x_i) + w_l0
  Matrix margins;            // b_l in columns
  std::vector<double> path;  // L at the start and after each iteration
  bool converged = false;
};

// One solution per point, as if solved alone; `options.point` is not used.
std::vector<MhksSolution> solve_mhks(const std::vector<MhksView>& views, const Vector& y,
                                     const std::vector<MhksPoint>& points,
                                     const MhksOptions& options, const Runtime& runtime);

// How a solution ended; throws InvalidArgument if it is beyond the range of numbers.
Report mhks_report(const MhksSolution& solution);

struct MhksLearner : Learner {
  MhksLearner(const State& parameters, const SmoOptions& smo)
      : options(MhksOptions::read(parameters, smo)) {}
  // Points that differ in c and lambda alone share one decomposition for each view, and the
  // products with it.
  static Models fit_path(const std::vector<MhksLearner>& points, const TrainingSet& data,
                         const Runtime& runtime);

  MhksOptions options;
};

}  // namespace mk
