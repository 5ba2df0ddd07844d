// Gram matrices and what belongs to them, for R.
#include <cmath>

#include "api/kernel_matrix.hpp"
#include "base/checks.hpp"
#include "base/memory.hpp"
#include "base/product.hpp"
#include "features/letters.hpp"
#include "kernels/graph_laplacian.hpp"
#include "kernels/label_based.hpp"
#include "r_convert.h"
#include "r_runtime.h"

using namespace mk;

namespace {

// A list of matrices that are not filled yet, and where their values go. A single matrix is made
// before its list: R's collector would hold it as long as a list that has lived through a
// collection, and making room for the next matrix would cost more than computing it.
Rcpp::List new_matrices(Index count, int rows, int cols, std::vector<double*>& target) {
  const auto make = [&] {
    // Without room R would jump over the destructors of all that stands here. The matrix is not
    // what unwindProtect() returns: R keeps that in a token that is older than the matrix, and a
    // token that has lived through a collection would hold the matrix until a deeper one.
    SEXP matrix = R_NilValue;
    Rcpp::unwindProtect([&] {
      matrix = Rf_allocMatrix(REALSXP, rows, cols);
      return R_NilValue;
    });
    target.push_back(REAL(matrix));
    prefer_huge_pages(target.back(), static_cast<std::size_t>(Rf_xlength(matrix)) * sizeof(double));
    return matrix;
  };
  if (count == 1) {
    const Rcpp::Shield<SEXP> matrix(make());
    return Rcpp::List::create(static_cast<SEXP>(matrix));
  }
  Rcpp::List out(static_cast<R_xlen_t>(count));
  for (R_xlen_t m = 0; m < out.size(); ++m) out[m] = make();
  return out;
}

}  // namespace

// Gram matrices of all kernels, normalized on x, or with `weights` their weighted sum. Without
// `fresh` kernels: x against x. With them: z (rows) against x (columns); they differ from
// `kernels` in their stored matrices only.
// [[Rcpp::export(rng = false)]]
Rcpp::List gram_cpp(SEXP x, SEXP z, Rcpp::List kernels, Rcpp::List fresh,
                    Rcpp::NumericVector weights, Rcpp::List control) {
  return guarded([&] {
    const RRuntime runtime(control);
    const KernelRequest request = {read_features(x), read_features(z), to_states(kernels),
                                   to_states(fresh), to_vector(weights)};
    const KernelMatrices matrices(request, runtime);
    std::vector<double*> target;
    keep_freed_memory();
    const Rcpp::List out = new_matrices(matrices.count(), static_cast<int>(matrices.rows()),
                                        static_cast<int>(matrices.cols()), target);
    matrices.fill(target);
    return out;
  });
}

// Whether all entries are finite: R's sum() takes five times as long to tell.
// [[Rcpp::export(rng = false)]]
bool all_finite_cpp(Rcpp::NumericMatrix x) {
  return guarded([&] { return first_not_finite(matrix_view(x)) < 0; });
}

// Where a square matrix differs most from its transpose, as (row, column) from 1, if that is beyond
// rounding; else nothing.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector asymmetry_cpp(Rcpp::NumericMatrix x) {
  return guarded([&] {
    if (x.nrow() != x.ncol())
      throw InvalidArgument("x", "a square matrix", format_size(x.nrow(), x.ncol()));
    return to_place(find_asymmetry(matrix_view(x)));
  });
}

