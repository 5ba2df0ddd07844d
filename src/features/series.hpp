// Time series: values of one or more channels at successive times. Examples may differ in the
// number of their times.
#pragma once

#include <memory>

#include "../base/state.hpp"
#include "raw.hpp"

namespace mk {

struct MapInput;

class Series final : public RawFeatures {
 public:
  explicit Series(Index channels) : channels_(channels) {}

  const char* type() const override { return "series"; }
  const char* what() const override { return "series"; }
  Index rows() const override { return static_cast<Index>(starts_.size()) - 1; }
  Index channels() const { return channels_; }
  // How many times an example has; 0 for one that lacks this view.
  Index length(Index row) const { return starts_[at(row + 1)] - starts_[at(row)]; }
  // Time after time, the channels of a time together.
  const double* values(Index row) const { return values_.data() + starts_[at(row)] * channels_; }
  // Of all examples together.
  Index times() const { return starts_.back(); }

  // One more example: times x channels.
  void add(const Eigen::Ref<const Matrix>& x);

 private:
  Index channels_;
  Indices starts_ = {0};  // in times
  std::vector<double> values_;
};

// {type: "series", values: list of {x: matrix of times x channels}}; without rows for an example
// that lacks this view.
SharedFeatures make_series(const State& state);

// What a kernel for series sees: series, or numbers, whose rows are series of one channel. Throws
// InvalidArgument for other data.
std::shared_ptr<const Series> read_series(const MapInput& input);

}  // namespace mk
