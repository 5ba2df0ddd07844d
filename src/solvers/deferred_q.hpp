// A matrix that is formed when that pays. Problems with few support vectors ask for few rows, and
// never touch the memory of the others; where most rows are asked for, the whole matrix takes less
// time than its rows one by one.
#pragma once

#include <functional>
#include <memory>

#include "q_matrix.hpp"

namespace mk {

// Starts with rows on demand. The decision depends on counts alone, never on a clock: results are
// the same on every machine and for any number of threads.
class DeferredQ final : public QMatrix {
 public:
  // `form` makes the whole matrix; its memory is the caller's, and outlives this object.
  using Form = std::function<MatrixView()>;
  DeferredQ(std::unique_ptr<RowSource> rows, double cache_bytes, Form form, double spare_bytes,
            const Runtime& runtime)
      : diagonal_(rows->diagonal()),
        rows_(std::make_unique<CachedQ>(std::move(rows), cache_bytes)),
        form_(std::move(form)),
        spare_bytes_(spare_bytes),
        runtime_(runtime) {}

  Index size() const override { return diagonal_.size(); }
  double diagonal(Index variable) const override { return diagonal_[variable]; }
  const double* column(Index position) override;
  Vector multiply(const Vector& b, const Runtime& runtime) override;
  void activate(const Indices& variables) override;
  bool activate_narrow(const Indices& variables) override {
    if (whole_ == nullptr || !whole_->activate_narrow(variables)) return false;
    rows_.reset();
    return true;
  }
  double spare_bytes() const override { return spare_bytes_; }
  const float* narrow_column(Index position) override { return whole_->narrow_column(position); }

  // Whether the whole matrix was made.
  bool formed() const { return whole_ != nullptr; }

 private:
  void look();
  void form() { whole_ = std::make_unique<StoredQ>(form_(), spare_bytes_, runtime_); }

  Vector diagonal_;
  std::unique_ptr<CachedQ> rows_;  // until the first activate() with a whole matrix
  Form form_;
  double spare_bytes_;
  const Runtime& runtime_;
  std::unique_ptr<StoredQ> whole_;
  bool all_active_ = true;
  Index asked_ = 0, computed_before_ = 0;  // columns of the present window; rows before it
};

}  // namespace mk
