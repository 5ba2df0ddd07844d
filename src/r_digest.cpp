// Digests of bytes, see R/fingerprint.R and R/benchmark-file.R.
#include <Rcpp.h>

#include "base/sha256.hpp"

// [[Rcpp::export]]
std::string sha256_cpp(const Rcpp::RawVector& bytes) {
  return mk::sha256(RAW(bytes), static_cast<std::size_t>(Rf_xlength(bytes)));
}
