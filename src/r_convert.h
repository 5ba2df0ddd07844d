// Between R's lists and the core's plain data, and between its exceptions and R's conditions.
#pragma once

#include <Rcpp.h>

#include <optional>

#include "base/errors.hpp"
#include "base/state.hpp"
#include "features/features.hpp"
#include "solvers/smo.hpp"

namespace mk {

// Entries of a list by name; each throws InvalidArgument naming the entry if it is missing
// or of another kind.
SEXP entry(const Rcpp::List& list, const char* name);
double entry_number(const Rcpp::List& list, const char* name);
int entry_integer(const Rcpp::List& list, const char* name);
bool entry_flag(const Rcpp::List& list, const char* name);
std::string entry_text(const Rcpp::List& list, const char* name);
// An element that is a list, for instance a model of a fit, and the state of such a model.
Rcpp::List entry_list(const Rcpp::List& list, R_xlen_t position);
Rcpp::List entry_list(const Rcpp::List& list, const char* name);
State model_state(const Rcpp::List& model);

// By the type in R: integers are positions (from 1 there, from 0 in a State), doubles and flags are
// numbers, strings are texts. Matrices stay where R has them; NULL is left out.
State to_state(const Rcpp::List& list);
Rcpp::List to_list(const State& state);
std::vector<State> to_states(const Rcpp::List& lists);

// Features as R has them: a matrix of doubles, which stays where it is, or a list with their type.
SharedFeatures read_features(SEXP x);
MatrixView matrix_view(const Rcpp::NumericMatrix& m);
Vector to_vector(const Rcpp::NumericVector& v);
Rcpp::NumericVector to_numeric(const Vector& v);
Rcpp::NumericMatrix to_numeric_matrix(const Matrix& m);
Rcpp::IntegerVector to_positions(const Indices& rows);
// Row and column; empty if there is no place.
Rcpp::IntegerVector to_place(const std::optional<Place>& place);
// A list with f(element) for each element.
template <class T, class F>
Rcpp::List list_of(const std::vector<T>& values, const F& f) {
  Rcpp::List out(static_cast<R_xlen_t>(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) out[static_cast<R_xlen_t>(i)] = f(values[i]);
  return out;
}
// A non-negative whole number.
Index read_count(const char* name, double value);
// Positions of n rows; NULL: all of them.
Indices read_rows(SEXP rows, Index n, const char* argument);

SmoOptions smo_options(const Rcpp::List& control);

// Raises the R condition of an error of the core, see core_error() in R/base-conditions.R.
[[noreturn]] void raise(const InvalidArgument& error);

// Runs f and turns exceptions of the core into conditions of R. R's own long jumps (errors of R
// code, interrupts, time limits) pass as the exceptions that Rcpp made of them.
template <class F>
auto guarded(const F& f) -> decltype(f()) {
  try {
    return f();
  } catch (const Interrupted&) {
    throw Rcpp::internal::InterruptedException();
  } catch (const InvalidArgument& error) {
    raise(error);
  } catch (const std::bad_alloc&) {
    raise(InvalidArgument(
        "Not enough memory for this problem; a smaller `memory` in mkl_control() stores less.",
        "memory"));
  } catch (const std::exception& error) {
    raise(InvalidArgument(error.what()));
  }
}

}  // namespace mk
