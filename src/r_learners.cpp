// Fitting and prediction, for R: lists in, lists out.
#include <cmath>
#include <initializer_list>
#include <limits>

#include "api/fit.hpp"
#include "api/predict.hpp"
#include "api/score.hpp"
#include "r_convert.h"
#include "r_easymkl.h"
#include "r_learners.h"
#include "r_runtime.h"

using namespace mk;

namespace {

Rcpp::List report_list(const Report& r) {
  return Rcpp::List::create(Rcpp::_["converged"] = r.converged,
                            Rcpp::_["iterations"] = r.iterations,
                            Rcpp::_["objective"] = r.objective, Rcpp::_["gap"] = r.gap,
                            Rcpp::_["violation"] = r.violation,
                            Rcpp::_["indefinite"] = r.indefinite, Rcpp::_["overlap"] = r.overlap,
                            Rcpp::_["seconds"] = r.seconds, Rcpp::_["path"] = to_numeric(r.path));
}

}  // namespace

Rcpp::List mk::model_list(const SubModel& sub) {
  Rcpp::NumericVector platt;
  if (sub.sigmoid) platt = Rcpp::NumericVector::create(sub.sigmoid->a, sub.sigmoid->b);
  return Rcpp::List::create(Rcpp::_["positive"] = static_cast<int>(sub.classes.positive),
                            Rcpp::_["negative"] = static_cast<int>(sub.classes.negative),
                            Rcpp::_["weights"] = to_numeric(sub.model->kernel_weights()),
                            Rcpp::_["platt"] = platt,
                            Rcpp::_["report"] = report_list(sub.model->report),
                            Rcpp::_["state"] = to_list(sub.model->state()));
}

