# How fast is EasyMKL on weak kernels made on the fly? Kernels per second against a loop that does
# nothing but what cannot be left out (distance, exponential, sum), one and two threads; and the
# memory that a thousand and a million kernels add to an idle R.
#   Rscript tools/bench/easymkl.R [--quick]
script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(script), "common.R"))

bag_size <- 10
columns <- 60

fit_ours <- function(data, count, threads = 1) {
  easymkl(
    data$x, data$y,
    kernels = kernel_rbf_bags(count, max_features = bag_size, beta = 1, seed = 1),
    control = mkl_control(threads = threads)
  )
}

# ---- a process of its own for each measurement of memory: the peak of a process never falls ------
worker <- match("--worker", bench_args)
if (!is.na(worker)) {
  count <- as.numeric(bench_args[worker + 1])
  data <- plain_data(as.integer(bench_args[worker + 2]), columns)
  gc(FALSE)
  before <- peak_mb()
  seconds <- system.time(fit_ours(data, count))
  cat(before, peak_mb(), seconds[["elapsed"]], "\n")
  quit(status = 0)
}

# ---- the limit -----------------------------------------------------------------------------------

# Sum of `count` Gaussian kernels on bags of columns, over the lower triangle: per entry the squared
# distance of the bag, one exponential, one multiply and add. Vectors of four numbers, contiguous
# columns, sums that stay in the first cache, everything else out of the loop.
limit_code <- '
#include <Rcpp.h>
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

typedef double v4 __attribute__((vector_size(32), aligned(8)));
typedef std::int64_t i4 __attribute__((vector_size(32), aligned(8)));

// Adds exp(x), -708 < x <= 0, relative error about 1e-15.
static inline __attribute__((always_inline)) void add_exp4(const v4& x, double* to) {
  const v4 magic = {6755399441055744.0, 6755399441055744.0, 6755399441055744.0, 6755399441055744.0};
  const v4 t = x * 1.4426950408889634 + magic;
  const v4 n = t - magic;
  const v4 r = (x - n * 6.93145751953125e-1) - n * 1.42860682030941723212e-6;
  v4 p = r * (1.0 / 39916800) + 1.0 / 3628800;
  p = p * r + 1.0 / 362880;
  p = p * r + 1.0 / 40320;
  p = p * r + 1.0 / 5040;
  p = p * r + 1.0 / 720;
  p = p * r + 1.0 / 120;
  p = p * r + 1.0 / 24;
  p = p * r + 1.0 / 6;
  p = p * r + 0.5;
  p = p * r + 1.0;
  p = p * r + 1.0;
  i4 bits;
  std::memcpy(&bits, &t, sizeof bits);
  bits = (bits + 1023) << 52;
  v4 scale;
  std::memcpy(&scale, &bits, sizeof scale);
  *reinterpret_cast<v4*>(to) += p * scale;
}

// Rows [top, top + 16 k) of columns [left, left + width), from the diagonal down.
static inline __attribute__((always_inline)) void run(const double* x, long n, const int* bag,
                                                      long size, double gamma, long top,
                                                      long bottom, long left, long width,
                                                      double* out) {
  for (long j = left; j < left + width; ++j) {
    double* to = out + j * n;
    for (long i = std::max(top, j & ~15L); i < bottom; i += 16) {  // n is a multiple of 16
      v4 s0 = {0, 0, 0, 0}, s1 = s0, s2 = s0, s3 = s0;
      for (long f = 0; f < size; ++f) {
        const double* column = x + bag[f] * n;
        const double z = column[j];
        const v4 d0 = *reinterpret_cast<const v4*>(column + i) - z;
        const v4 d1 = *reinterpret_cast<const v4*>(column + i + 4) - z;
        const v4 d2 = *reinterpret_cast<const v4*>(column + i + 8) - z;
        const v4 d3 = *reinterpret_cast<const v4*>(column + i + 12) - z;
        s0 += d0 * d0;
        s1 += d1 * d1;
        s2 += d2 * d2;
        s3 += d3 * d3;
      }
      add_exp4(-gamma * s0, to + i);
      add_exp4(-gamma * s1, to + i + 4);
      add_exp4(-gamma * s2, to + i + 8);
      add_exp4(-gamma * s3, to + i + 12);
    }
  }
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma")))
static void run_avx2(const double* x, long n, const int* bag, long size, double gamma, long top,
                     long bottom, long left, long width, double* out) {
  run(x, n, bag, size, gamma, top, bottom, left, width, out);
}
#endif

// [[Rcpp::export]]
double limit(Rcpp::NumericMatrix x, int count, int max_size, Rcpp::NumericMatrix out) {
  std::mt19937 random(1);
  std::vector<std::vector<int>> bags(count);
  for (std::vector<int>& bag : bags) {
    bag.resize(1 + random() % max_size);
    for (int& f : bag) f = random() % x.ncol();
  }
  auto job = run;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) job = run_avx2;
#endif
  const long n = x.nrow();
  for (long top = 0; top < n; top += 128) {
    const long bottom = std::min(n, top + 128);
    for (long left = 0; left < bottom; left += 32)
      for (const std::vector<int>& bag : bags)
        job(x.begin(), n, bag.data(), bag.size(), 1.0 / bag.size(), top, bottom, left,
            std::min(32L, bottom - left), out.begin());
  }
  return out(n - 1, 0);
}
'

describe_run()
Rcpp::sourceCpp(code = limit_code)

header(
  "EasyMKL, data to model, bags of up to 10 of 60 columns, CPU time, against the bare loop",
  paste(
    "'peer' is the loop for two passes over all kernels, lower triangle only. The ratio is the",
    "share of the limit that is reached; the fit has a pass for the sum, one for the weights (over",
    "the rows with gamma > 0) and one for the weighted sum, and solves KOMD twice."
  )
)
sizes <- list(c(304, if (quick) 1000 else 4000), c(1008, if (quick) 200 else 1000))
for (size in sizes) {
  n <- size[1]
  count <- size[2]
  data <- plain_data(n, columns)
  scaled <- scale(data$x)
  total <- matrix(0, n, n)
  bare <- 2 * time_of(function() limit(scaled, count, bag_size, total))
  one <- time_of(function() fit_ours(data, count))
  row(sprintf("n = %d, %d kernels", n, count), one, bare, 0.6,
      sprintf("%.0f kernels/s", count / one))
  clock <- time_of(function() fit_ours(data, count), what = "elapsed")
  two <- time_of(function() fit_ours(data, count, 2), what = "elapsed")
  row(sprintf("n = %d, two threads against one, clock", n), two, clock, 1.7)
}

# ---- memory --------------------------------------------------------------------------------------

run_worker <- function(count, n) {
  out <- system2(
    file.path(R.home("bin"), "Rscript"),
    c(shQuote(script), "--worker", format(count, scientific = FALSE), n), stdout = TRUE
  )
  as.numeric(strsplit(trimws(out[length(out)]), " ")[[1]])
}
n <- 500
bar <- 3 * n^2 * 8 / 2^20 + 60
cat(sprintf("\nMemory that a fit adds to an idle R, n = %d\n", n))
cat(sprintf("%-20s %10s %12s %12s\n", "kernels", "seconds", "kernels/s", "added MB"))
for (count in c(1e3, if (quick) 1e5 else 1e6)) {
  r <- run_worker(count, n)
  cat(sprintf("%-20.0f %10.1f %12.0f %12.1f\n", count, r[3], count / r[3], r[2] - r[1]))
  if (!is.na(r[1])) figure(sprintf("  %.0f kernels", count), r[2] - r[1], bar, TRUE, " MB")
}

finish()
