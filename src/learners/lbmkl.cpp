#include "lbmkl.hpp"

#include <chrono>
#include <cmath>

#include "../base/errors.hpp"
#include "registry.hpp"

namespace mk {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

Eigen::Map<const Matrix> map_of(const GramView& k) {
  return Eigen::Map<const Matrix>(k.view.data, k.view.rows, k.view.cols);
}

// K* of kernel m.
Matrix label_kernel(const KernelBank& bank, Index m, const Vector& y, const Runtime& runtime) {
  const GramView plain = bank.matrix(m, runtime);
  const GramView local = bank.matrix(bank.size() / 2 + m, runtime);
  Matrix k = map_of(local);
  k.array().colwise() *= y.array();
  k.array().rowwise() *= y.transpose().array();
  return k + map_of(plain);
}

// The squares K**, each brought to trace n.
struct SquaredKernels {
  std::vector<Matrix> matrices;
  Vector factors;
};

SquaredKernels square_kernels(const KernelBank& bank, const Vector& y, const Runtime& runtime) {
  const Index m = bank.size() / 2, n = bank.rows();
  SquaredKernels out;
  out.matrices.resize(at(m));
  out.factors.resize(m);
  runtime.parallel_for(m, [&](Index k) {
    const Matrix star = label_kernel(bank, k, y, runtime);
    Matrix square = Matrix::Zero(n, n);
    square.selfadjointView<Eigen::Lower>().rankUpdate(star);
    square.triangularView<Eigen::StrictlyUpper>() = square.transpose();
    const double trace = square.trace();
    if (!(trace > 0.0) || std::isinf(trace))
      throw InvalidArgument("Kernel `" + bank.set().item_name(bank.set().locate(k).first) +
                            "` cannot be squared: the trace is " + format_number(trace) + ".");
    out.factors[k] = static_cast<double>(n) / trace;
    out.matrices[at(k)] = out.factors[k] * square;
  });
  return out;
}

std::shared_ptr<const KernelSet> precomputed_set(Index count) {
  State item;
  item.set("family", Value(std::string("precomputed")));
  item.set("name", Value(std::string("label-based kernel")));
  return std::make_shared<KernelSet>(std::vector<State>(at(count), item), 0);
}

}  // namespace

LbmklLearner::LbmklLearner(const State& parameters, const SmoOptions& smo)
    : base_(make_learner(parameters.text("base"), parameters, smo)) {}

std::unique_ptr<Model> LbmklLearner::fit(const TrainingSet& data, const Runtime& runtime) const {
  if (data.task != Task::classification)
    throw InvalidArgument("Label-based kernels need classes as the response.");
  if (data.bank.size() % 2 != 0)
    throw InvalidArgument("kernels", "pairs of a kernel and its product with the distance kernel",
                          std::to_string(data.bank.size()) + " kernels");
  const auto begin = std::chrono::steady_clock::now();
  const Index n = data.bank.rows(), m = data.bank.size() / 2;
  const SquaredKernels squares = square_kernels(data.bank, data.y, runtime);
  std::vector<MatrixView> views;
  for (const Matrix& matrix : squares.matrices) views.push_back(view(matrix));
  const KernelBank bank(precomputed_set(m), MatrixView(), views, n, runtime);
  const auto base = base_->fit({bank, data.task, data.y, data.weights}, runtime);
  const Expansion* expansion = base->expansion();
  if (expansion == nullptr)
    throw InvalidArgument("base", "a learner of kernel weights, or an SVM", "another");

  Vector b = Vector::Zero(n);
  for (std::size_t i = 0; i < expansion->rows.size(); ++i)
    b[expansion->rows[i]] = expansion->coefficients[static_cast<Index>(i)];
  auto model = std::make_unique<LbmklModel>();
  model->rows = all_rows(n);
  model->bias = expansion->bias;
  model->weights = Vector::Zero(2 * m);
  model->weights.head(m) = expansion->weights;
  model->coefficients = Matrix::Zero(n, 2 * m);
  model->fitted = Vector::Constant(n, expansion->bias);
  for (Index k = 0; k < m; ++k) {
    if (expansion->weights[k] == 0.0) continue;
    const Vector v = expansion->weights[k] * squares.factors[k] *
                     (label_kernel(data.bank, k, data.y, runtime) * b);
    model->coefficients.col(k) = v;
    model->coefficients.col(m + k) = data.y.cwiseProduct(v);
    model->fitted += map_of(data.bank.matrix(k, runtime)) * v;
  }
  model->report = base->report;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  model->report.seconds = elapsed.count();
  return model;
}

Vector LbmklModel::decision(const CrossBank& cross) const {
  const Index m = coefficients.cols() / 2;
  // The products are evaluated only if a label is assumed.
  const Matrix used = assumed == 0.0 ? Matrix(coefficients.leftCols(m)) : coefficients;
  const Matrix scores = kernel_scores(cross, rows, used);
  Vector f = (scores.leftCols(m).rowwise().sum().array() + bias).matrix();
  if (assumed != 0.0) f += assumed * scores.rightCols(m).rowwise().sum();
  return f;
}

void LbmklModel::remap(const Indices& new_position) {
  for (Index& row : rows) row = new_position[at(row)];
}

State LbmklModel::state() const {
  State s;
  s.set("type", Value(std::string("lbmkl")));
  s.set("rows", Value(rows));
  s.set("coefficients", Value(coefficients));
  s.set("bias", bias);
  s.set("weights", Value(weights));
  s.set("assumed", assumed);
  return s;
}

std::unique_ptr<Model> LbmklModel::restore(const State& s) {
  auto model = std::make_unique<LbmklModel>();
  model->rows = s.indices("rows");
  model->coefficients = s.matrix("coefficients");
  model->bias = s.number("bias");
  model->weights = s.vector("weights");
  model->assumed = s.number("assumed");
  if (model->coefficients.rows() != static_cast<Index>(model->rows.size()) ||
      model->coefficients.cols() != model->weights.size() || !model->coefficients.allFinite())
    throw InvalidArgument("state", "that of a label-based model", "of parts that do not fit");
  return model;
}

}  // namespace mk
