#include "gram_store.hpp"

namespace mk {

void MemoryBudget::use(double bytes) {
  double before = used_.load();
  while (!used_.compare_exchange_weak(before, before + bytes)) {
  }
}

void GramStore::book(double bytes) {
  bytes_ += bytes;
  budget_->use(bytes);
}

GramView GramStore::matrix(Index m) const {
  for (const auto& kept : matrices_)
    if (kept.first == m) return kept.second;
  return {};
}

void GramStore::triangles(std::vector<TriangleView>& all) const {
  for (const auto& kept : matrices_) {
    const GramView& whole = kept.second;
    all[at(kept.first)] = {whole.owner, whole.view.data, whole.view.rows, false};
  }
  for (const auto& kept : triangles_) all[at(kept.first)] = kept.second;
}

std::shared_ptr<const Matrix> GramStore::sum(const Vector& weights) const {
  return sum_ != nullptr && sum_weights_ == weights ? sum_ : nullptr;
}

void GramStore::keep_sum(const Vector& weights, std::shared_ptr<const Matrix> sum) {
  sum_weights_ = weights;
  sum_ = std::move(sum);
}

}  // namespace mk
