# A fit knows its parts. What is made by mkl() is sealed: it stores the version of the package and a
# digest of each of its elements, and every function that reads a fit checks them first, in some
# microseconds. A fit that has lost a model would predict something else without a word.
#
# Code of the package that changes a fit on purpose calls seal_fit() again. Elements that others add
# to a fit (caret does) are not looked at, nor are the call, the time and the settings of mkl(),
# which a user may change.

seal_method <- 1L # of digest_cpp(): a later one may compute another

unsealed_parts <- function() c("call", "seconds", "control", "seal")

seal_fit <- function(object) {
  parts <- setdiff(names(object), unsealed_parts())
  object$seal <- c(
    list(
      version = own_version(), method = seal_method, parts = parts
    ),
    digest_cpp(unclass(object)[parts])
  )
  object
}

# The first thing that a function does with a fit: the fit in the form of this version, if it is
# whole. One of version 0.1.0 has no seal.
check_fit <- function(object) {
  if (!inherits(object, "mkl")) stop_no_fit(object)
  if (!is.list(object)) stop_damaged("it is no list")
  seal <- unclass(object)[["seal"]]
  if (!is.null(seal)) check_seal(object, seal)
  check_structure(unclass(object))
  if (is.null(seal)) check_contents(object)
  check_settings(unclass(object)[["control"]])
  invisible(current_fit(object))
}

# For sealed objects of other classes; those of version 0.1.0 have none.
check_other_seal <- function(object) {
  seal <- unclass(object)[["seal"]]
  if (!is.null(seal)) check_seal(object, seal)
  invisible(current_fit(object))
}

# A fit of an earlier version in the form of this one.
current_fit <- function(object) {
  if (is.null(object$frame) || inherits(object$frame, "frame")) return(object)
  object$frame <- current_blueprint(object$frame)
  object$kernels <- current_kernels(object$kernels, object$learner, object$kept)
  seal_fit(object)
}

check_seal <- function(object, seal) {
  if (!is_seal(seal)) stop_damaged("its seal cannot be read")
  check_version(seal$version)
  if (seal$method != seal_method) return(invisible())
  found <- digest_cpp(unclass(object)[seal$parts])
  wrong <- found$hash != seal$hash | !(abs(found$sum - seal$sum) <= 1e-6)
  if (anyNA(wrong) || any(wrong)) {
    names <- seal$parts[wrong %in% TRUE]
    lost <- setdiff(names, names(object))
    stop_damaged(
      if (length(lost)) paste0(tick_all(lost), " is missing") else {
        paste0(tick_all(names), " is not what it was when the fit was made")
      }
    )
  }
}

is_seal <- function(seal) {
  types <- c(
    version = "character", method = "integer", parts = "character", hash = "character",
    sum = "double"
  )
  n <- if (is.list(seal)) length(seal$parts)
  is.list(seal) && identical(vapply(seal, typeof, ""), types) &&
    all(lengths(seal) == c(1L, 1L, n, n, n)) && !anyNA(c(seal$version, seal$method))
}

# packageVersion() takes a millisecond.
own_version <- function() getNamespaceInfo(topenv(), "spec")[["version"]]

check_version <- function(version) {
  if (version == own_version()) return(invisible())
  made <- tryCatch(numeric_version(version), error = function(e) NULL)
  if (is.null(made)) stop_damaged("its version cannot be read")
  if (made > own_version()) {
    stop_mkl(
      "fit_error", "object", "The fit was made by multikernel ", version, ", but this is version ",
      own_version(), ". Update the package to use it."
    )
  }
}

stop_damaged <- function(...) {
  stop_mkl(
    "fit_error", "object", "The fit is damaged: ", ..., ". Fit the model again, or read it again ",
    "from its file."
  )
}

# A setting that a later version adds is missing in older fits; these are there since 0.1.0.
check_settings <- function(control) {
  needed <- c("tol", "max_iter", "threads", "memory", "verbose", "simd", "shrinking")
  fine <- inherits(control, "mkl_control") && is.list(control) && !anyNA(names(control)) &&
    all(needed %in% names(control)) && all(names(control) %in% names(formals(mkl_control)))
  if (!fine || !all(vapply(control[needed], is_setting, NA)) || !is.character(control$simd)) {
    stop_damaged("`control` is not made by mkl_control()")
  }
}

# The core checks the ranges.
is_setting <- function(x) {
  length(x) == 1L && !is.na(x) && (is.numeric(x) || is.logical(x) || is.character(x))
}

# Structure ---------------------------------------------------------------------------------------

