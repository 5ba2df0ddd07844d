// Few rows in the place of many, for quadratic losses on explicit features. With features z_i, a
// free bias and weights v_i
//   min over the bias of sum_i v_i (y_i - z_i'w - bias)^2 = (-w, 1) A (-w, 1)',
// where A = LL' has the centered second moments of [Z y]. The r + 1 rows of L' have the same
// moments, and with them the same objective for every w, every cost and every choice of kernel
// weights: a learner that knows the rows by their losses alone finds the same w on them, in time
// that does not depend on how many rows there were. (L' is turned so that its columns have mean 0:
// the best bias of the condensed rows is 0.)
#pragma once

#include "feature_model.hpp"
#include "moments.hpp"

namespace mk {

// A matrix that is known by its rows, all of it.
Matrix whole_matrix(const RowSource& rows, const Runtime& runtime);

class CondensedRows {
 public:
  // Whether they give the models of a path for this many rows of an approximated bank, with less
  // work than these, and fit the memory.
  static bool serves(const LearnerPath& path, const Target& target, const KernelBank& bank,
                     Index rows, const Runtime& runtime);

  // `all`: the features of all rows, whose moments are known.
  CondensedRows(const KernelFeatures& all, const Moments& moments, const Runtime& runtime);

  // The training set that stands for the rows: matrices where they fit the memory.
  TrainingSet data() const { return {*bank_, target_}; }
  // For several fits.
  void keep_sums() { bank_->keep_sums(); }
  // The model of all rows behind one of the condensed rows.
  std::unique_ptr<FeatureModel> expand(const Model& condensed, const Runtime& runtime) const;

 private:
  Matrix centered(const Moments& moments);
  void make_bank(const Runtime& runtime);

  const KernelFeatures& all_;
  Vector means_;       // of the features, kernel by kernel
  double mean_ = 0.0;  // of the response
  std::shared_ptr<const KernelFeatures> features_;
  std::vector<Matrix> matrices_;  // of the kernels between the condensed rows, or none
  std::unique_ptr<KernelBank> bank_;
  std::unique_ptr<KernelBank> on_features_;
  Target target_;
};

}  // namespace mk
