#include "kernel_features.hpp"

#include <algorithm>

#include "feature_sweep.hpp"

namespace mk {

namespace {

// Of the memory, for what solvers need besides the features; and for the features of a part.
constexpr double working_share = 0.1;
constexpr double share_of_part = 0.25;

// Whether kernel values, and sums of them, are far from the ends of the range of floats.
bool fits_single(const FeatureMaker& maker) {
  for (Index m = 0; m < maker.size(); ++m) {
    const double largest = maker.largest(m);
    if (largest != 0.0 && !(largest > 1e-25 && largest < 1e25)) return false;
  }
  return true;
}

FeatureForm choose_form(const FeatureMaker& maker, Index n, double memory) {
  double all = 0.0;
  for (Index m = 0; m < maker.size(); ++m) all += static_cast<double>(maker.columns(m));
  const double bytes = (1.0 + working_share) * 8.0 * all * static_cast<double>(n);
  if (bytes <= memory) return FeatureForm::full;
  return 0.5 * bytes <= memory && fits_single(maker) ? FeatureForm::single : FeatureForm::anew;
}

SharedIndices share(Indices rows) { return std::make_shared<const Indices>(std::move(rows)); }

}  // namespace

KernelFeatures::KernelFeatures(const std::vector<std::shared_ptr<const RowMatrix>>& features) {
  for (const auto& one : features) stores_.push_back(hold_features(one));
  rows_ = share(all_rows(stores_.front()->rows()));
}

KernelFeatures::KernelFeatures(std::shared_ptr<const FeatureMaker> maker,
                               std::shared_ptr<const RowGroup> group, const Runtime& runtime)
    : maker_(std::move(maker)), group_(std::move(group)) {
  make(choose_form(*maker_, group_->count(), runtime.memory), runtime);
}

KernelFeatures::KernelFeatures(std::shared_ptr<const FeatureMaker> maker,
                               std::shared_ptr<const RowGroup> group, FeatureForm form,
                               const Runtime& runtime)
    : maker_(std::move(maker)), group_(std::move(group)) {
  make(form, runtime);
}

void KernelFeatures::make(FeatureForm form, const Runtime& runtime) {
  for (Index m = 0; m < maker_->size(); ++m)
    stores_.push_back(make_store(form, maker_, m, group_, runtime));
  rows_ = share(all_rows(group_->count()));
}

SharedIndices KernelFeatures::places(const Indices& positions) const {
  Indices rows(positions.size());
  for (std::size_t i = 0; i < positions.size(); ++i) rows[i] = (*rows_)[at(positions[i])];
  return share(std::move(rows));
}

std::shared_ptr<const KernelFeatures> KernelFeatures::subset(const Indices& positions) const {
  auto part = std::make_shared<KernelFeatures>(*this);
  part->rows_ = places(positions);
  return part;
}

std::shared_ptr<const KernelFeatures> KernelFeatures::part(const Indices& positions,
                                                           const Runtime& runtime) const {
  if (form() != FeatureForm::anew) return subset(positions);
  const double memory = share_of_part * runtime.memory;
  const FeatureForm form = choose_form(*maker_, static_cast<Index>(positions.size()), memory);
  if (form == FeatureForm::anew) return subset(positions);
  return std::make_shared<KernelFeatures>(maker_, group_->part(*places(positions)), form, runtime);
}

Vector KernelFeatures::forward(Index m, const Vector& w, const Runtime& runtime) const {
  return FeatureSweep(stores_, {{m, 0, 1.0}}, rows_, runtime).forward(w);
}

Vector KernelFeatures::backward(Index m, const Vector& b, const Runtime& runtime) const {
  Indices used;
  for (Index i = 0; i < b.size(); ++i)
    if (b[i] != 0.0) used.push_back(i);
  return FeatureSweep(stores_, {{m, 0, 1.0}}, places(used), runtime).backward(take(b, used));
}

// Calls f(first, count, rows) with the features of one panel after the other.
template <class F>
void KernelFeatures::read(Index m, const Runtime& runtime, const F& f) const {
  const auto pass = store(m).pass(rows_, runtime);
  runtime.parallel_for(panel_count(rows()), [&](Index panel) {
    Vector buffer(pass->room());
    RowMatrix z(panel_size(rows(), panel), columns(m));
    pass->open(panel, buffer.data());
    pass->read(panel, buffer.data(), true, z.data());
    f(panel * panel_rows, z);
  });
}

Vector KernelFeatures::squared_lengths(Index m, const Runtime& runtime) const {
  Vector lengths(rows());
  read(m, runtime, [&](Index first, const RowMatrix& z) {
    lengths.segment(first, z.rows()) = z.rowwise().squaredNorm();
  });
  return lengths;
}

RowMatrix KernelFeatures::matrix(Index m, const Runtime& runtime) const {
  RowMatrix out(rows(), columns(m));
  read(m, runtime, [&](Index first, const RowMatrix& z) { out.middleRows(first, z.rows()) = z; });
  return out;
}

}  // namespace mk
