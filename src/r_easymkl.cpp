// EasyMKL whose passes over the kernels are run by other R processes, block by block; and what such
// a process runs.
#include "r_easymkl.h"

#include "api/kernel_items.hpp"
#include "base/checks.hpp"
#include "r_convert.h"
#include "r_runtime.h"

using namespace mk;

namespace {

// Calls back an R function(what, rows, values), on R's own thread: the runtime has one thread only.
class RPasses final : public KernelPasses {
 public:
  explicit RPasses(Rcpp::Function run) : run_(std::move(run)) {}

  Matrix sum(const KernelBank& bank, const Vector& weights, const Runtime&) const override {
    const Rcpp::NumericMatrix k(run_("sum", positions(bank), to_numeric(weights)));
    const Index n = bank.rows();
    if (k.nrow() != n || k.ncol() != n)
      throw InvalidArgument(
          "passes", "a function that gives a matrix of " + std::to_string(n) + " rows and columns",
          "of " + format_size(k.nrow(), k.ncol()));
    return as_matrix(matrix_view(k));
  }

  Vector forms(const KernelBank& bank, const Vector& b, const Runtime&) const override {
    const Vector forms =
        to_vector(Rcpp::NumericVector(run_("forms", positions(bank), to_numeric(b))));
    if (forms.size() != bank.size())
      throw InvalidArgument("passes", "a function that gives one number per kernel",
                            std::to_string(forms.size()) + " numbers");
    return forms;
  }

 private:
  static Rcpp::IntegerVector positions(const KernelBank& bank) {
    return to_positions(bank.group().rows());
  }

  Rcpp::Function run_;
};

}  // namespace

std::shared_ptr<const KernelPasses> mk::make_passes(const Rcpp::Function& run,
                                                    const Rcpp::List& control) {
  if (entry_integer(control, "threads") != 1)
    throw InvalidArgument("threads", "1 where the kernels are left to other processes", "more");
  return std::make_shared<RPasses>(run);
}

// Where the blocks begin, counted from 1, and one past the end of the last.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector easymkl_blocks_cpp(double kernels) {
  return guarded([&] {
    if (!(kernels >= 1.0 && kernels <= 9e15))
      throw InvalidArgument("kernels", "a number of kernels", format_number(kernels));
    const Indices bounds = kernel_blocks(static_cast<Index>(kernels));
    Rcpp::NumericVector out(static_cast<R_xlen_t>(bounds.size()));
    for (std::size_t b = 0; b < bounds.size(); ++b)
      out[static_cast<R_xlen_t>(b)] = static_cast<double>(bounds[b] + 1);
    return out;
  });
}

// One block of a pass: `what` is "sum", with one weight per kernel, or "forms", with one
// coefficient per row. Normalizers are fitted on all rows of x.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector easymkl_block_cpp(std::string what, SEXP x, Rcpp::List kernels,
                                      Rcpp::IntegerVector rows, Rcpp::NumericVector values,
                                      Rcpp::List control) {
  return guarded([&]() -> Rcpp::NumericVector {
    const RRuntime runtime(control);
    const KernelBank all = training_bank(read_features(x), to_states(kernels), runtime);
    const KernelBank bank = all.subset(read_rows(rows, all.rows(), "rows"));
    const Vector numbers = to_vector(values);
    const bool sum = what == "sum";
    if (!sum && what != "forms")
      throw InvalidArgument("what", "\"sum\" or \"forms\"", "\"" + what + "\"");
    if (numbers.size() != (sum ? bank.size() : bank.rows()) || !numbers.allFinite())
      throw InvalidArgument("values", "finite, one per kernel or row", "others");
    if (!sum) {
      const Vector forms = bank.quadratic_forms(all_rows(bank.size()), numbers, runtime);
      if (!forms.allFinite())
        throw InvalidArgument("values", "small enough for distances within the range of numbers",
                              "larger");
      return to_numeric(forms);
    }
    const int size = static_cast<int>(bank.rows());
    Rcpp::NumericMatrix out(Rcpp::no_init(size, size));
    bank.sum(numbers, out.begin(), runtime);
    check_finite(matrix_view(out), "kernels");
    return out;
  });
}
