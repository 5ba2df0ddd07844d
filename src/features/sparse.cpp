#include "sparse.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "../base/errors.hpp"

namespace mk {

namespace {

using Entry = SparseFeatures::Entry;

// How often each column is listed in a sum.
class Listed {
 public:
  Listed(const PairSum& sum, Index columns) : features_(sum.features), all_(sum.in_order(columns)) {
    if (all_) return;
    if (times().size() < at(columns)) times().resize(at(columns), 0.0);
    for (int f : features_) times()[at(f)] += 1.0;
  }
  ~Listed() {
    if (all_) return;
    for (int f : features_) times()[at(f)] = 0.0;
  }
  Listed(const Listed&) = delete;
  Listed& operator=(const Listed&) = delete;

  double operator()(Index column) const { return all_ ? 1.0 : times()[at(column)]; }

 private:
  // Zero between two sums, so that a sum over few columns takes no pass over all of them.
  static std::vector<double>& times() {
    static thread_local std::vector<double> times;
    return times;
  }
  const std::vector<int>& features_;
  bool all_;
};

// The entries of B's examples of a tile by column, each column a linked list.
class TileEntries {
 public:
  void add(const SparseFeatures& x, Index row, Index place, const Listed& listed) {
    if (first_.size() < at(x.columns())) first_.resize(at(x.columns()), none);
    for (const Entry& entry : x.row(row)) {
      const double times = listed(entry.column);
      if (times == 0.0) continue;
      Index& first = first_[at(entry.column)];
      links_.push_back({first, place, entry.column, times * entry.value});
      first = static_cast<Index>(links_.size()) - 1;
    }
  }
  // sums[place] += the products of the entries that a row shares with the example at that place.
  void multiply(SparseFeatures::Row row, double* sums) const {
    for (const Entry& entry : row)
      for (Index k = first_[at(entry.column)]; k != none; k = links_[at(k)].next)
        sums[links_[at(k)].place] += entry.value * links_[at(k)].value;
  }
  // The same for the smaller of the two; the entries were added with their times.
  void minima(SparseFeatures::Row row, const Listed& listed, double* sums) const {
    for (const Entry& entry : row) {
      const double value = listed(entry.column) * entry.value;
      for (Index k = first_[at(entry.column)]; k != none; k = links_[at(k)].next)
        sums[links_[at(k)].place] += std::min(value, links_[at(k)].value);
    }
  }
  // Also of what an exception left behind.
  void clear() {
    for (const Link& link : links_) first_[at(link.column)] = none;
    links_.clear();
  }

 private:
  static constexpr Index none = -1;
  struct Link {
    Index next, place, column;
    double value;
  };
  std::vector<Index> first_;
  std::vector<Link> links_;
};

// sum over the entries of a row of times_f * value_f * f(column, value)
template <class F>
double row_sum(SparseFeatures::Row row, const Listed& listed, const F& f) {
  double sum = 0.0;
  for (const Entry& entry : row) sum += listed(entry.column) * entry.value * f(entry);
  return sum;
}

double squared_length(SparseFeatures::Row row, const Listed& listed) {
  return row_sum(row, listed, [](const Entry& entry) { return entry.value; });
}

// By differences, where lengths and dot product would leave nothing but rounding.
double squared_distance(SparseFeatures::Row a, SparseFeatures::Row b, const Listed& listed) {
  double sum = 0.0;
  const Entry *x = a.begin(), *z = b.begin();
  while (x != a.end() || z != b.end()) {
    const bool only_x = z == b.end() || (x != a.end() && x->column < z->column);
    const bool only_z = !only_x && (x == a.end() || z->column < x->column);
    const Index column = only_z ? z->column : x->column;
    const double d = (only_z ? 0.0 : x->value) - (only_x ? 0.0 : z->value);
    sum += listed(column) * d * d;
    if (!only_z) ++x;
    if (!only_x) ++z;
  }
  return sum;
}

class SparseRows final : public FeatureRows {
 public:
  SparseRows(const SparseFeatures& x, SharedIndices rows) : x_(x), rows_(std::move(rows)) {}

  void sums(const FeatureRows& other, const Tile& tile, const PairSum& sum, const Simd&,
            TileOnItsWay*, double* out) const override {
    const auto& b = static_cast<const SparseRows&>(other);
    const Listed listed(sum, x_.columns());
    static thread_local TileEntries entries;
    entries.clear();
    for (Index j = 0; j < tile.b_count; ++j)
      entries.add(b.x_, (*b.rows_)[at(tile.b_first + j)], j, listed);
    double products[panel_rows];
    for (Index i = 0; i < tile.a_count; ++i) {
      std::fill_n(products, tile.b_count, 0.0);
      const SparseFeatures::Row x = row(tile.a_first + i);
      if (sum.kind == PairKind::minimum) entries.minima(x, listed, products);
      else entries.multiply(x, products);
      for (Index j = 0; j < tile.b_count; ++j) out[i + j * panel_rows] = products[j];
    }
    if (sum.kind == PairKind::dot) center(b, tile, sum, listed, out);
    if (sum.kind == PairKind::squared_distance) to_distances(b, tile, listed, out);
  }

