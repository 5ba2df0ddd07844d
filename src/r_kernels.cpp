// Gram matrices and what belongs to them, for R.
#include "base/memory.hpp"
#include "kernels/width_rule.hpp"
#include "r_convert.hpp"
#include "r_runtime.hpp"

using namespace mk;

// Gram matrices of all kernels, normalised on x: x against x, or z (rows) against x (columns).
// [[Rcpp::export]]
Rcpp::List gram_cpp(Rcpp::NumericMatrix x, Rcpp::NumericMatrix z, Rcpp::List kernels,
                    Rcpp::List control, bool symmetric) {
  return guarded([&] {
    check_finite(x, "x");
    check_finite(z, "z");
    if (x.nrow() == 0) throw InvalidArgument("x", "a matrix of at least one row", "of none");
    if (!symmetric && z.ncol() != x.ncol())
      throw InvalidArgument("z", "of " + std::to_string(x.ncol()) + " columns, as `x`",
                            "of " + std::to_string(z.ncol()));
    const RRuntime runtime(control);
    const KernelItems items = read_kernels(kernels, x.ncol());
    if (!items.stored.empty() && !symmetric)
      throw InvalidArgument("kernels", "computed from `x` and `z`", "precomputed");
    items.set->check_domain(matrix_view(x), "x");
    if (!symmetric) items.set->check_domain(matrix_view(z), "z");
    const KernelBank bank(items.set, matrix_view(x), items.stored, x.nrow(), runtime);
    const R_xlen_t count = static_cast<R_xlen_t>(bank.size());
    const int rows = symmetric ? x.nrow() : z.nrow();
    Rcpp::List out(count);
    std::vector<double*> target;
    for (R_xlen_t m = 0; m < count; ++m) {
      Rcpp::NumericMatrix matrix(Rcpp::no_init(rows, x.nrow()));
      prefer_huge_pages(matrix.begin(), static_cast<std::size_t>(matrix.size()) * sizeof(double));
      target.push_back(matrix.begin());
      out[m] = matrix;
    }
    const Indices all = all_rows(bank.size());
    if (symmetric) {
      bank.fill(all, target, runtime);
    } else {
      const auto fresh = std::make_shared<Side>(matrix_view(z), all_rows(rows), nullptr, false);
      const auto training =
          std::make_shared<Side>(matrix_view(x), all_rows(x.nrow()), nullptr, true);
      CrossBank(items.set, {}, bank.normalizers(), fresh, training, runtime).fill(all, target);
    }
    return out;
  });
}

// The width sigma that a rule gives on the rows of x.
// [[Rcpp::export]]
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
    const RRuntime runtime(Rcpp::List::create(
        Rcpp::_["threads"] = 1, Rcpp::_["memory"] = 0.0, Rcpp::_["verbose"] = false,
        Rcpp::_["seed"] = 1.0, Rcpp::_["simd"] = "auto"));
    return width_by_rule(matrix_view(x), features, rule, runtime);
  });
}

// The SIMD levels of this processor.
// [[Rcpp::export]]
Rcpp::CharacterVector simd_cpp() { return Rcpp::wrap(simd_levels()); }
