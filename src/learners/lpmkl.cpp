#include "lpmkl.hpp"

#include <cmath>

#include "../base/errors.hpp"

namespace mk {

namespace {

// A step of the closed form d_m ~ ||w_m||^(2/(p+1)) has the factor (S_m)^(1/(p+1)); its powers up
// to this one are tried, as long as the objective falls.
constexpr double most_haste = 64.0;
constexpr double negligible = 1e-12;  // weight, relative to the largest
constexpr double revived = 1e-3;      // the same, of a kernel that turns out to be needed

// The minimiser over ||d||_p = 1 of sum_m ||w_m||^2 / d_m with ||w_m||^2 = d_m^2 S_m. `haste` 1 is
// exactly that; more goes further in the same direction.
Vector update(const Vector& d, const Vector& forms, double p, double haste) {
  const double largest = forms.maxCoeff();
  if (!(largest > 0.0)) return d;
  // d^(2/(p+1)) S^(1/(p+1)) = d (S d^(1-p))^(1/(p+1)): the bracket is constant at the optimum.
  Vector bracket = forms.cwiseMax(0.0);
  for (Index m = 0; m < d.size(); ++m)
    bracket[m] = d[m] > 0.0 ? bracket[m] * std::pow(d[m], 1.0 - p) : 0.0;
  bracket /= bracket.maxCoeff();
  Vector next = (d.array() * bracket.array().pow(haste / (p + 1.0))).matrix();
  const double top = next.maxCoeff(), mean = d.dot(forms);
  for (Index m = 0; m < d.size(); ++m) {
    if (!(next[m] > negligible * top)) next[m] = 0.0;
    if (d[m] == 0.0 && p == 1.0 && forms[m] > mean) next[m] = revived * top;
  }
  return next / (top * std::pow((next / top).array().pow(p).sum(), 1.0 / p));
}

// The closed form keeps weights of 0 at 0, unless p is 1: a start has a little of every kernel.
Vector start_weights(const MklSearch& search, double p) {
  Vector d = search.first_weights();
  const double least = revived * d.maxCoeff();
  if (p > 1.0) d = d.cwiseMax(least);
  return d / std::pow(d.array().pow(p).sum(), 1.0 / p);
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

MklOptions read_with_p(const State& parameters, const SmoOptions& smo) {
  MklOptions options = MklOptions::read(parameters, smo);
  options.p = parameters.number("p", 2.0);
  if (!(options.p >= 1.0) || std::isinf(options.p))
    throw InvalidArgument("p", "a finite number of at least 1", format_number(options.p));
  return options;
}

}  // namespace

LpmklLearner::LpmklLearner(const State& parameters, const SmoOptions& smo)
    : MklLearner("lpmkl", read_with_p(parameters, smo)) {}

void LpmklLearner::run(MklSearch& search, const Runtime& /*runtime*/) const {
  alternate(search, options_.p);
}

void GlmklLearner::run(MklSearch& search, const Runtime& /*runtime*/) const {
  alternate(search, options_.p);
}

}  // namespace mk
