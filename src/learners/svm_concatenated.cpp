#include "svm_concatenated.hpp"

#include "../base/parameters.hpp"
#include "../kernels/empirical_map.hpp"
#include "condensed_rows.hpp"
#include "per_kernel_model.hpp"

namespace mk {

namespace {

using SharedMatrix = std::shared_ptr<const RowMatrix>;

// The SVM on the coordinates side by side: linear in the rows where these are many.
SvmSolution solve(const std::shared_ptr<const KernelFeatures>& z, const TrainingSet& data,
                  const SvmOptions& options, const Runtime& runtime) {
  const Loss& loss = options.losses.of(data);
  auto sum = std::make_unique<FeatureSum>(z, Vector::Ones(z->size()), runtime);
  const bool many_rows = data.size() > 4 * sum->columns() && sum->low_rank() != nullptr;
  if (many_rows || !data.bank.fits(1.0)) {
    CachedQ q(std::move(sum), 0.8 * runtime.memory);
    return loss.solve(q, data, options.smo, Vector(), runtime);
  }
  const Matrix k = whole_matrix(*sum, runtime);
  sum.reset();
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

// The features of an approximated bank are the maps.
std::unique_ptr<Model> SvmConcatenatedLearner::fit_features(const TrainingSet& data,
                                                            const Runtime& runtime) const {
  const auto refuse = [](const char* name, Index option) {
    if (option > 0)
      throw InvalidArgument(name, "left out of a fit that is approximated already",
                            std::to_string(option));
  };
  refuse("rank", rank);
  refuse("landmarks", landmarks);
  return fit_svm(data, Vector::Ones(data.bank.size()), svm, runtime);
}

std::unique_ptr<Model> SvmConcatenatedLearner::fit(const TrainingSet& data,
                                                   const Runtime& runtime) const {
  if (data.bank.features() != nullptr) return fit_features(data, runtime);
  const Index m = data.bank.size();
  std::vector<EmpiricalMap> maps = make_empirical_maps(data.bank, landmarks, rank, runtime);
  std::vector<SharedMatrix> parts;
  for (EmpiricalMap& map : maps) {
    parts.push_back(std::make_shared<const RowMatrix>(map.training));
    map.training.resize(0, 0);
  }
  const auto z = std::make_shared<const KernelFeatures>(std::move(parts));
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
      model->coefficients.col(k) = map.projection * z->backward(k, solution.coefficients, runtime);
  }
  drop_zero_rows(*model);
  model->bias = solution.solved.bias;
  model->weights = Vector::Ones(m);
  model->fitted = solution.fitted;
  model->report = svm_report(solution.solved);
  return model;
}

}  // namespace mk
