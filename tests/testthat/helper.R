# Small data sets, the same at every call and without touching the random numbers of R.

two_class <- function(n = 60, p = 3) {
  i <- seq_len(n)
  x <- vapply(seq_len(p), function(j) sin(i * (j + 0.37)) + cos(i^2 * 0.11 * j), numeric(n))
  colnames(x) <- paste0("v", seq_len(p))
  y <- factor(ifelse(x[, 1]^2 + x[, 2] + 0.4 * sin(7 * i) > 0.8, "yes", "no"))
  list(x = x, y = y, data = data.frame(x, class = y))
}

three_class <- function(n = 90) {
  data <- iris[round(seq(1, 150, length.out = n)), ]
  rownames(data) <- NULL
  data
}

numbers <- function(n = 50) {
  d <- two_class(n)
  list(x = d$x, y = drop(d$x[, 1] + 0.5 * d$x[, 2]^2), data = data.frame(d$x, out = d$x[, 1]))
}

# Without the names of cases: for comparisons of forms of data that have other names, or none.
bare <- function(x) {
  if (is.array(x)) {
    names <- dimnames(x)
    if (is.null(names)) return(x)
    names[1L] <- list(NULL)
    dimnames(x) <- if (all(vapply(names, is.null, NA))) NULL else names
    return(x)
  }
  names(x) <- NULL
  x
}

# The matrix of a Gaussian kernel, written out.
gauss <- function(x, z, sigma) {
  out <- matrix(0, nrow(x), nrow(z))
  for (i in seq_len(nrow(x))) {
    for (j in seq_len(nrow(z))) out[i, j] <- exp(-sum((x[i, ] - z[j, ])^2) / (2 * sigma^2))
  }
  out
}

expect_mkl_error <- function(object, pattern = NULL, argument = NULL, class = "multikernel_error",
                             ...) {
  error <- expect_error(object, pattern, class = class, ...)
  expect_s3_class(error, "multikernel_error")
  if (!is.null(argument)) expect_identical(error$argument, argument)
  invisible(error)
}

# The picture as a whole, drawn to SVG. Another version of ggplot2 draws it otherwise.
expect_picture <- function(title, plot) {
  skip_if_not_installed("vdiffr")
  version <- utils::packageVersion("ggplot2")
  skip_if(version < "3.4.0" || version >= "3.5.0", "the pictures were drawn by ggplot2 3.4")
  skip_if(utils::packageVersion("scales") >= "1.3.0", "the pictures were drawn with scales 1.2")
  vdiffr::expect_doppelganger(title, plot)
}

# For snapshots of warnings: what was reached differs in its last digits between processors.
hide_reached <- function(lines) sub(" is [0-9.e-]+[0-9][.] Raise", " is <number>. Raise", lines)

# For snapshots: lists of learners, which grow with every new one.
without_learners <- function(lines) {
  one <- "learner_\\w+\\(\\)"
  gsub(paste0(one, "(, ", one, ")* and (", one, "|others)"), "<learners>", lines)
}
