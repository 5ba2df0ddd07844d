// What every learner is: from kernels and labels to a model; and what every model can do.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "../base/state.hpp"
#include "../kernels/cross_bank.hpp"
#include "../kernels/kernel_bank.hpp"
#include "../solvers/smo.hpp"

namespace mk {

// A two-class, regression or one-class problem. Several classes are reduced to two before.
struct TrainingSet {
  const KernelBank& bank;
  Task task;
  Vector y;        // -1 / +1, or numbers, or empty
  Vector weights;  // of the examples: they multiply the cost
};

// How a fit ended.
struct Report {
  bool converged = true;
  bool indefinite = false;
  // The classes are not apart under the kernel: the distance that was minimised is no larger than
  // its error, and decision values are rounding.
  bool overlap = false;
  double iterations = 0.0;
  double objective = 0.0;
  double gap = 0.0;
  double violation = 0.0;
  double seconds = 0.0;
  Vector path;  // of the objective, for learners that iterate over it
};

class Model {
 public:
  virtual ~Model() = default;

  virtual Vector decision(const CrossBank& cross) const;
  // The expansions that the decision is made of, if there are `most` at the most, and how it is
  // made of their values, one column each. Those of many models are evaluated in one pass over the
  // kernels. None: decision() has its own way.
  virtual std::vector<Expansion> parts(Index most) const;
  virtual Vector combine(const Eigen::Ref<const Matrix>& values) const;
  // Non-null if the decision is one expansion.
  virtual const Expansion* expansion() const { return nullptr; }
  // One weight per kernel.
  virtual Vector kernel_weights() const = 0;
  // The training rows that decision() needs, and their new positions once only those are kept.
  virtual Indices support() const = 0;
  virtual void remap(const Indices& new_position) = 0;
  virtual State state() const = 0;

  Report report;
  Vector fitted;  // decision values on the rows of the fit
  // What fit_after() of a learner of the same kind can take over; gone once the next one is fitted.
  std::shared_ptr<const void> leftover;
};

class Learner {
 public:
  virtual ~Learner() = default;
  virtual std::unique_ptr<Model> fit(const TrainingSet& data, const Runtime& runtime) const = 0;
  // The same after another learner was fitted to the same data, for learners that can start from
  // what one of their kind found.
  struct Before {
    const Learner& learner;
    const Model& model;
  };
  virtual std::unique_ptr<Model> fit_after(const Before& /*before*/, const TrainingSet& data,
                                           const Runtime& runtime) const {
    return fit(data, runtime);
  }
};

// An expansion as it is stored; what is read is checked.
State expansion_state(const Expansion& e);
Expansion restore_expansion(const State& state);

// The model of a single kernel expansion.
class ExpansionModel final : public Model {
 public:
  explicit ExpansionModel(Expansion e) : expansion_(std::move(e)) {}
  static std::unique_ptr<Model> restore(const State& state);

  std::vector<Expansion> parts(Index) const override { return {expansion_}; }
  const Expansion* expansion() const override { return &expansion_; }
  Vector kernel_weights() const override { return expansion_.weights; }
  Indices support() const override { return expansion_.rows; }
  void remap(const Indices& new_position) override;
  State state() const override;

 private:
  Expansion expansion_;
};

}  // namespace mk
