// Fusion of kernels, kernel principal components and kernel k-means, for R.
#include "api/kernel_items.hpp"
#include "api/predict.hpp"
#include "r_convert.h"
#include "r_runtime.h"
#include "unsupervised/fusion.hpp"
#include "unsupervised/kernel_kmeans.hpp"
#include "unsupervised/kernel_pca.hpp"
#include "unsupervised/neighbor_graph.hpp"

using namespace mk;

namespace {

Rcpp::List normalizers_of(const KernelBank& bank) {
  return list_of(bank.normalizers(),
                 [](const ItemNormalizer& one) { return to_list(normalizer_state(one)); });
}

Vector checked_weights(const Rcpp::NumericVector& weights, Index kernels) {
  const Vector out = to_vector(weights);
  if (out.size() != kernels || !out.allFinite())
    throw InvalidArgument("weights", std::to_string(kernels) + " finite numbers",
                          std::to_string(out.size()) + " numbers");
  return out;
}

}  // namespace

// Normalizers of the kernels on x, for what needs nothing else.
// [[Rcpp::export(rng = false)]]
Rcpp::List normalizers_cpp(SEXP x, Rcpp::List kernels, Rcpp::List control) {
  return guarded([&] {
    const RRuntime runtime(control);
    return normalizers_of(training_bank(read_features(x), to_states(kernels), runtime));
  });
}

// Inner products of the kernels, and for `neighbors` > 0 also those along the graph of neighbors.
// [[Rcpp::export(rng = false)]]
Rcpp::List kernel_products_cpp(SEXP x, Rcpp::List kernels, double neighbors, Rcpp::List control) {
  return guarded([&] {
    const RRuntime runtime(control);
    const KernelBank bank = training_bank(read_features(x), to_states(kernels), runtime);
    const Index count = read_count("neighbors", neighbors);
    Rcpp::List out = Rcpp::List::create(
        Rcpp::_["products"] = to_numeric_matrix(kernel_products(bank, runtime)),
        Rcpp::_["graph"] = R_NilValue, Rcpp::_["normalizers"] = normalizers_of(bank));
    if (count > 0) {
      const auto graph = neighbor_graph(bank, count, runtime);
      out["graph"] = to_numeric_matrix(graph_products(bank, graph, runtime));
    }
    return out;
  });
}

// Weights of a consensus of kernels from M x M matrices: the cosines of the kernels, or their
// products along the graph.
// [[Rcpp::export(rng = false)]]
Rcpp::List fusion_weights_cpp(Rcpp::NumericMatrix matrix, std::string method, double most,
                              Rcpp::List control) {
  return guarded([&] {
    const RRuntime runtime(control);
    const Matrix s = as_matrix(matrix_view(matrix));
    if (s.rows() != s.cols() || s.rows() == 0 || !s.allFinite())
      throw InvalidArgument("matrix", "square and finite", "another");
    const FusionWeights found = method == "statis" ? statis_weights(s, runtime)
                                : method == "sparse-umkl"
                                    ? simplex_weights(s, runtime)
                                    : sphere_weights(s, read_count("most", most), runtime);
    return Rcpp::List::create(Rcpp::_["weights"] = to_numeric(found.weights),
                              Rcpp::_["objective"] = found.objective, Rcpp::_["gap"] = found.gap,
                              Rcpp::_["iterations"] = double(found.iterations));
  });
}

// Components of the weighted sum of kernels.
// [[Rcpp::export(rng = false)]]
Rcpp::List kernel_pca_cpp(SEXP x, Rcpp::List kernels, Rcpp::NumericVector weights,
                          double components, bool center, Rcpp::List control) {
  return guarded([&] {
    const RRuntime runtime(control);
    const KernelBank bank = training_bank(read_features(x), to_states(kernels), runtime);
    const KernelPca pca = kernel_pca(bank, checked_weights(weights, bank.size()),
                                     read_count("components", components), center, runtime);
    return Rcpp::List::create(
        Rcpp::_["values"] = to_numeric(pca.values), Rcpp::_["total"] = pca.total,
        Rcpp::_["vectors"] = to_numeric_matrix(pca.vectors),
        Rcpp::_["projection"] = to_numeric_matrix(pca.projection),
        Rcpp::_["shift"] = to_numeric(pca.shift), Rcpp::_["normalizers"] = normalizers_of(bank));
  });
}

