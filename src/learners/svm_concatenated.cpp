#include "svm_concatenated.hpp"

#include "../base/parameters.hpp"
#include "../kernels/empirical_map.hpp"
#include "per_kernel_model.hpp"

namespace mk {

namespace {

// Rows of ZZ', for problems whose matrix does not fit the memory.
class FactorRows final : public RowSource {
 public:
  FactorRows(const Matrix& z, const Runtime& runtime)
      : z_(z), runtime_(runtime), diagonal_(z.rowwise().squaredNorm()) {}

  Index size() const override { return z_.rows(); }
  const Vector& diagonal() const override { return diagonal_; }
  void row(Index i, double* out) const override {
    runtime_.check_interrupt();
    const Matrix& z = active_.size() > 0 ? active_ : z_;
    std::fill(out, out + z.rows(), 0.0);
    for (Index c = 0; c < z.cols(); ++c)
      if (z_(i, c) != 0.0) runtime_.simd->axpy(z_(i, c), z.col(c).data(), out, z.rows());
  }
  Vector multiply(const Vector& b) const override { return z_ * (z_.transpose() * b); }
  void activate(const Indices& positions) override {
    active_.resize(0, 0);
    if (positions.size() == at(size())) return;
    active_.resize(static_cast<Index>(positions.size()), z_.cols());
    for (Index c = 0; c < z_.cols(); ++c)
      for (std::size_t i = 0; i < positions.size(); ++i)
        active_(static_cast<Index>(i), c) = z_(positions[i], c);
  }

 private:
  const Matrix& z_;
  const Runtime& runtime_;
  Vector diagonal_;
  Matrix active_;  // empty: all
};

// ZZ' by blocks of columns of fixed size, so that threads do not change a sum.
Matrix gram(const Matrix& z, const Runtime& runtime) {
  constexpr Index block = 128;
  const Index n = z.rows();
  Matrix k(n, n);
  runtime.parallel_for((n + block - 1) / block, [&](Index task) {
    const Index first = task * block, width = std::min(block, n - first);
    k.block(first, first, n - first, width).noalias() =
        z.bottomRows(n - first) * z.middleRows(first, width).transpose();
  });
  k.triangularView<Eigen::StrictlyUpper>() = k.transpose();
  return k;
}

SvmSolution solve(const Matrix& z, const TrainingSet& data, const SvmOptions& options,
                  const Runtime& runtime) {
  const Loss& loss = options.losses.of(data);
  if (!data.bank.fits(1.0)) {
    CachedQ q(std::make_unique<FactorRows>(z, runtime), 0.8 * runtime.memory);
    return loss.solve(q, data, options.smo, Vector(), runtime);
  }
  const Matrix k = gram(z, runtime);
  StoredQ q(view(k), runtime.memory - data.bank.matrix_bytes(), runtime);
  return loss.solve(q, data, options.smo, Vector(), runtime);
}

// Whether a full map holds the whole kernel: an eigenvalue below 0 would be missing in the trace.
bool is_whole(const EmpiricalMap& map, double trace) {
  return map.values.sum() - trace <= 1e-8 * map.values.sum();
}

double trace_of(const KernelBank& bank, Index m, const Runtime& runtime) {
  const GramView k = bank.matrix(m, runtime);
  double sum = 0.0;
  for (Index i = 0; i < bank.rows(); ++i) sum += k.view(i, i);
  return sum;
}

}  // namespace

SvmConcatenatedLearner::SvmConcatenatedLearner(const State& parameters, const SmoOptions& smo)
    : svm(SvmOptions::read(parameters, smo)),
      rank(read_count(parameters, "rank", 0, 0)),
      landmarks(read_count(parameters, "landmarks", 0, 0)) {}

std::unique_ptr<Model> SvmConcatenatedLearner::fit(const TrainingSet& data,
                                                   const Runtime& runtime) const {
  const Index m = data.bank.size();
  std::vector<EmpiricalMap> maps = make_empirical_maps(data.bank, landmarks, rank, runtime);
  std::vector<Matrix> parts;
  for (EmpiricalMap& map : maps) parts.push_back(std::move(map.training));
  const Matrix z = side_by_side(parts);
  const SvmSolution solution = solve(z, data, svm, runtime);
  check_solution(solution.solved, data.bank, Vector::Ones(m), runtime);

  auto model = std::make_unique<PerKernelModel>();
  model->rows = maps.front().rows;
  model->coefficients.resize(static_cast<Index>(model->rows.size()), m);
  const bool full = rank == 0 && static_cast<Index>(model->rows.size()) == data.bank.rows();
  for (Index k = 0; k < m; ++k) {
    const EmpiricalMap& map = maps[at(k)];
    // Where phi(x)'phi(x_i) = k(x, x_i), the coefficients of the SVM serve as they are: few.
    if (full && is_whole(map, trace_of(data.bank, k, runtime)))
      model->coefficients.col(k) = solution.coefficients;
    else
      model->coefficients.col(k) =
          map.projection * (parts[at(k)].transpose() * solution.coefficients);
  }
  drop_zero_rows(*model);
  model->bias = solution.solved.bias;
  model->weights = Vector::Ones(m);
  model->fitted = solution.fitted;
  model->report = svm_report(solution.solved);
  return model;
}

}  // namespace mk
