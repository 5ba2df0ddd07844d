// MHKS and MultiK-MHKS (paper 004): least squares towards margins that may grow, in the empirical
// feature space of each kernel (a view), with a penalty on views that disagree (eq. 8):
//   L = sum_l [ ||Y_l w_l - 1 - b_l||^2 + c ||w~_l||^2 ] + lambda sum_l ||Y_l w_l - mean_j Y_j
//   w_j||^2
// with b_l >= 0. One view and lambda = 0 is MHKS.
//
// The margins b_l only ever grow (eq. 11), so the iteration ends at a minimum of L over the w_l for
// the b_l that it found, with no margin left to raise; not at the minimum over both.
#pragma once

#include <map>
#include <mutex>

#include "../kernels/empirical_map.hpp"
#include "per_kernel_model.hpp"

namespace mk {

// What may differ within a grid.
struct MhksPoint {
  double c = 0.0625;
  double lambda = 0.0625;

  void check() const;
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

// One view, ready for least squares at any (c, lambda): with the mapped examples
// Z = U diag(sqrt(values)) V', the weights are those in the coordinates V.
struct MhksView {
  Indices rows;  // the rows the map is built on
  Matrix u;
  Vector values;
  Vector ones;  // U'1
  Matrix back;  // from weights to coefficients of the kernel; empty: U diag(values)^(-1/2)

  Vector coefficients(const Vector& weights) const;
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
// Throws InvalidArgument unless there are classes.
void check_mhks_task(const TrainingSet& data);

class MhksLearner final : public Learner {
 public:
  MhksLearner(const State& parameters, const SmoOptions& smo)
      : options_(MhksOptions::read(parameters, smo)) {}
  std::unique_ptr<Model> fit(const TrainingSet& data, const Runtime& runtime) const override;

 private:
  MhksOptions options_;
};

// The models of all points of a grid. The first of them to be asked for on a training set finds
// those of all the others as well, from one decomposition per view.
class MhksGrid {
 public:
  MhksGrid(std::vector<MhksPoint> points, const MhksOptions& options)
      : points_(std::move(points)), options_(options) {}

  // Each model can be taken once.
  std::unique_ptr<Model> take(Index point, const TrainingSet& data, const Runtime& runtime);
  // Forgets the decompositions, once each training set has been seen.
  void release() { views_.clear(); }

 private:
  struct Views {
    std::timed_mutex mutex;
    std::vector<MhksView> views;
  };
  struct Models {
    std::timed_mutex mutex;
    std::vector<std::unique_ptr<Model>> models;
  };
  using Rows = Indices;
  using Labels = std::vector<double>;

  std::vector<MhksPoint> points_;
  MhksOptions options_;
  std::mutex mutex_;
  std::map<Rows, std::shared_ptr<Views>> views_;
  std::map<std::pair<Rows, Labels>, std::shared_ptr<Models>> models_;
};

class MhksGridLearner final : public Learner {
 public:
  MhksGridLearner(std::shared_ptr<MhksGrid> grid, Index point)
      : grid_(std::move(grid)), point_(point) {}
  std::unique_ptr<Model> fit(const TrainingSet& data, const Runtime& runtime) const override {
    return grid_->take(point_, data, runtime);
  }

 private:
  std::shared_ptr<MhksGrid> grid_;
  Index point_;
};

}  // namespace mk
