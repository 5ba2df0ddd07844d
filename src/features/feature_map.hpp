// What a kernel does to each example before examples meet: counts of words of a text, compositions
// in coordinates, nodes of a graph in space. It gives features of their own, on which sums are
// defined as for any others; the map of the kernel (kernels/kernel.hpp) then works on these sums.
//
// The features of an example depend on that example and on the parameters of the kernel alone, so
// that new examples are mapped like those of the training set.
#pragma once

#include <string>
#include <vector>

#include "../base/runtime.hpp"
#include "features.hpp"

namespace mk {

// What is mapped. `x` must outlive the features that are made of it.
struct MapInput {
  const Features& x;
  std::vector<int> columns;  // of x, that the kernel sees
  std::string kernel;        // its name, for errors
  std::string argument;      // the name of the data for the user
  // All views and the position of `x` among them; null and -1 where there are none.
  const ViewFeatures* views = nullptr;
  Index view = -1;

  // Whether an example has this view; what x holds of others is never seen.
  bool has(Index row) const;
};

class FeatureMap {
 public:
  virtual ~FeatureMap() = default;
  // Maps with the same key do the same: kernels that differ in other things share their features.
  virtual std::string key() const = 0;
  // How many columns the new features have, made of `n` ones; sums are over all of them. 0 where
  // the features have no columns that one could list.
  virtual Index columns(Index n) const = 0;
  // Whether an example may have no features at all, so that it is similar to no other and not to
  // itself either: cosine normalization leaves it at 0.
  virtual bool may_vanish() const { return false; }
  // Throws InvalidArgument that names the kernel, and the example by its number from 1, if an
  // example cannot be mapped. Looks at the interrupt flag now and then.
  virtual SharedFeatures apply(const MapInput& input, const Runtime& runtime) const = 0;
};

using SharedFeatureMap = std::shared_ptr<const FeatureMap>;

}  // namespace mk
