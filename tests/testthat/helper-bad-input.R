# What the tests of bad input share.

# What no number may be, with the values below and above its range.
no_number <- function(..., null = TRUE) {
  c(list(NaN, NA, NA_real_, c(0.5, 0.5), "0.5", TRUE, list(0.5), 0.5i, -Inf, factor(1), sum),
    list(...), if (null) list(NULL))
}
no_count <- function(..., null = TRUE) no_number(0, -1, 1.5, Inf, ..., null = null)
no_choice <- function() list("none of them", NA_character_, 1, TRUE, NULL, list("D1"), character())

# The argument that the error of a call names, or what came instead.
blamed <- function(f, arguments) {
  error <- tryCatch(do.call(f, arguments), error = identity)
  if (inherits(error, "multikernel_error")) error$argument else class(error)[1]
}
