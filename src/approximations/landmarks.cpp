#include "landmarks.hpp"

#include <algorithm>

#include "../base/errors.hpp"
#include "../base/random.hpp"
#include "../kernels/cross_bank.hpp"

namespace mk {

namespace {

// Random streams of this file.
constexpr std::uint64_t draw_candidates = 0x6c616e646d61726bULL;
constexpr std::uint64_t draw_landmarks = draw_candidates + 1;
// A row that adds less than this share of the largest diagonal adds nothing but rounding.
constexpr double nothing = 1e-12;

Indices draw_rows(Index count, Index n, std::uint64_t seed) {
  Indices rows = Random(seed, draw_candidates).sample(n, count);
  std::sort(rows.begin(), rows.end());
  return rows;
}

// Enough that the choice is about as good as among all.
Index candidate_count(Index count, Index n) {
  return std::min(n, std::max<Index>(20 * count, 5000));
}

// A row with chance proportional to its entry, all of which are >= 0; -1 if all are 0.
Index draw_by(const Vector& chances, Random& random) {
  const double sum = chances.sum();
  if (!(sum > 0.0)) return -1;
  double left = random.uniform() * sum;
  Index last = -1;
  for (Index i = 0; i < chances.size(); ++i) {
    if (!(chances[i] > 0.0)) continue;
    last = i;
    left -= chances[i];
    if (left < 0.0) break;
  }
  return last;
}

// The sum of the kernels among some rows, one column at a time.
class SumOfKernels {
 public:
  SumOfKernels(const KernelBank& bank, const Runtime& runtime) : bank_(bank), runtime_(runtime) {
    weights_ = Vector::Ones(bank.size());
    diagonal_ = Vector::Zero(bank.rows());
    for (Index m = 0; m < bank.size(); ++m) {
      const Vector own = bank.row_evaluator(Vector::Unit(bank.size(), m), runtime)->diagonal();
      const double mean = own.mean();
      weights_[m] = mean > 0.0 ? 1.0 / mean : 0.0;
      diagonal_ += weights_[m] * own;
    }
  }
  const Vector& diagonal() const { return diagonal_; }
  Vector column(Index i) const {
    Vector out(bank_.rows());
    bank_.cross(all_rows(bank_.rows()), {i}, runtime_)->sum(weights_, out.data());
    return out;
  }

 private:
  const KernelBank& bank_;
  const Runtime& runtime_;
  Vector weights_, diagonal_;
};

Indices by_distance(Index count, const SumOfKernels& k, Random& random) {
  const Vector& diagonal = k.diagonal();
  Vector distance = Vector::Ones(diagonal.size());  // squared, to the nearest landmark
  Indices chosen;
  while (static_cast<Index>(chosen.size()) < count) {
    const Index next = draw_by(distance, random);
    if (next < 0) break;
    const Vector own = (diagonal.array() + diagonal[next]).matrix() - 2.0 * k.column(next);
    distance = chosen.empty() ? own : distance.cwiseMin(own);
    const double least = nothing * diagonal.maxCoeff();
    distance = (distance.array() > least).select(distance, 0.0);
    distance[next] = 0.0;
    chosen.push_back(next);
  }
  return chosen;
}

// A partial Cholesky factor F with randomly drawn pivots; the diagonal of K - FF' gives the
// chances.
Indices by_residual(Index count, const SumOfKernels& k, Random& random, const Runtime& runtime) {
  Vector left = k.diagonal().cwiseMax(0.0);
  const double least = nothing * left.maxCoeff();
  Matrix f(left.size(), count);
  Indices chosen;
  for (Index c = 0; c < count; ++c) {
    runtime.check_interrupt();
    const Index next = draw_by(left, random);
    if (next < 0) break;
    Vector column = k.column(next);
    column.noalias() -= f.leftCols(c) * f.row(next).head(c).transpose();
    if (!(column[next] > least)) {  // rounding
      left[next] = 0.0;
      --c;
      continue;
    }
    f.col(c) = column / std::sqrt(column[next]);
    left -= f.col(c).cwiseAbs2();
    left = (left.array() > least).select(left, 0.0);
    left[next] = 0.0;
    chosen.push_back(next);
  }
  return chosen;
}

}  // namespace

Indices choose_landmarks(const std::string& method, Index count, const KernelBank& bank,
                         const Runtime& runtime) {
  const Index n = bank.rows();
  if (count < 1 || count > n)
    throw InvalidArgument("approximate",
                          "of 1 to " + std::to_string(n) + " landmarks, the number of rows",
                          std::to_string(count));
  if (method == "uniform") return draw_rows(count, n, runtime.seed);
  const Indices candidates = draw_rows(candidate_count(count, n), n, runtime.seed);
  const KernelBank part = bank.subset(candidates);
  const SumOfKernels k(part, runtime);
  Random random(runtime.seed, draw_landmarks);
  Indices chosen;
  if (method == "kmeans++") chosen = by_distance(count, k, random);
  else if (method == "rpcholesky") chosen = by_residual(count, k, random, runtime);
  else
    throw InvalidArgument("landmarks", "\"uniform\", \"kmeans++\" or \"rpcholesky\"",
                          "\"" + method + "\"");
  if (chosen.empty())
    throw InvalidArgument("The kernels are 0 on the diagonal: there are no landmarks to choose.");
  for (Index& row : chosen) row = candidates[at(row)];
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace mk
