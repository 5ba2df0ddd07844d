// What the unsupervised fusion of kernels reads of them: their inner products, and how they differ
// along the edges of a graph of nearest neighbors (Mariette & Villa-Vialaneix 2018).
#pragma once

#include <Eigen/SparseCore>

#include "../kernels/kernel_bank.hpp"

namespace mk {

// <K_k, K_l>, sums over all entries.
Matrix kernel_products(const KernelBank& bank, const Runtime& runtime);

// W_ij: the number of kernels in which i is one of the `neighbors` rows nearest to j in the feature
// space, or j to i. Ties go to the first rows. Symmetric.
Eigen::SparseMatrix<double> neighbor_graph(const KernelBank& bank, Index neighbors,
                                           const Runtime& runtime);

// S_kl = sum_ij W_ij <K_k e_i - K_k e_j, K_l e_i - K_l e_j> = 2 tr(K_k L K_l), L the Laplacian.
Matrix graph_products(const KernelBank& bank, const Eigen::SparseMatrix<double>& graph,
                      const Runtime& runtime);

}  // namespace mk
