// Fitting and prediction, for R: lists in, lists out.
#include "r_learners.h"

#include "learners/registry.hpp"
#include "r_convert.h"
#include "r_runtime.h"
#include "reduction/multiclass.hpp"

using namespace mk;

namespace {

Task read_task(const std::string& name) {
  if (name == "classification") return Task::classification;
  if (name == "regression") return Task::regression;
  if (name == "one_class") return Task::one_class;
  throw InvalidArgument("task", "\"classification\", \"regression\" or \"one_class\"",
                        "\"" + name + "\"");
}

Reduction read_reduction(const std::string& name) {
  if (name == "one_vs_one") return Reduction::one_vs_one;
  if (name == "one_vs_rest") return Reduction::one_vs_rest;
  throw InvalidArgument("multiclass", "\"one_vs_one\" or \"one_vs_rest\"", "\"" + name + "\"");
}

Indices read_positions(const Vector& pairs) {
  if (pairs.size() == 0) throw InvalidArgument("pairs", "one position at least", "none");
  Indices out;
  for (Index i = 0; i < pairs.size(); ++i) {
    if (!(pairs[i] >= 1.0 && pairs[i] <= 1e9) || pairs[i] != std::floor(pairs[i]))
      throw InvalidArgument("pairs", "positions from 1", format_number(pairs[i]));
    out.push_back(static_cast<Index>(pairs[i]) - 1);
  }
  return out;
}

Problem read_problem(const Rcpp::List& list) {
  Problem p;
  p.task = read_task(entry_text(list, "task"));
  p.y = entry_vector(list, "y");
  p.classes = entry_integer(list, "classes");
  p.weights = entry_vector(list, "weights");
  p.reduction = read_reduction(entry_text(list, "multiclass"));
  p.probability = entry_flag(list, "probability");
  if (p.task == Task::classification && p.classes < 2)
    throw InvalidArgument("classes", "at least 2", std::to_string(p.classes));
  if (list.containsElementNamed("balance")) p.class_factors = entry_vector(list, "balance");
  if (list.containsElementNamed("pairs")) p.pairs = read_positions(entry_vector(list, "pairs"));
  return p;
}

Rcpp::List report_list(const Report& r) {
  return Rcpp::List::create(Rcpp::_["converged"] = r.converged,
                            Rcpp::_["iterations"] = r.iterations,
                            Rcpp::_["objective"] = r.objective, Rcpp::_["gap"] = r.gap,
                            Rcpp::_["violation"] = r.violation,
                            Rcpp::_["indefinite"] = r.indefinite, Rcpp::_["overlap"] = r.overlap,
                            Rcpp::_["seconds"] = r.seconds, Rcpp::_["path"] = to_numeric(r.path));
}

Rcpp::List model_list(const SubModel& sub) {
  Rcpp::NumericVector platt;
  if (sub.calibrated) platt = Rcpp::NumericVector::create(sub.sigmoid.a, sub.sigmoid.b);
  return Rcpp::List::create(Rcpp::_["positive"] = static_cast<int>(sub.positive),
                            Rcpp::_["negative"] = static_cast<int>(sub.negative),
                            Rcpp::_["weights"] = to_numeric(sub.model->kernel_weights()),
                            Rcpp::_["platt"] = platt,
                            Rcpp::_["report"] = report_list(sub.model->report),
                            Rcpp::_["state"] = to_list(sub.model->state()));
}

// Centred kernels average over all training rows; otherwise the support is enough.
Indices rows_to_keep(const std::vector<std::vector<SubModel>>& fits, const KernelBank& bank) {
  for (Index item = 0; item < bank.set().items(); ++item)
    for (Normalization kind : bank.set().normalization(item))
      if (kind == Normalization::center) return all_rows(bank.rows());
  std::vector<bool> used(static_cast<std::size_t>(bank.rows()), false);
  for (const auto& models : fits)
    for (const SubModel& sub : models)
      for (Index row : sub.model->support()) used[static_cast<std::size_t>(row)] = true;
  Indices kept;
  for (Index i = 0; i < bank.rows(); ++i)
    if (used[static_cast<std::size_t>(i)]) kept.push_back(i);
  return kept;
}

// The diagonals that cosine normalisation reads: one value per example, or none at all.
void check_diagonals(const std::vector<Vector>& diagonals, Index n, const char* name) {
  for (const Vector& diagonal : diagonals)
    if (diagonal.size() != 0 && diagonal.size() != n)
      throw InvalidArgument(name, "of length " + std::to_string(n),
                            "of length " + std::to_string(diagonal.size()));
}

// A fitted chain must be that of its kernel, with numbers for all of its kernels and rows.
void check_normalizers(const Normalizers& fitted, const KernelSet& set, Index n_train) {
  if (static_cast<Index>(fitted.size()) != set.items())
    throw InvalidArgument("normalizers", "one per kernel", std::to_string(fitted.size()));
  for (Index item = 0; item < set.items(); ++item) {
    const ItemNormalizer& stages = fitted[static_cast<std::size_t>(item)];
    const std::vector<Normalization>& chain = set.normalization(item);
    bool fine = stages.size() == chain.size();
    for (std::size_t s = 0; fine && s < chain.size(); ++s) {
      const StageFit& stage = stages[s];
      fine = stage.kind == chain[s] && stage.value.allFinite() && stage.means.allFinite() &&
             (stage.kind == Normalization::cosine || stage.value.size() == set.item_size(item)) &&
             (stage.kind != Normalization::center ||
              (stage.means.rows() == n_train && stage.means.cols() == set.item_size(item)));
    }
    if (!fine)
      throw InvalidArgument("normalizers", "those of the fit",
                            "others for kernel `" + set.item_name(item) + "`");
  }
}

std::vector<ClassPair> read_pairs(const Rcpp::List& models) {
  std::vector<ClassPair> pairs;
  for (R_xlen_t m = 0; m < models.size(); ++m) {
    const Rcpp::List model = models[m];
    pairs.push_back({entry_integer(model, "positive"), entry_integer(model, "negative")});
  }
  return pairs;
}

void check_pairs(const std::vector<ClassPair>& pairs, const Rcpp::NumericMatrix& decision,
                 Index classes) {
  if (pairs.empty() || static_cast<Index>(pairs.size()) != decision.ncol())
    throw InvalidArgument("decision", "of one column per model",
                          std::to_string(decision.ncol()) + " columns");
  for (const ClassPair& pair : pairs)
    if (pair.positive < 0 || pair.positive >= classes || pair.negative >= classes)
      throw InvalidArgument("models", "of class codes below `classes`",
                            std::to_string(std::max(pair.positive, pair.negative)));
  // Every class takes part in a pair: the vote and the coupling are undefined otherwise.
  std::vector<bool> seen(pairs.size() + 2, false);
  if (classes > static_cast<Index>(pairs.size()) + 1)
    throw InvalidArgument("models", "of a pair for each class", "fewer");
  for (const ClassPair& pair : pairs) {
    if (pair.positive == pair.negative || (pair.negative < 0) != (pairs[0].negative < 0))
      throw InvalidArgument("models", "all of two classes, or all of one against the rest",
                            "others");
    seen[static_cast<std::size_t>(pair.positive)] = true;
    if (pair.negative >= 0) seen[static_cast<std::size_t>(pair.negative)] = true;
  }
  for (Index c = 0; c < classes; ++c)
    if (!seen[static_cast<std::size_t>(c)])
      throw InvalidArgument("models", "of a pair for each class",
                            "without class " + std::to_string(c));
  check_finite(decision, "decision");
}

// Models of a fit, checked against its rows and kernels.
struct RestoredModels {
  RestoredModels(const Rcpp::List& models, Index n_train, Index kernels) {
    for (R_xlen_t m = 0; m < models.size(); ++m) {
      const Rcpp::List model = models[m];
      owned.push_back(restore_model(to_state(entry_list(model, "state"))));
      for (Index row : owned.back()->support())
        if (row < 0 || row >= n_train)
          throw InvalidArgument("models", "of rows from 1 to " + std::to_string(n_train),
                                std::to_string(row + 1));
      if (owned.back()->kernel_weights().size() != kernels)
        throw InvalidArgument("models", "of one weight per kernel",
                              std::to_string(owned.back()->kernel_weights().size()));
      pointers.push_back(owned.back().get());
    }
  }

