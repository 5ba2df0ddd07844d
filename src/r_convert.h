// Between R's lists and the core's plain data, and between its exceptions and R's conditions.
#pragma once

#include <Rcpp.h>

#include "base/errors.hpp"
#include "base/state.hpp"
#include "kernels/cross_bank.hpp"
#include "kernels/kernel_bank.hpp"
#include "solvers/smo.hpp"

namespace mk {

// Entries of a list by name; each throws InvalidArgument naming the entry if it is missing or of
// another kind.
SEXP entry(const Rcpp::List& list, const char* name);
double entry_number(const Rcpp::List& list, const char* name);
int entry_integer(const Rcpp::List& list, const char* name);
bool entry_flag(const Rcpp::List& list, const char* name);
std::string entry_text(const Rcpp::List& list, const char* name);
Vector entry_vector(const Rcpp::List& list, const char* name);
Rcpp::List entry_list(const Rcpp::List& list, const char* name);

State to_state(const Rcpp::List& list);
Rcpp::List to_list(const State& state);
std::vector<State> to_states(const Rcpp::List& lists);

MatrixView matrix_view(const Rcpp::NumericMatrix& m);
Vector to_vector(const Rcpp::NumericVector& v);
Rcpp::NumericVector to_numeric(const Vector& v);
Rcpp::NumericMatrix to_numeric_matrix(const Matrix& m);

SmoOptions smo_options(const Rcpp::List& control);

// The kernel items of an R list: their matrices stay where R has them.
struct KernelItems {
  std::shared_ptr<const KernelSet> set;
  std::vector<MatrixView> stored;
  std::vector<std::string> stored_names;
  std::vector<Vector> diagonals;  // of new examples; empty where none was given
  std::vector<Vector> train_diagonals;
};
KernelItems read_kernels(const Rcpp::List& items, Index n_features);
// Throws InvalidArgument if a stored matrix is not finite or of another shape; without columns of
// features (`n_features` = 0) there must be one.
void check_stored(const KernelItems& items, Index rows, Index cols, Index n_features);
// The same for the matrices of n training rows, which are symmetric but for rounding.
void check_training_matrices(const KernelItems& items, Index n, Index n_features);

// Where a square matrix differs most from its transpose, if that is beyond rounding.
struct Asymmetry {
  bool found = false;
  Index row = 0, column = 0;
};
Asymmetry find_asymmetry(const MatrixView& k);

// The kernels of a training set of n rows, after a check of them and of x.
KernelItems read_training(const Rcpp::NumericMatrix& x, Index n, const Rcpp::List& kernels);

// Throws InvalidArgument if an entry of x is not finite.
void check_finite(const Rcpp::NumericMatrix& x, const char* argument);
void check_finite(const MatrixView& x, const std::string& argument);
// The place of the first entry that is NaN or infinite, column by column; -1 if there is none.
Index first_not_finite(const MatrixView& x);

// Runs f and turns Interrupted into R's interrupt.
template <class F>
auto guarded(const F& f) -> decltype(f()) {
  try {
    return f();
  } catch (const Interrupted&) {
    throw Rcpp::internal::InterruptedException();
  } catch (const std::bad_alloc&) {
    throw std::runtime_error(
        "Not enough memory for this problem; a smaller `memory` in mkl_control() stores less.");
  }
}

}  // namespace mk
