// k-means clustering of the rows of a matrix.
#pragma once

#include "../base/runtime.hpp"
#include "../base/types.hpp"

namespace mk {

struct Clusters {
  Indices of;           // the cluster of each row, numbered by their first rows
  Matrix centers;       // one a row
  double within = 0.0;  // sum of squared distances to the centers
};

// The best of `starts` runs of Lloyd's algorithm, each from centers drawn by k-means++ (Arthur &
// Vassilvitskii 2007).
Clusters kmeans(const Matrix& rows, Index clusters, Index starts, const Runtime& runtime);

// The nearest center of each row.
Indices nearest_centers(const Matrix& rows, const Matrix& centers);

}  // namespace mk
