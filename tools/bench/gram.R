# How fast is a kernel matrix? One RBF matrix against kernlab, many widths from one pass against one
# exp() of the C library per entry, one and two threads, all instruction sets.
#   Rscript tools/bench/gram.R [--quick]
script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(script), "common.R"))
describe_run()

levels_here <- multikernel:::simd_cpp()
gamma <- 0.1
d <- 50

# ---- one matrix ----------------------------------------------------------------------------------

matrix_ours <- function(case) {
  multikernel::kernel_matrix(
    multikernel::kernel_rbf(gamma = case$gamma), case$x,
    control = multikernel::mkl_control(simd = case$simd, threads = case$threads)
  )
}
matrix_kernlab <- function(case) kernlab::kernelMatrix(kernlab::rbfdot(case$gamma), case$x)
matrix_zeros <- function(case) matrix(0, nrow(case$x), nrow(case$x))

sizes <- if (quick) 1000 else c(1000, 2000, 5000)
peers <- lapply(sizes, function(n) {
  data <- list(x = plain_data(n, d)$x, gamma = gamma)
  difference <- gram_of(kernel_rbf(gamma = gamma), data$x) - matrix_kernlab(data)@.Data
  list(n = n, data = data, cpu = time_alone(matrix_kernlab, data),
       elapsed = time_alone(matrix_kernlab, data, "elapsed"), difference = max(abs(difference)))
})

header(
  sprintf("R's matrix(0, n, n) against kernlab::kernelMatrix, d = %d, CPU time", d),
  paste(
    "What R takes to allocate a matrix, touch its pages and collect it again. Ours ask for huge",
    "pages and find memory that others have left, so they can be faster. Here and for one RBF",
    "matrix each side is measured in an R process of its own."
  )
)
for (p in peers) row(sprintf("n = %d, zeros", p$n), time_alone(matrix_zeros, p$data), p$cpu)

for (simd in rev(levels_here)) {
  header(
    sprintf("RBF matrix, d = %d, simd = \"%s\", against kernlab::kernelMatrix", d, simd),
    "One thread: CPU time of both. Two threads: time on the clock of both."
  )
  for (p in peers) {
    on <- function(threads) c(p$data, simd = simd, threads = threads)
    row(sprintf("n = %d, one thread", p$n), time_alone(matrix_ours, on(1)), p$cpu,
        if (simd == "baseline") 6 else 13, sprintf("largest difference %.1e", p$difference))
    row(sprintf("n = %d, two threads", p$n), time_alone(matrix_ours, on(2), "elapsed"), p$elapsed)
  }
}

# ---- many widths ---------------------------------------------------------------------------------

n <- if (quick) 1000 else 2000
widths <- 2^(-6:7)
x <- plain_data(n, d)$x
z <- plain_data(2 * n, d)$x[n + seq_len(n), ]
kernels <- kernel_rbf(sigma = widths)

# Squared distances by plain differences, the most accurate way.
distances <- matrix(0, n, n)
for (k in seq_len(d)) distances <- distances + outer(z[, k], x[, k], `-`)^2

one_exp_each <- function() for (sigma in widths) exp(distances * (-0.5 / sigma^2))

header(
  sprintf("%d RBF widths 2^-6 .. 2^7 at n = %d, against one exp() of libm per entry and width",
          length(widths), n),
  paste(
    "Ours: the sum of all kernels, as learners need it, the pass over the features included; and",
    "the matrices one by one, where filling 450 MB of fresh memory takes longer than computing",
    "them ('block': new rows against training rows, 'symmetric': training rows). Peer: exp() over",
    "a ready matrix of distances, n x n entries, for each width."
  )
)
peer <- time_of(one_exp_each)
peer_clock <- time_of(one_exp_each, what = "elapsed", repeats = 2)
for (simd in rev(levels_here)) {
  block <- function(threads) {
    kernel_matrix(kernels, x, z, control = mkl_control(simd = simd, threads = threads))
  }
  square <- function() kernel_matrix(kernels, x, control = mkl_control(simd = simd))
  total <- function(threads) {
    kernel_matrix(kernels, x, weights = 1, control = mkl_control(simd = simd, threads = threads))
  }
  row(sprintf("%s, sum, one thread", simd), time_of(function() total(1)), peer,
      if (simd == "baseline") NA else 10)
  row(sprintf("%s, sum, two threads (clock)", simd),
      time_of(function() total(2), what = "elapsed"), peer_clock)
  row(sprintf("%s, symmetric, one thread", simd), time_of(square), peer)
  row(sprintf("%s, block, one thread", simd), time_of(function() block(1)), peer)
  row(sprintf("%s, block, two threads (clock)", simd),
      time_of(function() block(2), what = "elapsed"), peer_clock)

  matrices <- block(1)
  errors <- vapply(seq_along(widths), function(m) {
    right <- exp(distances * (-0.5 / widths[m]^2))
    seen <- right > 1e-290 # below that a double has no full accuracy
    if (!any(seen)) return(0)
    max(abs(matrices[[m]][seen] - right[seen]) / right[seen])
  }, 0)
  figure(sprintf("%s, largest relative error", simd), max(errors), 1e-12, at_most = TRUE)
  rm(matrices)
}

finish()
