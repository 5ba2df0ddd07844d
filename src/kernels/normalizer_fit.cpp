#include "normalizer_fit.hpp"

#include <cmath>

#include "../base/errors.hpp"

namespace mk {

namespace {

// The stages of every item, not fitted yet.
Normalizers empty_normalizers(const KernelSet& set, Index n) {
  Normalizers normalizers(at(set.items()));
  for (Index item = 0; item < set.items(); ++item)
    for (Normalization kind : set.normalization(item)) {
      StageFit fit;
      fit.kind = kind;
      if (kind != Normalization::cosine) fit.value = Vector::Ones(set.item_size(item));
      if (kind == Normalization::center) fit.means.resize(n, set.item_size(item));
      normalizers[at(item)].push_back(std::move(fit));
    }
  return normalizers;
}

// Of the examples that have the views of the kernel.
double trace_factor(Normalization kind, const Vector& diagonal, const Vector& seen,
                    const std::string& name) {
  const double trace = diagonal.dot(seen);
  if (!(trace > 0.0) || std::isinf(trace))
    throw InvalidArgument("Kernel `" + name + "` cannot be normalised by its trace: it is " +
                              format_number(trace) + ", not a positive finite number.",
                          name);
  return (kind == Normalization::trace ? seen.sum() : 1.0) / trace;
}

// Stage s of kernel m; the diagonal enters the stage and leaves it.
void fit_stage(FittedKernels& fitted, Index m, Index s, Vector& diagonal, const Runtime& runtime) {
  const auto place = fitted.set->locate(m);
  const std::string& name = fitted.set->item_name(place.first);
  StageFit& stage = fitted.normalizers[at(place.first)][at(s)];
  const Vector seen = seen_by(fitted.set->kernel(m), *fitted.training);
  switch (stage.kind) {
    case Normalization::trace:
    case Normalization::unit_trace:
      stage.value[place.second] = trace_factor(stage.kind, diagonal, seen, name);
      break;
    case Normalization::cosine:
      break;  // nothing is stored
    case Normalization::center: {
      const Vector means = stage_means(fitted, m, *fitted.training, runtime, s);
      const double mean = means.dot(seen) / seen.sum();
      if (!std::isfinite(mean))
        throw InvalidArgument("Kernel `" + name +
                                  "` cannot be normalised by \"center\": the mean of its values is "
                                  "not a finite number.",
                              name);
      stage.means.col(place.second) = means;
      stage.value[place.second] = mean;
      break;
    }
  }
  pass_stage(fitted, m, s, *fitted.training, diagonal, runtime);
}

void check_seen(const FittedKernels& fitted, Index m) {
  if (seen_by(fitted.set->kernel(m), *fitted.training).any()) return;
  const std::string& name = fitted.set->item_name(fitted.set->locate(m).first);
  throw InvalidArgument(
      "Kernel `" + name + "` cannot be normalised: no training example has its " + "view.", name);
}

}  // namespace

FittedKernels fit_normalizers(std::shared_ptr<const KernelSet> set,
                              std::shared_ptr<const RowGroup> training, const Runtime& runtime) {
  FittedKernels fitted{std::move(set), std::move(training), {}};
  fitted.normalizers = empty_normalizers(*fitted.set, fitted.training->count());
  for (Index m = 0; m < fitted.set->size(); ++m) {
    if (m % 256 == 0) runtime.check_interrupt();
    const Index stages =
        static_cast<Index>(fitted.normalizers[at(fitted.set->locate(m).first)].size());
    if (stages == 0) continue;
    check_seen(fitted, m);
    Vector diagonal = fitted.set->kernel(m).diagonal(*fitted.training, *runtime.simd);
    for (Index s = 0; s < stages; ++s) fit_stage(fitted, m, s, diagonal, runtime);
  }
  return fitted;
}

}  // namespace mk
