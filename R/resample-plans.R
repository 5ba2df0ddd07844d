#' Resampling plans: cross-validation, holdout, bootstrap, grouped folds
#'
#' Define how data are repeatedly divided into training and test rows. [cv_mkl()], [tune_mkl()]
#' and other functions accept such a plan, an integer vector of folds, or an object of the package
#' rsample.
#'
#' @details
#' * `resample_cv()`: the rows are divided into `v` folds; each is the test part once and belongs
#'   to the training part otherwise. This is repeated `repeats` times.
#' * `resample_5x2()`: five repeats of two folds, as required by the tests of Dietterich (1998)
#'   and Alpaydin (1999).
#' * `resample_holdout()`: `times` random divisions into two parts.
#' * `resample_bootstrap()`: n rows drawn with replacement for training, the rows not drawn for
#'   testing.
#' * `resample_folds()`: user-defined folds.
#'
#' With `stratify = TRUE` each part has the class proportions of all rows: in `resample_cv()` the
#' number of rows of a class differs by at most one between the folds of a repeat, and so do the
#' sizes of the folds. For regression the strata are five groups of equal size by the order of the
#' response.
#'
#' With `group`, rows of the same group stay together: a group is never in both parts. Groups are
#' assigned from the largest to the smallest, each to the fold for which the shares \eqn{s_{fc}}
#' of fold f in the rows of class c remain closest to their targets \eqn{t_f},
#' \deqn{\min_f \sum_f \sum_c (s_{fc} - t_f)^2.}{
#'   min over f of sum_f sum_c (s_fc - t_f)^2.}
#'
#' # Choosing a plan
#' * `resample_cv(10)` for the error of one method, with several `repeats` for up to a few hundred
#'   rows.
#' * `resample_5x2()` to compare two methods on one data set with a test.
#' * `resample_holdout(0.5, 20)` is the plan of the MKBoost paper.
#' * `group` if rows are not independent, such as several measurements of one patient or several
#'   parts of one image. Without it estimates are optimistic.
#'
#' # Random numbers
#' A plan contains no rows. They are drawn by `resample_splits()`, which is called by [cv_mkl()]
#' and other functions: use [set.seed()] before these to reproduce the splits.
#'
#' @param v Number of folds, at least 2.
#' @param repeats Number of repetitions, each with a new division into folds.
#' @param stratify `TRUE` to keep the proportion of classes (or the distribution of a numeric
#'   response) in each part.
#' @param group Vector with one value for each row; rows with the same value stay together.
#' @param p Size of the training part: a share of the rows between 0 and 1, or a number of rows.
#' @param times Number of random divisions.
#' @param fold Vector with the fold of each row (integer, factor or character); `NA` for rows that
#'   are always in the training part. The order of text does not depend on the locale.
#' @param resample A plan; or an integer vector of folds; or an `rset` or `rsplit` of the package
#'   rsample; or a list of splits as `resample_splits()` returns it.
#' @param y The response, one value for each row. `NULL` for one-class problems.
#' @param n Number of rows, if there is no `y`.
#' @param ... Not used; misspelled arguments raise an error.
#' @return The constructors: a plan, class `mkl_resample`. `resample_splits()`: a list with one
#'   element for each split, `list(id, repeat, fold, train, test)`, with the positions of the rows
#'   in `train` and `test`.
#' @references
#' Dietterich, T. G. (1998). Approximate statistical tests for comparing supervised classification
#' learning algorithms. *Neural Computation* 10, 1895-1923.
#'
#' Alpaydin, E. (1999). Combined 5 x 2 cv F test for comparing supervised classification learning
#' algorithms. *Neural Computation* 11, 1885-1892.
#'
#' Kohavi, R. (1995). A study of cross-validation and bootstrap for accuracy estimation and model
#' selection. In *Proceedings of the International Joint Conference on Artificial Intelligence*,
#' 1137-1143.
#' @family resampling
#' @order 1
#' @examples
#' resample_cv(5, repeats = 2)
#' set.seed(1)
#' splits <- resample_splits(resample_cv(5), iris$Species)
#' table(iris$Species[splits[[1]]$test])
#'
#' # flowers of one plot stay together
#' plot <- rep(1:30, each = 5)
#' splits <- resample_splits(resample_cv(5, group = plot), iris$Species)
#' intersect(plot[splits[[1]]$train], plot[splits[[1]]$test])
#' @export
resample_cv <- function(v = 10, repeats = 1, stratify = TRUE, group = NULL, ...) {
  check_dots(...)
  new_resample(
    "cv", v = as.integer(check_number(v, "v", 2, whole = TRUE)),
    repeats = as.integer(check_number(repeats, "repeats", 1, whole = TRUE)),
    stratify = stratify, group = group
  )
}

