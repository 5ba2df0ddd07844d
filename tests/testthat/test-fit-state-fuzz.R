# Stored fits of every learner, with one leaf of what the core reads damaged. Without a seal, or
# with a new one, predict() has to give an error of the package or exactly the right result: parts
# that do not belong together never predict something else.

stored <- readRDS(test_path("fits-0.2.0.rds"))
other_columns <- c("dropped", "truncated", "reversed")
parts <- c("models", "kernels", "normalizers", "train", "kept")

# Paths of all leaves of a list; a path is a vector of positions.
leaves <- function(x, path = NULL) {
  if (!is.list(x) || length(x) == 0L) return(list(path))
  do.call(c, lapply(seq_along(x), function(i) leaves(x[[i]], c(path, i))))
}

# Parts that are no longer what they were. Each changes the structure of a leaf or leaves its range.
damages <- list(
  dropped = function(x) NULL,
  truncated = function(x) if (is.matrix(x)) x[-nrow(x), , drop = FALSE] else x[-length(x)],
  narrowed = function(x) if (is.matrix(x)) x[, -ncol(x), drop = FALSE],
  extended = function(x) if (is.matrix(x)) rbind(x, if (nrow(x)) x[1, ] else 0) else c(x, x[1L]),
  flat = function(x) if (is.matrix(x)) as.vector(x),
  missing = function(x) replace(x, 1L, NA),
  infinite = function(x) if (is.double(x)) replace(x, 1L, Inf),
  far = function(x) if (is.integer(x)) replace(x, length(x), 100000L),
  zero = function(x) if (is.integer(x)) replace(x, 1L, 0L),
  text = function(x) if (is.numeric(x)) as.character(x) else "zzz",
  list = function(x) as.list(x),
  reversed = function(x) if (is.integer(x)) rev(x)
)

# `x` with the leaf at `path` replaced; a damage that does not apply gives `x`.
damaged <- function(x, path, damage) {
  leaf <- x[[path]]
  new <- damage(leaf)
  if (is.null(new) && !identical(damage, damages$dropped)) return(x)
  x[[path]] <- new
  x
}

# The decision values for the first new row, or the class of the error.
outcome <- function(fit, new) {
  tryCatch(
    list(value = predict(fit, new, type = "decision")),
    error = function(e) list(classed = inherits(e, "multikernel_error"), text = conditionMessage(e))
  )
}

# FALSE for a result that is neither right nor an error of the package.
is_safe <- function(found, right) {
  if (is.null(found$value)) return(found$classed)
  isTRUE(all.equal(found$value, right$value, tolerance = 1e-10))
}

names_on <- function(x, path) {
  vapply(seq_along(path), function(i) {
    names(if (i == 1L) x else x[[path[seq_len(i - 1L)]]])[path[i]] %||% ""
  }, "")
}

# What the core reads of a fit: paths with their names. (`near` belongs to kernels of R.)
core_leaves <- function(fit) {
  paths <- leaves(fit)
  names <- lapply(paths, names_on, x = fit)
  read <- vapply(names, function(n) n[1L] %in% parts && !"near" %in% n, NA)
  Map(function(path, names) list(path = path, names = names), paths[read], names[read])
}

one_row <- function(new) {
  if (is.data.frame(new) || is.matrix(new)) return(new[2L, , drop = FALSE])
  lapply(new, function(block) {
    structure(block[2L, , drop = FALSE], diagonal = attr(block, "diagonal")[2L])
  })
}

# Models of a kind that version 0.2.0 did not have.
random_features_fit <- function() {
  kernels <- kernel_set(kernel_rbf(1, normalize = "cosine"), kernel_linear())
  with_seed(1, mkl(Species ~ ., iris, kernels = kernels, learner = "simplemkl",
                   approximate = random_features(6)))
}

test_that("a damaged part of a fit is refused or does no harm", {
  skip_on_cran()
  fits <- stored$fits[!vapply(stored$fits, inherits, NA, "mkl_features")]
  fits$random_features <- random_features_fit()
  stored$new$random_features <- iris[c(1, 60, 120), 1:4]
  for (name in names(fits)) {
    new <- one_row(stored$new[[name]])
    fit <- multikernel:::current_fit(fits[[name]])
    right <- outcome(fit, new)
    bare <- unclass(fit)
    unsafe <- character()
    for (leaf in core_leaves(bare)) {
      for (damage in names(damages)) {
        # Other columns, or another order of them, are another consistent model.
        if (damage %in% other_columns && "columns" %in% leaf$names) next
        worse <- damaged(bare, leaf$path, damages[[damage]])
        if (identical(worse, bare)) next
        # in turn: without a seal, with a new one
        worse$seal <- NULL
        if (length(leaf$path) %% 2L) worse <- multikernel:::seal_fit(worse)
        found <- outcome(structure(worse, class = class(fit)), new)
        if (is_safe(found, right)) next
        unsafe <- c(unsafe, paste(name, paste(leaf$names, collapse = "$"), damage, found$text))
      }
    }
    expect_identical(unsafe, character())
  }
})

test_that("another consistent model predicts something else, and an old seal tells", {
  for (name in c("svm", "easymkl_three")) {
    fit <- multikernel:::current_fit(stored$fits[[name]])
    new <- stored$new[[name]]
    other <- fit
    other$models[[1]]$state$coefficients <- rev(other$models[[1]]$state$coefficients)
    expect_mkl_error(predict(other, new), class = "multikernel_fit_error")
    changed <- predict(multikernel:::seal_fit(other), new, type = "decision")
    expect_true(all(is.finite(changed)))
    expect_false(isTRUE(all.equal(changed, predict(fit, new, type = "decision"))))
    swapped <- fit
    swapped$models[1:2] <- fit$models[2:1]
    expect_mkl_error(predict(multikernel:::seal_fit(swapped), new), "classes")
    mixed <- fit
    mixed$models[[1]]["state"] <- fit$models[[2]]["state"]
    mixed$models[[2]]["state"] <- fit$models[[1]]["state"]
    expect_mkl_error(predict(mixed, new), class = "multikernel_fit_error")
  }
})
