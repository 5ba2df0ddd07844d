#include "registry.hpp"

#include <cmath>
#include <map>

#include "../base/errors.hpp"

namespace mk {

namespace {
using Maker = Factor (*)(const State&);

const std::map<std::string, Maker>& makers() {
  static const std::map<std::string, Maker> table = {
      {"linear", make_linear},
      {"polynomial", make_polynomial},
      {"sigmoid", make_sigmoid},
      {"rbf", make_rbf},
      {"laplacian", make_laplacian},
      {"matern", make_matern},
      {"rational_quadratic", make_rational_quadratic},
      {"anova", make_anova},
      {"cauchy", make_cauchy},
      {"chisq", make_chisq},
      {"intersection", make_intersection},
  };
  return table;
}
}  // namespace

Factor make_factor(const std::string& family, const State& parameters) {
  const auto found = makers().find(family);
  if (found == makers().end())
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

int degree_parameter(const State& parameters) {
  const double degree = parameters.number("degree");
  if (!(degree >= 1.0 && degree <= 1000.0) || degree != std::floor(degree))
    throw InvalidArgument("degree", "a whole number from 1 to 1000", format_number(degree));
  return static_cast<int>(degree);
}

double checked_rate(double rate, const char* name, double value) {
  if (!(rate > 0.0 && rate <= 1e300))
    throw InvalidArgument(name, "within the range of numbers, also when inverted and squared",
                          format_number(value));
  return rate;
}

}  // namespace mk
