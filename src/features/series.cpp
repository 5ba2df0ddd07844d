#include "series.hpp"

#include "../base/errors.hpp"
#include "feature_map.hpp"

namespace mk {

void Series::add(const Eigen::Ref<const Matrix>& x) {
  for (Index t = 0; t < x.rows(); ++t)
    for (Index c = 0; c < x.cols(); ++c) values_.push_back(x(t, c));
  starts_.push_back(starts_.back() + x.rows());
}

SharedFeatures make_series(const State& state) {
  const std::vector<State>& examples = state.list("values");
  Index channels = 0;
  for (std::size_t i = 0; i < examples.size() && channels == 0; ++i)
    channels = examples[i].matrix("x").cols();
  auto series = std::make_shared<Series>(channels);
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const auto x = examples[i].matrix("x");
    const std::string example = " in example " + std::to_string(i + 1);
    if (!x.allFinite()) throw InvalidArgument("values", "finite", "NaN or Inf" + example);
    if (x.rows() > 0 && x.cols() != channels)
      throw InvalidArgument("values", "series of " + std::to_string(channels) + " channels",
                            std::to_string(x.cols()) + example);
    series->add(x);
  }
  return series;
}

std::shared_ptr<const Series> read_series(const MapInput& input) {
  if (const auto* series = dynamic_cast<const Series*>(&input.x))
    return {std::shared_ptr<const Series>(), series};  // not owned: it outlives what is made of it
  if (dynamic_cast<const RawFeatures*>(&input.x) != nullptr)
    refuse_features(input.x, input.kernel, input.argument, "series");
  input.x.check({PairKind::dot, 0.0, input.columns}, input.kernel, input.argument);  // no views
  auto series = std::make_shared<Series>(1);
  const Indices columns(input.columns.begin(), input.columns.end());
  for (Index i = 0; i < input.x.rows(); ++i) series->add(input.x.values({i}, columns).transpose());
  return series;
}

}  // namespace mk