  std::vector<std::unique_ptr<Model>> owned;
  std::vector<const Model*> pointers;
};

Matrix to_matrix(const Rcpp::NumericMatrix& m) {
  return Eigen::Map<const Matrix>(m.begin(), m.nrow(), m.ncol());
}

}  // namespace

Rcpp::List mk::fit_learners(const Rcpp::NumericMatrix& x, const Rcpp::List& problem,
                            const Rcpp::List& kernels, const LearnersFactory& make_methods,
                            const Rcpp::List& control) {
  return guarded([&] {
    const Index n = entry_integer(problem, "n");
    const RRuntime runtime(control);
    const KernelItems items = read_training(x, n, kernels);
    const Problem p = read_problem(problem);
    const auto methods = make_methods();

    KernelBank bank(items.set, matrix_view(x), items.stored, n, runtime);
    if (methods.size() > 1) bank.keep_sums();
    auto fits = fit_problems(methods, bank, p, runtime);

    const Indices kept = rows_to_keep(fits, bank);
    Indices position(static_cast<std::size_t>(n), -1);
    Rcpp::IntegerVector kept_rows(static_cast<R_xlen_t>(kept.size()));
    for (std::size_t k = 0; k < kept.size(); ++k) {
      position[static_cast<std::size_t>(kept[k])] = static_cast<Index>(k);
      kept_rows[static_cast<R_xlen_t>(k)] = static_cast<int>(kept[k] + 1);
    }
    Rcpp::List all_models(static_cast<R_xlen_t>(fits.size()));
    Rcpp::List all_decisions(static_cast<R_xlen_t>(fits.size()));
    for (std::size_t f = 0; f < fits.size(); ++f) {
      // A process that fits some of the pairs leaves the rest to the one that has all of them.
      const Matrix decision =
          p.pairs.empty() ? training_decision(fits[f], bank, runtime) : known_decision(fits[f], n);
      Rcpp::List models(static_cast<R_xlen_t>(fits[f].size()));
      for (std::size_t m = 0; m < fits[f].size(); ++m) {
        fits[f][m].model->remap(position);
        models[static_cast<R_xlen_t>(m)] = model_list(fits[f][m]);
      }
      all_models[static_cast<R_xlen_t>(f)] = models;
      all_decisions[static_cast<R_xlen_t>(f)] = to_numeric_matrix(decision);
    }
    Rcpp::List normalizers(static_cast<R_xlen_t>(bank.normalizers().size()));
    for (std::size_t i = 0; i < bank.normalizers().size(); ++i)
      normalizers[static_cast<R_xlen_t>(i)] = to_list(normalizer_state(bank.normalizers()[i]));
    return Rcpp::List::create(Rcpp::_["models"] = all_models, Rcpp::_["kept"] = kept_rows,
                              Rcpp::_["normalizers"] = normalizers,
                              Rcpp::_["decision"] = all_decisions);
  });
}

