// Data that are no numbers (texts, series, graphs): one column, of which kernels make features by a
// FeatureMap. No sum is defined on them as they are.
#pragma once

#include "features.hpp"

namespace mk {

class RawFeatures : public Features {
 public:
  Index columns() const final { return 1; }
  // What these data are, for errors: "text".
  virtual const char* what() const = 0;

  void check(const PairSum& sum, const std::string& kernel,
             const std::string& argument) const final;
  std::unique_ptr<const FeatureRows> pack(const SharedIndices& rows,
                                          const Origin& origin) const final;
  Matrix values(const Indices& rows, const Indices& columns) const final;
};

// x as features of class F; throws InvalidArgument if it is of another type. `needed`: what the
// kernel needs, in words.
template <class F>
const F& raw_features(const Features& x, const std::string& kernel, const std::string& argument,
                      const char* needed);

// The error behind it.
[[noreturn]] void refuse_features(const Features& x, const std::string& kernel,
                                  const std::string& argument, const char* needed);

template <class F>
const F& raw_features(const Features& x, const std::string& kernel, const std::string& argument,
                      const char* needed) {
  const auto* found = dynamic_cast<const F*>(&x);
  if (found == nullptr) refuse_features(x, kernel, argument, needed);
  return *found;
}

}  // namespace mk
