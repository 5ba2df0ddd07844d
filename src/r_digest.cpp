// Digests: of an R list, by which a fit tells whether its parts are still those that it was made
// of, and of bytes, see R/compare-fingerprint.R and R/compare-benchmark-file.R.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "base/sha256.hpp"
#include "r_convert.h"

using namespace mk;

namespace {

constexpr R_xlen_t most_values = 256;  // of one vector that are looked at
constexpr int most_levels = 64;

// It takes microseconds: all of the structure, and of long vectors some of the values. Structure,
// text and whole numbers make a hash. Real numbers are summed up with weights and compared up to
// rounding instead: saveRDS(ascii = TRUE) keeps 15 digits of them.
class Digest {
 public:
  void add(SEXP x, int level = 0) {
    // No list of a fit is nested so deeply: it is another digest than that of the fit.
    if (level > most_levels) return mix(std::uint64_t{259});
    mix(static_cast<std::uint64_t>(TYPEOF(x)));
    switch (TYPEOF(x)) {
      case VECSXP:
        add_list(x, level);
        break;
      case STRSXP:
        add_each(x, [&](R_xlen_t i) { add_text(STRING_ELT(x, i)); });
        break;
      case INTSXP:
        add_each(x, [&](R_xlen_t i) { mix(INTEGER_ELT(x, i)); });
        break;
      case LGLSXP:
        add_each(x, [&](R_xlen_t i) { mix(LOGICAL_ELT(x, i)); });
        break;
      case REALSXP:
        add_each(x, [&](R_xlen_t i) { add_number(REAL_ELT(x, i)); });
        break;
      // Functions, calls and environments: that there is one.
      default:
        return;
    }
    if (TYPEOF(x) != VECSXP) add_attribute(x, R_NamesSymbol, level);
    for (SEXP symbol : {R_DimSymbol, R_DimNamesSymbol, R_ClassSymbol, R_LevelsSymbol})
      add_attribute(x, symbol, level);
  }
  std::string hash() const {
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash_));
    return text;
  }
  double sum() const { return sum_; }

 private:
  void mix(std::uint64_t value) {
    hash_ = (hash_ ^ value) * 0x9E3779B97F4A7C15ULL;
    hash_ ^= hash_ >> 32;
  }
  void mix(int value) { mix(static_cast<std::uint64_t>(static_cast<std::int64_t>(value))); }
  void mix_bytes(const char* text) {
    for (; *text != '\0'; ++text) mix(static_cast<int>(static_cast<unsigned char>(*text)));
    mix(std::uint64_t{256});
  }
  // Names of a list are added with its elements.
  void add_attribute(SEXP x, SEXP symbol, int level) {
    const SEXP value = Rf_getAttrib(x, symbol);
    if (value != R_NilValue) add(value, level + 1);
    else mix(std::uint64_t{260});
  }
  // Other characters than those of ASCII may change their bytes with the locale.
  void add_text(SEXP text) {
    if (text == NA_STRING) return mix(std::uint64_t{257});
    const char* bytes = CHAR(text);
    for (const char* b = bytes; *b != '\0'; ++b)
      if (static_cast<unsigned char>(*b) > 127) return mix(std::uint64_t{258});
    mix_bytes(bytes);
  }
  // log2|x|, made of straight pieces: a small change of x is a small change of the sum, of
  // whatever size x is. The weights tell the order.
  void add_number(double x) {
    ++count_;
    double value = 0.0;
    if (std::isnan(x)) {
      value = R_IsNA(x) ? 5000.0 : 6000.0;
    } else if (std::isinf(x)) {
      value = x > 0.0 ? 3000.0 : -3000.0;
    } else if (x != 0.0) {
      int exponent = 0;
      const double mantissa = std::frexp(std::abs(x), &exponent);
      value = std::copysign(exponent + 2.0 * mantissa + 1200.0, x);
    }
    sum_ += value * (1.0 + static_cast<double>(count_ * 40503U % 65536U) / 65536.0);
  }
  template <class F>
  void add_each(SEXP x, const F& add_one) {
    const R_xlen_t n = Rf_xlength(x);
    mix(static_cast<std::uint64_t>(n));
    if (n <= most_values) {
      for (R_xlen_t i = 0; i < n; ++i) add_one(i);
    } else {
      for (R_xlen_t k = 0; k < most_values; ++k) add_one(k * (n - 1) / (most_values - 1));
    }
  }
  // How long a fit took is no part of it.
  void add_list(SEXP x, int level) {
    const SEXP names = Rf_getAttrib(x, R_NamesSymbol);
    const bool named = TYPEOF(names) == STRSXP;
    std::uint64_t used = 0;
    for (R_xlen_t i = 0; i < Rf_xlength(x); ++i) {
      if (named && std::strcmp(CHAR(STRING_ELT(names, i)), "seconds") == 0) continue;
      if (named) add_text(STRING_ELT(names, i));
      add(VECTOR_ELT(x, i), level + 1);
      ++used;
    }
    mix(used);
  }

  std::uint64_t hash_ = 0x6D6B6C2D66697431ULL, count_ = 0;
  double sum_ = 0.0;
};

}  // namespace

// For each element of a list: `hash`, a text, and `sum`, a number.
// [[Rcpp::export(rng = false)]]
Rcpp::List digest_cpp(Rcpp::List parts) {
  return guarded([&] {
    Rcpp::CharacterVector hashes(parts.size());
    Rcpp::NumericVector sums(parts.size());
    for (R_xlen_t i = 0; i < parts.size(); ++i) {
      Digest digest;
      digest.add(parts[i]);
      hashes[i] = digest.hash();
      sums[i] = digest.sum();
    }
    return Rcpp::List::create(Rcpp::_["hash"] = hashes, Rcpp::_["sum"] = sums);
  });
}

// The digest of all bytes but the first `skip`.
// [[Rcpp::export]]
std::string sha256_cpp(const Rcpp::RawVector& bytes, int skip = 0) {
  const auto size = static_cast<std::size_t>(Rf_xlength(bytes));
  const std::size_t from = std::min(size, static_cast<std::size_t>(skip));
  return sha256(RAW(bytes) + from, size - from);
}
