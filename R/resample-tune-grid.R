# The points that a tuning tries: from what the user writes to learners and arguments.

#' Parameter ranges and grids for tuning
#'
#' @description
#' `tune_range()` defines the range of a parameter for [tune_mkl()]. `paper_grid()` returns the
#' values used in the paper of a method.
#'
#' @details
#' A random search draws uniformly from a range, on the log scale if `log = TRUE`; a grid uses
#' `levels` equidistant values on that scale, \deqn{v_k = a \, (b / a)^{k / (L - 1)}, \quad k = 0,
#' \dots, L - 1.}{ v_k = a (b / a)^(k / (L - 1)), k = 0, ..., L - 1.}
#'
#' The grids: `trials` 20 to 200 and `sampling` 0.05 to 0.5 for MKBoost (sections 3.5.1 and 3.5.2
#' of the paper); `c` and `lambda` \eqn{2^{-4}, \dots, 2^4} for MHKS and MultiK-MHKS (section 3);
#' cost 0.01 to 100 for LMKL (section 4); \eqn{\beta} and cost \eqn{2^{-7}, \dots, 2^7} for LB-MKL
#' and LB-S-SVM (section 3.2). The EasyMKL paper does not state its values of \eqn{\lambda}; 0,
#' 0.1, \dots, 1 are used instead, and powers of ten for the cost of learners whose papers use a
#' fixed cost.
#'
#' # Choosing a range
#' Start with a wide range and few points, then use a narrow range around the best point. If the
#' best point is at an end of the range, extend the range.
#'
#' @param lower,upper Limits of the range.
#' @param log `TRUE` for a log scale, which needs `lower > 0`.
#' @param whole `TRUE` to round to whole numbers.
#' @param levels Number of values in a grid.
#' @param learner A learner, or its name, such as `"mkboost"`.
#' @param ... Not used; misspelled arguments raise an error.
#' @return `tune_range()`: an object for the argument `grid` of [tune_mkl()]. `paper_grid()`: a
#'   named list of numeric vectors.
#' @references
#' Xia, H. and Hoi, S. C. H. (2013). MKBoost: a framework of multiple kernel boosting. *IEEE
#' Transactions on Knowledge and Data Engineering* 25, 1574-1586.
#'
#' Wang, Z., Chen, S. and Sun, T. (2008). MultiK-MHKS: a novel multiple kernel learning algorithm.
#' *IEEE Transactions on Pattern Analysis and Machine Intelligence* 30, 348-353.
#'
#' Gönen, M. and Alpaydın, E. (2008). Localized multiple kernel learning. In *Proceedings of the
#' 25th International Conference on Machine Learning*, 352-359.
#' @family resampling
#' @examples
#' paper_grid("mkboost")
#' paper_grid(learner_multik_mhks())
#' set.seed(1)
#' tune_mkl(Species ~ ., iris,
#'   grid = list(cost = tune_range(0.01, 1000)), search = "random", n = 6, folds = 3
#' )
#' @export
tune_range <- function(lower, upper, log = TRUE, whole = FALSE, levels = 5, ...) {
  check_dots(...)
  log <- check_flag(log, "log")
  lower <- check_number(lower, "lower", if (log) 0 else -Inf, open = c(TRUE, FALSE))
  upper <- check_number(upper, "upper", lower, open = c(TRUE, FALSE))
  structure(
    class = "mkl_range",
    list(
      lower = lower, upper = upper, log = log, whole = check_flag(whole, "whole"),
      levels = check_number(levels, "levels", 2, whole = TRUE)
    )
  )
}

#' @export
format.mkl_range <- function(x, ...) {
  paste0("[", format_number(x$lower), ", ", format_number(x$upper), "]", if (x$log) ", log scale")
}

#' @export
print.mkl_range <- function(x, ...) {
  cat("<mkl_range> ", format(x), "\n", sep = "")
  invisible(x)
}

