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

# Each parameter of each constructor in `wrong`, list(constructor = list(parameter = bad values)):
# the error names it, by the learner and, for the first two values, by its front door if it has one.
# A name with an s too many is an error that names that.
expect_parameters_checked <- function(wrong) {
  d <- two_class(20)
  for (constructor in names(wrong)) {
    door <- sub("^learner_", "", constructor)
    has_door <- door %in% getNamespaceExports("multikernel")
    unnoticed <- character()
    for (name in names(wrong[[constructor]])) {
      values <- wrong[[constructor]][[name]]
      for (i in seq_along(values)) {
        argument <- stats::setNames(values[i], name)
        found <- blamed(constructor, argument)
        if (i <= 2 && has_door) {
          found <- unique(c(found, blamed(door, c(list(d$x, d$y), argument))))
        }
        if (!identical(found, name)) {
          unnoticed <- c(unnoticed, paste(name, "=", deparse1(values[[i]]), ":", toString(found)))
        }
      }
    }
    expect_identical(unnoticed, character(), label = constructor)
    misspelt <- stats::setNames(list(1), paste0(names(wrong[[constructor]])[1], "s"))
    expect_identical(blamed(constructor, misspelt), names(misspelt))
    if (!has_door) next
    expect_identical(blamed(door, c(list(d$x, d$y), misspelt)), names(misspelt))
    expect_identical(blamed(door, list()), "x")
  }
}
