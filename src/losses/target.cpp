#include "target.hpp"

#include <algorithm>
#include <cmath>

#include "../base/errors.hpp"

namespace mk {

namespace {

void check_length(const Vector& y, Index rows) {
  if (y.size() != rows)
    throw InvalidArgument("y", "of length " + std::to_string(rows),
                          "of length " + std::to_string(y.size()));
}

std::string at_position(double value, Index i) {
  return format_number(value) + " at position " + std::to_string(i + 1);
}

// The weighted mean of error(i) over all rows.
template <class F>
double mean_error(const Vector& weights, const F& error) {
  double total = 0.0, weight = 0.0;
  for (Index i = 0; i < weights.size(); ++i) {
    weight += weights[i];
    total += weights[i] * error(i);
  }
  return weight > 0.0 ? total / weight : 0.0;
}

class Classification final : public TargetKind {
 public:
  std::string name() const override { return "classification"; }
  std::string default_loss() const override { return "hinge"; }
  bool has_classes() const override { return true; }

  void check(const Vector& y, Index rows, Index classes) const override {
    check_length(y, rows);
    const double last = static_cast<double>(classes - 1);
    for (Index i = 0; i < rows; ++i)
      if (!(y[i] >= 0.0 && y[i] <= last && y[i] == std::floor(y[i])))
        throw InvalidArgument("y", "class codes from 0 to " + format_number(last),
                              at_position(y[i], i));
  }

  std::vector<ClassPair> problems(Index classes, Reduction reduction) const override {
    if (classes == 2) return {{1, 0}};
    std::vector<ClassPair> pairs;
    if (reduction == Reduction::one_vs_rest) {
      for (Index c = 0; c < classes; ++c) pairs.push_back({c, -1});
    } else {
      for (Index a = 0; a < classes; ++a)
        for (Index b = a + 1; b < classes; ++b) pairs.push_back({b, a});
    }
    return pairs;
  }

  Vector labels(Vector y, const ClassPair& pair) const override {
    y = y.unaryExpr(
        [&](double code) { return static_cast<Index>(code) == pair.positive ? 1.0 : -1.0; });
    if (y.size() == 0 || y.maxCoeff() < 0.0 || y.minCoeff() > 0.0)
      throw InvalidArgument("y", "of two classes at least, each with an example", "of one class");
    return y;
  }

  int stratum(const Vector& y, Index i) const override { return y[i] > 0.0 ? 1 : 0; }

  double error(const Target& t, const Vector& decision, bool by_class) const override {
    const auto of_group = [&](const Vector& weights) {
      return mean_error(
          weights, [&](Index i) { return (decision[i] >= 0.0) == (t.y[i] > 0.0) ? 0.0 : 1.0; });
    };
    if (!by_class) return of_group(t.weights);
    const Vector positive = (t.y.array() > 0.0).select(t.weights, 0.0);
    const Vector negative = (t.y.array() > 0.0).select(0.0, t.weights);
    return 0.5 * (of_group(negative) + of_group(positive));
  }
};

class Regression final : public TargetKind {
 public:
  std::string name() const override { return "regression"; }
  std::string default_loss() const override { return "epsilon_insensitive"; }

  void check(const Vector& y, Index rows, Index /*classes*/) const override {
    check_length(y, rows);
    for (Index i = 0; i < rows; ++i)
      if (!std::isfinite(y[i])) throw InvalidArgument("y", "finite", at_position(y[i], i));
  }

  // The root of the mean square, in units of the largest number, so that no square overflows.
  double error(const Target& t, const Vector& decision, bool /*by_class*/) const override {
    const double unit = std::max(t.y.cwiseAbs().maxCoeff(), 1e-300);
    return unit * std::sqrt(mean_error(t.weights, [&](Index i) {
             const double error = t.y[i] / unit - decision[i] / unit;
             return error * error;
           }));
  }
};

class OneClass final : public TargetKind {
 public:
  std::string name() const override { return "one_class"; }
  std::string default_loss() const override { return "one_class"; }
  bool has_response() const override { return false; }
  void check(const Vector& y, Index rows, Index /*classes*/) const override {
    if (y.size() > 0) check_length(y, rows);
  }
  Vector labels(Vector /*y*/, const ClassPair& /*pair*/) const override { return {}; }

  // The share of rows that are rejected.
  double error(const Target& t, const Vector& decision, bool /*by_class*/) const override {
    return mean_error(t.weights, [&](Index i) { return decision[i] >= 0.0 ? 0.0 : 1.0; });
  }
};

const Classification classification_kind;
const Regression regression_kind;
const OneClass one_class_kind;

}  // namespace

std::vector<ClassPair> TargetKind::problems(Index /*classes*/, Reduction /*reduction*/) const {
  return {{-1, -1}};
}

Vector TargetKind::labels(Vector y, const ClassPair& /*pair*/) const { return y; }

int TargetKind::stratum(const Vector& /*y*/, Index /*i*/) const { return 0; }

const TargetKind* classification() { return &classification_kind; }
const TargetKind* regression() { return &regression_kind; }
const TargetKind* one_class() { return &one_class_kind; }

const std::vector<const TargetKind*>& target_kinds() {
  static const std::vector<const TargetKind*> kinds = {classification(), regression(), one_class()};
  return kinds;
}

const TargetKind* target_kind(const std::string& name) {
  std::string known;
  for (const TargetKind* kind : target_kinds()) {
    if (kind->name() == name) return kind;
    known += (known.empty() ? "\"" : ", \"") + kind->name() + "\"";
  }
  throw InvalidArgument("task", "one of " + known, "\"" + name + "\"");
}

void require_classes(const Target& target, const std::string& learner) {
  if (!target.kind->has_classes())
    throw InvalidArgument(learner + " is a classifier: the response must be classes.");
}

}  // namespace mk