#' @rdname resample_cv
#' @order 2
#' @export
resample_5x2 <- function(stratify = TRUE, group = NULL, ...) {
  check_dots(...)
  new_resample("5x2", v = 2L, repeats = 5L, stratify = stratify, group = group)
}

#' @rdname resample_cv
#' @order 2
#' @export
resample_holdout <- function(p = 0.5, times = 20, stratify = TRUE, group = NULL, ...) {
  check_dots(...)
  fine <- is_number(p) && is.finite(p) && p > 0 && p != 1 && (p < 1 || p == round(p))
  if (!fine) {
    stop_must("p", "a share between 0 and 1, or a whole number of training rows above 1", p)
  }
  new_resample(
    "holdout", p = as.double(p), stratify = stratify, group = group,
    times = as.integer(check_number(times, "times", 1, whole = TRUE))
  )
}

#' @rdname resample_cv
#' @order 2
#' @export
resample_bootstrap <- function(times = 25, stratify = TRUE, group = NULL, ...) {
  check_dots(...)
  new_resample(
    "bootstrap", times = as.integer(check_number(times, "times", 1, whole = TRUE)),
    stratify = stratify, group = group
  )
}

#' @rdname resample_cv
#' @order 2
#' @export
resample_folds <- function(fold, ...) {
  check_dots(...)
  expected <- "a vector with the fold of each row, with at least two folds"
  fine <- is.factor(fold) || (is.atomic(fold) && !is.object(fold) && is.null(dim(fold)))
  if (!fine || length(fold) == 0L) stop_must("fold", expected, fold)
  if (is.double(fold) && any(fold != round(fold), na.rm = TRUE)) {
    stop_mkl(
      "argument_error", "fold", "`fold` must hold whole numbers, but element ",
      which(fold != round(fold))[1L], " is ", format_number(fold[fold != round(fold)][1L]), "."
    )
  }
  values <- if (is.factor(fold)) levels(droplevels(fold)) else sorted_values(fold)
  if (length(values) < 2L && !anyNA(fold)) {
    stop_mkl("argument_error", "fold", "`fold` must be ", expected, ", but all rows are in one.")
  }
  if (length(values) == 0L) {
    stop_mkl("argument_error", "fold", "`fold` must be ", expected, ", but all rows are NA.")
  }
  labels <- as.character(values)
  new_plan(
    "folds", fold = stats::setNames(match(as.character(fold), labels), names(fold)), labels = labels
  )
}

new_resample <- function(kind, ..., stratify, group) {
  if (!is.null(group)) group <- check_group(group)
  new_plan(kind, ..., stratify = check_flag(stratify, "stratify"), group = group)
}

new_plan <- function(kind, ...) {
  structure(list(kind = kind, ...), class = c(paste0("mkl_resample_", kind), "mkl_resample"))
}

