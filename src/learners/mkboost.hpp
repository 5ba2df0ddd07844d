// MKBoost (Xia & Hoi 2013): AdaBoost whose base classifiers are SVMs, one per kernel, trained on a
// sample of the rows drawn by the current distribution D_t.
//   D1  the trial takes the classifier of the best kernel               (Algorithm 1)
//   D2  all kernels vote, with weights 1/2 ln((1 - e_j) / e_j)          (Algorithm 2, eq. 2.8-2.9)
//   S1  as D1 on kernels sampled with probability S_t(j)                (Algorithm 3, eq. 2.10)
//   S2  as D2 on sampled kernels                                        (Algorithm 4)
#pragma once

#include <map>

#include "feature_model.hpp"
#include "svm.hpp"

namespace mk {

inline double class_of(double value) { return value >= 0.0 ? 1.0 : -1.0; }

// One base classifier: sign(sum_i coefficients_i K_kernel(x, x_rows[i]) + bias), with its vote
// inside its trial. On features the sum is z_kernel(x)'v.
struct BaseClassifier {
  Index trial = 0;
  Index kernel = 0;
  double vote = 1.0;
  Expansion expansion;
  Vector v;
};

class MkboostModel final : public Model, public OnFeatures {
 public:
  MkboostModel() = default;
  static std::unique_ptr<Model> restore(const State& state);

  void prepare(const PredictOptions& options) override;
  Vector values(const KernelFeatures& features, const Runtime& runtime) const override;
  std::unique_ptr<Model> on_landmarks(const Indices& landmarks,
                                      const std::vector<Matrix>& back) const override;
  Vector decision(const CrossBank& cross) const override;
  std::vector<Expansion> parts(Index most) const override;
  Vector combine(const Eigen::Ref<const Matrix>& values) const override;
  // Each trial's alpha_t goes to the kernels that voted as the trial did, by their votes.
  Terms terms(const CrossBank& cross, const KernelGroups& groups) const override;
  Terms combine_terms(const Eigen::Ref<const Matrix>& values,
                      const KernelGroups& groups) const override;
  Vector kernel_weights() const override;
  // All rows of a fit: predictions of its first trials for them are made when they are asked for.
  // Those of the SVMs once it is restored.
  Indices support() const override;
  void remap(const Indices& new_position) override;
  State state() const override;
  State facts() const override;

  Index n_kernels = 0;
  Indices training;                         // rows of the fit; not part of the state
  std::vector<BaseClassifier> classifiers;  // ordered by trial
  // Per trial: weight alpha_t (0 if discarded), error, kernels tried, cumulative training error.
  Vector alpha, error, tried, training_error;
  Index used_trials = 0;  // decision() stops there

 private:
  using Some = std::vector<const BaseClassifier*>;
  Some voters(Index begin, Index end) const;
  std::vector<Expansion> expansions_of(const Some& some) const;
  // Decision values of the classifiers for new rows, one column each.
  Matrix evaluate(const Some& some, const CrossBank& cross) const;
  using Votes = std::map<Index, Vector>;  // the sum for each new row, by trial
  static void add_votes(const Some& some, const Eigen::Ref<const Matrix>& values, Votes& votes);
  Vector weigh(const Votes& votes, Index rows) const;
  void add_shares(const Some& some, const Eigen::Ref<const Matrix>& values,
                  const KernelGroups& groups, Matrix& shares) const;
  State shared_facts() const;  // what facts() and state() have in common
};

struct MkboostLearner : Learner {
  MkboostLearner(const State& parameters, const SmoOptions& smo);
  // Of points that differ in `trials` alone only the longest is fitted: the others are its models
  // after their last trials.
  static Models fit_path(const std::vector<MkboostLearner>& points, const TrainingSet& data,
                         const Runtime& runtime);

  bool vote;        // D2, S2
  bool stochastic;  // S1, S2
  Index trials;
  double sampling;  // share of the rows in a sample
  double decay;     // of the kernels' sampling probabilities: beta of eq. (2.10)
  SvmOptions svm;
};

}  // namespace mk
