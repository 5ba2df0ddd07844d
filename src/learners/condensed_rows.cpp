#include "condensed_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "../base/cholesky.hpp"
#include "../base/product.hpp"

namespace mk {

namespace {

constexpr Index fewer_times = 2;  // as few rows are worth the work of making them
// Matrices besides those of the kernels: a sum of them, factors, second derivatives.
constexpr double working_matrices = 4.0;

Index all_columns(const KernelFeatures& features) {
  Index count = 0;
  for (Index m = 0; m < features.size(); ++m) count += features.columns(m);
  return count;
}

double bytes_of(Index rows) { return 8.0 * static_cast<double>(rows) * static_cast<double>(rows); }

// The transpose of a Cholesky factor of a matrix of which the lower triangle is read. Columns that
// are constant or depend on others have pivots that are rounding, of any sign: a ridge of that size
// lifts them. `lift`: the unit of the rounding of each column.
Matrix root_of(const Matrix& a, const Vector& lift, const Runtime& runtime) {
  Matrix factor;
  for (double ridge = 0.0; ridge < 1e-8; ridge = std::max(1e-16, 10.0 * ridge)) {
    factor = a;
    factor.diagonal() += ridge * lift;
    const Cholesky cholesky(factor, runtime);
    if (cholesky.info() == Eigen::Success && factor.diagonal().minCoeff() > 0.0) break;
  }
  factor.triangularView<Eigen::StrictlyUpper>().setZero();
  return factor.transpose();
}

// One more row, and all turned so that the sums of the columns are 0: by the reflection that takes
// the vector of ones to the last axis.
Matrix with_mean_zero(const Matrix& rows) {
  const Index n = rows.rows() + 1;
  Vector axis = Vector::Constant(n, 1.0 / std::sqrt(static_cast<double>(n)));
  axis[n - 1] -= 1.0;
  axis.normalize();
  Matrix out(n, rows.cols());
  out.topRows(n - 1) = rows;
  out.row(n - 1).setZero();
  const Eigen::RowVectorXd along = axis.head(n - 1).transpose() * rows;
  out.noalias() -= 2.0 * axis * along;
  return out;
}

std::shared_ptr<const KernelSet> stored_set(Index count) {
  State item;
  item.set("family", "precomputed");
  item.set("name", "condensed kernel");
  return std::make_shared<KernelSet>(std::vector<State>(at(count), item), 0);
}

}  // namespace

Matrix whole_matrix(const RowSource& rows, const Runtime& runtime) {
  Matrix out(rows.size(), rows.size());
  for (Index i = 0; i < out.cols(); ++i) {
    if (i % 64 == 0) runtime.check_interrupt();
    rows.row(i, out.col(i).data());
  }
  return out;
}

bool CondensedRows::serves(const LearnerPath& path, const Target& target, const KernelBank& bank,
                           Index rows, const Runtime& runtime) {
  if (bank.features() == nullptr || !path.by_moments || !path.by_moments(target)) return false;
  const Index condensed = all_columns(*bank.features()) + 2;
  return fewer_times * condensed <= rows &&
         working_matrices * bytes_of(condensed) <= runtime.memory;
}

CondensedRows::CondensedRows(const KernelFeatures& all, const Moments& moments,
                             const Runtime& runtime)
    : all_(all) {
  // Rounding is relative to what was there before the means were taken out; columns of 0 are small
  // against those of other kernels, and the response has a unit of its own.
  Vector lift(moments.z.size() + 1);
  lift << moments.zz.diagonal().array() + 1e-3 * moments.zz.diagonal().maxCoeff(),
      std::max(moments.yy, std::numeric_limits<double>::min());
  const Matrix rows = with_mean_zero(root_of(centered(moments), lift, runtime));
  const Index n = rows.rows(), r = rows.cols() - 1;
  target_.kind = regression();
  target_.y = rows.col(r);
  target_.weights = Vector::Ones(n);
  std::vector<std::shared_ptr<const RowMatrix>> parts;
  Index first = 0;
  for (Index m = 0; m < all_.size(); ++m) {
    parts.push_back(std::make_shared<const RowMatrix>(rows.middleCols(first, all_.columns(m))));
    first += all_.columns(m);
  }
  features_ = std::make_shared<const KernelFeatures>(std::move(parts));
  make_bank(runtime);
}

// The lower triangle of A.
Matrix CondensedRows::centered(const Moments& moments) {
  const Index r = moments.z.size();
  const double y = moments.y / moments.weight;
  mean_ = moments.origin + y;
  means_ = moments.z / moments.weight;
  Matrix a(r + 1, r + 1);
  a.topLeftCorner(r, r) = moments.zz;
  a.topLeftCorner(r, r).selfadjointView<Eigen::Lower>().rankUpdate(means_, -moments.weight);
  a.row(r).head(r) = (moments.zy - y * moments.z).transpose();
  a(r, r) = std::max(moments.yy - y * moments.y, 0.0);
  return a;
}

void CondensedRows::make_bank(const Runtime& runtime) {
  const Index count = features_->size();
  const double matrices = static_cast<double>(count) + working_matrices;
  const bool room = matrices * bytes_of(features_->rows()) <= runtime.memory;
  std::vector<MatrixView> views;
  for (Index m = 0; m < (room ? count : 1); ++m) {
    const FeatureSum one(features_, Vector::Unit(count, m), runtime);
    matrices_.push_back(whole_matrix(one, runtime));
  }
  // Where there is no room, features take the place of the matrices, and one stands for all.
  for (Index m = 0; m < count; ++m) views.push_back(view(matrices_[at(room ? m : 0)]));
  bank_ = std::make_unique<KernelBank>(stored_set(count), stored_examples(views), runtime);
  on_features_ = std::make_unique<KernelBank>(bank_->approximate(features_));
  if (!room) *bank_ = *on_features_;
}

std::unique_ptr<FeatureModel> CondensedRows::expand(const Model& condensed,
                                                    const Runtime& runtime) const {
  auto model = on_features(condensed, *on_features_, runtime);
  model->bias = mean_;
  Index first = 0;
  for (std::size_t m = 0; m < model->v.size(); ++m) {
    const Index columns = all_.columns(static_cast<Index>(m));
    if (model->v[m].size() > 0) model->bias -= means_.segment(first, columns).dot(model->v[m]);
    first += columns;
  }
  model->fitted = model->values(all_, runtime);
  return model;
}

}  // namespace mk
