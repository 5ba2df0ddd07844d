// Weak kernels of EasyMKL (paper 001, section 4.1): for each kernel p is uniform in
// 1..max_features, p features are drawn with replacement (the bag F), and
//   k(x, z) = exp(-(beta / p) sum_{f in F} (x_f - z_f)^2).
#include <cmath>

#include "../base/errors.hpp"
#include "../base/random.hpp"
#include "kernel_set.hpp"
#include "maps.hpp"
#include "registry.hpp"

namespace mk {

namespace {
class RbfBags final : public KernelSource {
 public:
  RbfBags(Index count, Index first, Index max_features, double beta, std::uint64_t seed,
          std::vector<int> features)
      : count_(count),
        first_(first),
        max_features_(max_features),
        beta_(beta),
        seed_(seed),
        features_(std::move(features)) {}

  Index count() const override { return count_; }

  Kernel make(Index index) const override {
    Random random(seed_, static_cast<std::uint64_t>(first_ + index));
    const Index size = 1 + random.below(max_features_);
    const double beta = std::isnan(beta_) ? random.uniform() : beta_;
    Kernel kernel;
    kernel.factors.emplace_back();
    Factor& factor = kernel.factors.back();
    factor.kind = PairKind::squared_distance;
    factor.features.resize(static_cast<std::size_t>(size));
    for (int& feature : factor.features)
      feature =
          features_[static_cast<std::size_t>(random.below(static_cast<Index>(features_.size())))];
    factor.map = make_gaussian_map(beta / static_cast<double>(size));
    return kernel;
  }

 private:
  Index count_, first_, max_features_;
  double beta_;
  std::uint64_t seed_;
  std::vector<int> features_;
};

Index whole_parameter(const State& parameters, const char* name, double most) {
  const double value = positive_parameter(parameters, name);
  if (value != std::floor(value) || value > most)
    throw InvalidArgument(name, "a whole number from 1 to " + format_number(most),
                          format_number(value));
  return static_cast<Index>(value);
}

std::uint64_t seed_parameter(const State& parameters) {
  const double seed = finite_parameter(parameters, "seed");
  if (!(seed >= 0.0 && seed <= 0x1.0p53))
    throw InvalidArgument("seed", "a number from 0 to 2^53", format_number(seed));
  return static_cast<std::uint64_t>(seed);
}

constexpr double most_kernels = 1e15;
constexpr double largest_bag = 1e6;  // a bag is a list of columns: without a limit it fills memory
}  // namespace

std::unique_ptr<KernelSource> make_rbf_bags(const State& parameters, std::vector<int> features) {
  if (features.empty())
    throw InvalidArgument("columns", "at least one column for bags to draw from", "none");
  double beta = parameters.number("beta");
  if (!std::isnan(beta)) beta = positive_parameter(parameters, "beta");
  // Some of the kernels of a larger set: the number of the first one, counted from 1.
  const Index first =
      parameters.has("first") ? whole_parameter(parameters, "first", most_kernels) - 1 : 0;
  return std::make_unique<RbfBags>(whole_parameter(parameters, "count", most_kernels), first,
                                   whole_parameter(parameters, "max_features", largest_bag), beta,
                                   seed_parameter(parameters), std::move(features));
}

}  // namespace mk
