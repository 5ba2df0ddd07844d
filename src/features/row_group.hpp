// Examples and groups of them that meet in kernels.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "features.hpp"

namespace mk {

// A set of examples, by all sources that describe it: source 0 are the features, then follow their
// views, precomputed kernels and features that kernels make, in the order of their KernelSet.
struct Examples {
  std::vector<SharedFeatures> sources;

  const Features& features() const { return *sources.front(); }
  Index count() const { return features().rows(); }
};

// The features and, where they have views, these.
Examples feature_examples(const SharedFeatures& x);
// Training examples with precomputed kernels; x may have no columns.
Examples dense_examples(const MatrixView& x, const std::vector<MatrixView>& kernels = {});
// Examples that precomputed kernels alone describe.
Examples stored_examples(const std::vector<MatrixView>& kernels);

// Some of the examples, ready for the evaluation of kernels against another group.
class RowGroup {
 public:
  // `training`: positions in the training set, whose means are known. Distances are measured from
  // the origins if the other group has the same.
  RowGroup(std::shared_ptr<const Examples> examples, Indices rows, bool training,
           Origins origins = {});

  Index count() const { return static_cast<Index>(rows_->size()); }
  Index panels() const { return panel_count(count()); }
  const Indices& rows() const { return *rows_; }
  const Examples& examples() const { return *examples_; }
  const Origins& origins() const { return origins_; }
  bool training() const { return training_; }
  // Packed when it is asked for first, by any thread.
  const FeatureRows& source(Index s) const;

  // The examples at some positions of this group; all of them share its packed rows.
  std::shared_ptr<const RowGroup> part(const Indices& positions) const;

 private:
  std::shared_ptr<const Examples> examples_;
  SharedIndices rows_;
  Origins origins_;
  bool training_;
  struct Packed {
    std::once_flag once;
    std::unique_ptr<const FeatureRows> rows;
  };
  std::shared_ptr<std::vector<Packed>> packed_;  // one per source
};

// All of some examples.
std::shared_ptr<const RowGroup> whole_group(Examples examples, bool training, Origins origins = {});

}  // namespace mk