Rcpp::List mk::fit_learner(const Rcpp::NumericMatrix& x, const Rcpp::List& problem,
                           const Rcpp::List& kernels, const LearnerFactory& make_method,
                           const Rcpp::List& control) {
  Rcpp::List out = fit_learners(
      x, problem, kernels,
      [&] {
        std::vector<std::unique_ptr<Learner>> one;
        one.push_back(make_method());
        return one;
      },
      control);
  for (const char* name : {"models", "decision"}) {
    const Rcpp::List of_all = out[name];
    out[name] = of_all[0];
  }
  return out;
}

// [[Rcpp::export(rng = false)]]
Rcpp::List fit_cpp(Rcpp::NumericMatrix x, Rcpp::List problem, Rcpp::List kernels,
                   Rcpp::List learner, Rcpp::List control) {
  return fit_learner(
      x, problem, kernels,
      [&] {
        return make_learner(entry_text(learner, "name"),
                            to_state(entry_list(learner, "parameters")), smo_options(control));
      },
      control);
}

// Learners of one kind that differ in their parameters.
// [[Rcpp::export(rng = false)]]
Rcpp::List fit_many_cpp(Rcpp::NumericMatrix x, Rcpp::List problem, Rcpp::List kernels,
                        Rcpp::List learners, Rcpp::List control) {
  return fit_learners(
      x, problem, kernels,
      [&] {
        if (learners.size() == 0) throw InvalidArgument("learners", "one at least", "none");
        std::vector<std::unique_ptr<Learner>> methods;
        for (R_xlen_t l = 0; l < learners.size(); ++l) {
          const Rcpp::List learner = learners[l];
          methods.push_back(make_learner(entry_text(learner, "name"),
                                         to_state(entry_list(learner, "parameters")),
                                         smo_options(control)));
        }
        return methods;
      },
      control);
}

