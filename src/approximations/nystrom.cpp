#include "nystrom.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "../base/cholesky.hpp"
#include "../base/errors.hpp"
#include "../base/random.hpp"

namespace mk {

namespace {

// Landmarks that others explain up to this share of the largest diagonal are left out: features
// would be made of rounding errors.
constexpr double cutoff = 1e-11;
// Landmarks that all add more than this share to the others need not be sorted.
constexpr double clearly = 1e-8;
// Share of the largest diagonal that rounding, also of matrices that users give, may leave.
constexpr double negligible = 1e-6;
// Rows that the error is measured on.
constexpr Index sample_size = 4096;
constexpr std::uint64_t draw_sample = 0x6c616e646d61726dULL;

std::string name_of(const KernelBank& bank, Index m) {
  return bank.set().item_name(bank.set().locate(m).first);
}

// The inverse of a pivoted Cholesky factor of K_LL: `pivots` are positions of landmarks, the
// triangle has a column for each feature.
struct Whitening {
  Indices pivots;
  Matrix upper;
  bool indefinite = false;
};

// Whether K - FF', of a positive semi-definite K, is more than rounding at the landmarks that are
// no pivots: only an indefinite K leaves values there whose diagonal is 0 or negative.
bool leaves_more_than_rounding(const Matrix& k, const Matrix& f, const Indices& pivots) {
  std::vector<bool> used(at(k.rows()), false);
  for (const Index pivot : pivots) used[at(pivot)] = true;
  Indices rest;
  for (Index i = 0; i < k.rows(); ++i)
    if (!used[at(i)]) rest.push_back(i);
  if (rest.empty()) return false;
  const auto count = static_cast<Index>(rest.size());
  Matrix own(count, f.cols()), left(count, count);
  for (Index i = 0; i < count; ++i) own.row(i) = f.row(rest[at(i)]);
  for (Index j = 0; j < count; ++j)
    for (Index i = 0; i < count; ++i) left(i, j) = k(rest[at(i)], rest[at(j)]);
  left.noalias() -= own * own.transpose();
  return left.cwiseAbs().maxCoeff() > negligible * k.diagonal().cwiseAbs().maxCoeff();
}

// By blocks of columns, whose entries above the diagonal are zero.
Matrix inverse_of_lower(const Matrix& lower, const Runtime& runtime) {
  constexpr Index block = 64;
  const Index n = lower.rows();
  Matrix out = Matrix::Identity(n, n);
  for (Index first = 0; first < n; first += block) {
    runtime.check_interrupt();
    const Index rest = n - first;
    lower.bottomRightCorner(rest, rest)
        .triangularView<Eigen::Lower>()
        .solveInPlace(out.block(first, first, rest, std::min(block, rest)));
  }
  return out;
}

// Without pivots it is many times as fast, and as good where no landmark is nearly a sum of others.
bool whiten_all(const Matrix& k, Whitening& out, const Runtime& runtime) {
  Matrix lower = k;
  const Cholesky factor(lower, runtime);
  if (factor.info() != Eigen::Success) return false;
  const double least = clearly * k.diagonal().maxCoeff();
  if (!(lower.diagonal().cwiseAbs2().minCoeff() > least)) return false;
  out.pivots = all_rows(k.rows());
  out.upper = inverse_of_lower(lower, runtime).transpose();
  return true;
}

Whitening whiten(Matrix k, const std::string& name, const Runtime& runtime) {
  if (!k.allFinite())
    throw InvalidArgument("Kernel `" + name +
                              "` has values that are not finite: scale the "
                              "features or choose other kernel parameters.",
                          name);
  Whitening out;
  if (whiten_all(k, out, runtime)) return out;
  const Index m = k.rows();
  Vector left = k.diagonal();
  const double least = cutoff * left.maxCoeff();
  Matrix f = Matrix::Zero(m, m);
  for (Index c = 0; c < m; ++c) {
    if (c % 16 == 0) runtime.check_interrupt();
    Index next;
    if (!(left.maxCoeff(&next) > least)) break;
    f.col(c) = k.col(next);
    f.col(c).noalias() -= f.leftCols(c) * f.row(next).head(c).transpose();
    f.col(c) /= std::sqrt(left[next]);
    left -= f.col(c).cwiseAbs2();
    out.pivots.push_back(next);
    for (const Index done : out.pivots) left[done] = 0.0;
  }
  const Index r = static_cast<Index>(out.pivots.size());
  out.indefinite = leaves_more_than_rounding(k, f.leftCols(r), out.pivots);
  if (r == 0)
    throw InvalidArgument(
        "Kernel `" + name + "` has no value above 0 on the diagonal of the landmarks.", name);
  Matrix lower(r, r);
  for (Index i = 0; i < r; ++i) lower.row(i) = f.row(out.pivots[at(i)]).head(r);
  out.upper = inverse_of_lower(lower, runtime).transpose();
  return out;
}

// Kernel values at the pivots, times the triangle.
class NystromMaker final : public FeatureMaker {
 public:
  NystromMaker(const KernelBank& bank, const Indices& landmarks,
               const std::vector<Whitening>& whitenings, const Runtime& runtime)
      : fitted_(bank.fitted()) {
    for (Index m = 0; m < bank.size(); ++m) {
      const Whitening& w = whitenings[at(m)];
      Indices rows;
      for (const Index pivot : w.pivots) rows.push_back(landmarks[at(pivot)]);
      pivots_.push_back(bank.group().part(rows));
      triangles_.emplace_back(w.upper);
      const Vector diagonal = bank.row_evaluator(Vector::Unit(bank.size(), m), runtime)->diagonal();
      largest_.push_back(diagonal.allFinite() ? diagonal.cwiseAbs().maxCoeff()
                                              : std::numeric_limits<double>::infinity());
    }
  }
  Index size() const override { return static_cast<Index>(pivots_.size()); }
  Index columns(Index m) const override { return pivots_[at(m)]->count(); }
  const FeatureTriangle& triangle(Index m) const override { return triangles_[at(m)]; }
  double largest(Index m) const override { return largest_[at(m)]; }
  std::unique_ptr<const Rows> rows(Index m, const RowGroup& group,
                                   const Runtime& runtime) const override {
    return std::make_unique<KernelValues>(*fitted_, m, group, *pivots_[at(m)], runtime);
  }

