#include "q_matrix.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <type_traits>

#include "../base/memory.hpp"

namespace mk {

// ---- StoredQ -----------------------------------------------------------------------------------

const double* StoredQ::column(Index position) {
  if (active_.empty()) return k_.column(position);
  if (copy_.size() > 0) return copy_.col(position).data();
  // No room for the copy: gather this column.
  Vector& buffer = buffers_[next_];
  next_ = 1 - next_;
  const double* full = k_.column(active_[at(position)]);
  buffer.resize(static_cast<Index>(active_.size()));
  for (Index i = 0; i < buffer.size(); ++i) buffer[i] = full[active_[at(i)]];
  return buffer.data();
}

// The rows and columns of the active variables; false if there is no room for them, or if they do
// not fit the numbers of the copy.
template <class Copy>
bool StoredQ::copy_active(Copy& copy) const {
  using Number = typename Copy::Scalar;
  const Index n = static_cast<Index>(active_.size());
  const double bytes = sizeof(Number) * static_cast<double>(n) * static_cast<double>(n);
  if (bytes > spare_bytes_) return false;
  copy.resize(n, n);
  prefer_huge_pages(copy.data(), static_cast<std::size_t>(copy.size()) * sizeof(Number));
  std::atomic<bool> fits{true};
  in_blocks(n, 64, runtime_, [&](Index first, Index count) {
    for (Index j = first; j < first + count && fits; ++j) {
      const double* full = k_.column(active_[at(j)]);
      Number* to = copy.col(j).data();
      for (Index i = 0; i < n; ++i) to[i] = static_cast<Number>(full[active_[at(i)]]);
      // Numbers beyond the range of floats, if the matrix is indefinite, have infinite sums.
      if (std::is_same<Number, float>::value && !std::isfinite(copy.col(j).sum())) fits = false;
    }
  });
  return fits;
}

// Each thread adds its rows of all columns, in their order: the same sums for any number of them.
Vector StoredQ::multiply(const Vector& b, const Runtime& runtime) {
  Vector product = Vector::Zero(size());
  in_blocks(size(), 512, runtime, [&](Index first, Index count) {
    for (Index j = 0; j < size(); ++j) {
      if (j % 64 == 0) runtime.check_interrupt();
      if (b[j] != 0.0)
        runtime.simd->axpy(b[j], k_.column(j) + first, product.data() + first, count);
    }
  });
  return product;
}

void StoredQ::activate(const Indices& variables) {
  active_ = variables;
  narrow_.resize(0, 0);
  if (active_.empty() || !copy_active(copy_)) copy_.resize(0, 0);
}

bool StoredQ::activate_narrow(const Indices& variables) {
  if (static_cast<Index>(variables.size()) < narrow_from_) return false;
  Indices before = variables;
  active_.swap(before);
  if (!copy_active(narrow_)) {
    active_.swap(before);
    return false;
  }
  copy_.resize(0, 0);
  return true;
}

// ---- CachedQ -----------------------------------------------------------------------------------

CachedQ::CachedQ(std::unique_ptr<RowSource> rows, double cache_bytes)
    : rows_(std::move(rows)), active_(all_rows(rows_->size())) {
  const double n = static_cast<double>(size());
  if (rows_->low_rank() != nullptr) cache_bytes = 0.0;  // it has no use for single rows
  // No more than the whole matrix, no less than the two rows that SMO holds.
  room_ = static_cast<std::size_t>(std::max(std::min(cache_bytes / 8.0, n * n), 2.0 * n));
  spare_bytes_ = std::max(cache_bytes - 8.0 * n * n, 0.0);
  block_.reset(new double[room_]);
  prefer_huge_pages(block_.get(), room_ * sizeof(double));
}

const double* CachedQ::column(Index position) {
  const Index variable = active_[at(position)];
  const auto found = where_.find(variable);
  if (found != where_.end()) {
    recent_.splice(recent_.begin(), recent_, found->second);
    return values(recent_.front().slot);
  }
  if (recent_.size() < capacity()) {
    recent_.push_front({variable, recent_.size()});
  } else {  // the oldest gives its memory
    recent_.splice(recent_.begin(), recent_, std::prev(recent_.end()));
    where_.erase(recent_.front().variable);
    recent_.front().variable = variable;
  }
  where_[variable] = recent_.begin();
  double* row = values(recent_.front().slot);
  rows_->row(variable, row);
  ++computed_;
  return row;
}

// Rows already computed are kept and squeezed when the new active set is part of the old one.
void CachedQ::activate(const Indices& variables) {
  const Indices next = variables.empty() ? all_rows(size()) : variables;
  std::vector<Index> old_position(at(size()), -1);
  for (std::size_t i = 0; i < active_.size(); ++i)
    old_position[at(active_[i])] = static_cast<Index>(i);
  const bool part =
      std::all_of(next.begin(), next.end(), [&](Index v) { return old_position[at(v)] >= 0; });
  if (part) {
    squeeze(next, old_position);
  } else {
    recent_.clear();
    where_.clear();
  }
  active_ = next;
  rows_->activate(active_);
}

// From the first slot on, so that a shorter row only covers what has been moved already.
void CachedQ::squeeze(const Indices& next, const std::vector<Index>& old_position) {
  std::vector<double> row(next.size());
  for (std::size_t slot = 0; slot < recent_.size(); ++slot) {
    const double* from = values(slot);
    for (std::size_t i = 0; i < next.size(); ++i) row[i] = from[old_position[at(next[i])]];
    std::copy(row.begin(), row.end(), block_.get() + slot * next.size());
  }
}

// ---- RidgedQ -----------------------------------------------------------------------------------

const double* RidgedQ::column(Index position) {
  Vector& buffer = buffers_[next_];
  next_ = 1 - next_;
  const bool all = active_.empty();
  const Index n = all ? size() : static_cast<Index>(active_.size());
  buffer = scale_ * Eigen::Map<const Vector>(base_.column(position), n);
  buffer[position] += ridge_[all ? position : active_[at(position)]];
  return buffer.data();
}

// Half of the scale before and half after, so that the product of a huge matrix, or of a tiny one,
// stays within the range of numbers. A power of 2 changes no digit.
Vector RidgedQ::multiply(const Vector& b, const Runtime& runtime) {
  const double before = scale_ > 0.0 ? std::exp2(std::floor(0.5 * std::log2(scale_))) : 1.0;
  return (scale_ / before) * base_.multiply(before * b, runtime) + ridge_.cwiseProduct(b);
}

void RidgedQ::activate(const Indices& variables) {
  active_ = variables;
  base_.activate(variables);
}

LowRankForm RidgedQ::low_rank() const {
  LowRankForm form = base_.low_rank();
  if (form.z == nullptr) return form;
  form.scale *= scale_;
  form.ridge = form.ridge.size() > 0 ? Vector(scale_ * form.ridge + ridge_) : ridge_;
  return form;
}

// ---- DoubledQ ----------------------------------------------------------------------------------

const double* DoubledQ::column(Index position) {
  Vector& buffer = buffers_[next_];
  next_ = 1 - next_;
  const double* base = base_.column(example_[at(position)]);
  buffer.resize(static_cast<Index>(example_.size()));
  for (Index i = 0; i < buffer.size(); ++i) buffer[i] = base[example_[at(i)]];
  return buffer.data();
}

Vector DoubledQ::multiply(const Vector& b, const Runtime& runtime) {
  const Index n = base_.size();
  return base_.multiply(b.head(n) + b.tail(n), runtime).replicate(2, 1);
}

void DoubledQ::activate(const Indices& variables) {
  const Index n = base_.size();
  const Indices active = variables.empty() ? all_rows(2 * n) : variables;
  std::vector<Index> place(at(n), -1);
  Indices examples;
  for (Index v : active)
    if (place[at(v % n)] < 0) {
      place[at(v % n)] = static_cast<Index>(examples.size());
      examples.push_back(v % n);
    }
  base_.activate(static_cast<Index>(examples.size()) == n ? Indices() : examples);
  example_.resize(active.size());
  // With every example active the base keeps its own order.
  const bool all = static_cast<Index>(examples.size()) == n;
  for (std::size_t i = 0; i < active.size(); ++i)
    example_[i] = all ? active[i] % n : place[at(active[i] % n)];
}

LowRankForm DoubledQ::low_rank() const {
  LowRankForm form = base_.low_rank();
  form.copies *= 2;
  form.ridge = form.ridge.replicate(2, 1).eval();
  return form;
}

}  // namespace mk