// The decision values on the training rows that fit_cpp() gives, for models that other processes
// have fitted. Their rows are positions in x.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix training_decision_cpp(Rcpp::NumericMatrix x, int n, Rcpp::List kernels,
                                          Rcpp::List models, Rcpp::List control) {
  return guarded([&] {
    const RRuntime runtime(control);
    const KernelItems items = read_training(x, n, kernels);
    const KernelBank bank(items.set, matrix_view(x), items.stored, n, runtime);
    const RestoredModels restored(models, n, bank.size());
    const Rcpp::NumericMatrix decision = to_numeric_matrix(
        decision_values(restored.pointers, *bank.cross(all_rows(n), all_rows(n), runtime)));
    check_finite(decision, "decision");
    return decision;
  });
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix predict_cpp(Rcpp::NumericMatrix x, Rcpp::NumericMatrix train, int n_train,
                                int n_new, Rcpp::List kernels, Rcpp::List normalizers,
                                Rcpp::List models, Rcpp::List control) {
  return guarded([&] {
    if (x.ncol() != train.ncol())
      throw InvalidArgument("x", "of " + std::to_string(train.ncol()) + " columns",
                            "of " + std::to_string(x.ncol()));
    if (x.ncol() > 0 && (x.nrow() != n_new || train.nrow() != n_train))
      throw InvalidArgument(
          "x, train", "of " + std::to_string(n_new) + " and " + std::to_string(n_train) + " rows",
          std::to_string(x.nrow()) + " and " + std::to_string(train.nrow()));
    if (n_new < 0 || n_train < 0)
      throw InvalidArgument("n_new, n_train", "at least 0",
                            std::to_string(n_new) + " and " + std::to_string(n_train));
    check_finite(x, "x");
    check_finite(train, "train");
    const RRuntime runtime(control);
    const KernelItems items = read_kernels(kernels, x.ncol());
    check_stored(items, n_new, n_train, x.ncol());
    check_diagonals(items.diagonals, n_new, "diagonal");
    check_diagonals(items.train_diagonals, n_train, "train_diagonal");
    items.set->check_domain(matrix_view(x), "x");
    Normalizers fitted;
    for (const State& state : to_states(normalizers)) fitted.push_back(restore_normalizer(state));
    check_normalizers(fitted, *items.set, n_train);

    const Origin origin = origin_for(*items.set, matrix_view(train));
    const auto fresh =
        std::make_shared<Side>(matrix_view(x), all_rows(n_new), &items.diagonals, false, origin);
    const auto training = std::make_shared<Side>(matrix_view(train), all_rows(n_train),
                                                 &items.train_diagonals, true, origin);
    const CrossBank cross(items.set, items.stored, std::move(fitted), fresh, training, runtime);
    const RestoredModels restored(models, n_train, items.set->size());
    const Matrix decision = decision_values(restored.pointers, cross);
    for (Index i = 0; i < decision.rows(); ++i)
      if (!decision.row(i).allFinite())
        throw InvalidArgument("The decision value of new row " + std::to_string(i + 1) +
                              " is not finite: its features are beyond the range of the kernel.");
    return to_numeric_matrix(decision);
  });
}

// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector vote_cpp(Rcpp::NumericMatrix decision, Rcpp::List models, int classes) {
  return guarded([&] {
    const auto pairs = read_pairs(models);
    check_pairs(pairs, decision, classes);
    const Indices winners = vote(to_matrix(decision), pairs, classes);
    Rcpp::IntegerVector out(static_cast<R_xlen_t>(winners.size()));
    for (std::size_t i = 0; i < winners.size(); ++i)
      out[static_cast<R_xlen_t>(i)] = static_cast<int>(winners[i]);
    return out;
  });
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix probability_cpp(Rcpp::NumericMatrix decision, Rcpp::List models, int classes) {
  return guarded([&] {
    const auto pairs = read_pairs(models);
    check_pairs(pairs, decision, classes);
    std::vector<Sigmoid> sigmoids;
    for (R_xlen_t m = 0; m < models.size(); ++m) {
      const Rcpp::List model = models[m];
      const Vector platt = entry_vector(model, "platt");
      if (platt.size() != 2 || !platt.allFinite())
        throw InvalidArgument("models", "fitted with `probability = TRUE`", "without");
      sigmoids.push_back({platt[0], platt[1]});
    }
    return to_numeric_matrix(class_probabilities(to_matrix(decision), pairs, sigmoids, classes));
  });
}
