# From a plan to the rows of its splits.

#' @rdname resample_cv
#' @order 3
#' @export
resample_splits <- function(resample, y = NULL, group = NULL, n = length(y), ...) {
  check_dots(...)
  resample <- as_resample(resample, "resample")
  if (!is.null(y)) check_response(y, "y")
  n <- as.integer(check_number(n, "n", 2, whole = TRUE))
  if (!is.null(y) && length(y) != n) {
    stop_must("n", paste0("the number of values of `y`, ", length(y)), n)
  }
  if (!is.null(group)) resample$group <- check_group(group)
  if (!is.null(resample$group)) check_each_row(resample$group, "group", n)
  draw_splits(resample, y, n)
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
    expected <- paste0("at most ", units, ", the number of ", what)
    stop_must(resample$argument %||% "v", expected, resample$v)
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
  fold <- unname(resample$fold)
  check_each_row(fold, "fold", n)
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

# Groups and folds that name the cases of views go by these names, as the response does.
match_plan <- function(resample, frame) {
  if (!goes_by_case(frame$blueprint)) return(resample)
  for (field in intersect(c("group", "fold"), names(resample))) {
    if (is.null(resample[[field]])) next
    resample[[field]] <- match_response(resample[[field]], frame$cases, field, "argument_error")
  }
  resample
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
  if (task_traits(natural_task(y))$classes || length(unique(y)) <= 5L) {
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