# Values at positions u between 0 and 1.
range_values <- function(range, u) {
  ends <- c(range$lower, range$upper)
  values <- if (range$log) exp(log(ends[1L]) + u * diff(log(ends))) else ends[1L] + u * diff(ends)
  # exp(log()) may miss the ends by a rounding error.
  values <- pmin(pmax(values, ends[1L]), ends[2L])
  if (range$whole) unique(round(values)) else values
}

#' @rdname tune_range
#' @export
paper_grid <- function(learner, ...) {
  check_dots(...)
  if (!is_text(learner) && !inherits(learner, "mkl_learner") && !is.function(learner)) {
    stop_must("learner", "a learner or its name", learner)
  }
  learner <- check_learner(learner)
  learner$grid %||% stop_mkl(
    "argument_error", "grid", "There is no ready-made grid for learner_", learner$name,
    "(). Give the values of its parameters by `grid`."
  )
}

# Points -------------------------------------------------------------------------------------------

# list(points, table): a point is list(learner, arguments, chain, place), the table shows its
# values. Points of the same chain differ in the path parameters of the learner alone; their places
# are in the order of these.
make_points <- function(grid, learner, maker, search, n) {
  grid <- grid %||% paper_grid(learner)
  known <- grid_learners(grid) %||% list(learner)
  columns <- point_columns(check_grid_names(grid, known, maker), search, n)
  values <- lapply(seq_along(columns[[1L]]), function(i) lapply(columns, function(col) col[[i]]))
  learners <- lapply(values, function(value) check_learner(value$learner %||% learner))
  cut <- cut_points(values, learners, maker)
  values <- cut$values
  learners <- learners[cut$kept]
  points <- Map(build_point, values, learners, MoreArgs = list(maker = maker))
  points <- chain_points(unname(points), values, learners)
  groups <- group_by_kind(points)
  for (g in seq_along(groups)) for (i in groups[[g]]) points[[i]]$kind <- g
  table <- lapply(names(columns), function(name) {
    labels <- point_labels(columns[[name]])[cut$kept]
    labels[!vapply(values, function(value) name %in% names(value), NA)] <- NA
    labels
  })
  names(table) <- names(columns)
  list(points = points, table = as.data.frame(table, optional = TRUE), dropped = cut$dropped)
}

# Points of a chain are solved one after the other, in the order of their path parameters.
chain_points <- function(points, values, learners) {
  paths <- lapply(learners, function(learner) learner$path)
  rest <- Map(function(value, path) value[setdiff(names(value), path)], values, paths)
  groups <- split_identical(unname(rest))
  for (g in seq_along(groups)) for (i in groups[[g]]) points[[i]]$chain <- g
  along <- lapply(unique(unlist(paths)), function(name) {
    vapply(values, function(value) as.double(value[[name]] %||% NA), 0)
  })
  chain <- vapply(points, function(point) point$chain, 1L)
  place <- order(do.call(order, c(list(chain), rev(along))))
  for (i in seq_along(points)) points[[i]]$place <- place[i]
  points
}

# The learners of a grid over learners, or NULL.
grid_learners <- function(grid) {
  if (!is.list(grid) || is.null(grid$learner)) return(NULL)
  lapply(grid_values(grid$learner, "learner", FALSE), check_learner)
}

# Without the parameters that do not apply to the learner of a point: list(values, kept: positions,
# dropped: a sentence about them, or NULL). Of points that are the same then, the first is kept.
cut_points <- function(values, learners, maker) {
  common <- c("learner", tunable_arguments(), maker_arguments(maker))
  cut <- Map(function(value, learner) {
    value[names(value) %in% c(common, learner_parameters(learner))]
  }, values, learners)
  lost <- Map(function(value, less) setdiff(names(value), names(less)), values, cut)
  if (!length(unlist(lost))) return(list(values = values, kept = seq_along(values)))
  kept <- vapply(split_identical(unname(cut)), function(group) group[1L], 1L)
  list(values = cut[kept], kept = kept, dropped = dropped_text(lost, learners))
}

