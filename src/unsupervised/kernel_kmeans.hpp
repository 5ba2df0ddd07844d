// Kernel k-means clustering on several kernels (Gönen & Margolin 2014), with the assignment relaxed
// to an orthogonal matrix H:
//   min over H'H = I and the weights of  tr(K) - tr(H'KH),
// where K = sum_m w_m^2 K_m with w >= 0 of sum 1, or localized K = sum_m (w_m w_m') o K_m with
// weights of each row, w_im >= 0 of sum 1 for each row i. Alternates between H (the leading
// eigenvectors of K) and the weights (a closed form, or a quadratic program); then k-means on the
// rows of H, scaled to length 1.
#pragma once

#include <string>

#include "../kernels/kernel_bank.hpp"
#include "kmeans.hpp"

namespace mk {

enum class ClusterWeights { fixed, global, localized };

struct KernelKmeansOptions {
  Index clusters = 2;
  ClusterWeights weights = ClusterWeights::global;
  Index starts = 20;
  double tolerance = 1e-6;  // relative decrease of the objective that ends the alternation
  Index iterations = 200;
};

struct KernelKmeans {
  Clusters clusters;
  Matrix weights;            // a row for each row of the data, or one for all
  Matrix embedding;          // H
  Vector values;             // eigenvalues of K that belong to it
  std::vector<double> path;  // of the objective, after each step for H
  double violation = 0.0;    // relative decrease in the last iteration
  double gap = 0.0;          // of the weights given H, relative to the objective
  Index iterations = 0;
  bool converged = false;
};

KernelKmeans kernel_kmeans(const KernelBank& bank, const KernelKmeansOptions& options,
                           const Runtime& runtime);

// min sum_m t_m w_m^2 over w >= 0 of sum 1.
Vector inverse_weights(const Vector& t);

}  // namespace mk
