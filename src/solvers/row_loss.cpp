#include "row_loss.hpp"

#include <algorithm>
#include <cmath>

#include "../base/errors.hpp"

namespace mk {

namespace {

RowLoss::Response rounded_hinge(double slack, double y, double most, double center, double s) {
  const double old = y * center, free = old + s * slack;
  const double alpha = std::min(std::max(free, 0.0), most), moved = alpha - old;
  return {alpha * slack - 0.5 * moved * moved / s, y * alpha, free > 0.0 && free < most ? s : 0.0};
}

RowLoss::Response rounded_tube(double residual, double epsilon, double most, double center,
                               double s) {
  const double free = center + s * residual;
  const double shrunk = std::max(std::abs(free) - s * epsilon, 0.0);
  const double b = std::copysign(std::min(shrunk, most), free), moved = b - center;
  return {b * residual - epsilon * std::abs(b) - 0.5 * moved * moved / s, b,
          shrunk > 0.0 && shrunk < most ? s : 0.0};
}

}  // namespace

RowLoss::Response RowLoss::respond(double f, double y, double weight, double center,
                                   double sigma) const {
  const double c = cost * weight;
  if (!(c > 0.0)) return {};
  switch (kind) {
    case Kind::hinge:
      return rounded_hinge(1.0 - y * f, y, c, center, sigma * weight);
    case Kind::epsilon_insensitive:
      return rounded_tube(y - f, epsilon, c, center, sigma * weight);
    case Kind::squared_hinge: {
      const double slack = 1.0 - y * f;
      if (!(slack > 0.0)) return {};
      return {c * slack * slack, 2.0 * c * slack * y, 2.0 * c};
    }
    case Kind::squared:
      return {0.5 * c * (y - f) * (y - f), c * (y - f), c};
  }
  return {};
}

double RowLoss::exact(double f, double y, double weight) const {
  const double c = cost * weight;
  if (!(c > 0.0)) return 0.0;
  if (kind == Kind::hinge) return c * std::max(0.0, 1.0 - y * f);
  if (kind == Kind::epsilon_insensitive) return c * std::max(0.0, std::abs(y - f) - epsilon);
  return respond(f, y, weight, 0.0, 0.0).value;
}

RowLoss::DualTerm RowLoss::dual(double b, double y, double weight) const {
  const double c = cost * weight;
  if (!(c > 0.0)) return {0.0, 0.0};
  const double linear = b * y - (kind == Kind::epsilon_insensitive ? epsilon * std::abs(b) : 0.0);
  if (is_rounded()) return {linear, 0.0};
  return {linear, (kind == Kind::squared ? 0.5 : 0.25) * b * b / c};
}

RowLoss::Kind row_loss_kind(const std::string& name) {
  if (name == "hinge") return RowLoss::Kind::hinge;
  if (name == "squared_hinge") return RowLoss::Kind::squared_hinge;
  if (name == "squared") return RowLoss::Kind::squared;
  if (name == "epsilon_insensitive") return RowLoss::Kind::epsilon_insensitive;
  throw InvalidArgument(
      "loss", "\"hinge\", \"squared_hinge\", \"squared\" or \"epsilon_insensitive\" for row blocks",
      "\"" + name + "\"");
}

}  // namespace mk