dropped_text <- function(lost, learners) {
  stems <- vapply(learners, function(learner) learner$name, "")
  parts <- lapply(unique(stems), function(stem) {
    names <- unique(unlist(lost[stems == stem]))
    if (length(names)) paste0("learner_", stem, "() does not have ", tick_all(names))
  })
  paste0(
    paste(unlist(parts), collapse = "; "), ". These parameters are left out there; points that ",
    "differ in nothing else are tried once."
  )
}

# One message for all points.
report_dropped <- function(points) {
  if (!is.null(points$dropped)) inform_mkl("dropped_parameter", points$dropped)
  points
}

tunable_arguments <- function() {
  c("kernels", "normalize", "scale", "scale_response", "class_weights", "multiclass")
}

# The same learner with other parameters, checked by its constructor.
change_learner <- function(learner, values) {
  if (length(values) == 0L) return(learner)
  known <- intersect(names(learner$parameters), learner_parameters(learner))
  parameters <- learner$parameters[known]
  parameters[names(values)] <- values
  do.call(learner$constructor, parameters)
}

# `learners`: those whose parameters may be in the grid.
check_grid_names <- function(grid, learners, maker) {
  if (!is.list(grid) || length(grid) == 0L || (is.data.frame(grid) && nrow(grid) == 0L)) {
    stop_must("grid", "a named list of values, or a data frame of points", grid)
  }
  names <- names(grid) %||% rep("", length(grid))
  known <- c(
    unlist(lapply(learners, learner_parameters)), "learner", tunable_arguments(),
    maker_arguments(maker)
  )
  unknown <- setdiff(names, known)
  if (length(unknown)) stop_grid_name(unknown[1L], known, learners, maker)
  check_unique_names(names, "grid", "parameter")
  missing <- setdiff(required_arguments(maker), names)
  if (length(missing)) {
    stop_mkl(
      "argument_error", "grid", "`grid` must have values for `", missing[1L], "`, an argument of ",
      "the function `kernels`."
    )
  }
  grid
}

stop_grid_name <- function(name, known, learners, maker) {
  names <- vapply(learners, function(learner) learner$name, "")
  called <- name_some(paste0("learner_", unique(names), "()"))
  found <- where_it_belongs(name, called = called, own = known, inside = TRUE, grid = TRUE)
  stop_mkl("argument_error", "grid", "`grid` ", if (!nzchar(name)) {
    "must give a name to each parameter."
  } else {
    paste0(
      "has `", name, "`, which is no parameter of ", called, if (!is.null(maker)) " or `kernels`",
      " and no argument that can be tuned.",
      if (nzchar(found)) paste0(" ", found) else did_you_mean(name, known, "`")
    )
  })
}

maker_arguments <- function(maker) {
  if (is.null(maker)) character() else setdiff(names(formals(maker)), "...")
}

# Arguments of the function that makes the kernels which have no default.
required_arguments <- function(maker) {
  arguments <- if (is.null(maker)) list() else as.list(formals(maker))
  arguments["..."] <- NULL
  names(Filter(function(value) is.symbol(value) && !nzchar(as.character(value)), arguments))
}

