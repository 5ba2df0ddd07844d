// Maps that more than one kernel file uses.
#pragma once

#include <memory>

#include "kernel.hpp"

namespace mk {

std::shared_ptr<const PairMap> make_identity_map();              // s          (linear.cpp)
std::shared_ptr<const PairMap> make_gaussian_map(double gamma);  // exp(-gamma s) (rbf.cpp)
std::shared_ptr<const PairMap> make_power_map(
    double scale, double offset,
    int degree);  // (scale s + offset)^degree (polynomial.cpp)

}  // namespace mk
