#include "lpmkl.hpp"

#include <cmath>

#include "../base/parameters.hpp"

namespace mk {

namespace {

// A step of the closed form d_m ~ ||w_m||^(2/(p+1)) has the factor (S_m)^(1/(p+1)); its powers up
// to this one are tried, as long as the objective falls.
constexpr double most_haste = 64.0;
constexpr double negligible = 1e-12;   // weight, relative to the largest
constexpr double revived = 1e-3;       // the same, of a kernel that turns out to be needed
constexpr double needed_share = 1e-6;  // of the weights of steepest descent that is worth it

Vector normalized(const Vector& d, double p) {
  const double top = d.maxCoeff();
  return d / (top * std::pow((d / top).array().pow(p).sum(), 1.0 / p));
}

// The weights of norm 1 for which d'S is largest: S_m^(1/(p-1)) up to a factor.
Vector steepest(const Vector& forms, double p) {
  return normalized((forms.array().max(0.0) / forms.maxCoeff()).pow(1.0 / (p - 1.0)).matrix(), p);
}

// The minimizer over ||d||_p = 1 of sum_m ||w_m||^2 / d_m with ||w_m||^2 = d_m^2 S_m. `haste` 1 is
// exactly that; more goes further in the same direction. It keeps weights of 0 at 0: those that
// would lower the objective get a little.
Vector update(const Vector& d, const Vector& forms, double p, double haste) {
  if (!(forms.maxCoeff() > 0.0)) return d;
  // d^(2/(p+1)) S^(1/(p+1)) = d (S d^(1-p))^(1/(p+1)): the bracket is constant at the optimum. For
  // large p it is beyond the range of numbers, its logarithm is not.
  Vector bracket = Vector::Constant(d.size(), -infinity);
  for (Index m = 0; m < d.size(); ++m)
    if (d[m] > 0.0 && forms[m] > 0.0) bracket[m] = std::log(forms[m]) + (1.0 - p) * std::log(d[m]);
  Vector next = Vector::Zero(d.size());
  const double largest = bracket.maxCoeff(), mean = d.dot(forms);
  for (Index m = 0; m < d.size(); ++m)
    if (std::isfinite(bracket[m]))
      next[m] = d[m] * std::exp(haste / (p + 1.0) * (bracket[m] - largest));
  const double top = next.maxCoeff();
  const Vector best = p > 1.0 ? steepest(forms, p) : Vector::Ones(d.size());
  const double unit = top > 0.0 ? top : 1.0;
  for (Index m = 0; m < d.size(); ++m) {
    if (!(next[m] > negligible * unit)) next[m] = 0.0;
    const bool needed = p > 1.0 ? best[m] > needed_share : forms[m] > mean;
    if (next[m] == 0.0 && d[m] == 0.0 && needed) next[m] = revived * unit * best[m];
  }
  return normalized(next, p);
}

// With p > 1 all kernels have a weight at the end: a start has a little of each.
Vector start_weights(const MklSearch& search, double p) {
  Vector d = search.first_weights();
  const double least = revived * d.maxCoeff();
  if (p > 1.0) d = d.cwiseMax(least);
  return normalized(d, p);
}

void alternate(MklSearch& search, double p) {
  Vector d = start_weights(search, p);
  MklProblem::Value value = search.evaluate(d);
  search.record(value.objective);
  double haste = 1.0;
  while (!search.done() && !search.exhausted()) {
    const Vector next = update(d, value.forms, p, haste);
    MklProblem::Value there = search.evaluate(next);
    if (haste > 1.0 && !(there.objective < value.objective)) {
      haste = 1.0;  // too far: the closed form itself never raises the objective
      continue;
    }
    const bool still = (next - d).cwiseAbs().maxCoeff() <= 1e-14 * d.maxCoeff();
    d = next;
    value = std::move(there);
    search.record(value.objective);
    haste = std::min(1.5 * haste, most_haste);
    if (still && !search.tighten()) break;
  }
}

MklLearner alternating_learner(const char* name, const MklOptions& options) {
  return {name, options,
          [p = options.p](MklSearch& search, const Runtime&) { alternate(search, p); }};
}

}  // namespace

MklLearner lpmkl_learner(const State& parameters, const SmoOptions& smo) {
  MklOptions options = MklOptions::read(parameters, smo);
  options.p = read_number(parameters, "p", 2.0, Range::at_least(1.0));
  return alternating_learner("lpmkl", options);
}

MklLearner glmkl_learner(const State& parameters, const SmoOptions& smo) {
  return alternating_learner("glmkl", MklOptions::read(parameters, smo));
}

}  // namespace mk
