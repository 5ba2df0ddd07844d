// What kernels are computed from: a source that gives sums over features for pairs of examples.
// Features (dense, sparse) and precomputed kernel matrices are such sources. A new kind of features
// is one class here and one line in the registry.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "../base/simd.hpp"
#include "../base/types.hpp"
#include "tiles.hpp"

namespace mk {

// sum over `features` of step(x_f, z_f); `kind` names the step.
struct PairSum {
  PairKind kind = PairKind::dot;
  double parameter = 0.0;          // of the step: anova's sigma
  std::vector<int> features = {};  // positions of the columns, repeats allowed

  // Are these all the columns, in their order?
  bool in_order(Index columns) const {
    if (static_cast<Index>(features.size()) != columns) return false;
    for (std::size_t k = 0; k < features.size(); ++k)
      if (features[k] != static_cast<int>(k)) return false;
    return true;
  }
};

class ViewFeatures;

// Where distances are measured from, null for 0. Shared by all rows that meet each other.
using Origin = std::shared_ptr<const Vector>;
using Origins = std::vector<Origin>;  // of each source; empty: 0 for all

using SharedIndices = std::shared_ptr<const Indices>;

// Some examples of a source, in the form that sums are computed from.
class FeatureRows {
 public:
  virtual ~FeatureRows() = default;

  // out[i + panel_rows * j] for the examples of a tile, here (A) against those of another group of
  // the same type (B). Loops that can do so write `on_its_way`, if it is not null, meanwhile.
  virtual void sums(const FeatureRows& b, const Tile& tile, const PairSum& sum, const Simd& simd,
                    TileOnItsWay* on_its_way, double* out) const = 0;
  // Each example with itself.
  virtual Vector self_sums(const PairSum& sum) const = 0;
};

class Features {
 public:
  virtual ~Features() = default;
  virtual const char* type() const = 0;
  virtual Index rows() const = 0;
  virtual Index columns() const = 0;

  // Throws InvalidArgument that names the kernel if these features do not define this sum;
  // `argument` is the name of the features for the user.
  virtual void check(const PairSum& sum, const std::string& kernel,
                     const std::string& argument) const = 0;

  // Throws InvalidArgument if a value is not finite; nothing where that was checked before.
  virtual void check_finite(const std::string& /*argument*/) const {}

  // From where the examples are short against their distances; null if that is 0.
  virtual Origin origin() const { return nullptr; }
  // The examples at these rows, which may repeat.
  virtual std::unique_ptr<const FeatureRows> pack(const SharedIndices& rows,
                                                  const Origin& origin) const = 0;
  // A dense copy of some columns at some rows.
  virtual Matrix values(const Indices& rows, const Indices& columns) const = 0;
  // The matrix of all sums where it is stored; without data elsewhere.
  virtual MatrixView stored_matrix() const { return {}; }
  // These features, if they are several sources of data; else null.
  virtual const ViewFeatures* views() const { return nullptr; }
};

using SharedFeatures = std::shared_ptr<const Features>;

}  // namespace mk
