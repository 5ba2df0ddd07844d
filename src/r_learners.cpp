// Fitting and prediction, for R: lists in, lists out.
#include "learners/registry.hpp"
#include "r_convert.hpp"
#include "r_runtime.hpp"
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

Problem read_problem(const Rcpp::List& list) {
  Problem p;
  p.task = read_task(Rcpp::as<std::string>(list["task"]));
  p.y = to_vector(Rcpp::NumericVector(static_cast<SEXP>(list["y"])));
  p.classes = Rcpp::as<int>(list["classes"]);
  p.weights = to_vector(Rcpp::NumericVector(static_cast<SEXP>(list["weights"])));
  p.reduction = read_reduction(Rcpp::as<std::string>(list["multiclass"]));
  p.probability = Rcpp::as<bool>(list["probability"]);
  if (p.task == Task::classification && p.classes < 2)
    throw InvalidArgument("classes", "at least 2", std::to_string(p.classes));
  return p;
}

Rcpp::List report_list(const Report& r) {
  return Rcpp::List::create(
      Rcpp::_["converged"] = r.converged, Rcpp::_["iterations"] = r.iterations,
      Rcpp::_["objective"] = r.objective, Rcpp::_["gap"] = r.gap,
      Rcpp::_["violation"] = r.violation, Rcpp::_["indefinite"] = r.indefinite,
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
Indices rows_to_keep(const std::vector<SubModel>& models, const KernelBank& bank) {
  for (Index item = 0; item < bank.set().items(); ++item)
    for (Normalization kind : bank.set().normalization(item))
      if (kind == Normalization::center) return all_rows(bank.rows());
  std::vector<bool> used(static_cast<std::size_t>(bank.rows()), false);
  for (const SubModel& sub : models)
    for (Index row : sub.model->support()) used[static_cast<std::size_t>(row)] = true;
  Indices kept;
  for (Index i = 0; i < bank.rows(); ++i)
    if (used[static_cast<std::size_t>(i)]) kept.push_back(i);
  return kept;
}

void check_stored(const KernelItems& items, Index rows, Index cols) {
  for (std::size_t s = 0; s < items.stored.size(); ++s) {
    const MatrixView& m = items.stored[s];
    const std::string name = "precomputed kernel " + std::to_string(s + 1);
    if (m.rows != rows || m.cols != cols)
      throw InvalidArgument(name, std::to_string(rows) + " x " + std::to_string(cols),
                            std::to_string(m.rows) + " x " + std::to_string(m.cols));
    check_finite(m, name);
  }
}

std::vector<ClassPair> read_pairs(const Rcpp::List& models) {
  std::vector<ClassPair> pairs;
  for (R_xlen_t m = 0; m < models.size(); ++m) {
    const Rcpp::List model = models[m];
    pairs.push_back({Rcpp::as<int>(model["positive"]), Rcpp::as<int>(model["negative"])});
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
}

Matrix to_matrix(const Rcpp::NumericMatrix& m) {
  return Eigen::Map<const Matrix>(m.begin(), m.nrow(), m.ncol());
}

}  // namespace

// [[Rcpp::export]]
Rcpp::List fit_cpp(Rcpp::NumericMatrix x, Rcpp::List problem, Rcpp::List kernels,
                   Rcpp::List learner, Rcpp::List control) {
  return guarded([&] {
    const Index n = Rcpp::as<int>(problem["n"]);
    if (n < 1) throw InvalidArgument("n", "at least 1", std::to_string(n));
    if (x.ncol() > 0 && x.nrow() != n)
      throw InvalidArgument("x", "of " + std::to_string(n) + " rows",
                            "of " + std::to_string(x.nrow()));
    check_finite(x, "x");
    const RRuntime runtime(control);
    const KernelItems items = read_kernels(kernels, x.ncol());
    check_stored(items, n, n);
    items.set->check_domain(matrix_view(x), "x");
    const Problem p = read_problem(problem);
    const auto method =
        make_learner(Rcpp::as<std::string>(learner["name"]),
                     to_state(Rcpp::as<Rcpp::List>(learner["parameters"])), smo_options(control));

    const KernelBank bank(items.set, matrix_view(x), items.stored, n, runtime);
    std::vector<SubModel> models = fit_problem(*method, bank, p, runtime);
    const Matrix decision = training_decision(models, bank, runtime);

    const Indices kept = rows_to_keep(models, bank);
    Indices position(static_cast<std::size_t>(n), -1);
    Rcpp::IntegerVector kept_rows(static_cast<R_xlen_t>(kept.size()));
    for (std::size_t k = 0; k < kept.size(); ++k) {
      position[static_cast<std::size_t>(kept[k])] = static_cast<Index>(k);
      kept_rows[static_cast<R_xlen_t>(k)] = static_cast<int>(kept[k] + 1);
    }
    Rcpp::List out_models(static_cast<R_xlen_t>(models.size()));
    for (std::size_t m = 0; m < models.size(); ++m) {
      models[m].model->remap(position);
      out_models[static_cast<R_xlen_t>(m)] = model_list(models[m]);
    }
    Rcpp::List normalizers(static_cast<R_xlen_t>(bank.normalizers().size()));
    for (std::size_t i = 0; i < bank.normalizers().size(); ++i)
      normalizers[static_cast<R_xlen_t>(i)] = to_list(normalizer_state(bank.normalizers()[i]));
    return Rcpp::List::create(Rcpp::_["models"] = out_models, Rcpp::_["kept"] = kept_rows,
                              Rcpp::_["normalizers"] = normalizers,
                              Rcpp::_["decision"] = to_numeric_matrix(decision));
  });
}

// [[Rcpp::export]]
Rcpp::NumericMatrix predict_cpp(Rcpp::NumericMatrix x, Rcpp::NumericMatrix train, int n_train,
                                int n_new, Rcpp::List kernels, Rcpp::List normalizers,
                                Rcpp::List models, Rcpp::List control) {
  return guarded([&] {
    if (x.ncol() != train.ncol())
      throw InvalidArgument("x", "of " + std::to_string(train.ncol()) + " columns",
                            "of " + std::to_string(x.ncol()));
    if (x.ncol() > 0 && (x.nrow() != n_new || train.nrow() != n_train))
      throw InvalidArgument("x, train",
                            "of " + std::to_string(n_new) + " and " + std::to_string(n_train) +
                                " rows",
                            std::to_string(x.nrow()) + " and " + std::to_string(train.nrow()));
    check_finite(x, "x");
    const RRuntime runtime(control);
    const KernelItems items = read_kernels(kernels, x.ncol());
    check_stored(items, n_new, n_train);
    items.set->check_domain(matrix_view(x), "x");
    Normalizers fitted;
    for (const State& state : to_states(normalizers)) fitted.push_back(restore_normalizer(state));
    if (static_cast<Index>(fitted.size()) != items.set->items())
      throw InvalidArgument("normalizers", "one per kernel", std::to_string(fitted.size()));

    const auto fresh =
        std::make_shared<Side>(matrix_view(x), all_rows(n_new), &items.diagonals, false);
    const auto training =
        std::make_shared<Side>(matrix_view(train), all_rows(n_train), &items.train_diagonals, true);
    const CrossBank cross(items.set, items.stored, std::move(fitted), fresh, training, runtime);
    std::vector<std::unique_ptr<Model>> restored;
    std::vector<const Model*> pointers;
    for (R_xlen_t m = 0; m < models.size(); ++m) {
      const Rcpp::List model = models[m];
      restored.push_back(restore_model(to_state(Rcpp::as<Rcpp::List>(model["state"]))));
      for (Index row : restored.back()->support())
        if (row < 0 || row >= n_train)
          throw InvalidArgument("models", "of rows from 1 to " + std::to_string(n_train),
                                std::to_string(row + 1));
      if (restored.back()->kernel_weights().size() != items.set->size())
        throw InvalidArgument("models", "of one weight per kernel",
                              std::to_string(restored.back()->kernel_weights().size()));
      pointers.push_back(restored.back().get());
    }
    return to_numeric_matrix(decision_values(pointers, cross));
  });
}

// [[Rcpp::export]]
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

// [[Rcpp::export]]
Rcpp::NumericMatrix probability_cpp(Rcpp::NumericMatrix decision, Rcpp::List models, int classes) {
  return guarded([&] {
    const auto pairs = read_pairs(models);
    check_pairs(pairs, decision, classes);
    std::vector<Sigmoid> sigmoids;
    for (R_xlen_t m = 0; m < models.size(); ++m) {
      const Rcpp::List model = models[m];
      const Rcpp::NumericVector platt = model["platt"];
      if (platt.size() != 2)
        throw InvalidArgument("models", "fitted with `probability = TRUE`", "without");
      sigmoids.push_back({platt[0], platt[1]});
    }
    return to_numeric_matrix(class_probabilities(to_matrix(decision), pairs, sigmoids, classes));
  });
}
