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
  extended = function(x) {
    if (is.matrix(x)) rbind(x, if (nrow(x)) rep(x[1L], ncol(x)) else 0) else c(x, x[1L])
  },
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

# What the core reads of a fit: paths with their names. (`near` belongs to kernels of R, and so do
# functions.)
core_leaves <- function(fit) {
  paths <- Filter(function(path) !is.function(fit[[path]]), leaves(fit))
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

# Fits of what no stored version knows: views that cases lack, raw and sparse data, landmarks.
new_fits <- function() {
  n <- 24
  d <- three_views(n)
  ids <- rownames(d$rna)
  text <- stats::setNames(random_dna(n, 9), ids)
  series <- stats::setNames(lapply(seq_len(n), function(i) sin(i * (1:5))), ids)
  present <- views(rna = d$rna[1:20, ], text = text[4:n], series = series[3:n])
  y <- stats::setNames(d$y, ids)[attr(present, "cases")]
  kernels <- list(
    rna = kernel_rbf(2), text = kernel_spectrum(2, normalize = "cosine"),
    series = kernel_alignment(2)
  )
  nearness <- function(x, z) exp(-abs(outer(x[, 1L], z[, 1L], `-`)))
  sparse <- kernel_set(kernel_linear(), kernel_rbf(2))
  words <- if (requireNamespace("Matrix", quietly = TRUE)) {
    Matrix::Matrix(d$words, sparse = TRUE, dimnames = list(ids, paste0("w", 1:6)))
  }
  fits <- list(
    views = mkl(present, y, kernels = kernels, learner = learner_cka()),
    custom = mkl(views(rna = d$rna), d$y, kernels = kernel_function(nearness),
                 learner = learner_svm()),
    landmarks = mkl(d$rna, d$y, kernels = kernel_rbf(c(1, 2)), learner = learner_simplemkl(),
                    approximate = nystrom(8)),
    frequencies = with_seed(1, mkl(
      Species ~ ., iris, kernels = kernel_set(kernel_rbf(1, normalize = "cosine"), kernel_linear()),
      learner = "simplemkl", approximate = random_features(6)
    )),
    boosted = with_seed(1, mkl(
      d$rna, d$y, kernels = kernel_rbf(c(1, 2)), learner = learner_mkboost(trials = 2),
      approximate = random_features(4)
    )),
    sparse = if (!is.null(words)) mkl(words, d$y, kernels = sparse, learner = learner_average())
  )
  new <- list(
    views = views(rna = d$rna[2, , drop = FALSE], series = series[2]),
    custom = views(rna = d$rna[2, , drop = FALSE]), landmarks = d$rna[2, , drop = FALSE],
    boosted = d$rna[2, , drop = FALSE], frequencies = iris[60, 1:4],
    sparse = if (!is.null(words)) Matrix::Matrix(words[2, , drop = FALSE], sparse = TRUE)
  )
  list(fits = Filter(Negate(is.null), fits), new = new)
}

# Other columns, or another order of them, and other series, are another consistent model.
is_another_model <- function(names, damage) {
  damage %in% other_columns && "columns" %in% names ||
    damage %in% c("truncated", "extended") && identical(names[c(1, 3)], c("train", "series"))
}

unsafe_damages <- function(fit, new, name) {
  right <- outcome(fit, new)
  expect_false(is.null(right$value))
  bare <- unclass(fit)
  unsafe <- character()
  for (leaf in core_leaves(bare)) {
    for (damage in names(damages)) {
      if (is_another_model(leaf$names, damage)) next
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
  unsafe
}

test_that("a damaged part of a fit is refused or does no harm", {
  skip_on_cran()
  for (name in names(stored$fits)) {
    fit <- multikernel:::current_fit(stored$fits[[name]])
    if (!requireNamespace(fit$learner$package %||% "stats", quietly = TRUE)) next
    expect_identical(unsafe_damages(fit, one_row(stored$new[[name]]), name), character())
  }
})

test_that("so is one of a fit to views, raw or sparse data, or landmarks", {
  skip_on_cran()
  made <- new_fits()
  for (name in names(made$fits)) {
    expect_identical(unsafe_damages(made$fits[[name]], made$new[[name]], name), character())
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
