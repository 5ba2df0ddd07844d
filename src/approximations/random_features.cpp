#include "random_features.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "../base/errors.hpp"
#include "../features/sparse.hpp"

namespace mk {

namespace {

// Random streams of this file: one for each kernel, and the rows of the measured error.
constexpr std::uint64_t draw_kernels = 0x666f757269657200ULL;
constexpr std::uint64_t draw_sample = draw_kernels - 1;
constexpr double turn = 6.283185307179586;
// Columns up to which frequencies are made orthogonal. Random directions in more columns nearly
// are, and to make them so would take longer than the features of some hundred rows.
constexpr Index most_orthogonal = 256;
// Rows that the error is measured on.
constexpr Index sample_size = 256;

std::string name_of(const FittedKernels& fitted, Index m) {
  return fitted.set->item_name(fitted.set->locate(m).first);
}

const Features& source_of(const FittedKernels& fitted, const Factor& factor) {
  return *fitted.training->examples().sources[at(factor.source)];
}

// Sums over columns that can be listed and read one by one.
bool has_columns(const FittedKernels& fitted, const Factor& factor) {
  const std::string type = source_of(fitted, factor).type();
  return (type == "dense" || type == "sparse") && !factor.sum.features.empty();
}

bool is_mixture(const Factor& factor) {
  return factor.map->is_mixture() && (factor.sum.kind == PairKind::squared_distance ||
                                      factor.sum.kind == PairKind::absolute_distance);
}

enum class Form { none, linear, waves };

Form form_of(const FittedKernels& fitted, Index m) {
  const Kernel kernel = fitted.set->kernel(m);
  for (const Normalization stage : fitted.set->normalization(fitted.set->locate(m).first))
    if (stage == Normalization::center) return Form::none;
  const auto& factors = kernel.factors;
  const bool listed = std::all_of(factors.begin(), factors.end(), [&](const Factor& factor) {
    return has_columns(fitted, factor);
  });
  if (!listed) return Form::none;
  if (factors.size() == 1 && factors[0].sum.kind == PairKind::dot && factors[0].map->is_identity())
    return Form::linear;
  return std::all_of(factors.begin(), factors.end(), is_mixture) ? Form::waves : Form::none;
}

// Orthogonal directions in place of independent ones, of the same lengths. The length of a normal
// vector does not depend on its direction, and a sign changes no cosine of a difference.
void make_orthogonal(Matrix& g) {
  const Vector lengths = g.colwise().norm().transpose();
  const Eigen::HouseholderQR<Matrix> qr(g);
  g = qr.householderQ() * Matrix::Identity(g.rows(), g.cols());
  g *= lengths.asDiagonal();
}

// Frequencies of a factor in turns, a column each.
Matrix draw_frequencies(const Factor& factor, Index count, std::uint64_t seed,
                        const Runtime& runtime) {
  const Index d = static_cast<Index>(factor.sum.features.size());
  const bool euclidean = factor.sum.kind == PairKind::squared_distance;
  const bool orthogonal = euclidean && d > 1 && d <= most_orthogonal;
  const Index block = orthogonal ? d : 64;
  Matrix w(d, count);
  runtime.parallel_for((count + block - 1) / block, [&](Index b) {
    const Index first = b * block, some = std::min(block, count - first);
    Matrix g(d, some);
    Vector scale = Vector::Ones(some);
    for (Index j = 0; j < some; ++j) {
      Random random(seed, static_cast<std::uint64_t>(first + j));
      for (Index f = 0; f < d; ++f)
        g(f, j) = random.normal() * (euclidean ? 1.0 : factor.map->draw_scale(random));
      if (euclidean) scale[j] = factor.map->draw_scale(random);
    }
    if (orthogonal) make_orthogonal(g);
    w.middleCols(first, some) = g * (scale / turn).asDiagonal();
  });
  return w;
}

Indices rows_of(const RowGroup& group, Index first, Index count) {
  return Indices(group.rows().begin() + first, group.rows().begin() + first + count);
}

}  // namespace

Index ExplicitMap::columns(const FittedKernels& fitted, Index m, const FeatureDraw& draw) {
  switch (form_of(fitted, m)) {
    case Form::linear:
      return static_cast<Index>(fitted.set->kernel(m).factors[0].sum.features.size());
    case Form::waves:
      return 2 * ((draw.count + 1) / 2);
    case Form::none:
      break;
  }
  throw InvalidArgument(
      "Kernel `" + name_of(fitted, m) +
          "` has no random features: Gaussian, Laplacian, Matern, Cauchy and rational quadratic "
          "kernels of numeric columns have them, products of these, and the linear kernel. "
          "`approximate = nystrom()` takes all kernels.",
      "approximate");
}

ExplicitMap::ExplicitMap(const FittedKernels& fitted, Index m, const FeatureDraw& draw,
                         const Runtime& runtime)
    : fitted_(fitted),
      m_(m),
      columns_(columns(fitted, m, draw)),
      linear_(form_of(fitted, m) == Form::linear) {
  if (linear_) return;
  Random seeds(draw.seed, draw_kernels + static_cast<std::uint64_t>(m));
  for (const Factor& factor : fitted.set->kernel(m).factors)
    parts_.push_back(make_part(factor, seeds.bits(), runtime));
}

ExplicitMap::Part ExplicitMap::make_part(const Factor& factor, std::uint64_t seed,
                                         const Runtime& runtime) const {
  const Index count = columns_ / 2;
  const Features& source = source_of(fitted_, factor);
  const Matrix w = draw_frequencies(factor, count, seed, runtime);
  Part part;
  part.source = factor.source;
  part.columns.assign(factor.sum.features.begin(), factor.sum.features.end());
  if (dynamic_cast<const SparseFeatures*>(&source) == nullptr) {
    part.packed = pack_strips(count, w.rows(), [&](Index f, Index i) { return w(f, i); });
    return part;
  }
  // A column that is listed twice has the sum of its frequencies.
  part.place.assign(at(source.columns()), -1);
  part.by_column.resize(count, w.rows());
  Index places = 0;
  for (Index f = 0; f < w.rows(); ++f) {
    Index& place = part.place[at(part.columns[at(f)])];
    if (place < 0) {
      place = places++;
      part.by_column.col(place) = w.row(f).transpose();
    } else {
      part.by_column.col(place) += w.row(f).transpose();
    }
  }
  return part;
}

// What the features of each example are multiplied by: the roots of normalization, and 0 for
// examples that lack a view of the kernel.
Vector ExplicitMap::row_factors(const RowGroup& group, const Runtime& runtime) const {
  const Kernel kernel = fitted_.set->kernel(m_);
  const auto place = fitted_.set->locate(m_);
  const std::vector<Normalization>& stages = fitted_.set->normalization(place.first);
  Vector factors = Vector::Ones(group.count()), diagonal;
  if (std::find(stages.begin(), stages.end(), Normalization::cosine) != stages.end())
    diagonal = kernel.diagonal(group, *runtime.simd);
  for (std::size_t s = 0; s < stages.size(); ++s) {
    if (stages[s] == Normalization::cosine) {
      factors.array() *=
          pass_stage(fitted_, m_, static_cast<Index>(s), group, diagonal, runtime).array();
      continue;
    }
    const double value = fitted_.normalizers[at(place.first)][s].value[place.second];
    factors *= std::sqrt(value);
    diagonal *= value;
  }
  const Vector mask = kernel.mask(group);
  if (mask.size() > 0) factors.array() *= mask.array();
  return factors;
}

// Values of some examples; see ExplicitMap::rows().
class ExplicitMap::Waves final : public FeatureMaker::Rows {
 public:
  Waves(const ExplicitMap& map, const RowGroup& group, const Runtime& runtime)
      : map_(map), group_(group), simd_(*runtime.simd), factors_(map.row_factors(group, runtime)) {}

