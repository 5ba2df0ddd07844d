// Fits to rows that come in blocks: what a process that has a block computes of it, and the fit
// that the sums of all blocks lead to.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "../approximations/random_features.hpp"
#include "../learners/sums_newton.hpp"
#include "fit.hpp"
#include "kernel_items.hpp"

namespace mk {

// Of each kernel before normalization: the sum of k(x, x) over some rows, and how many are not 0.
struct KernelTotals {
  Vector trace, present;
  double rows = 0.0;
};
KernelTotals kernel_totals(const SharedFeatures& x, const std::vector<State>& kernels,
                           const Runtime& runtime);

// How features are made of rows: of their kernel values at landmarks, or random ones.
struct BlockMap {
  SharedFeatures landmarks;  // of no rows for random features
  std::vector<State> kernels, normalizers;
  std::vector<Matrix> back;  // see approximations/nystrom.hpp; empty for random features
  FeatureDraw draw;
};

struct BlockMapFit {
  Normalizers normalizers;
  std::vector<Matrix> back;
  std::vector<bool> indefinite;
  Vector columns;  // features of each kernel
  Vector error;    // of random features, on the sample
};
// With `draw.count` of 0 the rows of `sample` are landmarks; else they measure the error of random
// features. Normalizers are those of all rows, whose totals are given.
BlockMapFit fit_block_map(const SharedFeatures& sample, const std::vector<State>& kernels,
                          const KernelTotals& totals, const FeatureDraw& draw,
                          const Runtime& runtime);

// Rows that landmarks are chosen of, see approximations/landmarks.hpp.
Indices block_landmarks(const std::string& method, Index count, const SharedFeatures& sample,
                        const std::vector<State>& kernels, const Runtime& runtime);

// A two-class problem, or a response that is taken whole (both codes -1).
struct BlockProblem {
  ClassPair classes{-1, -1};
  RowLoss loss;
};
// A block as its process sees it: the response as class codes or numbers.
struct RowBlock {
  SharedFeatures x;
  Vector y, weights;
  std::vector<Vector> centers;  // of each problem; empty at first
};
struct BlockSums {
  std::vector<RowSums> sums;
  // Of each kernel: the sums of k(x, x) and of |k(x, x) - z'z|, and the largest z'z of all kernels
  // together, weighted; only if they are asked for.
  Vector diagonal, residual;
  double longest = 0.0;
};
BlockSums sum_block(const BlockMap& map, RowBlock& block, const std::vector<BlockProblem>& problems,
                    const std::vector<SumsRequest>& requests, bool residuals,
                    const Runtime& runtime);

// The two-class problems of some classes, with their parameters.
struct BlocksRequest {
  std::vector<BlockProblem> problems;
  Indices offsets;             // of the features of each kernel, and their number
  double p = 0.0;              // norm of weights to be found; 0: they are fixed
  Vector weights;              // of the kernels; may be empty where they are found
  std::vector<Vector> starts;  // may be empty
  SumsOptions options;
};
struct BlocksFit {
  ClassPair classes;
  Vector w, weights;  // the bias last; weights of the kernels
  Report report;
};
std::vector<BlocksFit> fit_blocks(const BlocksRequest& request, const SumsOracle& oracle,
                                  const Runtime& runtime);

// The model of a fit, as it is stored: on landmarks, or on random features.
std::unique_ptr<Model> block_model(const BlocksFit& fit, const Indices& offsets,
                                   const std::vector<Matrix>& back, const FeatureDraw& draw);

}  // namespace mk
