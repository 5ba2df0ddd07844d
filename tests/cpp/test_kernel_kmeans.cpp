// Kernel k-means: weights in closed form, projections, clusters and the same result from blocks.
#include "check.hpp"
#include "learning.hpp"
#include "unsupervised/kernel_kmeans.hpp"
#include "unsupervised/local_weights.hpp"

using namespace mk;
using namespace fixtures;

TEST(inverse_weights_are_the_closed_form) {
  const Vector w = inverse_weights((Vector(3) << 1.0, 2.0, 4.0).finished());
  CHECK_CLOSE(w[0], 4.0 / 7.0, 1e-12);
  CHECK_CLOSE(w[2], 1.0 / 7.0, 1e-12);
  const Vector none = inverse_weights((Vector(3) << 0.0, 2.0, 0.0).finished());
  CHECK_CLOSE(none[0], 0.5, 1e-12);
  CHECK(none[1] == 0.0);
  // Of an indefinite kernel: concave, hence least at a vertex.
  CHECK(inverse_weights((Vector(3) << 1.0, -20.0, -60.0).finished())[2] == 1.0);
}

TEST(rows_are_projected_on_simplexes) {
  Matrix w(3, 2);
  w << 0.5, 0.5, 3.0, 0.0, 0.4, 0.8;
  const Matrix p = project_rows(w);
  CHECK_CLOSE(p(0, 0), 0.5, 1e-12);
  CHECK_CLOSE(p(1, 0), 1.0, 1e-12);
  CHECK_CLOSE(p(2, 0), 0.3, 1e-12);
}

TEST(separate_groups_are_found_and_numbered_by_their_first_rows) {
  const TestRuntime runtime;
  Matrix rows(6, 1);
  rows << 5.0, 0.0, 5.1, 0.1, -7.0, 0.05;
  const Clusters found = kmeans(rows, 3, 10, runtime);
  CHECK((found.of == Indices{0, 1, 0, 1, 2, 1}));
  CHECK_CLOSE(found.centers(0, 0), 5.05, 1e-12);
  CHECK_CLOSE(found.within, 0.005 + 0.005, 1e-9);
  CHECK((nearest_centers(rows, found.centers) == found.of));
}

TEST(blocks_of_rows_give_the_same_weights) {
  TestRuntime runtime;
  const Small data(24);
  KernelKmeansOptions options;
  options.clusters = 3;
  for (const ClusterWeights form : {ClusterWeights::global, ClusterWeights::localized}) {
    options.weights = form;
    runtime.memory = 2e9;
    const auto bank = make_bank(three_kernels(), data.x, runtime);
    const KernelKmeans whole = kernel_kmeans(bank, options, runtime);
    CHECK(whole.converged);
    runtime.memory = 8.0 * 24 * 3 * 10;
    const auto small = make_bank(three_kernels(), data.x, runtime);
    const KernelKmeans parts = kernel_kmeans(small, options, runtime);
    CHECK((whole.weights - parts.weights).norm() < 1e-6);
    CHECK(std::is_sorted(whole.path.rbegin(), whole.path.rend()));
  }
}
