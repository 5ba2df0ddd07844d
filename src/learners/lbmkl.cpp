#include "lbmkl.hpp"

#include <chrono>
#include <cmath>

#include "../base/errors.hpp"
#include "../kernels/label_based.hpp"
#include "registry.hpp"

namespace mk {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

Eigen::Map<const Matrix> map_of(const GramView& k) {
  return Eigen::Map<const Matrix>(k.view.data, k.view.rows, k.view.cols);
}

// For each kernel the position of its product with the distance kernel in the bank, or -1.
Indices partners(const std::vector<bool>& labelled) {
  Indices out;
  Index next = static_cast<Index>(labelled.size());
  for (const bool one : labelled) out.push_back(one ? next++ : -1);
  return out;
}

Matrix star_of(const KernelBank& bank, Index m, Index partner, const Vector& y,
               const Runtime& runtime) {
  const GramView plain = bank.matrix(m, runtime), local = bank.matrix(partner, runtime);
  return label_star(plain.view, local.view, y);
}

// What the base learner sees: the squares K**, each brought to trace n, and plain kernels as they
// are, with the factors that were applied.
struct BaseKernels {
  std::vector<Matrix> matrices;
  Vector factors;
};

BaseKernels base_kernels(const KernelBank& bank, const Indices& partner, const Vector& y,
                         const Runtime& runtime) {
  const Index m = static_cast<Index>(partner.size()), n = bank.rows();
  BaseKernels out;
  out.matrices.resize(at(m));
  out.factors = Vector::Ones(m);
  runtime.parallel_for(m, [&](Index k) {
    if (partner[at(k)] < 0) {
      out.matrices[at(k)] = map_of(bank.matrix(k, runtime));
      return;
    }
    const Matrix square = label_square(star_of(bank, k, partner[at(k)], y, runtime), runtime);
    const double trace = square.trace();
    if (!(trace > 0.0) || std::isinf(trace))
      throw InvalidArgument("Kernel `" + bank.set().item_name(bank.set().locate(k).first) +
                            "` cannot be squared: the trace is " + format_number(trace) + ".");
    out.factors[k] = static_cast<double>(n) / trace;
    out.matrices[at(k)] = out.factors[k] * square;
  });
  return out;
}

// Coefficients of each kernel (columns) on all n rows, and the bias, of a model that is linear in
// the kernels.
std::pair<Matrix, double> linear_coefficients(const Model& model, Index n, Index m) {
  Matrix a = Matrix::Zero(n, m);
  if (const Expansion* e = model.expansion()) {
    for (std::size_t i = 0; i < e->rows.size(); ++i)
      a.row(e->rows[i]) += e->coefficients[static_cast<Index>(i)] * e->weights.transpose();
    return {a, e->bias};
  }
  if (const auto* p = dynamic_cast<const PerKernelModel*>(&model)) {
    for (std::size_t i = 0; i < p->rows.size(); ++i)
      a.row(p->rows[i]) += p->coefficients.row(static_cast<Index>(i));
    return {a, p->bias};
  }
  throw InvalidArgument("learner",
                        "one whose decision function is linear in the kernels, as label-"
                        "based kernels need it",
                        "another");
}

std::shared_ptr<const KernelSet> precomputed_set(Index count) {
  State item;
  item.set("family", Value(std::string("precomputed")));
  item.set("name", Value(std::string("label-based kernel")));
  return std::make_shared<KernelSet>(std::vector<State>(at(count), item), 0);
}

}  // namespace

LbmklLearner::LbmklLearner(const State& parameters, const SmoOptions& smo)
    : base_(make_learner(parameters.text("base"), parameters, smo)) {
  if (parameters.has("labelled")) labelled_ = parameters.vector("labelled");
}

// Which of the kernels of a bank of `items` kernels and products are label-based.
std::vector<bool> LbmklLearner::labelled(Index items) const {
  std::vector<bool> out(at(labelled_.size() == 0 ? items / 2 : labelled_.size()), true);
  Index expected = static_cast<Index>(out.size());
  for (std::size_t k = 0; k < out.size(); ++k) {
    if (labelled_.size() != 0) out[k] = labelled_[static_cast<Index>(k)] != 0.0;
    if (out[k]) ++expected;
  }
  if (expected != items || out.empty())
    throw InvalidArgument("kernels", "pairs of a kernel and its product with the distance kernel",
                          std::to_string(items) + " kernels");
  return out;
}

std::unique_ptr<Model> LbmklLearner::fit(const TrainingSet& data, const Runtime& runtime) const {
  if (data.task != Task::classification)
    throw InvalidArgument("Label-based kernels need classes as the response.");
  const auto begin = std::chrono::steady_clock::now();
  const Indices partner = partners(labelled(data.bank.size()));
  const Index n = data.bank.rows(), m = static_cast<Index>(partner.size());
  const BaseKernels seen = base_kernels(data.bank, partner, data.y, runtime);
  std::vector<MatrixView> views;
  for (const Matrix& matrix : seen.matrices) views.push_back(view(matrix));
  const KernelBank bank(precomputed_set(m), MatrixView(), views, n, runtime);
  const auto base = base_->fit({bank, data.task, data.y, data.weights}, runtime);
  const auto linear = linear_coefficients(*base, n, m);

  auto model = std::make_unique<LbmklModel>();
  model->rows = all_rows(n);
  model->kernels = m;
  model->labels = data.y;
  model->bias = linear.second;
  model->weights = Vector::Zero(data.bank.size());
  model->weights.head(m) = base->kernel_weights();
  model->coefficients = Matrix::Zero(n, data.bank.size());
  model->fitted = Vector::Constant(n, linear.second);
  for (Index k = 0; k < m; ++k) {
    Vector v = linear.first.col(k);
    if (v.isZero(0.0)) continue;
    if (partner[at(k)] >= 0) {
      v = seen.factors[k] * (star_of(data.bank, k, partner[at(k)], data.y, runtime) * v).eval();
      model->coefficients.col(partner[at(k)]) = data.y.cwiseProduct(v);
    }
    model->coefficients.col(k) = v;
    model->fitted += map_of(data.bank.matrix(k, runtime)) * v;
  }
  model->report = base->report;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  model->report.seconds = elapsed.count();
  return model;
}

std::vector<Expansion> LbmklModel::parts(Index most) const {
  if (coefficients.cols() > most) return {};
  // The products are evaluated only if a label is assumed.
  const Matrix used = assumed == 0.0 ? Matrix(coefficients.leftCols(kernels)) : coefficients;
  return kernel_expansions(rows, used, coefficients.cols());
}

Vector LbmklModel::combine(const Eigen::Ref<const Matrix>& values) const {
  Vector f = (values.leftCols(kernels).rowwise().sum().array() + bias).matrix();
  if (assumed != 0.0) f += assumed * values.rightCols(values.cols() - kernels).rowwise().sum();
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
  s.set("kernels", static_cast<double>(kernels));
  s.set("labels", Value(labels));
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
  model->labels = s.vector("labels");
  model->assumed = s.number("assumed");
  const double kernels = s.number("kernels");
  const double columns = static_cast<double>(model->coefficients.cols());
  if (!(kernels >= 1.0 && kernels <= columns))
    throw InvalidArgument("state", "that of a label-based model", "of kernels out of range");
  model->kernels = static_cast<Index>(kernels);
  if (model->coefficients.rows() != static_cast<Index>(model->rows.size()) ||
      model->coefficients.cols() != model->weights.size() || !model->coefficients.allFinite())
    throw InvalidArgument("state", "that of a label-based model", "of parts that do not fit");
  return model;
}

}  // namespace mk