  Vector self_sums(const PairSum& sum) const override {
    Vector own = Vector::Zero(static_cast<Index>(rows_->size()));
    if (sum.kind == PairKind::squared_distance) return own;
    const Listed listed(sum, x_.columns());
    if (sum.kind == PairKind::minimum) {
      for (Index i = 0; i < own.size(); ++i)
        own[i] = row_sum(row(i), listed, [](const Entry&) { return 1.0; });
      return own;
    }
    const double constant = squared_shift(sum);
    for (Index i = 0; i < own.size(); ++i)
      own[i] = squared_length(row(i), listed) - 2.0 * offset(row(i), listed) + constant;
    return own;
  }

 private:
  SparseFeatures::Row row(Index i) const { return x_.row((*rows_)[at(i)]); }

  // What centering takes off each product of a row, and what it adds to all products.
  double offset(SparseFeatures::Row row, const Listed& listed) const {
    return row_sum(row, listed, [&](const Entry& entry) { return x_.shift()[entry.column]; });
  }
  double squared_shift(const PairSum& sum) const {
    double total = 0.0;
    for (int f : sum.features) total += x_.shift()[f] * x_.shift()[f];
    return total;
  }

  void center(const SparseRows& b, const Tile& tile, const PairSum& sum, const Listed& listed,
              double* out) const {
    if ((x_.shift().array() == 0.0).all()) return;
    const double constant = squared_shift(sum);
    double own[panel_rows];
    for (Index i = 0; i < tile.a_count; ++i) own[i] = offset(row(tile.a_first + i), listed);
    for (Index j = 0; j < tile.b_count; ++j) {
      const double other = offset(b.row(tile.b_first + j), listed);
      for (Index i = 0; i < tile.a_count; ++i)
        out[i + j * panel_rows] += constant - (own[i] + other);
    }
  }

  void to_distances(const SparseRows& b, const Tile& tile, const Listed& listed,
                    double* out) const {
    constexpr double safe_share = 0.125;  // of the squared lengths: three binary digits at most
    double lengths[panel_rows];
    for (Index i = 0; i < tile.a_count; ++i)
      lengths[i] = squared_length(row(tile.a_first + i), listed);
    for (Index j = 0; j < tile.b_count; ++j) {
      const SparseFeatures::Row z = b.row(tile.b_first + j);
      const double length = squared_length(z, listed);
      for (Index i = 0; i < tile.a_count; ++i) {
        double& value = out[i + j * panel_rows];
        const double both = lengths[i] + length;
        value = both - 2.0 * value;
        if (!(value >= safe_share * both))
          value = squared_distance(row(tile.a_first + i), z, listed);
      }
    }
  }

