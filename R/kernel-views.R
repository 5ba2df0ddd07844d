# Kernels on views: which view each of them sees. An item that sees a view has its name as `view`;
# its columns are then those inside of that view. Kernels come to a view
#   by the list that they are given in, kernels = list(mrna = kernel_rbf()), the `group` of an item,
#   by `on`, which names the view or columns that one view alone has, or
#   by their type: a kernel that names nothing is made for every view that it can read.

# The kernels of a learner on a frame of views; NULL: its default kernels on every view.
view_kernels <- function(kernels, frame, learner, scale) {
  if (is.null(kernels)) kernels <- default_view_kernels(frame, learner, scale)
  kernels <- unclass(check_kernels(kernels))
  check_kernel_groups(kernels, names(frame$x$views))
  items <- do.call(base::c, lapply(kernels, spread_item, frame))
  new_kernels(items)
}

# Names in a list of kernels that are no views: a slip where others are views, else labels.
check_kernel_groups <- function(items, known) {
  groups <- unique(unlist(lapply(items, function(item) item$group)))
  free <- unique(unlist(lapply(items, function(item) {
    named <- vapply(item$factors %||% list(item), function(one) {
      !is.null(one$on) || !is.null(one$view) || one$family == "precomputed"
    }, NA)
    if (!any(named)) setdiff(item$group, known)
  })))
  if (length(free) == 0L) return(invisible())
  if (!any(groups %in% known)) {
    inform_mkl(
      "kernel_names", "`kernels` names ", tick_all(free), ", which ", if (length(free) > 1L) {
        "are no views"
      } else "is no view", ": each kernel is made for every view that it can read. The views are ",
      tick_all(known), "."
    )
    return(invisible())
  }
  stop_mkl(
    "kernel_error", free[1L], "`kernels` names `", free[1L], "`, which is no view. The views are ",
    tick_all(known), ".", did_you_mean(free[1L], setdiff(known, groups), "`"),
    " A kernel for several views names them by `on`."
  )
}

default_view_kernels <- function(frame, learner, scale) {
  views <- setdiff(names(frame$x$views), frame$blueprint$loose)
  if (length(views) == 0L) check_loose(frame, NULL)
  single <- learner$takes$max < 2 * length(views)
  sets <- lapply(views, function(view) {
    x <- frame$x$views[[view]]
    sub <- frame$views[[view]]
    set <- if (is_raw(x)) {
      default_raw_kernel(x$type)
    } else if (has_categories(sub) && !inherits(frame$blueprint, "frame_mixed")) {
      kernel_clinical()
    } else {
      variables <- sub$features %||% names(sub$variables) %||% seq_len(ncol(x))
      dense <- is.matrix(x) || isTRUE(sub$blueprint$sparse)
      scaled <- scale && dense && !isFALSE(frame$blueprint$scale_views[[view]])
      make <- if (single) one_gaussian else learner$kernels
      make(ncol(x), scaled, variables)
    }
    lapply(unclass(set), in_view, view)
  })
  new_kernels(do.call(base::c, sets))
}

# What is used for raw data if the user names no kernel.
default_raw_kernel <- function(type) {
  switch(type,
    strings = find_constructor("spectrum")(3, normalize = "cosine"),
    series = find_constructor("alignment")(),
    graphs = find_constructor("subtree")(normalize = "cosine")
  )
}

in_view <- function(item, view) {
  item$name <- paste0(view, ".", item$name)
  item$view <- view
  item
}

# An item as the items that it stands for: one, or one for each view that it can read.
spread_item <- function(item, frame) {
  if (item$family == "precomputed") return(list(item))
  known <- names(frame$x$views)
  if (!is.null(item$factors)) return(spread_product(item, frame))
  if (is.character(item$on) && length(item$on) > 1L && all(item$on %in% known)) {
    known <- item$on # several views by name
    item["on"] <- list(NULL)
  } else {
    item <- locate_item(item, frame)
  }
  if (!is.null(item$view)) return(list(item))
  able <- known[vapply(known, function(view) can_read(item, frame$x$views[[view]]), NA)]
  # A kernel for series reads rows of numbers only where there is no series, and a function of the
  # user reads text only where there are no numbers.
  first <- vapply(able, function(view) data_type(frame$x$views[[view]]) == item$reads[1L], NA)
  if (any(first)) able <- able[first]
  if (length(able) == 0L) {
    stop_kernel(
      item$name, "needs ", read_words(item), ", and no view has that. The views are ",
      tick_all(known), "."
    )
  }
  lapply(able, function(view) in_view(item, view))
}