 private:
  class KernelValues final : public Rows {
   public:
    KernelValues(const FittedKernels& fitted, Index m, const RowGroup& group,
                 const RowGroup& pivots, const Runtime& runtime)
        : block_(fitted, {m}, group, pivots, runtime),
          count_(group.count()),
          pivots_(pivots.count()),
          simd_(*runtime.simd) {}
    void values(Index panel, double* out) const override {
      for (const Tile& tile : tiles_of_panel(count_, panel, pivots_))
        block_.evaluate(tile, [&](const KernelBlock::Step& step, const double* values) {
          simd_.affine_power(values, step.factor, 0.0, 1, out + tile.b_first * panel_rows,
                             tile.b_count * panel_rows);
        });
    }

   private:
    const KernelBlock block_;
    const Index count_, pivots_;
    const Simd& simd_;
  };

  std::shared_ptr<const FittedKernels> fitted_;
  std::vector<std::shared_ptr<const RowGroup>> pivots_;  // of each kernel
  std::vector<FeatureTriangle> triangles_;
  std::vector<double> largest_;
};

// On some rows, where there are many.
double residual(const KernelBank& bank, const KernelFeatures& features, Index m,
                const Runtime& runtime) {
  const Indices rows = Random(runtime.seed, draw_sample).sample(bank.rows(), sample_size);
  const Vector exact =
      bank.subset(rows).row_evaluator(Vector::Unit(bank.size(), m), runtime)->diagonal();
  // Without signs: the diagonal of an indefinite kernel must not cancel.
  const double trace = exact.lpNorm<1>();
  if (!(trace > 0.0)) return 0.0;
  return (exact - features.subset(rows)->squared_lengths(m, runtime)).lpNorm<1>() / trace;
}

// From coefficients of features to those of all landmarks.
Matrix back_to_landmarks(const Whitening& w, Index count) {
  Matrix back = Matrix::Zero(count, w.upper.cols());
  for (std::size_t i = 0; i < w.pivots.size(); ++i)
    back.row(w.pivots[i]) = w.upper.row(static_cast<Index>(i));
  return back;
}

}  // namespace

Nystrom make_nystrom(const KernelBank& bank, const Indices& landmarks, const Runtime& runtime) {
  Nystrom out;
  out.landmarks = landmarks;
  const Index count = static_cast<Index>(landmarks.size());
  const KernelBank inner = bank.subset(landmarks);
  std::vector<Whitening> whitenings(at(bank.size()));
  runtime.parallel_for(bank.size(), [&](Index m) {
    Matrix k(count, count);
    inner.fill({m}, {k.data()}, runtime);
    whitenings[at(m)] = whiten(std::move(k), name_of(bank, m), runtime);
  });
  out.maker = std::make_shared<NystromMaker>(bank, landmarks, whitenings, runtime);
  out.features = std::make_shared<const KernelFeatures>(out.maker, bank.shared_group(), runtime);
  out.error.resize(bank.size());
  for (Index m = 0; m < bank.size(); ++m) {
    out.error[m] = residual(bank, *out.features, m, runtime);
    out.indefinite.push_back(whitenings[at(m)].indefinite);
    out.back.push_back(back_to_landmarks(whitenings[at(m)], count));
  }
  return out;
}

}  // namespace mk
