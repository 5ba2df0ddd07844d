#include "predict.hpp"

#include <algorithm>

#include "../base/checks.hpp"
#include "../base/errors.hpp"

namespace mk {

namespace {

// A diagonal that cosine normalization reads: one value per example, or none at all.
void check_diagonal(const Vector& diagonal, Index n, const char* name) {
  if (diagonal.size() != 0 && (diagonal.size() != n || !diagonal.allFinite()))
    throw InvalidArgument(name, "of length " + std::to_string(n) + " and finite",
                          "of length " + std::to_string(diagonal.size()));
}

bool fits_stage(const StageFit& stage, Normalization kind, Index kernels, Index n_train) {
  return stage.kind == kind && stage.value.allFinite() && stage.means.allFinite() &&
         stage.value.size() == (kind == Normalization::cosine ? 0 : kernels) &&
         (kind != Normalization::center ||
          (stage.means.rows() == n_train && stage.means.cols() == kernels));
}

// The fitted stages of each kernel must be those of its normalization.
void check_normalizers(const Normalizers& fitted, const KernelSet& set, Index n_train) {
  if (static_cast<Index>(fitted.size()) != set.items())
    throw InvalidArgument("normalizers", "one per kernel", std::to_string(fitted.size()));
  for (Index item = 0; item < set.items(); ++item) {
    const ItemNormalizer& stages = fitted[at(item)];
    const std::vector<Normalization>& expected = set.normalization(item);
    bool fine = stages.size() == expected.size();
    for (std::size_t s = 0; fine && s < stages.size(); ++s)
      fine = fits_stage(stages[s], expected[s], set.item_size(item), n_train);
    if (!fine)
      throw InvalidArgument("normalizers", "those of the fit",
                            "others for kernel `" + set.item_name(item) + "`");
  }
}

void check_shapes(const PredictRequest& r) {
  check_shape(*r.x, *r.train, "x");
  r.x->check_finite("x");
  r.train->check_finite("train");
}

// New rows against the training rows, with the kernels as they were normalized at the fit.
CrossBank cross_bank(const PredictRequest& r, const KernelItems& items, const Runtime& runtime) {
  for (const StoredKernel& k : items.stored) {
    check_diagonal(k.diagonal, r.x->rows(), "diagonal");
    check_diagonal(k.train_diagonal, r.train->rows(), "train_diagonal");
  }
  Examples examples = new_examples(r.x, items, "x", runtime);
  items.set->check_domain(examples, "x");
  Examples kept = kept_examples(r.train, items, runtime);
  const Origins origins = items.set->origins(kept);
  const auto fresh = whole_group(std::move(examples), false, origins);
  const auto training = whole_group(std::move(kept), true, origins);
  FittedKernels fitted{items.set, training, {}};
  for (const State& state : r.normalizers) fitted.normalizers.push_back(restore_normalizer(state));
  check_normalizers(fitted.normalizers, *items.set, r.train->rows());
  return CrossBank(std::make_shared<FittedKernels>(std::move(fitted)), fresh, training, runtime);
}

// Every class takes part in a pair: the vote and the coupling are undefined otherwise.
void check_pairs(const MatrixView& decision, const std::vector<FittedPair>& pairs, Index classes) {
  if (pairs.empty() || static_cast<Index>(pairs.size()) != decision.cols)
    throw InvalidArgument("decision", "of one column per model",
                          std::to_string(decision.cols) + " columns");
  if (classes > static_cast<Index>(pairs.size()) + 1)
    throw InvalidArgument("models", "of a pair for each class", "fewer");
  std::vector<bool> seen(pairs.size() + 2, false);
  for (const FittedPair& pair : pairs) {
    const Index positive = pair.classes.positive, negative = pair.classes.negative;
    if (positive < 0 || positive >= classes || negative >= classes)
      throw InvalidArgument("models", "of class codes below `classes`",
                            std::to_string(std::max(positive, negative)));
    if (positive == negative || (negative < 0) != (pairs[0].classes.negative < 0))
      throw InvalidArgument("models", "all of two classes, or all of one against the rest",
                            "others");
    seen[at(positive)] = true;
    if (negative >= 0) seen[at(negative)] = true;
  }
  for (Index c = 0; c < classes; ++c)
    if (!seen[at(c)])
      throw InvalidArgument("models", "of a pair for each class",
                            "without class " + std::to_string(c));
  check_finite(decision, "decision");
}

}  // namespace

void check_decision(const Matrix& values) {
  for (Index i = 0; i < values.rows(); ++i)
    if (!values.row(i).allFinite())
      throw InvalidArgument("The decision value of new row " + std::to_string(i + 1) +
                            " is not finite: its features are beyond the range of the kernel.");
}

std::unique_ptr<Model> restore_checked(const State& state, Index n_train) {
  auto model = restore_model(state);
  for (const Index row : model->support())
    if (row < 0 || row >= n_train)
      throw InvalidArgument("models", "of rows from 1 to " + std::to_string(n_train),
                            std::to_string(row + 1));
  return model;
}

namespace {

// The kernels and the models of a request.
struct Prepared {
  Prepared(const PredictRequest& request, const Runtime& runtime)
      : items(read_checked(request)), cross(cross_bank(request, items, runtime)) {
    for (const ModelRequest& one : request.models) {
      auto model = restore_checked(one.state, request.train->rows());
      if (model->kernel_weights().size() != items.set->size())
        throw InvalidArgument("models", "of one weight per kernel",
                              std::to_string(model->kernel_weights().size()));
      model->prepare(one.options);
      models.push_back(model.get());
      owned.push_back(std::move(model));
    }
  }

