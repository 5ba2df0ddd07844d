#include "table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>

#include "../base/errors.hpp"

namespace mk {

namespace {

using Kind = TableVariable::Kind;

// The step of one variable: a triangle on values in units of the range, or equality.
bool by_equality(const TableVariable& v) { return v.kind == Kind::category || v.range == 0.0; }

class TableRows final : public FeatureRows {
 public:
  TableRows(Matrix values, const std::vector<TableVariable>& variables)
      : values_(std::move(values)), variables_(variables) {}

  void sums(const FeatureRows& other, const Tile& tile, const PairSum&, const Simd&, TileOnItsWay*,
            double* out) const override {
    const auto& b = static_cast<const TableRows&>(other);
    for (Index j = 0; j < tile.b_count; ++j) {
      double* to = out + j * panel_rows;
      std::fill_n(to, tile.a_count, 0.0);
      for (Index v = 0; v < values_.cols(); ++v)
        add(variables_[at(v)], values_.col(v).data() + tile.a_first, b.values_(tile.b_first + j, v),
            tile.a_count, to);
      const double count = static_cast<double>(values_.cols());
      for (Index i = 0; i < tile.a_count; ++i) to[i] /= count;
    }
  }
  Vector self_sums(const PairSum&) const override { return Vector::Ones(values_.rows()); }

 private:
  // Unknown levels are NaN, which is equal to nothing and larger than nothing.
  static void add(const TableVariable& v, const double* x, double z, Index n, double* to) {
    if (by_equality(v)) {
      for (Index i = 0; i < n; ++i) to[i] += x[i] == z ? 1.0 : 0.0;
      return;
    }
    for (Index i = 0; i < n; ++i) {
      const double s = 1.0 - std::abs(x[i] - z);
      to[i] += s > 0.0 ? s : 0.0;
    }
  }

  Matrix values_;                                // examples x variables
  const std::vector<TableVariable>& variables_;  // outlive their rows
};

class TableFeatures final : public Features {
 public:
  TableFeatures(Matrix values, std::vector<TableVariable> variables)
      : values_(std::move(values)), variables_(std::move(variables)) {}

  const char* type() const override { return "table"; }
  Index rows() const override { return values_.rows(); }
  Index columns() const override { return 0; }
  // apply() has checked what they are made of.
  void check(const PairSum&, const std::string&, const std::string&) const override {}
  std::unique_ptr<const FeatureRows> pack(const SharedIndices& rows, const Origin&) const override {
    return std::make_unique<TableRows>(take(view(values_), *rows, all_rows(values_.cols())),
                                       variables_);
  }
  Matrix values(const Indices& rows, const Indices&) const override {
    return Matrix(static_cast<Index>(rows.size()), 0);
  }

 private:
  Matrix values_;
  std::vector<TableVariable> variables_;
};

// The level of an example, counted from 1; NaN if no indicator is set. Indicators that were imputed
// may be shares of several levels: the largest counts.
double level_of(const Matrix& x, Index row, Index first, Index count) {
  Index level = 0;
  double most = 0.0;
  for (Index f = 0; f < count; ++f)
    if (x(row, first + f) > most) {
      most = x(row, first + f);
      level = f + 1;
    }
  return level > 0 ? static_cast<double>(level) : std::numeric_limits<double>::quiet_NaN();
}

std::string key_of(const std::vector<TableVariable>& variables) {
  std::string key = "table";
  for (const TableVariable& v : variables) {
    char text[100];
    std::snprintf(text, sizeof text, " %d:%ld:%a:%a", static_cast<int>(v.kind),
                  static_cast<long>(v.columns), v.low, v.range);
    key += text;
  }
  return key;
}

}  // namespace

TableMap::TableMap(std::vector<TableVariable> variables)
    : variables_(std::move(variables)), key_(key_of(variables_)) {}

SharedFeatures TableMap::apply(const MapInput& input, const Runtime& runtime) const {
  input.x.check({PairKind::dot, 0.0, input.columns}, input.kernel, input.argument);
  Index seen = 0;
  for (const TableVariable& v : variables_) seen += v.columns;
  if (seen != static_cast<Index>(input.columns.size()))
    throw InvalidArgument("sizes", std::to_string(input.columns.size()) + " columns in all",
                          std::to_string(seen));
  Matrix values(input.x.rows(), static_cast<Index>(variables_.size()));
  auto first = input.columns.begin();
  for (Index k = 0; k < values.cols(); ++k) {
    runtime.check_interrupt();
    const TableVariable& v = variables_[at(k)];
    const Indices columns(first, first + v.columns);
    first += v.columns;
    // Some rows at a time: features may be sparse, with thousands of levels.
    const Index step = std::max<Index>(1, 65536 / std::max<Index>(1, v.columns));
    for (Index from = 0; from < values.rows(); from += step) {
      runtime.check_interrupt();
      Indices rows(at(std::min(step, values.rows() - from)));
      std::iota(rows.begin(), rows.end(), from);
      const Matrix x = input.x.values(rows, columns);
      for (Index i = 0; i < x.rows(); ++i) {
        const double value = v.kind == Kind::number ? x(i, 0) : level_of(x, i, 0, v.columns);
        values(from + i, k) = by_equality(v) ? value : (value - v.low) / v.range;
      }
    }
  }
  return std::make_shared<TableFeatures>(std::move(values), variables_);
}

std::vector<TableVariable> read_table_variables(const State& state) {
  const Vector &kinds = state.vector("kinds"), &sizes = state.vector("sizes"),
               &lows = state.vector("lows"), &ranges = state.vector("ranges");
  const Index count = kinds.size();
  const auto wrong = [](const char* name, const std::string& wanted, double found) {
    return InvalidArgument(name, wanted, format_number(found));
  };
  if (count == 0) throw InvalidArgument("kinds", "one for each variable", "none");
  for (const Vector* one : {&sizes, &lows, &ranges})
    if (one->size() != count)
      throw InvalidArgument("sizes, lows, ranges", "of length " + std::to_string(count), "others");
  std::vector<TableVariable> out;
  for (Index v = 0; v < count; ++v) {
    if (kinds[v] != 0.0 && kinds[v] != 1.0 && kinds[v] != 2.0)
      throw wrong("kinds", "0, 1 or 2", kinds[v]);
    const Kind kind = static_cast<Kind>(static_cast<int>(kinds[v]));
    const double most = kind == Kind::number ? 1.0 : 1e9;
    if (!(sizes[v] >= 1.0 && sizes[v] <= most) || sizes[v] != std::floor(sizes[v]))
      throw wrong("sizes", "a whole number from 1 to " + format_number(most), sizes[v]);
    if (!std::isfinite(lows[v])) throw wrong("lows", "finite", lows[v]);
    if (!(ranges[v] >= 0.0) || !std::isfinite(ranges[v]))
      throw wrong("ranges", "finite and at least 0", ranges[v]);
    out.push_back({kind, static_cast<Index>(sizes[v]), lows[v], ranges[v]});
  }
  return out;
}

}  // namespace mk
