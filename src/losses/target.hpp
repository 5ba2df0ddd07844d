// The response of a problem: classes, numbers, or none. A kind of response knows how it is checked,
// how it is reduced to two-class problems or taken whole, how folds of it are drawn, and which loss
// suits it if none is named.
#pragma once

#include <string>
#include <vector>

#include "../base/types.hpp"

namespace mk {

enum class Reduction { one_vs_one, one_vs_rest };

// The classes of a two-class problem. A negative class of -1 stands for all the others; -1 for both
// is a response that is taken whole.
struct ClassPair {
  Index positive, negative;
};

struct Target;

class TargetKind {
 public:
  virtual ~TargetKind() = default;
  virtual std::string name() const = 0;
  // Name of the loss for learners that are not told another.
  virtual std::string default_loss() const = 0;
  // Throws InvalidArgument unless y is such a response of `rows` rows.
  virtual void check(const Vector& y, Index rows, Index classes) const = 0;
  virtual bool has_classes() const { return false; }
  virtual bool has_response() const { return true; }
  // The problems that are fitted one by one.
  virtual std::vector<ClassPair> problems(Index classes, Reduction reduction) const;
  // The response of one of them: labels -1 / +1 for class codes.
  virtual Vector labels(Vector y, const ClassPair& pair) const;
  // Row i's group: each has its share of every fold. Groups are 0 and 1.
  virtual int stratum(const Vector& y, Index i) const;
  // The mean error of decision values on these rows, each with its weight. `by_class`: the mean of
  // those of the classes.
  virtual double error(const Target& target, const Vector& decision, bool by_class) const = 0;
};

// Each of them is the only one of its kind, so that pointers can be compared.
const TargetKind* classification();
const TargetKind* regression();
const TargetKind* one_class();
const std::vector<const TargetKind*>& target_kinds();
const TargetKind* target_kind(const std::string& name);

struct Target {
  const TargetKind* kind = classification();
  Vector y;        // class codes or labels, or numbers, or empty
  Vector weights;  // of the rows: they multiply the cost

  Index size() const { return weights.size(); }
  Target rows(const Indices& some) const {
    return {kind, y.size() > 0 ? take(y, some) : Vector(), take(weights, some)};
  }
};

// For learners that only support classification; `learner` names them in the error.
void require_classes(const Target& target, const std::string& learner);

}  // namespace mk
