#include "label_based.hpp"

#include <cmath>

#include "../base/errors.hpp"
#include "../base/stopwatch.hpp"
#include "../kernels/label_based.hpp"
#include "../learners/condensed_rows.hpp"
#include "../learners/lbmkl.hpp"

namespace mk {

namespace {

std::shared_ptr<const KernelSet> precomputed_set(Index count) {
  State item;
  item.set("family", "precomputed");
  item.set("name", "label-based kernel");
  return std::make_shared<KernelSet>(std::vector<State>(at(count), item), 0);
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

// What the learner sees of a training set: the squares K**, each scaled to trace n, and plain
// kernels as they are.
class Sharpened {
 public:
  Sharpened(const TrainingSet& data, const Runtime& runtime)
      : data_(data), runtime_(runtime), product_(data.bank.set().label_products()) {
    const Index m = static_cast<Index>(product_.size());
    matrices_.resize(product_.size());
    factors_ = Vector::Ones(m);
    runtime.parallel_for(m, [&](Index k) {
      if (product_[at(k)] < 0) matrices_[at(k)] = as_matrix(data.bank.matrix(k, runtime).view);
      else sharpen(k);
    });
    std::vector<MatrixView> views;
    for (const Matrix& matrix : matrices_) views.push_back(view(matrix));
    bank_ = std::make_unique<KernelBank>(precomputed_set(m), stored_examples(views), runtime);
  }

  KernelBank& bank() { return *bank_; }

  // The model of the kernels as they are behind one of the sharpened ones.
  std::unique_ptr<Model> wrap(const Model& base) const {
    const Index n = data_.size(), m = bank_->size();
    const auto linear = linear_coefficients(base, n, m);
    auto model = std::make_unique<LbmklModel>();
    model->rows = all_rows(n);
    model->kernels = m;
    model->labels = data_.y;
    model->bias = linear.second;
    model->weights = Vector::Zero(data_.bank.size());
    model->weights.head(m) = base.kernel_weights();
    model->coefficients = Matrix::Zero(n, data_.bank.size());
    model->fitted = Vector::Constant(n, linear.second);
    for (Index k = 0; k < m; ++k) {
      Vector v = linear.first.col(k);
      if (v.isZero(0.0)) continue;
      if (product_[at(k)] >= 0) {
        v = factors_[k] * (star(k) * v).eval();
        model->coefficients.col(product_[at(k)]) = data_.y.cwiseProduct(v);
      }
      model->coefficients.col(k) = v;
      model->fitted += as_matrix(data_.bank.matrix(k, runtime_).view) * v;
    }
    model->report = base.report;
    return model;
  }

 private:
  Matrix star(Index k) const {
    const GramView plain = data_.bank.matrix(k, runtime_),
                   local = data_.bank.matrix(product_[at(k)], runtime_);
    return label_star(plain.view, local.view, data_.y);
  }

  void sharpen(Index k) {
    const Matrix square = label_square(star(k), runtime_);
    const double trace = square.trace();
    if (!(trace > 0.0) || std::isinf(trace)) {
      const std::string& name = data_.bank.set().item_name(data_.bank.set().locate(k).first);
      throw InvalidArgument(
          "Kernel `" + name + "` cannot be squared: the trace is " + format_number(trace) + ".",
          name);
    }
    factors_[k] = static_cast<double>(data_.size()) / trace;
    matrices_[at(k)] = factors_[k] * square;
  }

  const TrainingSet& data_;
  const Runtime& runtime_;
  const Indices& product_;  // of each kernel with exp(-beta dist^2), -1 for plain ones
  std::vector<Matrix> matrices_;
  Vector factors_;  // that scale them
  std::unique_ptr<KernelBank> bank_;
};

// On the features of an approximated bank; on few rows that stand for all where that does as well.
Models fit_on_features(const LearnerPath& path, const TrainingSet& data, const Moments* known,
                       const Runtime& runtime) {
  if (!CondensedRows::serves(path, data, data.bank, data.size(), runtime) ||
      !(data.weights.sum() > 0.0)) {
    Models models = path.fit(data, runtime);
    for (auto& model : models)
      if (dynamic_cast<const OnFeatures*>(model.get()) == nullptr)
        model = on_features(*model, data.bank, runtime);
    return models;
  }
  const Stopwatch watch;
  CondensedRows condensed(*data.bank.features(),
                          known != nullptr ? *known : moments_of(data, runtime), runtime);
  if (path.size > 1) condensed.keep_sums();
  Models models = path.fit(condensed.data(), runtime);
  for (auto& model : models) model = condensed.expand(*model, runtime);
  for (auto& model : models)
    model->report.seconds = watch.seconds() / static_cast<double>(models.size());
  return models;
}

}  // namespace

Models fit_points(const LearnerPath& path, const TrainingSet& data, const Runtime& runtime,
                  const Moments* known) {
  if (data.bank.features() != nullptr) return fit_on_features(path, data, known, runtime);
  if (data.bank.set().label_products().empty()) return path.fit(data, runtime);
  if (!data.kind->has_classes())
    throw InvalidArgument("Label-based kernels need classes as the response.");
  const Stopwatch watch;
  Sharpened sharpened(data, runtime);
  if (path.size > 1) sharpened.bank().keep_sums();
  Models models = path.fit({sharpened.bank(), data}, runtime);
  for (auto& model : models) model = sharpened.wrap(*model);
  for (auto& model : models)
    model->report.seconds = watch.seconds() / static_cast<double>(models.size());
  return models;
}

}  // namespace mk
