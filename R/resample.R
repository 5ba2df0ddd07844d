#' Resampling plans
#'
#' How data are divided, again and again, into rows to fit and rows to judge the fit by.
#' [cv_mkl()], [tune_mkl()] and the other functions around a fit take such a plan, an integer vector
#' of folds, or an object of the package rsample.
#'
#' @details
#' * `resample_cv()`: the rows are divided into `v` folds; each is the test part once and belongs to
#'   the training part otherwise. All of it is done `repeats` times.
#' * `resample_5x2()`: five repeats of two folds, which the tests of Dietterich (1998) and Alpaydin
#'   (1999) ask for.
#' * `resample_holdout()`: `times` random divisions into two parts.
#' * `resample_bootstrap()`: n rows drawn with replacement to train on, those not drawn to test.
#' * `resample_folds()`: folds that you know already.
#'
#' With `stratify = TRUE` each part has the classes in the proportion of all rows: in
#' `resample_cv()` the number of rows of a class differs by at most one between the folds of a
#' repeat, and so do the sizes of the folds. For regression the strata are five groups of equal size
#' by the order of the response.
#'
#' With `group`, rows of the same group stay together: a group is never in both parts. Groups are
#' then dealt out from the largest to the smallest, each to the fold where the shares
#' \eqn{s_{fc}} of fold f in the rows of class c stay closest to their targets \eqn{t_f},
#' \deqn{\min_f \sum_f \sum_c (s_{fc} - t_f)^2.}
#'
#' # Choosing a plan
#' * `resample_cv(10)` for the error of one method; more `repeats` when there are a few hundred rows
#'   or less.
#' * `resample_5x2()` when two methods are compared on one data set by a test.
#' * `resample_holdout(0.5, 20)` is the plan of the MKBoost paper.
#' * `group` whenever rows belong together: several measurements of one patient, several pieces of
#'   one image. Without it results look better than they are.
#'
#' # Random numbers
#' A plan holds no rows. They are drawn by `resample_splits()`, also when [cv_mkl()] and the others
#' call it, so [set.seed()] before these governs them.
#'
#' @param v Number of folds, at least 2.
#' @param repeats How often the division into folds is made.
#' @param stratify `TRUE` to keep the proportion of classes (or the distribution of a numeric
#'   response) in each part.
#' @param group Vector with one value for each row; rows with the same value stay together.
#' @param p Share of the rows to train on, between 0 and 1, or their number.
#' @param times Number of divisions.
#' @param fold Vector with the fold of each row (integer, factor or character); `NA` for rows that
#'   are always in the training part.
#' @param resample A plan; or an integer vector of folds; or an `rset` or `rsplit` of the package
#'   rsample; or a list of splits as `resample_splits()` returns it.
#' @param y The response, one value for each row. `NULL` for one-class problems.
#' @param n Number of rows, if there is no `y`.
#' @param ... Not used; a misspelt argument is an error.
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
#' @export
resample_5x2 <- function(stratify = TRUE, group = NULL, ...) {
  check_dots(...)
  new_resample("5x2", v = 2L, repeats = 5L, stratify = stratify, group = group)
}

#' @rdname resample_cv
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
#' @export
resample_bootstrap <- function(times = 25, stratify = TRUE, group = NULL, ...) {
  check_dots(...)
  new_resample(
    "bootstrap", times = as.integer(check_number(times, "times", 1, whole = TRUE)),
    stratify = stratify, group = group
  )
}

#' @rdname resample_cv
#' @export
resample_folds <- function(fold) {
  expected <- "a vector with the fold of each row, with at least two folds"
  fine <- is.factor(fold) || (is.atomic(fold) && !is.object(fold) && is.null(dim(fold)))
  if (!fine || length(fold) == 0L) stop_must("fold", expected, fold)
  if (is.double(fold) && any(fold != round(fold), na.rm = TRUE)) {
    stop_mkl(
      "argument_error", "fold", "`fold` must hold whole numbers, but element ",
      which(fold != round(fold))[1L], " is ", format_number(fold[fold != round(fold)][1L]), "."
    )
  }
  values <- if (is.factor(fold)) levels(droplevels(fold)) else sort(unique(fold[!is.na(fold)]))
  if (length(values) < 2L && !anyNA(fold)) {
    stop_mkl("argument_error", "fold", "`fold` must be ", expected, ", but all rows are in one.")
  }
  if (length(values) == 0L) {
    stop_mkl("argument_error", "fold", "`fold` must be ", expected, ", but all rows are NA.")
  }
  structure(
    class = c("mkl_resample_folds", "mkl_resample"),
    list(kind = "folds", fold = match(as.character(fold), as.character(values)),
         labels = as.character(values))
  )
}

