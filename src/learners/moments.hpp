// First and second moments of explicit features and of a response: sums over rows, so that those of
// parts of the rows add up to those of all, and one pass serves several problems.
#pragma once

#include "learner.hpp"

namespace mk {

struct Moments {
  double origin = 0.0;  // that the response is measured from
  double weight = 0.0, y = 0.0, yy = 0.0;
  Vector z, zy;  // features kernel by kernel, one after the other
  Matrix zz;     // the lower triangle

  // Those of other rows, or with a factor of -1 without them; both have the same origin.
  void add(const Moments& other, double factor);
  // Those of other rows whose response is `label`, whatever theirs was.
  void add_class(const Moments& other, double label);
};

// In one pass over the features of an approximated bank. Labels are measured from 0, other numbers
// from their mean.
Moments moments_of(const TrainingSet& data, const Runtime& runtime);

}  // namespace mk