check_group <- function(group) {
  if (!(is.factor(group) || (is.atomic(group) && is.null(dim(group)))) || length(group) == 0L) {
    stop_must("group", "a vector with one value for each row", group)
  }
  if (anyNA(group)) {
    stop_mkl(
      "argument_error", "group", "`group` must not have missing values; element ",
      which(is.na(group))[1L], " is NA."
    )
  }
  code <- as.character(group)
  match(code, unique(code))
}

# A plan from whatever may stand for one.
as_resample <- function(x, argument = "resamples") {
  if (inherits(x, "mkl_resample")) return(x)
  if (inherits(x, c("rset", "rsplit"))) return(resample_rset(x))
  if (is.factor(x) || (is.numeric(x) && !is.object(x) && length(x) > 1L)) return(resample_folds(x))
  if (is_split_list(x)) return(new_plan("splits", splits = x))
  stop_must(
    argument, paste(
      "made by a constructor such as resample_cv(), an integer vector with the fold of each row,",
      "or an object of the package rsample"
    ), x
  )
}

is_split_list <- function(x) {
  is.list(x) && !is.object(x) && length(x) > 0L &&
    all(vapply(x, function(s) is.list(s) && is.numeric(s$train) && is.numeric(s$test), NA))
}

# Objects of rsample ----------------------------------------------------------------------------

resample_rset <- function(x) {
  parts <- if (inherits(x, "rsplit")) list(x) else x$splits
  splits <- lapply(parts, function(part) {
    list(train = rsplit_rows(part, "analysis"), test = rsplit_rows(part, "assessment"))
  })
  if (inherits(x, "rset")) splits <- Map(base::c, splits, rset_labels(x))
  new_plan("rset", splits = splits, n = nrow(parts[[1L]]$data), label = class(x)[1L])
}

# With its package at hand the object answers for itself, else the usual meaning of its fields.
rsplit_rows <- function(part, which) {
  if (requireNamespace("rsample", quietly = TRUE)) {
    return(as.integer(as.integer(part, data = which)))
  }
  if (which == "analysis") return(part$in_id)
  if (anyNA(part$out_id)) setdiff(seq_len(nrow(part$data)), part$in_id) else part$out_id
}

# `id` (and `id2` within it) become the name, the repeat and the fold.
rset_labels <- function(x) {
  ids <- as.data.frame(x)[grep("^id[0-9]*$", names(x))]
  outer <- as.character(ids[[1L]])
  nested <- length(ids) > 1L
  Map(
    function(id, round, fold) list(id = id, `repeat` = round, fold = fold),
    do.call(paste, c(unname(lapply(ids, as.character)), sep = "_")),
    if (nested) match(outer, unique(outer)) else 1L,
    if (nested) stats::ave(seq_along(outer), outer, FUN = seq_along) else seq_along(outer)
  )
}

# Printing -----------------------------------------------------------------------------------------

#' @export
format.mkl_resample <- function(x, ...) {
  main <- switch(x$kind,
    cv = paste0(
      x$v, "-fold cross-validation",
      if (x$repeats > 1L) paste0(", repeated ", x$repeats, " times")
    ),
    `5x2` = "5 x 2 cross-validation",
    holdout = paste0(
      plural(x$times, "random split"), ", ",
      if (x$p < 1) paste0(format_number(100 * x$p), " %") else format_number(x$p, 10L),
      if (x$p < 1) " of the rows to train on" else " rows to train on"
    ),
    bootstrap = plural(x$times, "bootstrap sample"),
    folds = paste0(length(x$labels), " given folds of ", length(x$fold), " rows"),
    rset = paste0(plural(length(x$splits), "split"), " of rsample (", x$label, ")"),
    splits = plural(length(x$splits), "given split")
  )
  grouped <- if (!is.null(x$group)) paste0(", in ", max(x$group), " groups")
  paste0(main, if (isTRUE(x$stratify)) ", stratified", grouped)
}

#' @export
print.mkl_resample <- function(x, ...) {
  cat("<mkl_resample> ", format(x), "\n", sep = "")
  invisible(x)
}
