// Texts: sequences of letters, or names of nodes, one per example.
#pragma once

#include "../base/state.hpp"
#include "raw.hpp"

namespace mk {

class Strings final : public RawFeatures {
 public:
  explicit Strings(Texts values) : values_(std::move(values)) {}

  const char* type() const override { return "strings"; }
  const char* what() const override { return "text"; }
  Index rows() const override { return static_cast<Index>(values_.size()); }
  // Bytes of UTF-8.
  const std::string& value(Index row) const { return values_[at(row)]; }

 private:
  Texts values_;
};

// {type: "strings", values: texts}
SharedFeatures make_strings(const State& state);

}  // namespace mk
