// Measures of single kernels and alignments of pairs of kernels, for R.
#include "api/kernel_items.hpp"
#include "learners/cka.hpp"
#include "learners/kernel_measures.hpp"
#include "r_convert.h"
#include "r_runtime.h"
#include "unsupervised/neighbor_graph.hpp"

using namespace mk;

// `target`: a row for each row of x, no columns without a response; `labels`: -1 and 1 or none;
// `options`: what to compute, see MeasureOptions.
// [[Rcpp::export(rng = false)]]
Rcpp::List kernel_measures_cpp(SEXP x, Rcpp::List kernels, Rcpp::NumericMatrix target,
                               Rcpp::NumericVector labels, Rcpp::List options, Rcpp::List control) {
  return guarded([&] {
    const RRuntime runtime(control);
    const KernelBank bank = training_bank(read_features(x), to_states(kernels), runtime);
    const Vector signs = to_vector(labels);
    if (target.nrow() != bank.rows() || (signs.size() != 0 && signs.size() != bank.rows()))
      throw InvalidArgument("y", "one value for each row", "another number");
    MeasureOptions asked;
    asked.radius = entry_flag(options, "radius");
    asked.margin = entry_flag(options, "margin");
    asked.dimension = entry_flag(options, "dimension");
    asked.ridge = entry_number(options, "ridge");
    asked.smo = smo_options(control);
    asked.smo.tol *= 1e-3;
    const KernelMeasures found =
        kernel_measures(bank, as_matrix(matrix_view(target)), signs, asked, runtime);
    return Rcpp::List::create(Rcpp::_["alignment"] = to_numeric(found.alignment),
                              Rcpp::_["centered_alignment"] = to_numeric(found.centered_alignment),
                              Rcpp::_["radius"] = to_numeric(found.radius),
                              Rcpp::_["radius_error"] = to_numeric(found.radius_error),
                              Rcpp::_["margin"] = to_numeric(found.margin),
                              Rcpp::_["margin_error"] = to_numeric(found.margin_error),
                              Rcpp::_["spectral_ratio"] = to_numeric(found.spectral_ratio),
                              Rcpp::_["effective_dimension"] = to_numeric(found.dimension));
  });
}

// Alignments of all pairs of kernels.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix centered_alignments_cpp(SEXP x, Rcpp::List kernels, Rcpp::List control) {
  return guarded([&] {
    const RRuntime runtime(control);
    const KernelBank bank = training_bank(read_features(x), to_states(kernels), runtime);
    const Index n = bank.rows();
    const TrainingSet data(bank, {regression(), Vector::Zero(n), Vector::Ones(n)});
    return to_numeric_matrix(alignments(data, true, runtime).pairs);
  });
}
