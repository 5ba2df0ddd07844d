// Sums over some rows, z their features: all that a solver needs to know of them. Sums of blocks of
// rows are added up, so that rows can be in other processes and never are in memory at once.
#pragma once

#include <vector>

#include "../base/runtime.hpp"
#include "../solvers/row_loss.hpp"

namespace mk {

// A row for each example.
using FeatureRowsMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Of f(t) = z'(w + t direction), the bias being the last entry of w: losses and their derivatives
// by t at some steps; gradient and second derivatives at the first of them.
struct SumsRequest {
  RowLoss loss;
  Vector w, direction;   // `direction` may be empty: 0
  Vector steps;          // at least one
  double sigma = 1.0;    // of rounded losses
  double advance = 0.0;  // > 0: the centers become the coefficients at w, with this sigma, first
};

struct RowSums {
  RowSums() = default;
  RowSums(Index columns, Index steps);
  Vector loss, slope;  // of each step
  double exact = 0.0;  // the loss that is not rounded, at the first step
  Matrix gradient;     // columns + 1 entries each: sums of b (z, 1) over rows with b > 0, b < 0
  Vector linear, quadratic;  // the terms of the dual, of these two groups
  Matrix hessian;            // sum of curvature (z, 1)(z, 1)', the lower triangle
};

// Response and weights of the rows; `center` is read, and written if the request says so.
struct SumsTarget {
  Vector y, weights, center;
};

// Adds the sums of these rows.
void add_rows(const FeatureRowsMatrix& z, SumsTarget& target, const SumsRequest& request,
              RowSums& sums, const Runtime& runtime);

// Adds Z' diag(weights) Z to the lower triangle of the upper left part of `out`.
void add_weighted_gram(const FeatureRowsMatrix& z, const Vector& weights, Matrix& out,
                       const Runtime& runtime);

}  // namespace mk
