# Series: a vector, or a matrix of times x channels, for each case; list(x = matrix) as raw data.

read_one_series <- function(x, failed) {
  x <- unclass(x)
  x <- matrix(as.double(x), NROW(x), NCOL(x))
  if (length(x) == 0L) failed("has no values. Use NULL for a case without a series.")
  odd <- which(!is.finite(x))
  if (length(odd)) {
    failed(
      "has a missing or infinite value at time ", (odd[1L] - 1L) %% nrow(x) + 1L,
      ". Interpolate it, or leave that time out."
    )
  }
  list(x = x)
}

# The number of channels, which all series have: `known`, or that of the first one.
check_channels <- function(x, argument, label, known = NULL) {
  channels <- vapply(x$values, function(one) if (is.null(one)) NA_integer_ else ncol(one$x), 0L)
  known <- known %||% stats::na.omit(channels)[1L]
  odd <- which(channels != known)
  if (length(odd)) {
    stop_mkl(
      "data_error", argument, "The series of `", argument, "` must have ",
      plural(known, "channel"), ", but ", label(odd[1L]), " has ", channels[odd[1L]], "."
    )
  }
  known
}