# The factors of a product go to the views that they name; those that name none go together to every
# view that all of them can read.
spread_product <- function(item, frame) {
  known <- names(frame$x$views)
  factors <- lapply(item$factors, function(factor) {
    factor$group <- factor$group %||% item$group
    if (factor$family == "precomputed") factor else locate_item(factor, frame)
  })
  free <- vapply(factors, function(f) is.null(f$view) && f$family != "precomputed", NA)
  item$factors <- factors
  if (!any(free)) {
    return(list(item))
  }
  able <- known[vapply(known, function(view) {
    all(vapply(factors[free], can_read, NA, frame$x$views[[view]]))
  }, NA)]
  if (length(able) == 0L) {
    stop_kernel(
      item$name, "finds no view that all of its factors can read. Say by `on` which view each of ",
      "them sees: the views are ", tick_all(known), "."
    )
  }
  lapply(able, function(view) {
    item$factors[free] <- lapply(factors[free], function(factor) {
      factor$view <- view
      factor
    })
    item$name <- paste0(view, ".", item$name)
    item
  })
}

# The view that an item names.
locate_item <- function(item, frame) {
  known <- names(frame$x$views)
  if (is.null(item$view) && !is.null(item$group) && item$group %in% known) item$view <- item$group
  on <- item$on
  if (!is.null(item$view) || is.null(on)) return(item)
  if (is.numeric(on)) {
    stop_kernel(
      item$name, "names columns by position: say of which view, as in kernels = list(", known[1L],
      " = kernel_rbf(on = 1:2))."
    )
  }
  if (is.character(on) && length(on) == 1L && on %in% known) {
    item$view <- on
    item["on"] <- list(NULL)
    return(item)
  }
  wanted <- if (inherits(on, "formula")) all.vars(on) else on
  whose <- known[vapply(known, function(view) {
    sub <- frame$views[[view]]
    all(wanted %in% c(names(sub$variables), sub$names))
  }, NA)]
  if (length(whose) != 1L) {
    stop_kernel(
      item$name, "is asked to see ", tick_all(wanted), ", which ",
      if (length(whose)) paste("the views", tick_all(whose), "all have") else "no view has",
      ". The views are ", tick_all(known), "; name one as in kernels = list(", known[1L],
      " = ", "kernel_rbf(on = ...))."
    )
  }
  item$view <- whose
  item
}

# Numbers may be read as several types by a kernel.
can_read <- function(item, x) data_type(x) %in% (item$reads %||% "numbers")

data_type <- function(x) if (is_raw(x)) x$type else "numbers"

check_reads <- function(item, x) {
  if (can_read(item, x)) return(invisible())
  stop_mkl(
    "kernel_error", if (is.null(item$view)) "x" else item$name, "Kernel `", item$name, "` needs ",
    read_words(item), ", but ",
    if (is.null(item$view)) "the data are " else paste0("view `", item$view, "` is "),
    if (is_raw(x)) raw_words[[x$type]] else "numbers", "."
  )
}

read_words <- function(item) {
  words <- c(numbers = "numbers", raw_words)
  paste(words[item$reads %||% "numbers"], collapse = " or ")
}

seen_views <- function(kernels) {
  unique(unlist(lapply(single_items(kernels), function(item) item$view)))
}

# Views that no kernel sees are left out: whether a case has them says nothing about its kernels.
# Imputation may still need them.
drop_unseen <- function(frame, kernels) {
  if (!is_view_features(frame$x) || isTRUE(frame$blueprint$flat)) return(frame)
  seen <- seen_views(kernels)
  check_loose(frame, seen)
  none <- length(seen) == 0L || all(frame$x$names %in% seen)
  if (none || identical(frame$x$missing, "impute")) return(frame)
  keep_views(frame, intersect(frame$x$names, seen))
}

# What an item sees of a frame and its columns: those of its view, where there are views.
item_part <- function(item, x, frame = NULL) {
  if (is.null(item$view) || !is_view_features(x)) return(list(x = x, frame = frame))
  list(x = x$views[[item$view]], frame = frame$views[[item$view]])
}

# The same, of the cases that have the view; `rows`: which these are, NULL for all.
item_cases <- function(item, x, frame = NULL) {
  part <- item_part(item, x, frame)
  if (is.null(item$view) || !is_view_features(x)) return(part)
  has <- has_view(x, item$view)
  if (all(has)) return(part)
  part$x <- part$x[has, , drop = FALSE]
  part$rows <- which(has)
  part
}

# Raw columns of data frames --------------------------------------------------------------------

# Text of a data frame that a kernel reads as it is, though it has few values.
settle_text <- function(frame, kernels) {
  if (is.null(frame$given) || is.null(kernels)) return(frame)
  text <- intersect(raw_columns_of(kernels, frame$given), names(frame$given))
  if (length(text) == 0L) return(frame)
  new <- frame_table(frame$given, "x", text, frame$max_levels)
  new[c("y", "cases")] <- frame[c("y", "cases")]
  new
}

# Columns that kernels read as raw data: all that a kernel without use for numbers sees, and lists.
raw_columns_of <- function(kernels, data) {
  unique(unlist(lapply(single_items(check_kernels(kernels)), function(item) {
    if (!is.character(item$on)) return(NULL)
    if (!"numbers" %in% (item$reads %||% "numbers")) return(item$on)
    Filter(function(name) is.list(data[[name]]) && !is.null(raw_type(data[[name]])), item$on)
  })))
}
