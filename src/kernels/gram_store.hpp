// Matrices that are kept in memory, as far as a budget goes.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "../base/runtime.hpp"
#include "map_decomposition.hpp"
#include "triangle.hpp"

namespace mk {

// A Gram matrix that is either owned here or lives elsewhere (a user's matrix).
struct GramView {
  std::shared_ptr<const Matrix> owner;
  MatrixView view;
};

// The memory, in bytes, that all banks of one training set share.
class MemoryBudget {
 public:
  explicit MemoryBudget(double bytes) : bytes_(bytes) {}
  double room() const { return bytes_ - used_.load(); }
  bool fits(double bytes) const { return used_.load() + bytes <= bytes_; }
  void use(double bytes);  // more of it, or less

 private:
  double bytes_;
  std::atomic<double> used_{0.0};
};

// The lock is held while the decomposition is found.
struct KeptDecomposition {
  std::timed_mutex mutex;
  std::shared_ptr<const MapDecomposition> value;  // null before, and without room for it
};

// The matrices that one bank keeps; their memory goes back to the budget with the store. All but
// lock() is called while the lock is held.
class GramStore {
 public:
  explicit GramStore(std::shared_ptr<MemoryBudget> budget) : budget_(std::move(budget)) {}
  ~GramStore() { budget_->use(-bytes_); }

  std::unique_lock<std::timed_mutex> lock(const Runtime& runtime) {
    return lock_patiently(mutex_, runtime);
  }
  // Bytes that the store holds from now on.
  void book(double bytes);

  Index matrices() const { return static_cast<Index>(matrices_.size()); }
  GramView matrix(Index m) const;  // without data if it is not kept
  void keep(Index m, const GramView& matrix) { matrices_.emplace_back(m, matrix); }

  // Puts those that are kept, also as whole matrices, at their places.
  void triangles(std::vector<TriangleView>& all) const;
  void keep(Index m, const TriangleView& triangle) { triangles_.emplace_back(m, triangle); }

  // The last weighted sum of all kernels; null if it had other weights.
  std::shared_ptr<const Matrix> sum(const Vector& weights) const;
  bool has_sum() const { return sum_ != nullptr; }
  void keep_sum(const Vector& weights, std::shared_ptr<const Matrix> sum);

  // Stays where it is as long as the store.
  KeptDecomposition& decomposition(const MapKey& key) { return decompositions_[key]; }

 private:
  std::shared_ptr<MemoryBudget> budget_;
  std::timed_mutex mutex_;
  std::vector<std::pair<Index, GramView>> matrices_;
  std::vector<std::pair<Index, TriangleView>> triangles_;
  std::map<MapKey, KeptDecomposition> decompositions_;
  Vector sum_weights_;
  std::shared_ptr<const Matrix> sum_;
  double bytes_ = 0.0;
};

}  // namespace mk
