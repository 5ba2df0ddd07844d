#include "nystrom.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "../base/errors.hpp"
#include "../kernels/cross_bank.hpp"

namespace mk {

namespace {

// Landmarks that others explain up to this share of the largest diagonal are left out: features
// would be made of rounding errors.
constexpr double cutoff = 1e-11;
// Share of the largest diagonal that rounding, also of matrices that users give, may leave.
constexpr double negligible = 1e-6;
constexpr double block_bytes = 64e6;  // of kernel values that are held at a time
constexpr Index most_together = 8;    // kernels that are evaluated at a time

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

Whitening whiten(Matrix k, const std::string& name, const Runtime& runtime) {
  if (!k.allFinite())
    throw InvalidArgument("Kernel `" + name +
                              "` has values that are not finite: scale the "
                              "features or choose other kernel parameters.",
                          name);
  const Index m = k.rows();
  Vector left = k.diagonal();
  const double least = cutoff * left.maxCoeff();
  Matrix f = Matrix::Zero(m, m);
  Whitening out;
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

// z = k(x, pivots) * upper for some rows, with the loops for pairs of examples: the columns of the
// triangle are one side, the rows of K the other.
class Multiplication {
 public:
  Multiplication(const Whitening& w, const Runtime& runtime)
      : w_(w),
        runtime_(runtime),
        rank_(w.upper.cols()),
        packed_(pack_strips(rank_, rank_, [&](Index f, Index i) { return w.upper(f, i); })),
        order_(at(rank_)) {
    std::iota(order_.begin(), order_.end(), 0);
  }

  // k: the kernel between `count` rows and all landmarks, column by column.
  void write(const Matrix& k, Index count, double* z) const {
    runtime_.parallel_for(panel_count(count), [&](Index panel) {
      const Index first = panel * panel_rows, rows = panel_size(count, panel);
      const Vector fresh = pack_strips(
          rows, rank_, [&](Index f, Index i) { return k(first + i, w_.pivots[at(f)]); });
      Vector values(panel_rows * panel_rows);
      for (Index column = 0; column < rank_; column += panel_rows) {
        const Index columns = std::min(panel_rows, rank_ - column);
        // Below the diagonal the triangle is 0.
        const PanelPair pair = {packed_.data() + column * rank_,
                                columns,
                                fresh.data(),
                                0,
                                rows,
                                strip_rows * rank_,
                                order_.data(),
                                column + columns,
                                0.0};
        runtime_.simd->reduce[static_cast<int>(PairKind::dot)](pair, values.data());
        for (Index i = 0; i < rows; ++i)
          std::copy_n(values.data() + i * panel_rows, columns, z + (first + i) * rank_ + column);
      }
    });
  }

 private:
  const Whitening& w_;
  const Runtime& runtime_;
  const Index rank_;
  const Vector packed_;
  std::vector<int> order_;
};

// The features of some kernels, block by block of rows.
void write_features(const KernelBank& bank, const Indices& landmarks, const Indices& kernels,
                    const std::vector<Whitening>& whitenings,
                    const std::vector<std::shared_ptr<RowMatrix>>& out, const Runtime& runtime) {
  const double bytes = 8.0 * static_cast<double>(landmarks.size() * kernels.size());
  const Index panels = static_cast<Index>(block_bytes / bytes) / panel_rows;
  const Index step = panel_rows * std::clamp<Index>(panels, 1, 64);
  std::vector<Multiplication> multiplications;
  for (const Index m : kernels) multiplications.emplace_back(whitenings[at(m)], runtime);
  std::vector<Matrix> blocks(kernels.size());
  std::vector<double*> to(kernels.size());
  for (Index first = 0; first < bank.rows(); first += step) {
    const Index count = std::min(step, bank.rows() - first);
    Indices rows(at(count));
    std::iota(rows.begin(), rows.end(), first);
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      blocks[k].resize(count, static_cast<Index>(landmarks.size()));
      to[k] = blocks[k].data();
    }
    bank.cross(rows, landmarks, runtime)->fill(kernels, to);
    for (std::size_t k = 0; k < kernels.size(); ++k)
      multiplications[k].write(blocks[k], count, out[at(kernels[k])]->row(first).data());
  }
}

double residual(const KernelBank& bank, const KernelFeatures& features, Index m,
                const Runtime& runtime) {
  const Vector exact = bank.row_evaluator(Vector::Unit(bank.size(), m), runtime)->diagonal();
  // Without signs: the diagonal of an indefinite kernel must not cancel.
  const double trace = exact.lpNorm<1>();
  if (!(trace > 0.0)) return 0.0;
  return (exact - features.squared_lengths(m, runtime)).lpNorm<1>() / trace;
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
  Indices columns;
  for (const Whitening& w : whitenings) columns.push_back(static_cast<Index>(w.pivots.size()));
  const auto room = make_room(columns, bank.rows(), "landmarks", runtime);
  const Indices all = all_rows(bank.size());
  for (Index first = 0; first < bank.size(); first += most_together) {
    const Index last = std::min(bank.size(), first + most_together);
    write_features(bank, landmarks, Indices(all.begin() + first, all.begin() + last), whitenings,
                   room, runtime);
  }
  out.features = std::make_shared<const KernelFeatures>(
      std::vector<std::shared_ptr<const RowMatrix>>(room.begin(), room.end()));
  out.error.resize(bank.size());
  for (Index m = 0; m < bank.size(); ++m) {
    out.error[m] = residual(bank, *out.features, m, runtime);
    const Whitening& w = whitenings[at(m)];
    out.indefinite.push_back(w.indefinite);
    Matrix back = Matrix::Zero(count, w.upper.cols());
    for (std::size_t i = 0; i < w.pivots.size(); ++i)
      back.row(w.pivots[i]) = w.upper.row(static_cast<Index>(i));
    out.back.push_back(std::move(back));
  }
  return out;
}

}  // namespace mk
