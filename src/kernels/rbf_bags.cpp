// Weak kernels of EasyMKL (Aiolli & Donini 2014, section 4.1): for each kernel p is uniform in
// 1..max_features, p features are drawn with replacement (the bag F), and
//   k(x, z) = exp(-(beta / p) sum_{f in F} (x_f - z_f)^2).
#include <cmath>

#include "../base/errors.hpp"
#include "../base/random.hpp"
#include "kernel_set.hpp"
#include "registry.hpp"

namespace mk {

namespace {
// Gaussian on a bag that is drawn from `features`.
Kernel bag_kernel(Random random, Index max_features, double beta,
                  const std::vector<int>& features) {
  PairSum sum = {PairKind::squared_distance};
  const Index size = 1 + random.below(max_features);
  if (std::isnan(beta)) beta = random.uniform();
  sum.features.resize(at(size));
  for (int& feature : sum.features)
    feature = features[at(random.below(static_cast<Index>(features.size())))];
  Kernel kernel;
  kernel.factors.push_back({std::move(sum), make_gaussian_map(beta / static_cast<double>(size))});
  return kernel;
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

KernelSource make_rbf_bags(const State& parameters, std::vector<int> features) {
  if (features.empty())
    throw InvalidArgument("columns", "at least one column for bags to draw from", "none");
  double beta = parameters.number("beta");
  if (!std::isnan(beta)) beta = positive_parameter(parameters, "beta");
  // Some of the kernels of a larger set: the number of the first one, counted from 1.
  const Index first =
      parameters.has("first") ? whole_parameter(parameters, "first", most_kernels) - 1 : 0;
  const Index most = whole_parameter(parameters, "max_features", largest_bag);
  const std::uint64_t seed = seed_parameter(parameters);
  return {whole_parameter(parameters, "count", most_kernels), [=](Index index) {
            const Random random(seed, static_cast<std::uint64_t>(first + index));
            return bag_kernel(random, most, beta, features);
          }};
}

}  // namespace mk
