#include "dense.hpp"

#include "../base/errors.hpp"
#include "packed_rows.hpp"

namespace mk {

// Some sums are defined for non-negative features only.
void DenseFeatures::check(const PairSum& sum, const std::string& kernel,
                          const std::string& argument) const {
  if (sum.kind != PairKind::chi_squared && sum.kind != PairKind::minimum) return;
  for (int f : sum.features)
    for (Index i = 0; i < x_.rows; ++i)
      if (x_(i, f) < 0.0)
        throw InvalidArgument(
            argument, ">= 0 for kernel `" + kernel + "` (scaled features are not: `scale = FALSE`)",
            format_number(x_(i, f)) + " in row " + std::to_string(i + 1) + ", column " +
                std::to_string(f + 1));
}

// The means of the columns that lie far from 0 against their spread, 0 for the others; null if
// there are none of the first kind.
Origin DenseFeatures::origin() const {
  constexpr double far = 0.1;  // squared mean against variance
  auto origin = std::make_shared<Vector>(Vector::Zero(x_.cols));
  bool any = false;
  for (Index f = 0; f < x_.cols && x_.rows > 0; ++f) {
    const Eigen::Map<const Vector> column(x_.column(f), x_.rows);
    const double mean = column.mean();
    // Not finite: values that large are compared as they are.
    if (!(mean * mean > far * (column.array() - mean).square().mean())) continue;
    (*origin)[f] = mean;
    any = true;
  }
  return any ? origin : nullptr;
}

std::unique_ptr<const FeatureRows> DenseFeatures::pack(const SharedIndices& rows,
                                                       const Origin& origin) const {
  return std::make_unique<PackedRows>(x_, rows, origin);
}

SharedFeatures own_dense(Matrix x) {
  struct Held {
    explicit Held(Matrix given) : x(std::move(given)), features(view(x)) {}
    Matrix x;
    DenseFeatures features;
  };
  const auto held = std::make_shared<const Held>(std::move(x));
  return SharedFeatures(held, &held->features);
}

SharedFeatures make_dense_features(const State& state) {
  return std::make_shared<DenseFeatures>(view(state.matrix("x")));
}

}  // namespace mk
