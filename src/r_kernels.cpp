// Gram matrices and what belongs to them, for R.
#include <cmath>

#include "base/memory.hpp"
#include "base/product.hpp"
#include "kernels/label_based.hpp"
#include "kernels/width_rule.hpp"
#include "r_convert.h"
#include "r_runtime.h"

using namespace mk;

namespace {

// Similarities that fall with a distance are finite; other kernels overflow on large features.
bool may_overflow(const Kernel& kernel) {
  for (const Factor& factor : kernel.factors)
    if (factor.is_stored() ||
        (factor.kind != PairKind::squared_distance && factor.kind != PairKind::absolute_distance))
      return true;
  return false;
}

void check_overflow(const KernelSet& set, const Rcpp::List& matrices, bool summed) {
  if (summed) {
    check_finite(Rcpp::NumericMatrix(static_cast<SEXP>(matrices[0])), "kernels");
    return;
  }
  for (Index m = 0; m < set.size(); ++m)
    if (may_overflow(set.kernel(m)))
      check_finite(
          matrix_view(Rcpp::NumericMatrix(static_cast<SEXP>(matrices[static_cast<R_xlen_t>(m)]))),
          set.item_name(set.locate(m).first));
}

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

// Gram matrices of all kernels, normalised on x, or with `weights` their weighted sum. Without
// `fresh` kernels: x against x. With them: z (rows) against x (columns); they differ from
// `kernels` in their stored matrices only.
// [[Rcpp::export(rng = false)]]
Rcpp::List gram_cpp(Rcpp::NumericMatrix x, Rcpp::NumericMatrix z, Rcpp::List kernels,
                    Rcpp::List fresh, Rcpp::NumericVector weights, Rcpp::List control) {
  return guarded([&] {
    const bool symmetric = fresh.size() == 0;
    check_finite(x, "x");
    check_finite(z, "z");
    if (x.nrow() == 0) throw InvalidArgument("x", "a matrix of at least one row", "of none");
    if (!symmetric && z.ncol() != x.ncol())
      throw InvalidArgument("z", "of " + std::to_string(x.ncol()) + " columns, as `x`",
                            "of " + std::to_string(z.ncol()));
    const RRuntime runtime(control);
    const KernelItems items = read_kernels(kernels, x.ncol());
    check_training_matrices(items, x.nrow(), x.ncol());
    items.set->check_domain(matrix_view(x), "x");
    const KernelBank bank(items.set, matrix_view(x), items.stored, x.nrow(), runtime);
    if (weights.size() != 0 && weights.size() != bank.size())
      throw InvalidArgument(
          "weights", "one number for each of the " + std::to_string(bank.size()) + " kernels",
          std::to_string(weights.size()) + " numbers");
    if (!to_vector(weights).allFinite()) throw InvalidArgument("weights", "finite", "NaN or Inf");

    const int rows = symmetric ? x.nrow() : z.nrow();
    const Index count = weights.size() == 0 ? bank.size() : 1;
    std::vector<double*> target;
    keep_freed_memory();
    const Rcpp::List out = new_matrices(count, rows, x.nrow(), target);
    if (symmetric) {
      if (weights.size() == 0) bank.fill(all_rows(count), target, runtime, Reader::later);
      else bank.sum(to_vector(weights), target[0], runtime, Reader::later);
      check_overflow(*items.set, out, weights.size() != 0);
      return out;
    }
    const KernelItems blocks = read_kernels(fresh, x.ncol());
    check_stored(blocks, rows, x.nrow(), x.ncol());
    items.set->check_domain(matrix_view(z), "z");
    if (blocks.set->size() != bank.size())
      throw InvalidArgument("fresh", "the same kernels as `kernels`", "others");
    const auto new_side = std::make_shared<Side>(matrix_view(z), all_rows(rows), &blocks.diagonals,
                                                 false, bank.side()->origin);
    const CrossBank cross(items.set, blocks.stored, bank.normalizers(), new_side, bank.side(),
                          runtime);
    if (weights.size() == 0) cross.fill(all_rows(count), target);
    else cross.sum(to_vector(weights), target[0]);
    check_overflow(*items.set, out, weights.size() != 0);
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
      throw InvalidArgument("x", "a square matrix",
                            std::to_string(x.nrow()) + " x " + std::to_string(x.ncol()));
    const Asymmetry at = find_asymmetry(matrix_view(x));
    if (!at.found) return Rcpp::IntegerVector(0);
    return Rcpp::IntegerVector::create(static_cast<int>(at.row) + 1,
                                       static_cast<int>(at.column) + 1);
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
      check_finite(k, "kernels");
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
      const Eigen::Map<const Matrix> fresh_rows(k.data, k.rows, k.cols);
      out[m] = checked(factor * product(fresh_rows, star, runtime));
    }
    return out;
  });
}

// The width sigma that a rule gives on the rows of x.
// [[Rcpp::export(rng = false)]]
double width_cpp(Rcpp::NumericMatrix x, SEXP columns, std::string rule) {
  return guarded([&] {
    check_finite(x, "x");
    std::vector<int> features;
    if (Rf_isNull(columns)) {
      for (int f = 0; f < x.ncol(); ++f) features.push_back(f);
    } else {
      for (int f : Rcpp::IntegerVector(columns)) {
        if (f < 1 || f > x.ncol())
          throw InvalidArgument("columns", "positions from 1 to " + std::to_string(x.ncol()),
                                std::to_string(f));
        features.push_back(f - 1);
      }
    }
    const RRuntime runtime(Rcpp::List::create(Rcpp::_["threads"] = 1, Rcpp::_["memory"] = 0.0,
                                              Rcpp::_["verbose"] = false, Rcpp::_["seed"] = 1.0,
                                              Rcpp::_["simd"] = "auto"));
    const double width = width_by_rule(matrix_view(x), features, rule, runtime);
    if (!std::isfinite(width))
      throw InvalidArgument(
          "The distances of the rows of `x` are beyond the range of numbers: "
          "scale the features.");
    return width;
  });
}

// The SIMD levels of this processor.
// [[Rcpp::export(rng = false)]]
Rcpp::CharacterVector simd_cpp() { return Rcpp::wrap(simd_levels()); }
