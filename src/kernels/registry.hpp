// From the name of a kernel family and its parameters to the factor that computes it.
#pragma once

#include <string>

#include "../base/state.hpp"
#include "kernel.hpp"

namespace mk {

// Features are filled in by the caller. Throws InvalidArgument for an unknown family or a
// parameter out of range.
Factor make_factor(const std::string& family, const State& parameters);

// Parameter checks shared by the kernel files.
double positive_parameter(const State& parameters, const char* name);
double finite_parameter(const State& parameters, const char* name);
int degree_parameter(const State& parameters);
// A rate that multiplies sums over features: 0 or infinite ones would make NaN of some sums.
double checked_rate(double rate, const char* name, double value);

// One maker per kernel file.
Factor make_linear(const State&);
Factor make_polynomial(const State&);
Factor make_sigmoid(const State&);
Factor make_rbf(const State&);
Factor make_laplacian(const State&);
Factor make_matern(const State&);
Factor make_rational_quadratic(const State&);
Factor make_anova(const State&);
Factor make_cauchy(const State&);
Factor make_chisq(const State&);
Factor make_intersection(const State&);

}  // namespace mk