  void values(Index panel, double* out) const override {
    const Index first = panel * panel_rows, count = panel_size(group_.count(), panel);
    const Indices rows = rows_of(group_, first, count);
    if (map_.linear_) map_.copy_columns(group_, rows, out);
    else map_.write_waves(group_, rows, simd_, out);
    for (Index i = 0; i < count; ++i) {
      const double factor = factors_[first + i];
      if (factor == 1.0) continue;
      for (Index c = 0; c < map_.columns_; ++c) {
        double& z = out[i + panel_rows * c];
        z = factor == 0.0 ? 0.0 : factor * z;  // what x holds is not seen
      }
    }
  }

 private:
  const ExplicitMap& map_;
  const RowGroup& group_;
  const Simd& simd_;
  const Vector factors_;
};

std::unique_ptr<const FeatureMaker::Rows> ExplicitMap::rows(const RowGroup& group,
                                                            const Runtime& runtime) const {
  return std::make_unique<Waves>(*this, group, runtime);
}

double ExplicitMap::largest(const RowGroup& group, const Runtime& runtime) const {
  double most = 0.0;
  const Vector factors = row_factors(group, runtime);
  const Factor factor = fitted_.set->kernel(m_).factors[0];
  const FeatureRows& source = group.source(factor.source);
  const Vector lengths = linear_ ? source.self_sums(factor.sum) : Vector::Ones(group.count());
  for (Index i = 0; i < group.count(); ++i) {
    const double length = factors[i] == 0.0 ? 0.0 : factors[i] * factors[i] * lengths[i];
    if (!std::isfinite(length)) return length;
    most = std::max(most, length);
  }
  return most;
}

// Angles in turns, a column for each pair, where the cosines belong; then these and the sines.
void ExplicitMap::write_waves(const RowGroup& group, const Indices& rows, const Simd& simd,
                              double* out) const {
  const Index pairs = columns_ / 2, count = static_cast<Index>(rows.size());
  const double scale = std::sqrt(1.0 / static_cast<double>(std::max<Index>(pairs, 1)));
  std::fill(out, out + panel_rows * pairs, 0.0);
  for (const Part& part : parts_) {
    const Features& x = *group.examples().sources[at(part.source)];
    if (part.place.empty()) add_dense(part, x, rows, simd, out);
    else add_sparse(part, x, rows, simd, out);
  }
  for (Index c = 0; c < pairs; ++c) {
    double* turns = out + c * panel_rows;
    simd.waves(turns, scale, turns, turns + pairs * panel_rows, count);
  }
}

void ExplicitMap::copy_columns(const RowGroup& group, const Indices& rows, double* out) const {
  const Factor factor = fitted_.set->kernel(m_).factors[0];
  const Indices columns(factor.sum.features.begin(), factor.sum.features.end());
  const Matrix x = group.examples().sources[at(factor.source)]->values(rows, columns);
  for (Index f = 0; f < x.cols(); ++f) std::copy_n(x.col(f).data(), x.rows(), out + f * panel_rows);
}

// With the loops for pairs of examples: rows are one side, frequencies the other.
void ExplicitMap::add_dense(const Part& part, const Features& x, const Indices& rows,
                            const Simd& simd, double* turns) const {
  const Index d = static_cast<Index>(part.columns.size()), pairs = columns_ / 2;
  const Matrix values = x.values(rows, part.columns);
  const Vector packed =
      pack_strips(values.rows(), d, [&](Index f, Index i) { return values(i, f); });
  std::vector<int> order(at(d));
  std::iota(order.begin(), order.end(), 0);
  Vector sums(panel_rows * panel_rows);
  for (Index first = 0; first < pairs; first += panel_rows) {
    const Index count = std::min(panel_rows, pairs - first);
    const PanelPair pair = {packed.data(),
                            values.rows(),
                            part.packed.data() + first * d,
                            0,
                            count,
                            strip_rows * d,
                            order.data(),
                            d,
                            0.0};
    simd.reduce[static_cast<int>(PairKind::dot)](pair, sums.data());
    for (Index c = 0; c < count; ++c)
      simd.axpy(1.0, sums.data() + c * panel_rows, turns + (first + c) * panel_rows, values.rows());
  }
}

// Entry by entry. What centering takes off is the same for all rows: it cancels in differences.
void ExplicitMap::add_sparse(const Part& part, const Features& x, const Indices& rows,
                             const Simd& simd, double* turns) const {
  const auto& sparse = static_cast<const SparseFeatures&>(x);
  Vector own(columns_ / 2);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    own.setZero();
    for (const SparseFeatures::Entry& entry : sparse.row(rows[i])) {
      const Index place = part.place[at(static_cast<Index>(entry.column))];
      if (place >= 0)
        simd.axpy(entry.value, part.by_column.col(place).data(), own.data(), own.size());
    }
    for (Index c = 0; c < own.size(); ++c) turns[static_cast<Index>(i) + panel_rows * c] += own[c];
  }
}