namespace {

// Classes are codes from 0.
std::vector<FittedPair> read_pairs(const Rcpp::List& models) {
  std::vector<FittedPair> pairs;
  for (R_xlen_t m = 0; m < models.size(); ++m) {
    const Rcpp::List model = entry_list(models, m);
    const Rcpp::NumericVector platt(entry(model, "platt"));
    FittedPair pair;
    pair.classes = {entry_integer(model, "positive"), entry_integer(model, "negative")};
    if (platt.size() == 2 && std::isfinite(platt[0]) && std::isfinite(platt[1]))
      pair.sigmoid = {platt[0], platt[1]};
    pairs.push_back(pair);
  }
  return pairs;
}

// Of lists that are taken over from another process as they are.
void check_numbers(const State& state) {
  for (const auto& [name, value] : state.entries()) {
    bool fine = true;
    if (const auto* numbers = std::get_if<Vector>(&value)) fine = numbers->allFinite();
    if (const auto* m = std::get_if<MatrixView>(&value))
      fine = Eigen::Map<const Vector>(m->data, m->rows * m->cols).allFinite();
    if (const auto* list = std::get_if<std::vector<State>>(&value))
      for (const State& inner : *list) check_numbers(inner);
    if (!fine) throw InvalidArgument(name, "finite", "NaN or Inf");
  }
}

void check_taken_over(const Rcpp::List& list, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (list.containsElementNamed(name))
      check_numbers(to_state(Rcpp::List::create(Rcpp::_[name] = entry(list, name))));
}

// The result of a fit in another process, as fit_cpp() gives it.
StoredFit read_part(const Rcpp::List& part) {
  StoredFit out;
  out.kept = read_rows(entry(part, "kept"), std::numeric_limits<int>::max(), "kept");
  const Rcpp::List by_point = entry_list(part, "models");
  for (R_xlen_t point = 0; point < by_point.size(); ++point) {
    const Rcpp::List models = entry_list(by_point, point);
    out.models.emplace_back();
    for (R_xlen_t m = 0; m < models.size(); ++m) {
      check_taken_over(entry_list(models, m), {"weights", "platt"});
      out.models.back().push_back(model_state(entry_list(models, m)));
    }
  }
  for (const State& item : to_states(entry_list(part, "normalizers"))) check_numbers(item);
  check_taken_over(part, {"approximation_error"});
  for (const Rcpp::NumericMatrix decision : entry_list(part, "decision"))
    out.decision.push_back(as_matrix(matrix_view(decision)));
  return out;
}

// How far approximated kernels are off: all parts have the same kernels.
Rcpp::NumericVector error_of(const Rcpp::List& part) {
  if (!part.containsElementNamed("approximation_error")) return Rcpp::NumericVector();
  return Rcpp::NumericVector(entry(part, "approximation_error"));
}

// In what form the features were held.
std::string form_of(const Rcpp::List& part) {
  if (!part.containsElementNamed("approximation_form")) return {};
  return entry_text(part, "approximation_form");
}

// The models of one learner in all parts, with new states.
Rcpp::List joined_models(const Rcpp::List& parts, R_xlen_t learner,
                         const std::vector<State>& states) {
  Rcpp::List out;
  for (const Rcpp::List part : parts)
    for (const SEXP model : Rcpp::List(Rcpp::List(part["models"])[learner])) {
      Rcpp::List moved(Rf_shallow_duplicate(model));
      moved["state"] = to_list(states[static_cast<std::size_t>(out.size())]);
      out.push_back(moved);
    }
  return out;
}

// name, points: a parameter list each; passes: an R function, of EasyMKL only.
LearnerRequest read_learner(const Rcpp::List& list, const Rcpp::List& control) {
  LearnerRequest request = {entry_text(list, "name"), to_states(entry_list(list, "points")),
                            smo_options(control), nullptr};
  if (list.containsElementNamed("passes") && !Rf_isNull(list["passes"])) {
    if (!Rf_isFunction(list["passes"]))
      throw InvalidArgument("passes", "a function of (what, rows, values)", "something else");
    request.passes = make_passes(Rcpp::Function(static_cast<SEXP>(list["passes"])), control);
  }
  return request;
}

// models: lists with `state`, and optionally `trials` or `assumed`.
PredictRequest read_prediction(SEXP x, SEXP train, const Rcpp::List& kernels,
                               const Rcpp::List& normalizers, const Rcpp::List& models) {
  PredictRequest request;
  request.x = read_features(x);
  request.train = read_features(train);
  request.kernels = to_states(kernels);
  request.normalizers = to_states(normalizers);
  for (R_xlen_t m = 0; m < models.size(); ++m) {
    const Rcpp::List model = entry_list(models, m);
    ModelRequest one{model_state(model), {}};
    if (model.containsElementNamed("trials")) one.options.trials = entry_integer(model, "trials");
    if (model.containsElementNamed("assumed")) one.options.assumed = entry_number(model, "assumed");
    request.models.push_back(std::move(one));
  }
  return request;
}

FitRequest read_fit(SEXP x, const Rcpp::List& problem, const Rcpp::List& kernels,
                    const Rcpp::List& learner, const Rcpp::List& control) {
  FitRequest request;
  request.x = read_features(x);
  request.kernels = to_states(kernels);
  const State given = to_state(problem);
  request.problem = read_problem(given);
  if (given.has("approximate")) request.approximation = given.child("approximate");
  request.learner = read_learner(learner, control);
  return request;
}

// A row of parameters for each calibrated pair, else none.
Rcpp::NumericMatrix platt_matrix(const std::vector<FittedPair>& pairs) {
  const bool calibrated = !pairs.empty() && pairs.front().sigmoid.has_value();
  Rcpp::NumericMatrix out(calibrated ? static_cast<int>(pairs.size()) : 0, 2);
  for (int p = 0; p < out.nrow(); ++p) {
    const Sigmoid& sigmoid = *pairs[static_cast<std::size_t>(p)].sigmoid;
    out(p, 0) = sigmoid.a;
    out(p, 1) = sigmoid.b;
  }
  return out;
}

Rcpp::List score_list(const Score& one) {
  Rcpp::IntegerVector positive, negative;
  for (const FittedPair& pair : one.pairs) {
    positive.push_back(static_cast<int>(pair.classes.positive));
    negative.push_back(static_cast<int>(pair.classes.negative));
  }
  return Rcpp::List::create(
      Rcpp::_["decision"] = to_numeric_matrix(one.decision), Rcpp::_["positive"] = positive,
      Rcpp::_["negative"] = negative, Rcpp::_["platt"] = platt_matrix(one.pairs),
      Rcpp::_["converged"] = Rcpp::LogicalVector(one.converged.begin(), one.converged.end()),
      Rcpp::_["support"] = static_cast<double>(one.support),
      Rcpp::_["counts"] = to_numeric_matrix(one.counts));
}

// One set of kernels with its points; `truth`: levels from 0, NA where they are missing, or NULL.
Rcpp::List score_group(const Rcpp::List& group) {
  const Rcpp::List control = entry_list(group, "control");
  const RRuntime runtime(control);
  const Stopwatch watch;
  ScoreRequest request;
  request.fit = read_fit(entry(group, "x"), entry_list(group, "problem"),
                         entry_list(group, "kernels"), entry_list(group, "learner"), control);
  request.fresh = read_features(entry(group, "fresh"));
  const Rcpp::IntegerVector truth(entry(group, "truth"));
  for (const int level : truth) request.truth.push_back(level == NA_INTEGER ? -1 : level);
  request.levels = entry_integer(group, "levels");
  const std::vector<Score> scores = score(request, runtime);
  return Rcpp::List::create(Rcpp::_["points"] = list_of(scores, score_list),
                            Rcpp::_["seconds"] = watch.seconds());
}

}  // namespace

