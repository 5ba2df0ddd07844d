#include "scaling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mk {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// Mean and standard deviation of count values, divided by `unit` first. Long double: the mean of a
// constant column is then that constant.
template <class Get>
void moments(const Get& get, std::size_t count, double unit, double& mean, double& sd) {
  long double sum = 0.0L, squares = 0.0L;
  for (std::size_t i = 0; i < count; ++i) sum += get(i) / unit;
  mean = static_cast<double>(sum / static_cast<long double>(count));
  for (std::size_t i = 0; i < count; ++i) {
    const double d = get(i) / unit - mean;
    squares += d * d;
  }
  const double freedom = std::max(1.0, static_cast<double>(count) - 1.0);
  sd = std::sqrt(static_cast<double>(squares) / freedom);
}

// The values may come in another order afterwards.
double middle_value(std::vector<double>& values, bool binary) {
  if (values.empty()) return 0.0;
  const auto lower = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), lower, values.end());
  if (binary || values.size() % 2 == 1) return *lower;
  return *lower / 2.0 + *std::min_element(lower + 1, values.end()) / 2.0;
}

}  // namespace

ColumnValues column_values(const MatrixView& x) {
  ColumnValues out{Vector::Zero(x.cols), std::vector<bool>(at(x.cols))};
  std::vector<double> values;
  for (Index j = 0; j < x.cols; ++j) {
    values.clear();
    for (Index i = 0; i < x.rows; ++i)
      if (!std::isnan(x.column(j)[i])) values.push_back(x.column(j)[i]);
    const bool binary = std::all_of(values.begin(), values.end(),
                                    [](double value) { return value == 0.0 || value == 1.0; });
    out.binary[at(j)] = binary && !values.empty();
    out.middle[j] = middle_value(values, binary);
  }
  return out;
}

ColumnScaling column_scaling(const MatrixView& x, const Indices& rows,
                             const std::vector<bool>& keep) {
  ColumnScaling out{Vector::Zero(x.cols), Vector::Ones(x.cols)};
  for (Index j = 0; j < x.cols; ++j) {
    if (rows.empty() || (!keep.empty() && keep[at(j)])) continue;
    const double* column = x.column(j);
    const auto get = [&](std::size_t i) { return column[rows[i]]; };
    double mean = 0.0, sd = 0.0;
    moments(get, rows.size(), 1.0, mean, sd);
    if (!std::isfinite(mean) || !std::isfinite(sd) || sd < 1e-140) {
      // The squares may be out of the range of numbers: in units of the largest value.
      double unit = 0.0;
      for (const Index row : rows) unit = std::max(unit, std::abs(column[row]));
      if (unit > 0.0) {
        moments(get, rows.size(), unit, mean, sd);
        mean *= unit;
        sd *= unit;
      }
    }
    out.center[j] = mean;
    // A spread that is mere rounding of a constant says nothing about new rows.
    if (rows.size() > 1 && sd > 16.0 * epsilon * std::abs(mean) && sd != 0.0) out.scale[j] = sd;
  }
  return out;
}

void scale_columns(const MatrixView& x, const Indices& rows, const ColumnScaling& scaling,
                   double* out) {
  for (Index j = 0; j < x.cols; ++j) {
    const double* column = x.column(j);
    const double center = scaling.center[j], scale = scaling.scale[j];
    for (const Index row : rows) *out++ = (column[row] - center) / scale;
  }
}

std::optional<Place> first_overflow(const MatrixView& x, const Indices& rows,
                                    const ColumnScaling& scaling) {
  for (Index j = 0; j < x.cols; ++j) {
    const double* column = x.column(j);
    for (const Index row : rows)
      if (!std::isfinite((column[row] - scaling.center[j]) / scaling.scale[j]))
        return Place{row, j};
  }
  return std::nullopt;
}

ResponseScaling response_scaling(const Vector& y, const Vector& weights) {
  long double total = 0.0L, sum = 0.0L, squares = 0.0L;
  double unit = 0.0, n = 0.0;  // of the rows that count
  for (Index i = 0; i < y.size(); ++i)
    if (weights[i] > 0.0) unit = std::max(unit, std::abs(y[i]));
  if (unit == 0.0) return {};
  // Values are divided by the largest first, as their squares may leave the range of numbers.
  for (Index i = 0; i < y.size(); ++i) {
    if (!(weights[i] > 0.0)) continue;
    ++n;
    total += weights[i];
    sum += weights[i] * (y[i] / unit);
  }
  const double weight = static_cast<double>(total);
  const double center = static_cast<double>(sum) / weight;
  for (Index i = 0; i < y.size(); ++i)
    if (weights[i] > 0.0) squares += weights[i] * std::pow(y[i] / unit - center, 2);
  const double freedom = std::max(weight - 1.0, weight * (n - 1.0) / n);
  const double spread = std::sqrt(static_cast<double>(squares) / freedom);
  const bool constant = n < 2.0 || spread <= 16.0 * epsilon * std::abs(center);
  return {center * unit, constant ? 1.0 : spread * unit};
}

Vector scale_response(const Vector& y, const ResponseScaling& scaling, double tol) {
  // Rounding to a power of two is exact.
  const double unit = std::exp2(std::nearbyint(std::log2(tol / 1024.0)));
  Vector out(y.size());
  for (Index i = 0; i < y.size(); ++i)
    out[i] = std::nearbyint((y[i] - scaling.center) / scaling.scale / unit) * unit;
  return out;
}

}  // namespace mk
