# Fits to views: what is done about missing views, which views are scaled, and which learners see
# the columns of all views side by side.

# The frame once it is known what it is for. A learner of columns, or of a single kernel if the user
# names none, sees the columns of all views side by side.
settle_views <- function(frame, settings, learner) {
  frame <- settle_text(frame, settings$kernels)
  if (!is_view_features(frame$x)) {
    inform_missing(settings$missing)
    return(frame)
  }
  free <- is.null(settings$kernels) && is.null(frame$kernels)
  alone <- length(frame$x$views) == 1L && length(number_views(frame$x)) == 0L
  if (is_feature_learner(learner) || (free && uses_one_kernel(learner) && !alone)) {
    check_loose(frame, NULL)
    frame$blueprint$flat <- TRUE
  }
  missing <- settings$missing %||% usual_missing(frame, learner)
  if (missing == "available") check_sums(learner)
  frame$x$missing <- frame$blueprint$missing <- missing
  frame
}

# Of a case that lacks a view there is a sum of kernels, but no product.
check_sums <- function(learner) {
  if (!learner$product) return(invisible())
  maker <- paste0(constructor_name(learner), "(combine = \"product\")")
  expected <- paste0("\"impute\" or \"omit\" for ", maker, ", which needs all views of a case")
  stop_must("missing", expected, "available")
}

# Whether values of the cases, such as a response, are matched by the names of the cases.
goes_by_case <- function(blueprint) {
  inherits(blueprint, "frame_views") && !inherits(blueprint, "frame_mixed")
}

# The response of new cases, in their order. `newdata` NULL: it is in their order already.
match_new_response <- function(object, newdata, y, argument = "y") {
  if (is.null(y) || is.null(newdata) || !goes_by_case(object$frame)) return(y)
  match_response(y, case_names(as_new_form(object$frame, newdata)), argument, "argument_error")
}

inform_missing <- function(missing) {
  if (is.null(missing) || missing == "omit") return(invisible())
  inform_mkl(
    "missing_unused", "`missing = \"", missing, "\"` has no effect on data that are not views: ",
    "rows with missing values follow `na.action`. Give the data as views() to use it."
  )
}

# Learners that see all columns at once, or a product of the kernels of all views, need all views.
usual_missing <- function(frame, learner) {
  if (inherits(frame$blueprint, "frame_mixed")) return("omit")
  if (isTRUE(frame$blueprint$flat) || learner$product) "impute" else "available"
}

# The learner of a fit. Several views have a kernel each at least, also where a single one is given
# for all of them, so that the default is one that weighs them.
frame_learner <- function(learner, kernels, frame) {
  if (!is.null(learner)) return(check_learner(learner))
  frame <- settle_text(frame, kernels)
  kernels <- all_kernels(kernels, frame)
  if (is_view_features(frame$x)) {
    if (is.null(kernels) && length(frame$views) > 1L) return(learner_called("simplemkl"))
    if (!is.null(kernels)) kernels <- without_repeats(view_kernels(kernels, frame, NULL, FALSE))
  }
  choose_learner(NULL, kernels)
}

# By default, or at all.
uses_one_kernel <- function(learner) {
  learner$takes$max == 1 || length(learner$kernels(2, TRUE, c("a", "b"))) == 1L
}

# Whether each view is standardized: as the user asked, else if it is dense. Columns that a kernel
# needs as they are, see settle_raw(), are left so unless the user asked otherwise.
settle_scale <- function(frame, kernels) {
  frame <- densify_views(frame, kernels)
  check_loose(frame, seen_views(kernels))
  asked <- frame$blueprint$scale_views
  dense <- vapply(frame$x$views[names(asked)], is.matrix, NA)
  frame$asked_scale <- asked
  frame$blueprint$scale_views <- ifelse(is.na(asked), dense, asked)
  frame
}