  // Products of label-based kernels, which are no kernels of the user, belong where these do.
  void complete(KernelGroups& groups) const {
    const Indices& products = items.set->label_products();
    const Index own = products.empty() ? items.set->size() : static_cast<Index>(products.size());
    if (static_cast<Index>(groups.of.size()) != own)
      throw InvalidArgument("groups", "one for each of " + std::to_string(own) + " kernels",
                            std::to_string(groups.of.size()));
    for (const Index group : groups.of)
      if (group < 0 || group >= groups.count)
        throw InvalidArgument("groups", "from 1 to " + std::to_string(groups.count),
                              std::to_string(group + 1));
    groups.of.resize(at(items.set->size()), 0);
    for (std::size_t k = 0; k < products.size(); ++k)
      if (products[k] >= 0) groups.of[at(products[k])] = groups.of[k];
  }

  KernelItems items;
  CrossBank cross;
  std::vector<const Model*> models;

 private:
  static KernelItems read_checked(const PredictRequest& request) {
    check_shapes(request);
    return read_kernels(*request.x, request.train->rows(), request.kernels);
  }

  std::vector<std::unique_ptr<Model>> owned;
};

}  // namespace

Matrix predict(const PredictRequest& request, const Runtime& runtime) {
  const Prepared prepared(request, runtime);
  const Matrix decision = decision_values(prepared.models, prepared.cross);
  check_decision(decision);
  return decision;
}

std::vector<Terms> predict_terms(const PredictRequest& request, KernelGroups groups,
                                 const Runtime& runtime) {
  const Prepared prepared(request, runtime);
  prepared.complete(groups);
  std::vector<Terms> terms = decision_terms(prepared.models, prepared.cross, groups);
  for (const Terms& one : terms) check_decision(one.values);
  return terms;
}

std::vector<Matrix> predict_row_terms(const PredictRequest& request, const Runtime& runtime) {
  const Prepared prepared(request, runtime);
  std::vector<Matrix> out;
  for (const Model* model : prepared.models) {
    out.push_back(model->row_terms(prepared.cross));
    check_decision(out.back());
  }
  return out;
}

Matrix predict_sum(const PredictRequest& request, const Vector& weights, const Runtime& runtime) {
  const Prepared prepared(request, runtime);
  if (weights.size() != prepared.cross.size())
    throw InvalidArgument("weights", "one for each kernel", std::to_string(weights.size()));
  Matrix out(prepared.cross.rows(), prepared.cross.training_rows());
  prepared.cross.sum(weights, out.data());
  check_finite(view(out), "kernels");
  return out;
}

Indices predict_classes(const MatrixView& decision, const std::vector<FittedPair>& pairs,
                        Index classes) {
  check_pairs(decision, pairs, classes);
  return vote(as_matrix(decision), pairs, classes);
}

Matrix predict_probabilities(const MatrixView& decision, const std::vector<FittedPair>& pairs,
                             Index classes) {
  check_pairs(decision, pairs, classes);
  for (const FittedPair& pair : pairs)
    if (!pair.sigmoid)
      throw InvalidArgument("models", "fitted with `probability = TRUE`", "without");
  return class_probabilities(as_matrix(decision), pairs, classes);
}

}  // namespace mk