// One learner with one or several points, which share what can be computed once. `models` and
// `decision` of the result have an element per point; `kept` are the rows that any of them needs.
// [[Rcpp::export(rng = false)]]
Rcpp::List fit_cpp(SEXP x, Rcpp::List problem, Rcpp::List kernels, Rcpp::List learner,
                   Rcpp::List control) {
  return guarded([&] {
    const RRuntime runtime(control);
    const FitResult result = fit(read_fit(x, problem, kernels, learner, control), runtime);
    return Rcpp::List::create(
        Rcpp::_["models"] =
            list_of(result.models, [](const auto& models) { return list_of(models, model_list); }),
        Rcpp::_["kept"] = to_positions(result.kept),
        Rcpp::_["normalizers"] =
            list_of(result.normalizers,
                    [](const ItemNormalizer& item) { return to_list(normalizer_state(item)); }),
        Rcpp::_["decision"] = list_of(result.decision, to_numeric_matrix),
        Rcpp::_["approximation_error"] = to_numeric(result.approximation_error),
        Rcpp::_["approximation_form"] = result.approximation_form);
  });
}

// Points of several sets of kernels, fitted to training rows and applied to others: for each of
// `groups` a list of its points with what measures need, and its time in seconds.
// [[Rcpp::export(rng = false)]]
Rcpp::List score_cpp(Rcpp::List groups) {
  return guarded([&] {
    Rcpp::List out(groups.size());
    for (R_xlen_t g = 0; g < groups.size(); ++g) out[g] = score_group(entry_list(groups, g));
    return out;
  });
}

// Joins the results of processes that each fitted some of the two-class problems.
// [[Rcpp::export(rng = false)]]
Rcpp::List join_fits_cpp(SEXP x, Rcpp::List kernels, Rcpp::List parts, Rcpp::List control) {
  return guarded([&] {
    const RRuntime runtime(control);
    std::vector<StoredFit> stored;
    for (const Rcpp::List part : parts) stored.push_back(read_part(part));
    const StoredFit joined = join_fits(read_features(x), to_states(kernels), stored, runtime);
    Rcpp::List models(static_cast<R_xlen_t>(joined.models.size()));
    for (R_xlen_t l = 0; l < models.size(); ++l)
      models[l] = joined_models(parts, l, joined.models[static_cast<std::size_t>(l)]);
    const Rcpp::List first = parts[0];
    return Rcpp::List::create(Rcpp::_["models"] = models,
                              Rcpp::_["kept"] = to_positions(joined.kept),
                              Rcpp::_["normalizers"] = entry(first, "normalizers"),
                              Rcpp::_["decision"] = list_of(joined.decision, to_numeric_matrix),
                              Rcpp::_["approximation_error"] = error_of(first),
                              Rcpp::_["approximation_form"] = form_of(first));
  });
}

// Decision values of new rows, a column for each of `models`.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix predict_cpp(SEXP x, SEXP train, Rcpp::List kernels, Rcpp::List normalizers,
                                Rcpp::List models, Rcpp::List control) {
  return guarded([&] {
    const RRuntime runtime(control);
    return to_numeric_matrix(
        predict(read_prediction(x, train, kernels, normalizers, models), runtime));
  });
}

// The same as sums over groups of kernels. `groups`: the position of the group of each kernel, of
// `count`. For each model a matrix of contributions, with what belongs to no kernel.
// [[Rcpp::export(rng = false)]]
Rcpp::List predict_terms_cpp(SEXP x, SEXP train, Rcpp::List kernels, Rcpp::List normalizers,
                             Rcpp::List models, SEXP groups, int count, Rcpp::List control) {
  return guarded([&] {
    const RRuntime runtime(control);
    const std::vector<Terms> terms =
        predict_terms(read_prediction(x, train, kernels, normalizers, models),
                      {read_rows(groups, count, "groups"), count}, runtime);
    return list_of(terms, [](const Terms& one) {
      return Rcpp::List::create(Rcpp::_["values"] = to_numeric_matrix(one.values),
                                Rcpp::_["constant"] = one.constant);
    });
  });
}

// What each training row (columns) contributes to the decision values of new rows: a matrix for
// each model.
// [[Rcpp::export(rng = false)]]
Rcpp::List predict_rows_cpp(SEXP x, SEXP train, Rcpp::List kernels, Rcpp::List normalizers,
                            Rcpp::List models, Rcpp::List control) {
  return guarded([&] {
    const RRuntime runtime(control);
    return list_of(
        predict_row_terms(read_prediction(x, train, kernels, normalizers, models), runtime),
        to_numeric_matrix);
  });
}

// Codes of the winning classes, from 0. `models`: lists with `positive` and `negative`.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector vote_cpp(Rcpp::NumericMatrix decision, Rcpp::List models, int classes) {
  return guarded([&] {
    const Indices codes = predict_classes(matrix_view(decision), read_pairs(models), classes);
    return Rcpp::IntegerVector(codes.begin(), codes.end());
  });
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix probability_cpp(Rcpp::NumericMatrix decision, Rcpp::List models, int classes) {
  return guarded([&] {
    return to_numeric_matrix(
        predict_probabilities(matrix_view(decision), read_pairs(models), classes));
  });
}
