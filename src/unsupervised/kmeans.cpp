#include "kmeans.hpp"

#include <algorithm>

#include "../base/random.hpp"

namespace mk {

namespace {

// Squared distances of the rows to one center.
Vector distances(const Matrix& rows, const Eigen::RowVectorXd& center) {
  return (rows.rowwise() - center).rowwise().squaredNorm();
}

Index draw(const Vector& shares, Random& random) {
  double left = random.uniform() * shares.sum();
  Index last = 0;
  for (Index i = 0; i < shares.size(); ++i) {
    if (!(shares[i] > 0.0)) continue;
    last = i;
    left -= shares[i];
    if (left <= 0.0) break;
  }
  return last;
}

Matrix first_centers(const Matrix& rows, Index clusters, Random& random) {
  Matrix centers(clusters, rows.cols());
  Vector nearest = Vector::Ones(rows.rows());
  for (Index c = 0; c < clusters; ++c) {
    centers.row(c) = rows.row(draw(nearest, random));
    const Vector own = distances(rows, centers.row(c));
    nearest = c == 0 ? own : Vector(nearest.cwiseMin(own));
  }
  return centers;
}

// Means of the clusters; one without rows takes the row that is farthest from its own center.
void move_centers(const Matrix& rows, Clusters& found) {
  Vector counts = Vector::Zero(found.centers.rows());
  Matrix sums = Matrix::Zero(found.centers.rows(), rows.cols());
  for (Index i = 0; i < rows.rows(); ++i) {
    counts[found.of[at(i)]] += 1.0;
    sums.row(found.of[at(i)]) += rows.row(i);
  }
  Vector far(rows.rows());
  for (Index i = 0; i < rows.rows(); ++i)
    far[i] = (rows.row(i) - found.centers.row(found.of[at(i)])).squaredNorm();
  for (Index c = 0; c < counts.size(); ++c) {
    if (counts[c] > 0.0) {
      found.centers.row(c) = sums.row(c) / counts[c];
      continue;
    }
    Index farthest = 0;
    far.maxCoeff(&farthest);
    far[farthest] = 0.0;
    found.centers.row(c) = rows.row(farthest);
  }
}

double within(const Matrix& rows, const Clusters& found) {
  double sum = 0.0;
  for (Index i = 0; i < rows.rows(); ++i)
    sum += (rows.row(i) - found.centers.row(found.of[at(i)])).squaredNorm();
  return sum;
}

Clusters one_run(const Matrix& rows, Index clusters, Random random, const Runtime& runtime) {
  constexpr int most = 300;
  Clusters found;
  found.centers = first_centers(rows, clusters, random);
  for (int step = 0; step < most; ++step) {
    runtime.check_interrupt();
    Indices of = nearest_centers(rows, found.centers);
    if (of == found.of) break;
    found.of = std::move(of);
    move_centers(rows, found);
  }
  found.within = within(rows, found);
  return found;
}

// By the first row of each; clusters without rows are last.
void number_by_first_row(Clusters& found) {
  const Index count = found.centers.rows();
  Indices place(at(count), -1);
  Index next = 0;
  for (const Index c : found.of)
    if (place[at(c)] < 0) place[at(c)] = next++;
  for (Index& p : place)
    if (p < 0) p = next++;
  Matrix centers(count, found.centers.cols());
  for (Index c = 0; c < count; ++c) centers.row(place[at(c)]) = found.centers.row(c);
  found.centers = std::move(centers);
  for (Index& c : found.of) c = place[at(c)];
}

}  // namespace

Indices nearest_centers(const Matrix& rows, const Matrix& centers) {
  Matrix far(rows.rows(), centers.rows());
  for (Index c = 0; c < centers.rows(); ++c) far.col(c) = distances(rows, centers.row(c));
  Indices of(at(rows.rows()));
  for (Index i = 0; i < rows.rows(); ++i) far.row(i).minCoeff(&of[at(i)]);
  return of;
}

Clusters kmeans(const Matrix& rows, Index clusters, Index starts, const Runtime& runtime) {
  std::vector<Clusters> runs(at(starts));
  runtime.parallel_for(starts, [&](Index s) {
    runs[at(s)] =
        one_run(rows, clusters, Random(runtime.seed, static_cast<std::uint64_t>(s)), runtime);
  });
  const auto best =
      std::min_element(runs.begin(), runs.end(),
                       [](const Clusters& a, const Clusters& b) { return a.within < b.within; });
  number_by_first_row(*best);
  return *best;
}

}  // namespace mk