// [[Rcpp::export(rng = false)]]
Rcpp::List kernel_kmeans_cpp(SEXP x, Rcpp::List kernels, double clusters, std::string weights,
                             double starts, double tolerance, double iterations,
                             Rcpp::List control) {
  return guarded([&] {
    const RRuntime runtime(control);
    const KernelBank bank = training_bank(read_features(x), to_states(kernels), runtime);
    KernelKmeansOptions options;
    options.clusters = read_count("clusters", clusters);
    options.weights = weights == "localized" ? ClusterWeights::localized
                      : weights == "global"  ? ClusterWeights::global
                                             : ClusterWeights::fixed;
    options.starts = read_count("starts", starts);
    options.tolerance = tolerance;
    options.iterations = read_count("max_iter", iterations);
    const KernelKmeans found = kernel_kmeans(bank, options, runtime);
    return Rcpp::List::create(
        Rcpp::_["cluster"] = to_positions(found.clusters.of),
        Rcpp::_["centers"] = to_numeric_matrix(found.clusters.centers),
        Rcpp::_["within"] = found.clusters.within,
        Rcpp::_["weights"] = to_numeric_matrix(found.weights),
        Rcpp::_["embedding"] = to_numeric_matrix(found.embedding),
        Rcpp::_["values"] = to_numeric(found.values),
        Rcpp::_["path"] = to_numeric(as_vector(found.path)), Rcpp::_["violation"] = found.violation,
        Rcpp::_["gap"] = found.gap, Rcpp::_["iterations"] = double(found.iterations),
        Rcpp::_["converged"] = found.converged, Rcpp::_["normalizers"] = normalizers_of(bank));
  });
}

// The nearest centers of rows, as positions.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector nearest_centers_cpp(Rcpp::NumericMatrix rows, Rcpp::NumericMatrix centers) {
  return guarded([&] {
    if (rows.ncol() != centers.ncol() || centers.nrow() == 0)
      throw InvalidArgument("centers", "of the columns of `rows`", "others");
    return to_positions(
        nearest_centers(as_matrix(matrix_view(rows)), as_matrix(matrix_view(centers))));
  });
}

// Models that are sums over a weighted sum of kernels: one for each column of `coefficients`, which
// belong to all rows, with a constant each.
// [[Rcpp::export(rng = false)]]
Rcpp::List combination_models_cpp(Rcpp::NumericMatrix coefficients, Rcpp::NumericVector shift,
                                  Rcpp::NumericVector weights) {
  return guarded([&] {
    Rcpp::List out(coefficients.ncol());
    for (int j = 0; j < coefficients.ncol(); ++j) {
      Expansion e;
      e.rows = all_rows(coefficients.nrow());
      e.coefficients = to_vector(coefficients.column(j));
      e.weights = to_vector(weights);
      e.bias = shift[j];
      out[j] = Rcpp::List::create(Rcpp::_["state"] = to_list(ExpansionModel(e).state()));
    }
    return out;
  });
}

// The weighted sum of kernels between new rows and the training rows of a fit.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cross_sum_cpp(SEXP x, SEXP train, Rcpp::List kernels, Rcpp::List normalizers,
                                  Rcpp::NumericVector weights, Rcpp::List control) {
  return guarded([&] {
    const RRuntime runtime(control);
    const PredictRequest request = {
        read_features(x), read_features(train), to_states(kernels), to_states(normalizers), {}};
    return to_numeric_matrix(predict_sum(request, to_vector(weights), runtime));
  });
}
