#include "raw.hpp"

#include "../base/errors.hpp"

namespace mk {

namespace {
std::string kind_of(const Features& x) {
  const auto* raw = dynamic_cast<const RawFeatures*>(&x);
  return raw == nullptr ? "numbers" : raw->what();
}
}  // namespace

void refuse_features(const Features& x, const std::string& kernel, const std::string& argument,
                     const char* needed) {
  throw InvalidArgument(argument, std::string(needed) + " for kernel `" + kernel + "`", kind_of(x));
}

void RawFeatures::check(const PairSum&, const std::string& kernel,
                        const std::string& argument) const {
  refuse_features(*this, kernel, argument, "numbers");
}

std::unique_ptr<const FeatureRows> RawFeatures::pack(const SharedIndices&, const Origin&) const {
  return nullptr;  // never asked for: check() refuses all sums
}

Matrix RawFeatures::values(const Indices&, const Indices&) const {
  throw InvalidArgument("x", "numbers", what());
}

}  // namespace mk
