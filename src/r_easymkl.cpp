// EasyMKL whose passes over the kernels are run by other R processes, block by block; and what such
// a process runs.
#include "learners/easymkl.hpp"
#include "r_convert.h"
#include "r_learners.h"
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
          "of " + std::to_string(k.nrow()) + " x " + std::to_string(k.ncol()));
    return Eigen::Map<const Matrix>(k.begin(), n, n);
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
    const Indices& rows = bank.side()->rows;
    Rcpp::IntegerVector out(static_cast<R_xlen_t>(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i)
      out[static_cast<R_xlen_t>(i)] = static_cast<int>(rows[i] + 1);
    return out;
  }

  Rcpp::Function run_;
};

Indices read_rows(const Rcpp::IntegerVector& rows, Index n) {
  Indices out;
  for (int row : rows) {
    if (row == NA_INTEGER || row < 1 || row > n)
      throw InvalidArgument("rows", "positions from 1 to " + std::to_string(n),
                            row == NA_INTEGER ? "NA" : std::to_string(row));
    out.push_back(row - 1);
  }
  return out;
}

}  // namespace

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
// coefficient per row. Normalisers are fitted on all rows of x.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector easymkl_block_cpp(std::string what, Rcpp::NumericMatrix x, int n,
                                      Rcpp::List kernels, Rcpp::IntegerVector rows,
                                      Rcpp::NumericVector values, Rcpp::List control) {
  return guarded([&]() -> Rcpp::NumericVector {
    const RRuntime runtime(control);
    const KernelItems items = read_training(x, n, kernels);
    const KernelBank all(items.set, matrix_view(x), items.stored, n, runtime);
    const KernelBank bank = all.subset(read_rows(rows, n));
    const Vector numbers = to_vector(values);
    const bool sum = what == "sum";
    if (!sum && what != "forms")
      throw InvalidArgument("what", "\"sum\" or \"forms\"", "\"" + what + "\"");
    if (numbers.size() != (sum ? bank.size() : bank.rows()) || !numbers.allFinite())
      throw InvalidArgument("values", "finite, one per kernel or row", "others");
    if (!sum) {
      const Vector forms = bank.quadratic_forms(numbers, runtime);
      if (!forms.allFinite())
        throw InvalidArgument("values", "small enough for distances within the range of numbers",
                              "larger");
      return to_numeric(forms);
    }
    const int size = static_cast<int>(bank.rows());
    Rcpp::NumericMatrix out(Rcpp::no_init(size, size));
    bank.sum(numbers, out.begin(), runtime);
    check_finite(out, "kernels");
    return out;
  });
}

// fit_cpp() for EasyMKL, with `passes` as function(what, rows, values) for all of its passes.
// [[Rcpp::export(rng = false)]]
Rcpp::List easymkl_fit_cpp(Rcpp::NumericMatrix x, Rcpp::List problem, Rcpp::List kernels,
                           Rcpp::List parameters, Rcpp::Function passes, Rcpp::List control) {
  return fit_learner(
      x, problem, kernels,
      [&]() -> std::unique_ptr<Learner> {
        if (entry_integer(control, "threads") != 1)
          throw InvalidArgument("threads", "1 where the kernels are left to other processes",
                                "more");
        return std::make_unique<EasymklLearner>(to_state(parameters), smo_options(control),
                                                std::make_shared<RPasses>(passes));
      },
      control);
}
