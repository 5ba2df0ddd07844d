// Digests of bytes, see R/fingerprint.R and R/benchmark-file.R.
#include <Rcpp.h>

#include <algorithm>

#include "base/sha256.hpp"

// The digest of all bytes but the first `skip`.
// [[Rcpp::export]]
std::string sha256_cpp(const Rcpp::RawVector& bytes, int skip = 0) {
  const auto size = static_cast<std::size_t>(Rf_xlength(bytes));
  const std::size_t from = std::min(size, static_cast<std::size_t>(skip));
  return mk::sha256(RAW(bytes) + from, size - from);
}
