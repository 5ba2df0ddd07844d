# Kernels as users write them. A set of kernels (class `mkl_kernels`) is a list of
# items; an item says family, parameters, columns (`on`) and normalizer, and is
# turned into what the core reads by resolve_kernels(), once the training rows are
# known. A new family needs its constructor only: one call of new_kernel().

# `parameters`: named list; a vector-valued one spans a grid, the first varies fastest.
# `width`: name of the parameter that may be a width rule, resolved on the training rows.
# `rule`: what the core calls the rule of that parameter, if not by the name that the user gives.
# `core`: function from the parameters of the user to those of the core, if they differ.
# `learn`: function(item, part, columns) that learns from the training rows (item_cases()): a list
# of `parameters` and `columns` in the place of those of the item, or of one of them; NULL for none.
# `table`: TRUE if it compares the variables of a table one by one, see R/kernel-table.R.
# `coordinates`: function(x, parameters), in which the distances of a width rule are measured; NULL
# for the columns themselves.
# `nonnegative`, `positive`: TRUE if the kernel is defined for data >= 0 or > 0 only.
# `scaling`: "standard", "raw" or "any", see R/kernel-domain.R.
# `sparse`: TRUE if it needs no more of sparse features than dot products, squared distances or sums
# of minima, so that they stay sparse (src/features/sparse.hpp).
# `count`: number of kernels that one item stands for.
# `reads`: what it is defined on: "numbers", or a type of raw data, see R/frame-raw.R.
# `name`: what the kernel is called instead of its family and parameters.
# `...`: further fields of the items.
new_kernel <- function(family, parameters = list(), on = NULL, normalize = NULL, width = NULL,
                       core = NULL, nonnegative = FALSE, positive = FALSE,
                       scaling = if (nonnegative || positive) "raw" else "standard", sparse = FALSE,
                       count = 1L, reads = "numbers", name = NULL, ...) {
  on <- check_on(on)
  normalize <- check_normalize(normalize)
  parameters <- parameters[lengths(parameters) > 0L]
  shown <- shown_parameters(family, parameters)
  items <- lapply(parameter_grid(parameters), function(p) {
    list(
      family = family, parameters = p, on = on, normalize = normalize,
      name = label_kernel(name %||% family, if (is.null(name)) p[shown] else list(), on),
      width = width, core = core, nonnegative = nonnegative, positive = positive,
      scaling = scaling, sparse = sparse, count = count, reads = reads, ...
    )
  })
  new_kernels(items)
}

new_kernels <- function(items) {
  if (sum(item_counts(items)) > .Machine$integer.max) {
    stop_mkl(
      "argument_error", "kernels", "A set holds at most ", .Machine$integer.max,
      " kernels, not ", format_number(sum(item_counts(items)), 15L), "."
    )
  }
  items <- unique_names(unname(items))
  class(items) <- "mkl_kernels"
  items
}

# Names identify kernels in every result, so two items never share one.
unique_names <- function(items) {
  if (length(items) < 2L) return(items)
  given <- vapply(items, function(item) item$name, "")
  fresh <- make.unique(given, sep = "#")
  for (i in which(given != fresh)) items[[i]]$name <- fresh[[i]]
  items
}

parameter_grid <- function(parameters) {
  if (all(lengths(parameters) == 1L)) return(list(parameters))
  index <- expand.grid(lapply(parameters, seq_along), KEEP.OUT.ATTRS = FALSE)
  lapply(seq_len(nrow(index)), function(row) Map(function(p, i) p[[i]], parameters, index[row, ]))
}

# A name shows the first parameter, those that span a grid and those that differ from
# the default of the constructor: short, and still enough to tell kernels apart.
shown_parameters <- function(family, parameters) {
  if (length(parameters) < 2L) return(names(parameters))
  constructor <- find_constructor(family)
  defaults <- if (is.null(constructor)) list() else as.list(formals(constructor))
  is_default <- function(name) {
    if (is.symbol(defaults[[name]])) return(FALSE)
    default <- defaults[[name]]
    if (is.call(default)) default <- tryCatch(eval(default, baseenv()), error = function(e) NULL)
    value <- parameters[[name]]
    # all.equal() takes longer than all other checks of a kernel.
    if (!is.numeric(default) || !is.numeric(value)) return(identical(default, value))
    isTRUE(all.equal(default, value))
  }
  named <- names(parameters)
  rest <- named[-1L]
  c(named[1L], rest[lengths(parameters[-1L]) > 1L | !vapply(rest, is_default, NA)])
}

label_kernel <- function(family, parameters, on) {
  shown <- vapply(parameters, function(p) {
    if (is.numeric(p)) format_number(p) else as.character(p)
  }, "")
  inside <- c(on_label(on), if (length(shown)) paste0(names(shown), "=", shown))
  if (length(inside)) paste0(family, "(", paste(inside, collapse = ", "), ")") else family
}

on_label <- function(on) {
  if (is.null(on)) return(NULL)
  if (inherits(on, "formula")) return(paste(deparse(on[[2L]], width.cutoff = 500L), collapse = " "))
  shown <- if (is.numeric(on)) paste0("#", on) else on
  if (length(shown) > 3L) shown <- c(shown[1L], "...", shown[length(shown)])
  shown
}

check_on <- function(on) {
  if (is.null(on)) return(NULL)
  expected <- "names, positions or a one-sided formula of columns"
  if (inherits(on, "formula")) {
    if (length(on) != 2L) stop_must("on", expected, "a formula with two sides")
    environment(on) <- baseenv()
    return(on)
  }
  if (!(is.character(on) || is.numeric(on)) || is.object(on) || length(on) == 0L || anyNA(on)) {
    stop_must("on", expected, on)
  }
  if (is.numeric(on)) {
    odd <- on < 1 | on > .Machine$integer.max | on != round(on)
    if (any(odd)) stop_must("on", "positive whole numbers when it gives positions", on[odd][1L])
  }
  if (anyDuplicated(on)) {
    twice <- describe(on[anyDuplicated(on)])
    stop_mkl("argument_error", "on", "`on` names column ", twice, " twice.")
  }
  if (is.numeric(on)) as.integer(on) else on
}

width_rules <- function() c("mean_distance", "nearest", "median")

# A width: positive numbers, or names of rules.
check_width <- function(x, argument) {
  if (is.character(x) && length(x) > 0L && !anyNA(x)) {
    for (one in x) check_choice(one, argument, width_rules())
    return(x)
  }
  if (!is.numeric(x)) {
    stop_must(argument, paste("positive numbers or one of", quote_all(width_rules())), x)
  }
  check_numbers(x, argument, 0, open = c(TRUE, FALSE))
}

# The constructor behind the term `rbf(...)` of a formula is `kernel_rbf()`: found by its
# name, so that a new kernel needs no entry in any table. Other functions of that prefix
# (kernel_set(), kernel_matrix() ...) have no argument `on` and are no constructors.
find_constructor <- function(family) {
  name <- paste0("kernel_", family)
  found <- get0(name, envir = parent.env(environment()), mode = "function", inherits = FALSE)
  if (is.null(found) || !"on" %in% names(formals(found))) NULL else found
}