new_resample <- function(kind, ..., stratify, group) {
  if (!is.null(group)) group <- check_group(group)
  structure(
    class = c(paste0("mkl_resample_", kind), "mkl_resample"),
    list(kind = kind, ..., stratify = check_flag(stratify, "stratify"), group = group)
  )
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

# Splits ---------------------------------------------------------------------------------------

#' @rdname resample_cv
#' @export
resample_splits <- function(resample, y, group = NULL, n = length(y)) {
  resample <- as_resample(resample, "resample")
  n <- as.integer(check_number(n, "n", 2, whole = TRUE))
  if (!is.null(group)) resample$group <- check_group(group)
  if (!is.null(resample$group) && length(resample$group) != n) {
    stop_mkl(
      "argument_error", "group", "`group` must have one value for each of the ", n, " rows, not ",
      length(resample$group), "."
    )
  }
  draw_splits(resample, y, n)
}

# A plan from whatever may stand for one.
as_resample <- function(x, argument = "resamples") {
  if (inherits(x, "mkl_resample")) return(x)
  if (inherits(x, c("rset", "rsplit"))) return(resample_rset(x))
  if (is.factor(x) || (is.numeric(x) && !is.object(x) && length(x) > 1L)) return(resample_folds(x))
  if (is_split_list(x)) {
    return(structure(list(kind = "splits", splits = x),
                     class = c("mkl_resample_splits", "mkl_resample")))
  }
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

draw_splits <- function(resample, y, n) UseMethod("draw_splits")

new_split <- function(id, round, fold, train, test) {
  list(id = id, `repeat` = round, fold = fold, train = as.integer(train), test = as.integer(test))
}

# Numbers of equal width, so that the names sort as the splits do.
numbered <- function(word, i, count) sprintf(paste0(word, "%0", nchar(count), "d"), i)

#' @export
draw_splits.mkl_resample_cv <- function(resample, y, n) {
  units <- if (is.null(resample$group)) n else max(resample$group)
  what <- if (is.null(resample$group)) "rows" else "groups"
  if (resample$v > units) {
    argument <- resample$argument %||% "v"
    stop_mkl(
      "argument_error", argument, "`", argument, "` must be at most ", units, ", the number of ",
      what, ", not ", resample$v, "."
    )
  }
  strata <- split_strata(resample, y, n)
  rounds <- lapply(seq_len(resample$repeats), function(r) {
    fold <- draw_folds(strata, resample$group, resample$v)
    prefix <- if (resample$repeats > 1L) {
      paste0(numbered("repeat", r, resample$repeats), "_")
    }
    lapply(seq_len(resample$v), function(f) {
      id <- paste0(prefix, numbered("fold", f, resample$v))
      new_split(id, r, f, which(fold != f), which(fold == f))
    })
  })
  do.call(base::c, rounds)
}

#' @export
draw_splits.mkl_resample_5x2 <- draw_splits.mkl_resample_cv

#' @export
draw_splits.mkl_resample_holdout <- function(resample, y, n) {
  share <- if (resample$p < 1) resample$p else resample$p / n
  size <- floor(share * n + 0.5)
  if (size < 1 || size > n - 1) {
    stop_mkl(
      "argument_error", "p", "`p` must leave at least one of the ", n, " rows on each side, but ",
      "it asks for ", size, " training rows."
    )
  }
  strata <- split_strata(resample, y, n)
  lapply(seq_len(resample$times), function(i) {
    inside <- draw_half(strata, resample$group, share)
    new_split(numbered("split", i, resample$times), i, 1L, which(inside), which(!inside))
  })
}

#' @export
draw_splits.mkl_resample_bootstrap <- function(resample, y, n) {
  strata <- split_strata(resample, y, n)
  lapply(seq_len(resample$times), function(i) {
    for (attempt in seq_len(100L)) {
      train <- draw_bootstrap(strata, resample$group)
      test <- setdiff(seq_len(n), train)
      if (length(test)) break
    }
    if (length(test) == 0L) {
      stop_mkl(
        "argument_error", "resample", "100 bootstrap samples of ", n,
        " rows left no row to test on. There are too few rows or groups."
      )
    }
    new_split(numbered("bootstrap", i, resample$times), i, 1L, train, test)
  })
}

#' @export
draw_splits.mkl_resample_folds <- function(resample, y, n) {
  fold <- resample$fold
  if (length(fold) != n) {
    stop_mkl(
      "argument_error", "fold", "`fold` must have one value for each of the ", n, " rows, not ",
      length(fold), "."
    )
  }
  lapply(seq_along(resample$labels), function(f) {
    test <- which(fold == f)
    new_split(paste0("fold", resample$labels[f]), 1L, f, setdiff(seq_len(n), test), test)
  })
}

#' @export
draw_splits.mkl_resample_splits <- function(resample, y, n) {
  splits <- resample$splits
  lapply(seq_along(splits), function(i) {
    split <- splits[[i]]
    check_positions(split$train, n, i, "train")
    check_positions(split$test, n, i, "test")
    id <- split$id %||% numbered("split", i, length(splits))
    new_split(id, split[["repeat"]] %||% 1L, split$fold %||% i, split$train, split$test)
  })
}

check_positions <- function(rows, n, i, part) {
  bad <- which(is.na(rows) | rows < 1 | rows > n | rows != round(rows))
  if (length(rows) == 0L || length(bad)) {
    stop_mkl(
      "argument_error", "resample", "Split ", i, " must hold positions of rows between 1 and ", n,
      " in `", part, "`, but ", if (length(rows) == 0L) "it is empty" else {
        paste("element", bad[1L], "is", format_number(rows[bad[1L]]))
      }, "."
    )
  }
}

# Drawing -----------------------------------------------------------------------------------------

# Stratum of each row, as integers.
split_strata <- function(resample, y, n) {
  if (!resample$stratify || is.null(y)) return(rep(1L, n))
  if (natural_task(y) == "classification" || length(unique(y)) <= 5L) {
    y <- as.character(y)
    return(match(y, unique(y)))
  }
  # Five groups of equal size; ties are broken by position, which stays the same for all splits.
  as.integer(ceiling(5 * rank(y, ties.method = "first", na.last = TRUE) / n))
}

# All rows, stratum after stratum, in random order within each, the strata in random order too:
# what is left over by one stratum is then made up for by the next.
shuffle_strata <- function(strata) {
  place <- sample.int(max(strata))[strata]
  order(place, sample.int(length(strata)))
}

# Fold of each row. Dealing the shuffled rows round by round makes counts differ by one at most, in
# each stratum and in all.
draw_folds <- function(strata, group, v) {
  if (!is.null(group)) return(deal_groups(strata, group, rep(1 / v, v)))
  fold <- integer(length(strata))
  fold[shuffle_strata(strata)] <- rep_len(sample.int(v), length(strata))
  fold
}

# Which rows are to train on. Every 1/share-th of the shuffled rows is taken, so that each stratum
# gets its share up to one row and all of them together the rounded share of n.
draw_half <- function(strata, group, share) {
  if (!is.null(group)) return(deal_groups(strata, group, c(share, 1 - share)) == 1L)
  steps <- floor(seq_along(strata) * share + 0.5)
  inside <- logical(length(strata))
  inside[shuffle_strata(strata)] <- diff(c(0, steps)) > 0
  inside
}

draw_bootstrap <- function(strata, group) {
  if (!is.null(group)) {
    rows <- split(seq_along(group), group)
    return(unlist(rows[sample.int(length(rows), replace = TRUE)], use.names = FALSE))
  }
  unlist(lapply(split(seq_along(strata), strata), function(rows) {
    rows[sample.int(length(rows), replace = TRUE)]
  }), use.names = FALSE)
}

# Whole groups to folds of given shares, see the help page.
deal_groups <- function(strata, group, share) {
  if (max(group) < 2L) {
    stop_mkl("argument_error", "group", "`group` must hold at least two groups, not 1.")
  }
  counts <- unclass(table(group, strata))
  counts <- counts / rep(colSums(counts), each = nrow(counts))
  filled <- matrix(0, length(share), ncol(counts))
  fold <- integer(nrow(counts))
  for (g in order(-rowSums(counts), sample.int(nrow(counts)))) {
    add <- counts[g, ]
    # What the sum of squares grows by, up to a constant; ties go to the emptiest fold.
    growth <- drop((filled - share) %*% add)
    near <- which(growth <= min(growth) + 1e-12)
    f <- near[which.min(rowSums(filled)[near] / share[near])]
    filled[f, ] <- filled[f, ] + add
    fold[g] <- f
  }
  # Every part needs a group: the smallest of the fullest part moves.
  for (f in setdiff(seq_along(share), fold)) {
    donor <- which(fold == which.max(tabulate(fold, length(share))))
    fold[donor[which.min(rowSums(counts)[donor])]] <- f
  }
  fold[group]
}

# Objects of rsample ----------------------------------------------------------------------------

resample_rset <- function(x) {
  parts <- if (inherits(x, "rsplit")) list(x) else x$splits
  splits <- lapply(parts, function(part) {
    list(train = rsplit_rows(part, "analysis"), test = rsplit_rows(part, "assessment"))
  })
  if (inherits(x, "rset")) splits <- Map(base::c, splits, rset_labels(x))
  structure(
    class = c("mkl_resample_rset", "mkl_resample"),
    list(kind = "rset", splits = splits, n = nrow(parts[[1L]]$data), label = class(x)[1L])
  )
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

#' @export
draw_splits.mkl_resample_rset <- function(resample, y, n) {
  if (resample$n != n) {
    stop_mkl(
      "argument_error", "resample", "The rsample object was made for ", resample$n,
      " rows, but the data have ", n, "."
    )
  }
  draw_splits.mkl_resample_splits(resample, y, n)
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
      x$times, " random splits, ",
      if (x$p < 1) paste0(format_number(100 * x$p), " %") else format_number(x$p, 10L),
      if (x$p < 1) " of the rows to train on" else " rows to train on"
    ),
    bootstrap = paste(x$times, "bootstrap samples"),
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
