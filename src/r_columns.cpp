// Columns of data frames as one numeric matrix, which is written once: data of any size are copied
// one time only.
#include <algorithm>
#include <cmath>

#include "r_convert.h"

using namespace mk;

namespace {

// A numeric vector or matrix, or the codes 1, 2, ... of a factor that become indicators; 0 is a
// level without an indicator.
struct Block {
  SEXP values;
  int levels;  // of a factor, 0 for numbers
  R_xlen_t columns(R_xlen_t n) const {
    if (levels > 0) return levels;
    return Rf_isMatrix(values) ? Rf_ncols(values) : (n > 0 ? Rf_xlength(values) / n : 1);
  }
};

void write_indicators(const Rcpp::IntegerVector& codes, int levels, R_xlen_t n, double* out) {
  std::fill(out, out + n * levels, 0.0);
  for (R_xlen_t i = 0; i < n; ++i) {
    if (codes[i] == NA_INTEGER) {
      for (int level = 0; level < levels; ++level) out[level * n + i] = NA_REAL;
    } else if (codes[i] > 0) {
      out[(codes[i] - 1) * n + i] = 1.0;
    }
  }
}

void write_numbers(SEXP values, double* out) {
  const R_xlen_t size = Rf_xlength(values);
  if (TYPEOF(values) == REALSXP) {
    std::copy(REAL_RO(values), REAL_RO(values) + size, out);
    return;
  }
  const int* whole = TYPEOF(values) == INTSXP ? INTEGER_RO(values) : LOGICAL_RO(values);
  for (R_xlen_t i = 0; i < size; ++i)
    out[i] = whole[i] == NA_INTEGER ? NA_REAL : static_cast<double>(whole[i]);
}

void check_block(const Block& block, R_xlen_t n) {
  const int type = TYPEOF(block.values);
  const bool numbers = type == REALSXP || type == INTSXP || type == LGLSXP;
  const R_xlen_t size = block.levels > 0 ? n : n * block.columns(n);
  if (!numbers || (block.levels > 0 && type != INTSXP) || Rf_xlength(block.values) != size)
    throw InvalidArgument("columns", "numbers, " + std::to_string(n) + " in each",
                          std::string("of type ") + Rf_type2char(TYPEOF(block.values)) +
                              " and length " + std::to_string(Rf_xlength(block.values)));
  if (block.levels == 0) return;
  for (const int code : Rcpp::IntegerVector(block.values))
    if (code != NA_INTEGER && (code < 0 || code > block.levels))
      throw InvalidArgument("columns", "codes of levels", std::to_string(code));
}

}  // namespace

// Blocks side by side. `levels`: for each block the number of levels of a factor, or 0.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix bind_columns_cpp(Rcpp::List blocks, Rcpp::IntegerVector levels, int n,
                                     Rcpp::CharacterVector names) {
  return guarded([&] {
    std::vector<Block> parts;
    R_xlen_t width = 0;
    for (R_xlen_t b = 0; b < blocks.size(); ++b) {
      parts.push_back({blocks[b], levels[b]});
      check_block(parts.back(), n);
      width += parts.back().columns(n);
    }
    if (names.size() != width)
      throw InvalidArgument("names", "one for each of " + std::to_string(width) + " columns",
                            std::to_string(names.size()));
    Rcpp::NumericMatrix x(Rcpp::no_init(n, static_cast<int>(width)));
    double* out = x.begin();
    for (const Block& part : parts) {
      if (part.levels > 0) write_indicators(part.values, part.levels, n, out);
      else write_numbers(part.values, out);
      out += n * part.columns(n);
    }
    x.attr("dimnames") = Rcpp::List::create(R_NilValue, names);
    return x;
  });
}

// Which rows of x have no missing value, and row and column of the first infinite value, by
// columns: list(complete, infinite).
// [[Rcpp::export(rng = false)]]
Rcpp::List complete_rows_cpp(Rcpp::NumericMatrix x) {
  return guarded([&] {
    const MatrixView view = matrix_view(x);
    Rcpp::LogicalVector complete(x.nrow(), TRUE);
    std::optional<Place> infinite;
    for (Index j = 0; j < view.cols; ++j) {
      const double* column = view.column(j);
      for (Index i = 0; i < view.rows; ++i) {
        if (std::isfinite(column[i])) continue;
        if (std::isnan(column[i])) complete[i] = FALSE;
        else if (!infinite) infinite = Place{i, j};
      }
    }
    return Rcpp::List::create(Rcpp::_["complete"] = complete,
                              Rcpp::_["infinite"] = to_place(infinite));
  });
}

// Whether all texts are ASCII (or NA), so that their encoding does not matter: the functions of R
// that tell take longer than to count the words of the texts.
// [[Rcpp::export(rng = false)]]
bool is_ascii_cpp(Rcpp::CharacterVector x) {
  return guarded([&] {
    for (R_xlen_t i = 0; i < x.size(); ++i) {
      const SEXP text = STRING_ELT(x, i);
      const char* bytes = CHAR(text);
      unsigned char all = 0;
      for (R_xlen_t k = 0; k < Rf_xlength(text); ++k) all |= static_cast<unsigned char>(bytes[k]);
      if (all >= 0x80) return false;
    }
    return true;
  });
}
