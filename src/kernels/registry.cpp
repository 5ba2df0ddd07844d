#include "registry.hpp"

#include <cmath>
#include <map>

#include "../base/errors.hpp"

namespace mk {

Factor make_factor(const std::string& family, const State& parameters) {
  static const std::map<std::string, Factor (*)(const State&)> makers = {
      {"linear", make_linear},
      {"polynomial", make_polynomial},
      {"sigmoid", make_sigmoid},
      {"rbf", make_rbf},
      {"laplacian", make_laplacian},
      {"matern", make_matern},
      {"rational_quadratic", make_rational_quadratic},
      {"alignment", make_alignment},
      {"anova", make_anova},
      {"cauchy", make_cauchy},
      {"chisq", make_chisq},
      {"intersection", make_intersection},
      {"subtree", make_subtree},
      {"diffusion", make_node_kernel},
      {"laplacian_graph", make_node_kernel},
      {"spectrum", make_spectrum},
      {"mismatch", make_mismatch},
      {"gappy", make_gappy},
      {"weighted_degree", make_weighted_degree},
      {"aitchison", make_aitchison},
      {"clinical", make_table},
      {"overlap", make_table},
      {"tanimoto", make_tanimoto},
      {"bray_curtis", make_bray_curtis},
  };
  const auto found = makers.find(family);
  if (found == makers.end())
    throw InvalidArgument("family", "the name of a kernel", "\"" + family + "\"");
  return found->second(parameters);
}

double positive_parameter(const State& parameters, const char* name) {
  const double value = parameters.number(name);
  if (!(value > 0.0) || std::isinf(value))
    throw InvalidArgument(name, "a positive finite number", format_number(value));
  return value;
}

double finite_parameter(const State& parameters, const char* name) {
  const double value = parameters.number(name);
  if (!std::isfinite(value)) throw InvalidArgument(name, "a finite number", format_number(value));
  return value;
}

Index whole_parameter(const State& parameters, const char* name, double most) {
  const double value = parameters.number(name);
  if (!(value >= 1.0 && value <= most) || value != std::floor(value))
    throw InvalidArgument(name, "a whole number from 1 to " + format_number(most),
                          format_number(value));
  return static_cast<Index>(value);
}

int degree_parameter(const State& parameters) {
  return static_cast<int>(whole_parameter(parameters, "degree", 1000.0));
}

double checked_rate(double rate, const char* name, double value) {
  if (!(rate > 0.0 && rate <= 1e300))
    throw InvalidArgument(name, "within the range of numbers, also when inverted and squared",
                          format_number(value));
  return rate;
}

}  // namespace mk