// Label-based matrices K** = K* K* from kernels and their products with the distance kernel on the
// training rows, two lists of matrices. With `fresh`, the kernels of new rows: K(x, .) K*, the mean
// of their rows under both labels. `rescale`: for each kernel, whether K** gets mean diagonal 1.
// [[Rcpp::export(rng = false)]]
Rcpp::List label_based_cpp(Rcpp::List plain, Rcpp::List local, Rcpp::NumericVector y,
                           Rcpp::List fresh, Rcpp::LogicalVector rescale, Rcpp::List control) {
  return guarded([&] {
    const RRuntime runtime(control);
    const Vector labels = to_vector(y);
    if (!(labels.array().abs() == 1.0).all())
      throw InvalidArgument("y", "labels -1 and 1", "other numbers");
    const R_xlen_t count = plain.size();
    if (local.size() != count || rescale.size() != count ||
        (fresh.size() != 0 && fresh.size() != count))
      throw InvalidArgument("local", "of the same length as `plain`", "another");
    const auto matrix = [](const Rcpp::List& list, R_xlen_t m) {
      const Rcpp::NumericMatrix k(static_cast<SEXP>(list[m]));
      check_finite(matrix_view(k), "kernels");
      return matrix_view(k);
    };
    const auto checked = [](const Matrix& k) {
      if (!k.allFinite())
        throw InvalidArgument(
            "A label-based kernel is beyond the range of numbers: scale or "
            "normalise the kernel that it is made of.");
      return to_numeric_matrix(k);
    };
    Rcpp::List out(count);
    for (R_xlen_t m = 0; m < count; ++m) {
      const Matrix star = label_star(matrix(plain, m), matrix(local, m), labels);
      const double trace = star.squaredNorm();  // of K* K*
      if (rescale[m] && (!(trace > 0.0) || !std::isfinite(trace)))
        throw InvalidArgument("A label-based kernel cannot be normalised: its trace is " +
                              format_number(trace) + ".");
      const double factor = rescale[m] ? static_cast<double>(labels.size()) / trace : 1.0;
      if (fresh.size() == 0) {
        out[m] = checked(factor * label_square(star, runtime));
        continue;
      }
      const MatrixView k = matrix(fresh, m);
      if (k.cols != star.rows())
        throw InvalidArgument("fresh", "matrices of " + std::to_string(star.rows()) + " columns",
                              std::to_string(k.cols));
      out[m] = checked(factor * product(as_matrix(k), star, runtime));
    }
    return out;
  });
}

// The width sigma that a rule gives on the rows of x.
// [[Rcpp::export(rng = false)]]
double width_cpp(SEXP x, SEXP columns, std::string rule) {
  return guarded([&] {
    const RRuntime runtime(Rcpp::List::create(Rcpp::_["threads"] = 1, Rcpp::_["memory"] = 0.0,
                                              Rcpp::_["verbose"] = false, Rcpp::_["seed"] = 1.0,
                                              Rcpp::_["simd"] = "auto"));
    const SharedFeatures features = read_features(x);
    return kernel_width(*features, read_rows(columns, features->columns(), "columns"), rule,
                        runtime);
  });
}

// The letters of texts, each once.
// [[Rcpp::export(rng = false)]]
Rcpp::CharacterVector letters_cpp(Rcpp::List x, bool ignore_case) {
  return guarded([&] {
    const SharedFeatures features = read_features(x);
    const auto& texts = raw_features<Strings>(*features, "alphabet", "x", "text");
    return Rcpp::CharacterVector::create(
        Rcpp::String(letters_in(texts, ignore_case, "x"), CE_UTF8));
  });
}

// Kernels between the nodes of a graph for each beta, as lower triangles column by column.
// [[Rcpp::export(rng = false)]]
Rcpp::List laplacian_functions_cpp(Rcpp::List graph, std::string family, Rcpp::NumericVector beta,
                                   bool normalized, Rcpp::List control) {
  return guarded([&] {
    const RRuntime runtime(control);
    std::vector<std::function<double(double)>> functions;
    for (const double one : beta) functions.push_back(spectral_function(family, one));
    const WeightedGraph weighted = read_weighted_graph(to_state(graph));
    return list_of(laplacian_functions(weighted, normalized, functions, runtime), to_numeric);
  });
}

// The SIMD levels of this processor.
// [[Rcpp::export(rng = false)]]
Rcpp::CharacterVector simd_cpp() { return Rcpp::wrap(simd_levels()); }
