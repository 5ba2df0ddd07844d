#include "kernel_matrix.hpp"

#include <cmath>

#include "../base/checks.hpp"
#include "../base/errors.hpp"
#include "../kernels/width_rule.hpp"

namespace mk {

KernelMatrices::KernelMatrices(const KernelRequest& request, const Runtime& runtime)
    : request_(request),
      runtime_(runtime),
      bank_(training_bank(request.x, request.kernels, runtime)) {
  const SharedFeatures &x = request.x, &z = request.z;
  z->check_finite("z");
  if (!request.fresh.empty()) check_shape(*z, *x, "z");
  const Vector& weights = request.weights;
  if (weights.size() != 0 && weights.size() != bank_.size())
    throw InvalidArgument("weights",
                          "one number for each of the " + std::to_string(bank_.size()) + " kernels",
                          std::to_string(weights.size()) + " numbers");
  if (!weights.allFinite()) throw InvalidArgument("weights", "finite", "NaN or Inf");
  if (request.fresh.empty()) return;
  fresh_ = read_kernels(*z, x->rows(), request.fresh);
  bank_.set().check_domain(new_examples(z, fresh_, "z", runtime), "z");
  if (fresh_.set->size() != bank_.size())
    throw InvalidArgument("fresh", "the same kernels as `kernels`", "others");
}

void KernelMatrices::fill(const std::vector<double*>& target) const {
  if (request_.fresh.empty()) fill_symmetric(target);
  else fill_cross(target);
  check_overflow(target);
}

void KernelMatrices::fill_symmetric(const std::vector<double*>& target) const {
  if (request_.weights.size() == 0) bank_.fill(all_rows(count()), target, runtime_, Reader::later);
  else bank_.sum(request_.weights, target[0], runtime_, Reader::later);
}

void KernelMatrices::fill_cross(const std::vector<double*>& target) const {
  const auto& training = bank_.fitted()->training;
  const auto fresh =
      whole_group(new_examples(request_.z, fresh_, "z", runtime_), false, training->origins());
  const CrossBank cross(bank_.fitted(), fresh, training, runtime_);
  if (request_.weights.size() == 0) cross.fill(all_rows(count()), target);
  else cross.sum(request_.weights, target[0]);
}

void KernelMatrices::check_overflow(const std::vector<double*>& target) const {
  if (request_.weights.size() != 0) return check_finite({target[0], rows(), cols()}, "kernels");
  for (Index m = 0; m < count(); ++m)
    if (bank_.set().kernel(m).may_overflow())
      check_finite({target[at(m)], rows(), cols()},
                   bank_.set().item_name(bank_.set().locate(m).first));
}

double kernel_width(const Features& x, const Indices& columns, const std::string& rule,
                    const Runtime& runtime) {
  x.check_finite("x");
  const double width = width_by_rule(x, listed_features(columns, x.columns()), rule, runtime);
  if (!std::isfinite(width))
    throw InvalidArgument(
        "The distances of the rows of `x` are beyond the range of numbers: scale the features.",
        "x");
  return width;
}

}  // namespace mk
