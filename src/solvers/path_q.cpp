#include "path_q.hpp"

#include <atomic>
#include <cmath>

#include "../base/memory.hpp"

namespace mk {

namespace {

// b - factor * known, without what is rounding.
Vector difference(const Vector& b, double factor, const Vector& known) {
  Vector d = b - factor * known;
  for (Index i = 0; i < d.size(); ++i)
    if (std::abs(d[i]) <= 1e-15 * std::abs(b[i])) d[i] = 0.0;
  return d;
}

Index count_nonzero(const Vector& v) { return (v.array() != 0.0).count(); }

// The factor of the largest coefficient, which is at its bound if any is.
double growth(const Vector& b, const Vector& known) {
  Index largest = 0;
  if (known.cwiseAbs().maxCoeff(&largest) == 0.0) return 0.0;
  return b[largest] / known[largest];
}

// Where the variables of a new copy are in the old one.
struct Overlap {
  Indices from, to, fresh;

  Overlap(const Indices& old, const Indices& wanted, Index n) {
    std::vector<Index> place(at(n), -1);
    for (std::size_t i = 0; i < old.size(); ++i) place[at(old[i])] = static_cast<Index>(i);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const Index found = place[at(wanted[i])];
      if (found >= 0) from.push_back(found);
      (found >= 0 ? to : fresh).push_back(static_cast<Index>(i));
    }
  }
};

}  // namespace

PathQ::PathQ(const MatrixView& k, double spare_bytes, const Runtime& runtime, Index narrow_from)
    : k_(k),
      spare_bytes_(spare_bytes),
      runtime_(runtime),
      narrow_from_(narrow_from),
      diagonal_(k.rows) {
  for (Index i = 0; i < k.rows; ++i) diagonal_[i] = k(i, i);
}

const double* PathQ::column(Index position) {
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

Vector PathQ::multiply(const Vector& b, const Runtime& runtime) {
  Vector rest = b, product = Vector::Zero(size());
  if (known_.size() == size()) {
    Index fewest = count_nonzero(b);
    for (const double factor : {1.0, growth(b, known_)}) {
      const Vector d = difference(b, factor, known_);
      const Index count = count_nonzero(d);
      if (factor == 0.0 || count >= fewest) continue;
      fewest = count;
      rest = d;
      product = factor * product_;
    }
  }
  in_blocks(size(), 512, runtime, [&](Index first, Index count) {
    for (Index j = 0; j < size(); ++j) {
      if (j % 64 == 0) runtime.check_interrupt();
      if (rest[j] != 0.0)
        runtime.simd->axpy(rest[j], k_.column(j) + first, product.data() + first, count);
    }
  });
  remember(b, product);
  return product;
}

void PathQ::remember(const Vector& b, const Vector& product) {
  known_ = b;
  product_ = product;
}

// The rows and columns of these variables; false if there is no room for them beside the last copy,
// or if they do not fit the numbers of the copy.
template <class Copy>
bool PathQ::copy_active(const Indices& variables, Copy& copy) {
  using Number = typename Copy::Scalar;
  const Index n = static_cast<Index>(variables.size());
  const double numbers = static_cast<double>(n) * static_cast<double>(n);
  if (sizeof(Number) * (numbers + static_cast<double>(copy.size())) > spare_bytes_) return false;
  const Overlap overlap(copied_, variables, size());
  const Index kept = static_cast<Index>(overlap.from.size());
  const Index fresh = static_cast<Index>(overlap.fresh.size());
  Copy next(n, n);
  prefer_huge_pages(next.data(), static_cast<std::size_t>(next.size()) * sizeof(Number));
  std::atomic<bool> fits{true};
  in_blocks(fresh, 64, runtime_, [&](Index first, Index count) {
    for (Index j = first; j < first + count; ++j) {
      const double* full = k_.column(variables[at(overlap.fresh[at(j)])]);
      Number* to = next.col(overlap.fresh[at(j)]).data();
      for (Index i = 0; i < n; ++i) to[i] = static_cast<Number>(full[variables[at(i)]]);
      // Numbers beyond the range of floats, if the matrix is indefinite, have infinite sums.
      if (sizeof(Number) < sizeof(double) && !std::isfinite(next.col(overlap.fresh[at(j)]).sum()))
        fits = false;
    }
  });
  in_blocks(kept, 64, runtime_, [&](Index first, Index count) {
    for (Index j = first; j < first + count; ++j) {
      const Index column = overlap.to[at(j)];
      const Number* old = copy.col(overlap.from[at(j)]).data();
      Number* to = next.col(column).data();
      for (Index i = 0; i < kept; ++i) to[overlap.to[at(i)]] = old[overlap.from[at(i)]];
      for (const Index row : overlap.fresh) to[row] = next(column, row);  // by symmetry
    }
  });
  if (!fits) return false;
  copy.swap(next);
  copied_ = variables;
  return true;
}

void PathQ::drop_copies() {
  copied_.clear();
  copy_.resize(0, 0);
  narrow_.resize(0, 0);
}

void PathQ::activate(const Indices& variables) {
  active_ = variables;
  if (active_.empty()) return;
  if (narrow_.size() > 0) drop_copies();
  if (!copy_active(variables, copy_)) drop_copies();
}

bool PathQ::activate_narrow(const Indices& variables) {
  if (static_cast<Index>(variables.size()) < narrow_from_) return false;
  if (copy_.size() > 0) drop_copies();
  if (!copy_active(variables, narrow_)) return false;
  active_ = variables;
  return true;
}

}  // namespace mk