# A list of columns with one value for each point.
point_columns <- function(grid, search, n) {
  if (!is.null(n)) n <- check_number(n, "n", 1, whole = TRUE)
  if (is.data.frame(grid)) {
    rows <- seq_len(nrow(grid))
    if (search == "random") rows <- sample_some(nrow(grid), n %||% 20)
    return(lapply(grid, function(column) as.list(unfactor(column))[rows]))
  }
  drawn <- vapply(grid, function(values) {
    is.function(values) || (inherits(values, "mkl_range") && search != "grid")
  }, NA)
  if (search == "grid" && any(drawn)) {
    stop_mkl(
      "argument_error", "grid", "`grid` has a function for `", names(grid)[drawn][1L], "`, which ",
      "is for random search. Give values, or search = \"random\"."
    )
  }
  values <- Map(grid_values, grid, names(grid), drawn)
  if (any(drawn)) return(sample_points(values, drawn, n %||% if (search == "random") 20 else 27))
  sizes <- lengths(values)
  points <- seq_len(prod(sizes))
  if (search == "random") points <- sample_some(prod(sizes), n %||% 20)
  # The first parameter changes fastest.
  steps <- c(1, cumprod(sizes)[-length(sizes)])
  Map(function(value, step, size) value[((points - 1) %/% step) %% size + 1], values, steps, sizes)
}

sample_some <- function(total, n) if (n >= total) seq_len(total) else sort(sample.int(total, n))

# All values of a parameter as a list.
grid_values <- function(values, name, drawn) {
  if (drawn) return(values)
  if (inherits(values, "mkl_range")) {
    return(as.list(range_values(values, seq(0, 1, length.out = values$levels))))
  }
  # One set of kernels, or one learner, is one value, not a list of them.
  if (inherits(values, c("mkl_kernels", "mkl_learner")) || is.null(values)) return(list(values))
  out <- as.list(unfactor(values))
  if (length(out) == 0L) stop_mkl("argument_error", "grid", "`grid` has no value for `", name, "`.")
  out
}

# expand.grid() turns text into factors.
unfactor <- function(values) if (is.factor(values)) as.character(values) else values

sample_points <- function(values, drawn, n) {
  Map(function(value, drawn, name) {
    if (!drawn) return(value[sample.int(length(value), n, replace = TRUE)])
    if (inherits(value, "mkl_range")) {
      u <- stats::runif(n)
      return(lapply(u, function(u) range_values(value, u)))
    }
    out <- call_user(value, list(n), "grid", paste0("The function for `", name, "`"))
    if (length(out) != n) {
      stop_mkl(
        "argument_error", "grid", "The function for `", name, "` must return ", n,
        " values, not ", length(out), "."
      )
    }
    as.list(out)
  }, values, drawn, names(values))
}

build_point <- function(values, learner, maker) {
  own <- intersect(names(values), learner_parameters(learner))
  inner <- intersect(names(values), maker_arguments(maker))
  arguments <- values[intersect(names(values), tunable_arguments())]
  if (!is.null(maker)) {
    made <- call_user(maker, values[inner], "kernels", "The function `kernels`")
    arguments$kernels <- check_kernels(made)
  }
  if (!is.null(arguments$kernels)) arguments$kernels <- check_kernels(arguments$kernels)
  list(learner = change_learner(learner, values[own]), arguments = arguments)
}

# What a function of the user returns; its errors say whose they are.
call_user <- function(fun, arguments, argument, who) {
  catch_error(do.call(fun, arguments), error = function(e) {
    if (inherits(e, "multikernel_error")) stop(e)
    stop_mkl("argument_error", argument, who, " failed: ", conditionMessage(e))
  })
}

# A column for data frames: numbers and text as they are, other things by their labels.
point_labels <- function(column) {
  plain <- vapply(column, function(value) is.atomic(value) && length(value) == 1L, NA)
  if (all(plain)) return(unlist(column, use.names = FALSE))
  names <- names(column) %||% rep("", length(column))
  vapply(seq_along(column), function(i) {
    if (nzchar(names[i])) names[i] else value_label(column[[i]])
  }, "")
}

value_label <- function(value) {
  if (inherits(value, "mkl_kernels")) {
    more <- length(value) - 2L
    return(paste(c(utils::head(names(value), 2L), if (more > 0L) paste(more, "more")),
                 collapse = " + "))
  }
  if (inherits(value, "mkl_learner")) return(format(value))
  if (is.null(value)) return("none")
  paste(trimws(format(value)), collapse = ", ")
}