  const SparseFeatures& x_;  // outlives its rows
  SharedIndices rows_;
};

const char* sum_name(PairKind kind) {
  switch (kind) {
    case PairKind::absolute_distance:
      return "absolute differences";
    case PairKind::chi_squared:
      return "chi-squared differences";
    default:
      return "a function of each difference";
  }
}

std::string of_length(Index n) { return "of length " + std::to_string(n); }

}  // namespace

const SparseFeatures::Columns& SparseFeatures::Columns::checked() const {
  if (rows < 0 || starts.empty())
    throw InvalidArgument("starts", "one per column and one more", "none");
  const Index entries = values.size();
  if (static_cast<Index>(positions.size()) != entries)
    throw InvalidArgument("positions", of_length(entries) + ", as `values`",
                          of_length(static_cast<Index>(positions.size())));
  if (starts.front() != 0 || starts.back() != entries ||
      !std::is_sorted(starts.begin(), starts.end()))
    throw InvalidArgument("starts", "increasing from 0 to " + std::to_string(entries), "others");
  if (rows > 0 && count() > std::numeric_limits<std::int32_t>::max())
    throw InvalidArgument("starts", "of at most 2^31 - 1 columns", std::to_string(count()));
  for (Index f = 0; f < count(); ++f)
    for (Index k = starts[at(f)]; k < starts[at(f) + 1]; ++k) {
      const Index row = positions[at(k)];
      if (row < 0 || row >= rows)
        throw InvalidArgument("positions", "rows from 1 to " + std::to_string(rows),
                              std::to_string(row + 1));
      if (k > starts[at(f)] && row <= positions[at(k) - 1])
        throw InvalidArgument("positions", "increasing within each column",
                              "others in column " + std::to_string(f + 1));
    }
  if (!values.allFinite()) throw InvalidArgument("values", "finite", "NaN or Inf");
  if (center.size() != count() || scale.size() != count())
    throw InvalidArgument("center, scale", of_length(count()),
                          of_length(center.size()) + " and " + std::to_string(scale.size()));
  if (!center.allFinite() || !scale.allFinite() || !(scale.array() > 0.0).all())
    throw InvalidArgument("center, scale", "finite, and the latter positive", "others");
  return *this;
}

SparseFeatures::SparseFeatures(const Columns& x)
    : starts_(at(x.checked().rows + 1), 0), shift_(x.center.cwiseQuotient(x.scale)) {
  const auto whole = [&](Index f) { return std::abs(shift_[f]) >= 1.0; };
  // Calls put(row, value) for what is stored of column f.
  const auto each = [&](Index f, const auto& put) {
    Index k = x.starts[at(f)];
    const Index last = x.starts[at(f) + 1];
    if (!whole(f)) {
      for (; k < last; ++k) put(x.positions[at(k)], x.values[k] / x.scale[f]);
      return;
    }
    for (Index i = 0; i < x.rows; ++i) {
      const double value = k < last && x.positions[at(k)] == i ? x.values[k++] : 0.0;
      put(i, (value - x.center[f]) / x.scale[f]);
    }
  };
  for (Index f = 0; f < x.count(); ++f) each(f, [&](Index row, double) { ++starts_[at(row) + 1]; });
  for (Index i = 0; i < x.rows; ++i) starts_[at(i) + 1] += starts_[at(i)];
  entries_.resize(at(starts_.back()));
  Indices next = starts_;
  for (Index f = 0; f < x.count(); ++f) {
    each(f, [&](Index row, double value) {
      entries_[at(next[at(row)]++)] = {static_cast<std::int32_t>(f), value};
    });
    if (whole(f)) shift_[f] = 0.0;
  }
}

void SparseFeatures::check(const PairSum& sum, const std::string& kernel,
                           const std::string& argument) const {
  if (sum.kind == PairKind::dot || sum.kind == PairKind::squared_distance) return;
  if (sum.kind == PairKind::minimum) return check_nonnegative(sum, kernel, argument);
  throw InvalidArgument(argument,
                        "a dense matrix for kernel `" + kernel + "`, which adds up " +
                            sum_name(sum.kind) + " (as.matrix() makes one)",
                        "a sparse one");
}

// Minima go by the entries that two examples share: where one of them has none, 0 is the smaller.
void SparseFeatures::check_nonnegative(const PairSum& sum, const std::string& kernel,
                                       const std::string& argument) const {
  const Listed listed(sum, columns());
  const auto negative = [&](const Entry& entry) {
    return listed(entry.column) > 0.0 && entry.value < 0.0;
  };
  const bool centered = std::any_of(sum.features.begin(), sum.features.end(),
                                    [&](int f) { return shift_[f] != 0.0; });
  if (centered || std::any_of(entries_.begin(), entries_.end(), negative))
    throw InvalidArgument(argument, ">= 0 for kernel `" + kernel + "`", "negative in some entries");
}

std::unique_ptr<const FeatureRows> SparseFeatures::pack(const SharedIndices& rows,
                                                        const Origin&) const {
  return std::make_unique<SparseRows>(*this, rows);
}

Matrix SparseFeatures::values(const Indices& rows, const Indices& columns) const {
  Matrix out(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
  for (Index i = 0; i < out.rows(); ++i) {
    const Row entries = row(rows[at(i)]);
    for (Index k = 0; k < out.cols(); ++k) {
      const Index column = columns[at(k)];
      const Entry* found =
          std::lower_bound(entries.begin(), entries.end(), column,
                           [](const Entry& entry, Index f) { return entry.column < f; });
      const bool stored = found != entries.end() && found->column == column;
      out(i, k) = (stored ? found->value : 0.0) - shift_[column];
    }
  }
  return out;
}

SharedFeatures make_sparse_features(const State& state) {
  SparseFeatures::Columns x;
  x.rows = state.count("rows", 0);
  x.starts = state.indices("starts");
  x.positions = state.indices("positions");
  x.values = state.vector("values");
  if (state.has("center") != state.has("scale"))
    throw InvalidArgument("center, scale", "both or none", "one of them");
  x.center = state.has("center") ? state.vector("center") : Vector::Zero(x.count());
  x.scale = state.has("scale") ? state.vector("scale") : Vector::Ones(x.count());
  return std::make_shared<SparseFeatures>(x);
}

}  // namespace mk
