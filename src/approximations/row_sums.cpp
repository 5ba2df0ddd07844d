#include "row_sums.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "../features/tiles.hpp"

namespace mk {

namespace {

// Rows whose products are formed at a time: independent of the number of threads.
constexpr Index gram_rows = 2048;
constexpr Index pack_together = 64;

// Strips of columns, row by row, of rows times the roots of their weights.
void pack_columns(const FeatureRowsMatrix& z, const Indices& rows, Index first, Index count,
                  const Vector& weights, Vector& packed, const Runtime& runtime) {
  const Index columns = z.cols(), strips = (columns + strip_rows - 1) / strip_rows;
  packed.setZero(strips * strip_rows * count);
  runtime.parallel_for((count + pack_together - 1) / pack_together, [&](Index task) {
    const Index last = std::min(count, (task + 1) * pack_together);
    for (Index k = task * pack_together; k < last; ++k) {
      const Index row = rows[at(first + k)];
      const double root = std::sqrt(weights[row]);
      const double* from = z.data() + row * columns;
      for (Index c = 0; c < columns; ++c)
        packed[(c / strip_rows * count + k) * strip_rows + c % strip_rows] = root * from[c];
    }
  });
}

void add_products(const Vector& packed, Index columns, Index count, Matrix& out,
                  const Runtime& runtime) {
  const std::vector<Tile> tiles = lower_tiles(columns, wide_columns);
  const Index stride = strip_rows * count;
  std::vector<int> order(at(count));
  std::iota(order.begin(), order.end(), 0);
  runtime.parallel_for(static_cast<Index>(tiles.size()), [&](Index t) {
    const Tile& tile = tiles[at(t)];
    Vector values(panel_rows * wide_columns);
    const PanelPair pair = {packed.data() + tile.a_first / strip_rows * stride,
                            tile.a_count,
                            packed.data() + tile.b_first / strip_rows * stride,
                            tile.b_first % strip_rows,
                            tile.b_count,
                            stride,
                            order.data(),
                            count,
                            0.0};
    runtime.simd->reduce[static_cast<int>(PairKind::dot)](pair, values.data());
    for (Index j = 0; j < tile.b_count; ++j)
      runtime.simd->axpy(1.0, values.data() + j * panel_rows, &out(tile.a_first, tile.b_first + j),
                         tile.a_count);
  });
}

// z v + the last entry of v.
Vector decision(const FeatureRowsMatrix& z, const Vector& v) {
  return (z * v.head(z.cols())).array() + v[z.cols()];
}

void advance_centers(const Vector& f, SumsTarget& target, const SumsRequest& request) {
  for (Index i = 0; i < f.size(); ++i)
    target.center[i] =
        request.loss
            .respond(f[i], target.y[i], target.weights[i], target.center[i], request.advance)
            .coefficient;
}

// Losses and slopes along the line.
void add_line(const Vector& f, const Vector& along, const SumsTarget& target,
              const SumsRequest& request, RowSums& sums) {
  for (Index k = 0; k < request.steps.size(); ++k)
    for (Index i = 0; i < f.size(); ++i) {
      const double there = along.size() > 0 ? f[i] + request.steps[k] * along[i] : f[i];
      const RowLoss::Response r = request.loss.respond(there, target.y[i], target.weights[i],
                                                       target.center[i], request.sigma);
      sums.loss[k] += r.value;
      if (along.size() > 0) sums.slope[k] -= r.coefficient * along[i];
    }
}

}  // namespace

RowSums::RowSums(Index columns, Index steps)
    : loss(Vector::Zero(steps)),
      slope(Vector::Zero(steps)),
      gradient(Matrix::Zero(columns + 1, 2)),
      linear(Vector::Zero(2)),
      quadratic(Vector::Zero(2)),
      hessian(Matrix::Zero(columns + 1, columns + 1)) {}

void add_weighted_gram(const FeatureRowsMatrix& z, const Vector& weights, Matrix& out,
                       const Runtime& runtime) {
  Indices rows;
  for (Index i = 0; i < z.rows(); ++i)
    if (weights[i] > 0.0) rows.push_back(i);
  Vector packed;
  const Index n = static_cast<Index>(rows.size());
  for (Index first = 0; first < n; first += gram_rows) {
    const Index count = std::min(gram_rows, n - first);
    pack_columns(z, rows, first, count, weights, packed, runtime);
    add_products(packed, z.cols(), count, out, runtime);
  }
}

void add_rows(const FeatureRowsMatrix& z, SumsTarget& target, const SumsRequest& request,
              RowSums& sums, const Runtime& runtime) {
  const Index n = z.rows(), columns = z.cols();
  if (target.center.size() != n) target.center = Vector::Zero(n);
  Vector f = decision(z, request.w), along;
  if (request.direction.size() > 0) along = decision(z, request.direction);
  if (request.advance > 0.0) advance_centers(f, target, request);
  add_line(f, along, target, request, sums);
  if (along.size() > 0) f += request.steps[0] * along;
  Vector curvature(n);
  Matrix b = Matrix::Zero(n, 2);
  for (Index i = 0; i < n; ++i) {
    const double y = target.y[i], weight = target.weights[i];
    const RowLoss::Response r =
        request.loss.respond(f[i], y, weight, target.center[i], request.sigma);
    const Index group = r.coefficient > 0.0 ? 0 : 1;
    const RowLoss::DualTerm term = request.loss.dual(r.coefficient, y, weight);
    sums.exact += request.loss.exact(f[i], y, weight);
    sums.linear[group] += term.linear;
    sums.quadratic[group] += term.quadratic;
    b(i, group) = r.coefficient;
    curvature[i] = r.curvature;
  }
  for (Index group = 0; group < 2; ++group) {
    sums.gradient.col(group).head(columns) += z.transpose() * b.col(group);
    sums.gradient(columns, group) += b.col(group).sum();
  }
  add_weighted_gram(z, curvature, sums.hessian, runtime);
  sums.hessian.row(columns).head(columns) += (z.transpose() * curvature).transpose();
  sums.hessian(columns, columns) += curvature.sum();
}

}  // namespace mk