# What the elements of a fit say of each other.
check_structure <- function(fit) {
  claim <- function(true, ...) if (!isTRUE(true)) stop_damaged(...)
  claim(inherits(fit$learner, "mkl_learner"), "`learner` is missing")
  claim(is_text(fit$task) && fit$task %in% task_names(), "`task` is missing")
  claim(is.list(fit$models) && length(fit$models) > 0L, "it has no models")
  claim(is.list(fit$kernels) && is.list(fit$normalizers) &&
          (count_normalizers(fit$kernels) == length(fit$normalizers) ||
             is_feature_learner(fit$learner)),
        "`normalizers` are not those of `kernels`")
  claim(is.numeric(fit$n) && is.numeric(fit$n_input) && is_positions(fit$kept, fit$n) &&
          !is.unsorted(fit$kept, strictly = TRUE),
        "`kept` does not hold positions of its rows")
  claim(is_features(fit$train) && nrow(fit$train) == length(fit$kept),
        "`train` does not have a row for each of `kept`")
  claim(if (is.null(fit$rows)) fit$n == fit$n_input else {
    length(fit$rows) == fit$n && is_positions(fit$rows, fit$n_input)
  }, "`rows` does not have a position for each row")
  claim(is.list(fit$frame) && (inherits(fit$frame, "frame") || is_text(fit$frame$type)),
        "`frame` is missing")
  check_scaling(fit$frame, ncol(fit$train))
  check_items(fit$kernels, ncol(fit$train), if (is_view_features(fit$train)) fit$train$names)
  claim(ncol(fit$train) > 0L || length(precomputed_names(fit$kernels)) > 0L,
        "it has neither columns nor kernel matrices")
  check_models(fit)
  claim(is.null(fit$decision) ||
          identical(dim(fit$decision), c(as.integer(fit$n), length(fit$models))),
        "`decision` does not have a column for each model")
}

# Label-based kernels have one more, for the product with the nearness of rows.
count_normalizers <- function(items) {
  length(items) + sum(vapply(items, function(item) is.list(item) && !is.null(item$beta), NA))
}

is_positions <- function(x, n) is.numeric(x) && !anyNA(x) && all(x >= 1 & x <= n)

check_scaling <- function(frame, columns) {
  for (name in c("center", "scale")) {
    one <- frame[[name]]
    if (is.null(one) && is.null(frame$center) && is.null(frame$scale)) return(invisible())
    if (is.list(one)) next # by view
    if (!is.numeric(one) || length(one) != columns || !all(is.finite(one))) {
      stop_damaged("`frame$", name, "` does not have a number for each column")
    }
  }
}

# Resolved kernels, see R/kernel-resolve.R; the core checks their parameters. `views`: the names of
# those that they can see, NULL where there are none.
check_items <- function(items, p, views) {
  for (item in items) {
    if (!is.list(item) || !is_whole_item(item, p) || !is_on_view(item, views)) {
      stop_damaged("a kernel is not whole")
    }
    if (item$family == "product") check_items(item$factors, p, views)
  }
}

is_whole_item <- function(item, p) {
  is_text(item$family) && is_text(item$name) && is.numeric(item$count) &&
    length(item$count) == 1L && isTRUE(item$count >= 1) &&
    (is.null(item$normalize) || is.character(item$normalize)) &&
    (item$family != "product" || is.list(item$factors)) &&
    (is.null(item$columns) || is_positions(item$columns, p) && !anyDuplicated(item$columns))
}

# A kernel that sees data sees one view of them, if they have views.
is_on_view <- function(item, views) {
  if (is.null(item$view) && is.null(item$at)) {
    return(is.null(views) || item$family %in% c("product", "precomputed"))
  }
  is_text(item$view) && item$view %in% views && identical(item$at, match(item$view, views))
}

check_models <- function(fit) {
  whole <- vapply(fit$models, function(model) {
    is.list(model) && is.list(model[["state"]]) && is.list(model$report) &&
      is.numeric(model$weights)
  }, NA)
  if (!all(whole)) stop_damaged("model ", which(!whole)[1L], " is not whole")
  if (task_traits(fit$task)$classes) check_classes(fit)
}

check_classes <- function(fit) {
  classes <- length(fit$classes)
  known <- is.character(fit$levels) && classes > 1L && all(fit$classes %in% fit$levels) &&
    is_text(fit$multiclass)
  if (!known) stop_damaged("`classes` or `levels` is missing")
  expected <- class_codes(classes, fit$multiclass)
  if (length(fit$models) != length(expected)) {
    stop_damaged("it has ", plural(length(fit$models), "model"), " for ", classes, " classes, not ",
                 length(expected))
  }
  codes <- lapply(fit$models, function(model) {
    if (is.numeric(model$positive) && is.numeric(model$negative)) {
      as.double(c(model$positive, model$negative))
    }
  })
  if (!identical(codes, expected)) {
    stop_damaged("its models are not for the classes that they stand for")
  }
}

# The codes of the positive and the negative class of each model, see src/reduction/multiclass.hpp.
class_codes <- function(classes, multiclass) {
  if (classes == 2L) return(list(c(1, 0)))
  if (multiclass != "one_vs_one") return(lapply(seq_len(classes) - 1, function(code) c(code, -1)))
  unlist(lapply(seq_len(classes - 1L) - 1, function(low) {
    lapply(seq(low + 1, classes - 1), function(high) c(high, low))
  }), recursive = FALSE)
}

# What the core reads of the models of a fit without a seal.
check_contents <- function(fit) {
  facts <- tryCatch(model_facts(fit), multikernel_core_error = function(e) {
    stop_damaged("a model cannot be read: ", conditionMessage(e))
  })
  for (model in facts) {
    if (!is_positions(model$rows, length(fit$kept))) {
      stop_damaged("a model does not know its rows")
    }
  }
}
