// What every learner is: from kernels and labels to a model; and what every model can do.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "../base/state.hpp"
#include "../base/stopwatch.hpp"
#include "../kernels/cross_bank.hpp"
#include "../kernels/kernel_bank.hpp"
#include "../losses/target.hpp"
#include "../solvers/smo.hpp"

namespace mk {

// A response and the kernels of its rows. Several classes are reduced to two before: labels are
// -1 / +1.
struct TrainingSet : Target {
  TrainingSet(const KernelBank& kernels, Target target)
      : Target(std::move(target)), bank(kernels) {}

  const KernelBank& bank;
};

// How a fit ended.
struct Report {
  bool converged = true;
  bool indefinite = false;
  // The classes are not apart under the kernel: the distance that was minimized is no larger than
  // its error, and decision values are rounding.
  bool overlap = false;
  double iterations = 0.0;
  double objective = 0.0;
  double gap = 0.0;
  double violation = 0.0;
  double seconds = 0.0;
  Vector path;  // of the objective, for learners that iterate over it
};

// What of a model is to predict, for those that have a choice.
struct PredictOptions {
  Index trials = 0;      // of a boosted model, the first so many; 0: all
  double assumed = 0.0;  // label that a label-based model assumes of new rows; 0: both, their mean
};

// Kernels in groups, such as those that see one view.
struct KernelGroups {
  Indices of;  // the group of each kernel
  Index count = 0;
};

// A decision as a sum: what each group of kernels (columns) contributes to the value of each new
// row, and what belongs to no kernel.
struct Terms {
  Matrix values;
  double constant = 0.0;
};

// Columns of one kernel each, summed over the groups.
Matrix sum_groups(const Eigen::Ref<const Matrix>& values, const KernelGroups& groups);

class Model {
 public:
  virtual ~Model() = default;

  // Sets what decision() gives; throws InvalidArgument if the model cannot give it.
  virtual void prepare(const PredictOptions& options);

  virtual Vector decision(const CrossBank& cross) const;
  // The expansions that the decision is made of, if there are `most` at the most, and how it is
  // made of their values, one column each. Those of many models are evaluated in one pass over the
  // kernels. None: decision() has its own way.
  virtual std::vector<Expansion> parts(Index most) const;
  virtual Vector combine(const Eigen::Ref<const Matrix>& values) const;
  // The decision as a sum over groups of kernels; throws InvalidArgument if it is none.
  virtual Terms terms(const CrossBank& cross, const KernelGroups& groups) const;
  // As parts() and combine(), of the terms. By default the parts of the decision are of one kernel
  // each, kernel by kernel, and their values are the contributions.
  virtual std::vector<Expansion> term_parts(const KernelGroups& groups, Index most) const;
  virtual Terms combine_terms(const Eigen::Ref<const Matrix>& values,
                              const KernelGroups& groups) const;
  // The decision as a sum over the training rows, a column each, less a constant; throws
  // InvalidArgument if it is none.
  virtual Matrix row_terms(const CrossBank& cross) const;
  // Non-null if the decision is one expansion.
  virtual const Expansion* expansion() const { return nullptr; }
  // One weight per kernel.
  virtual Vector kernel_weights() const = 0;
  // The training rows that decision() needs, and their new positions once only those are kept.
  virtual Indices support() const = 0;
  virtual void remap(const Indices& new_position) = 0;
  virtual State state() const = 0;
  // What can be asked of a fitted model, under names that stay, unlike those of its state:
  //   rows          positions of its training rows
  //   coefficients  one for each of `rows`, or a column for each kernel
  //   bias          left out where a model has several
  // and what a learner says of its own, see its model.
  virtual State facts() const = 0;

  Report report;
  Vector fitted;  // decision values on the rows of the fit
};

using Models = std::vector<std::unique_ptr<Model>>;

// A learner is its parameters, documented with their defaults. It has a constructor that reads them
// and either
//   std::unique_ptr<Model> fit(const TrainingSet& data, const Runtime& runtime) const;
// whose time is taken here, or, where fits with different parameters can share work, a fit_path()
// of its own that hides the one below: the models of several parameter sets (points) on the same
// training set. They are those of separate fits, up to the tolerance of the solver.
class Learner {
 public:
  template <class L>
  static Models fit_path(const std::vector<L>& points, const TrainingSet& data,
                         const Runtime& runtime) {
    Models models;
    for (const L& point : points) {
      const Stopwatch watch;
      models.push_back(point.fit(data, runtime));
      models.back()->report.seconds = watch.seconds();
    }
    return models;
  }
};

// The points of one learner, whichever its type is.
struct LearnerPath {
  Index size = 0;
  std::function<Models(const TrainingSet& data, const Runtime& runtime)> fit;
  // Whether the models of such a response depend on the rows by sums of squared errors alone, so
  // that others with the same moments do as well: see condensed_rows.hpp. Empty: never.
  std::function<bool(const Target&)> by_moments;
};

// Positions of the points that are alike, group after group, each in the order of the points.
template <class L, class Alike>
std::vector<Indices> group_points(const std::vector<L>& points, const Alike& alike) {
  std::vector<Indices> groups;
  for (std::size_t p = 0; p < points.size(); ++p) {
    auto group = groups.begin();
    while (group != groups.end() && !alike(points[at(group->front())], points[p])) ++group;
    if (group == groups.end()) group = groups.insert(group, Indices());
    group->push_back(static_cast<Index>(p));
  }
  return groups;
}

// What each training row contributes to the sum of the expansions, times a factor for each new row
// and expansion; without `factors`: 1.
Matrix expansion_rows(const CrossBank& cross, const std::vector<Expansion>& expansions,
                      const Matrix& factors = Matrix());

State basic_facts(const Indices& rows, Value coefficients);
// Throws InvalidArgument unless stored rows are in increasing order, as every fit stores them.
void check_increasing(const Indices& rows);

// An expansion from the state of its model, checked.
Expansion restore_expansion(const State& state);

// The model of a single kernel expansion.
class ExpansionModel : public Model {
 public:
  explicit ExpansionModel(Expansion e) : expansion_(std::move(e)) {}
  static std::unique_ptr<Model> restore(const State& state);

  std::vector<Expansion> parts(Index) const override { return {expansion_}; }
  Terms terms(const CrossBank& cross, const KernelGroups& groups) const override;
  std::vector<Expansion> term_parts(const KernelGroups& groups, Index most) const override;
  Terms combine_terms(const Eigen::Ref<const Matrix>& values,
                      const KernelGroups& groups) const override;
  Matrix row_terms(const CrossBank& cross) const override;
  const Expansion* expansion() const override { return &expansion_; }
  Vector kernel_weights() const override { return expansion_.weights; }
  Indices support() const override { return expansion_.rows; }
  void remap(const Indices& new_position) override;
  State state() const override;
  State facts() const override;

 protected:
  Expansion expansion_;

 private:
  // Those of the groups from `first` to before `last`.
  std::vector<Expansion> group_expansions(const KernelGroups& groups, Index first,
                                          Index last) const;
};

}  // namespace mk