RandomFeatureMaker::RandomFeatureMaker(std::shared_ptr<const FittedKernels> fitted,
                                       const FeatureDraw& draw, const Runtime& runtime)
    : fitted_(std::move(fitted)) {
  // Errors come before work.
  for (Index m = 0; m < fitted_->set->size(); ++m) ExplicitMap::columns(*fitted_, m, draw);
  for (Index m = 0; m < fitted_->set->size(); ++m) {
    maps_.emplace_back(*fitted_, m, draw, runtime);
    largest_.push_back(maps_.back().largest(*fitted_->training, runtime));
  }
}

namespace {

double relative_error(const KernelBank& part, const KernelFeatures& features, Index m,
                      const Runtime& runtime) {
  Matrix k(part.rows(), part.rows());
  part.fill({m}, {k.data()}, runtime);
  const double size = k.norm();
  if (!(size > 0.0)) return 0.0;
  const RowMatrix z = features.matrix(m, runtime);
  k.noalias() -= z * z.transpose();
  return k.norm() / size;
}

}  // namespace

RandomFeatures make_random_features(const KernelBank& bank, const FeatureDraw& draw,
                                    const Runtime& runtime) {
  RandomFeatures out;
  out.maker = std::make_shared<RandomFeatureMaker>(bank.fitted(), draw, runtime);
  out.features = std::make_shared<const KernelFeatures>(out.maker, bank.shared_group(), runtime);
  const Indices sample = Random(draw.seed, draw_sample).sample(bank.rows(), sample_size);
  const KernelBank part = bank.subset(sample);
  const auto own = out.features->subset(sample);
  out.error.resize(bank.size());
  for (Index m = 0; m < bank.size(); ++m) out.error[m] = relative_error(part, *own, m, runtime);
  return out;
}

}  // namespace mk
