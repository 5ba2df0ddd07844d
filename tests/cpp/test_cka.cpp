// Centered kernel alignment: correlations against their definition, weights that no others beat,
// and the same figures from blocks of rows.
#include "check.hpp"
#include "learners/cka.hpp"
#include "learning.hpp"

using namespace mk;
using namespace fixtures;

namespace {

Matrix centered(const Matrix& k, const Vector& share) {
  const Matrix shift =
      Matrix::Identity(k.rows(), k.rows()) - Vector::Ones(k.rows()) * share.transpose();
  return shift * k * shift.transpose();
}

// sum_ij w_i w_j A_ij B_ij
double product(const Matrix& a, const Matrix& b, const Vector& share) {
  return share.dot(a.cwiseProduct(b) * share);
}

}  // namespace

TEST(alignments_are_correlations_of_centered_kernels) {
  const TestRuntime runtime;
  Small data(30);
  for (Index i = 0; i < 30; ++i) data.weights[i] = 0.5 + 0.1 * static_cast<double>(i);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  for (const TargetKind* kind : {classification(), regression()}) {
    const TrainingSet set = data.set(bank, kind);
    const Vector share = set.weights / set.weights.sum();
    const Vector y = set.y.array() - share.dot(set.y);
    const Matrix target = y * y.transpose();
    const Alignments known = alignments(set, true, runtime);
    std::vector<Matrix> kernels;
    for (Index m = 0; m < 3; ++m) {
      const GramView k = bank.matrix(m, runtime);
      kernels.push_back(centered(Eigen::Map<const Matrix>(k.view.data, 30, 30), share));
    }
    for (Index k = 0; k < 3; ++k) {
      const double norm = std::sqrt(product(kernels[at(k)], kernels[at(k)], share));
      CHECK_CLOSE(known.norms[k], norm, 1e-10);
      CHECK_CLOSE(known.target[k],
                  product(kernels[at(k)], target, share) /
                      (norm * std::sqrt(product(target, target, share))),
                  1e-10);
      for (Index l = 0; l < 3; ++l)
        CHECK_CLOSE(known.pairs(k, l),
                    product(kernels[at(k)], kernels[at(l)], share) / (norm * known.norms[l]),
                    1e-10);
    }
  }
}

TEST(blocks_of_rows_give_the_same_alignments) {
  TestRuntime runtime;
  const Small data(50);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  const TrainingSet set = data.set(bank, classification());
  const Alignments whole = alignments(set, true, runtime);
  runtime.memory = 8.0 * 50 * 3 * 14;
  const Alignments parts = alignments(set, true, runtime);
  CHECK((whole.target - parts.target).norm() < 1e-12);
  CHECK((whole.pairs - parts.pairs).norm() < 1e-12);
  const Alignments single = alignments(set, false, runtime);
  CHECK((whole.target - single.target).norm() < 1e-12);
  CHECK((whole.norms - single.norms).norm() < 1e-12 * whole.norms.norm());
}

TEST(no_weights_are_better_aligned) {
  const TestRuntime runtime;
  const Small data(40);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  const Alignments known = alignments(data.set(bank, classification()), true, runtime);
  const AlignmentWeights found = alignf_weights(known, runtime);
  CHECK(found.gap < 1e-9);
  CHECK_CLOSE(found.weights.sum(), 1.0, 1e-12);
  const auto aligned = [&](const Vector& weights) {
    const Vector d = weights.cwiseProduct(known.norms);
    return known.target.dot(d) / std::sqrt(d.dot(known.pairs * d));
  };
  const double best = aligned(found.weights);
  Random random(1, 3);
  for (int i = 0; i < 200; ++i) {
    Vector other(3);
    for (Index m = 0; m < 3; ++m) other[m] = std::abs(normal(random));
    CHECK(aligned(other) <= best + 1e-9);
  }
}

TEST(a_constant_kernel_has_no_weight) {
  const TestRuntime runtime;
  const Small data(30);
  const Alignments known = {(Vector(3) << 0.5, 0.0, 0.2).finished(), Matrix::Identity(3, 3),
                            (Vector(3) << 1.0, 0.0, 2.0).finished()};
  CHECK(alignf_weights(known, runtime).weights[1] == 0.0);
  CHECK(independent_weights(known).weights[1] == 0.0);
  const Alignments none = {Vector::Zero(2), Matrix::Identity(2, 2), Vector::Zero(2)};
  CHECK_CLOSE(alignf_weights(none, runtime).weights[0], 0.5, 1e-12);
  CHECK_CLOSE(independent_weights(none).weights[0], 0.5, 1e-12);
}

TEST(a_response_and_a_known_method_are_needed) {
  const TestRuntime runtime;
  const Small data(20);
  const auto bank = make_bank(three_kernels(), data.x, runtime);
  CHECK_THROWS(learner("cka")->fit(data.set(bank, one_class()), runtime), InvalidArgument, "task");
  State state;
  state.set("method", "best");
  CHECK_THROWS(learner("cka", state), InvalidArgument, "method");
}
