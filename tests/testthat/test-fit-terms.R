# Contributions of kernels and views: their sum is the decision value for every learner, and each is
# what its definition says.

d <- two_class(60)
new <- two_class(75)$x[61:75, ]
three <- factor(rep(c("a", "b", "c"), 20))
set <- kernel_set(
  kernel_rbf(1, on = c("v1", "v2")), kernel_rbf(2, on = "v3"), kernel_linear(on = "v2")
)

learner_of_name <- function(name) {
  if (name == "gmkl") return(learner_gmkl(regularizer = "l2")) # for one class too
  make <- getExportedValue("multikernel", paste0("learner_", name))
  if (name %in% c("svm", "komd")) make(weights = c(0.2, 0, 0.8)) else make()
}
kernels_for <- function(learner) set[seq_len(min(3, learner$takes$max))]

# The sum of the terms is the decision value.
expect_terms <- function(fit, new, label, ...) {
  decision <- as.matrix(predict(fit, new, type = "decision", ...))
  terms <- predict(fit, new, type = "terms", ...)
  constant <- attr(terms, "constant")
  expect_identical(length(constant), ncol(decision), label = label)
  sums <- if (length(dim(terms)) == 3L) apply(terms, c(1L, 3L), sum) else as.matrix(rowSums(terms))
  found <- bare(unname(sums)) + rep(unname(constant), each = nrow(sums))
  expect_lt(max(abs(found - unname(decision))) / max(1, abs(decision)), 1e-10, label = label)
  terms
}

test_that("terms add up to the decision value for every learner, task and number of models", {
  no_sum <- c("knn", "lda")
  tasks <- list(classification = d$y, several = three, regression = numbers(60)$y, one_class = NULL)
  for (name in setdiff(learner_names(), no_sum)) {
    learner <- learner_of_name(name)
    for (task in names(tasks)) {
      if (!sub("several", "classification", task) %in% learner$tasks) next
      set.seed(1)
      fit <- suppressWarnings(
        mkl(d$x, tasks[[task]], kernels = kernels_for(learner), learner = learner)
      )
      terms <- expect_terms(fit, new, paste(name, task))
      expect_identical(dimnames(terms)[[2L]], names(kernels_for(learner)), label = name)
    }
  }
})

test_that("terms add up with one against the rest and probabilities", {
  learners <- list(
    learner_simplemkl(), learner_lmkl(), learner_cca_mhks("vote"), learner_mkboost()
  )
  for (learner in learners) {
    set.seed(2)
    fit <- suppressWarnings(mkl(
      d$x, three, kernels = set, learner = learner, probability = TRUE, multiclass = "one_vs_rest"
    ))
    terms <- expect_terms(fit, new, learner$name)
    expect_identical(dimnames(terms)[[3L]], c("a", "b", "c"))
    expect_identical(names(attr(terms, "constant")), c("a", "b", "c"))
  }
})

test_that("the terms of an expansion are its sums over one kernel each", {
  K <- kernel_matrix(set, d$x, normalize = "none")
  fresh <- kernel_matrix(set, d$x, z = new, normalize = "none")
  y <- 5 + 3 * numbers(60)$y
  fit <- mkl(unclass(K), y, learner = learner_average(), normalize = "none")
  blocks <- lapply(fresh, unclass)
  facts <- model_facts(fit)[[1L]]
  rows <- fit$kept[facts$rows]
  terms <- predict(fit, blocks, type = "terms")
  for (m in 1:3) {
    own <- drop(blocks[[m]][, rows] %*% facts$coefficients) * coef(fit)[[m]] * stats::sd(y)
    expect_equal(unname(terms[, m]), unname(own), tolerance = 1e-12)
  }
  expect_equal(attr(terms, "constant"), facts$bias * stats::sd(y) + mean(y))
})

test_that("the terms of LMKL are those of its gates", {
  set.seed(3)
  fit <- lmkl(d$x, d$y, kernels = set, scale = FALSE, normalize = "none")
  facts <- model_facts(fit)[[1L]]
  fresh <- kernel_matrix(set, d$x, z = new, normalize = "none")
  eta <- gating_weights(fit, new)
  terms <- predict(fit, new, type = "terms")
  for (m in 1:3) {
    scores <- unclass(fresh[[m]])[, fit$kept[facts$rows]] %*% facts$coefficients[, m]
    expect_equal(unname(terms[, m]), unname(eta[, m] * drop(scores)), tolerance = 1e-10)
  }
})

test_that("the votes of MKBoost are shared by the kernels that agree with their trial", {
  # one kernel decides each trial: the difference that the trial makes is all its own
  set.seed(4)
  fit <- mkboost(d$x, d$y, kernels = set, trials = 7)
  facts <- model_facts(fit)[[1L]]
  value <- function(t) if (t == 0) 0 else predict(fit, new, type = "decision", trials = t)
  want <- matrix(0, nrow(new), 3)
  for (t in 1:7) {
    m <- facts$kernel[t]
    want[, m] <- want[, m] + value(t) - value(t - 1)
  }
  expect_equal(unname(predict(fit, new, type = "terms")), want, tolerance = 1e-12,
               ignore_attr = TRUE)
  expect_terms(fit, new, "the first trials", trials = 3)

  # all kernels vote
  set.seed(4)
  voted <- mkboost(d$x, d$y, kernels = set, trials = 5, variant = "D2", scale = FALSE,
                   normalize = "none")
  state <- voted$models[[1L]]$state
  fresh <- kernel_matrix(set, d$x, z = new, normalize = "none")
  ends <- cumsum(state$length)
  sign_of <- function(v) ifelse(v >= 0, 1, -1)
  votes <- vapply(seq_along(ends), function(k) {
    at <- seq.int(ends[k] - state$length[k] + 1, length.out = state$length[k])
    K <- unclass(fresh[[state$kernel[k]]])[, voted$kept[state$rows[at]], drop = FALSE]
    state$vote[k] * sign_of(drop(K %*% state$coefficients[at]) + state$bias[k])
  }, numeric(nrow(new)))
  want <- matrix(0, nrow(new), 3)
  for (t in 1:5) {
    own <- which(state$trial == t)
    decided <- sign_of(rowSums(votes[, own, drop = FALSE]))
    agreed <- pmax(votes[, own, drop = FALSE] * decided, 0)
    for (k in own) {
      share <- state$alpha[t] * decided * agreed[, match(k, own)] / rowSums(agreed)
      want[, state$kernel[k]] <- want[, state$kernel[k]] + share
    }
  }
  expect_equal(unname(predict(voted, new, type = "terms")), want, tolerance = 1e-10,
               ignore_attr = TRUE)
})

test_that("machines that vote have their own vote each", {
  set.seed(5)
  fit <- cca_mhks(d$x, d$y, kernels = set, combine = "vote")
  terms <- expect_terms(fit, new, "votes")
  expect_identical(attr(terms, "constant"), 0)
  # 1/m and less than that of the tie-breaker
  expect_true(all(abs(abs(terms) - 1 / 3) < 1 / 3))
})

test_that("label-based kernels have terms, with both assumed labels too", {
  labelled <- kernel_set(kernel_label_based(kernel_rbf(1)), kernel_linear())
  fit <- mkl(d$x, d$y, kernels = labelled, learner = learner_svm(weights = c(0.5, 0.5)))
  terms <- expect_terms(fit, new, "label-based")
  expect_identical(dim(terms), c(nrow(new), 2L))
  expect_terms(lbmkl(d$x, three), new, "lbmkl")
})

test_that("views: sums of their kernels, and 0 for a view that a case lacks", {
  named <- function(x, cases = seq_len(nrow(x))) {
    rownames(x) <- cases
    x
  }
  sources <- views(one = named(d$x[, 1:2]), two = named(d$x[1:50, 3, drop = FALSE]))
  kernels <- list(one = kernel_rbf(1:2), two = kernel_rbf(1))
  fit <- mkl(sources, d$y, kernels = kernels, learner = learner_average())
  fresh <- views(one = named(new[, 1:2]), two = named(new[1:9, 3, drop = FALSE]))
  by_kernel <- expect_terms(fit, fresh, "views")
  by_view <- predict(fit, fresh, type = "terms", by = "view")
  expect_identical(colnames(by_view), c("one", "two"))
  expect_equal(by_view[, "one"], rowSums(by_kernel[, 1:2]))
  expect_equal(attr(by_view, "constant"), attr(by_kernel, "constant"))
  expect_true(all(by_view[10:15, "two"] == 0))
  expect_false(any(by_view[1:9, "two"] == 0))
  # views of the columns of a linear discriminant
  skip_if_not_installed("MASS")
  whole <- views(one = d$x[, 1:2], two = d$x[, 3, drop = FALSE])
  lda <- mkl(whole, three, learner = learner_lda())
  fresh <- views(one = new[, 1:2], two = new[, 3, drop = FALSE])
  terms <- predict(lda, fresh, type = "terms", by = "view")
  found <- apply(terms, c(1, 3), sum) + rep(attr(terms, "constant"), each = nrow(new))
  expect_equal(bare(found), bare(predict(lda, fresh, type = "decision")), tolerance = 1e-12)
  expect_equal(
    unname(terms[, "two", "a"]),
    (new[, 3] - mean(d$x[, 3])) / sd(d$x[, 3]) * lda$models[[1]]$state$direction[3]
  )
})

test_that("missing values, no cases, names and the training rows", {
  fit <- mkl(d$x, d$y, kernels = set)
  gap <- new
  gap[2, 1] <- NA
  rownames(gap) <- letters[1:15]
  terms <- predict(fit, gap, type = "terms")
  expect_true(all(is.na(terms["b", ])))
  expect_equal(bare(terms[-2, ]), predict(fit, new, type = "terms")[-2, ], ignore_attr = TRUE)
  expect_identical(dim(predict(fit, new[0, ], type = "terms")), c(0L, 3L))
  expect_mkl_error(predict(fit, type = "terms"), "Give the rows", "newdata")
  all_kept <- mkboost(d$x, d$y, kernels = set, trials = 5)
  expect_equal(predict(all_kept, type = "terms"), predict(all_kept, d$x, type = "terms"))
})

test_that("terms survive storage and do not depend on threads or the company of a row", {
  fits <- list(
    mkl(d$x, three, kernels = set, control = mkl_control(threads = 1)),
    lmkl(d$x, d$y, kernels = set), mkboost(d$x, d$y, kernels = set, variant = "D2", trials = 5)
  )
  for (fit in fits) {
    terms <- predict(fit, new, type = "terms")
    file <- withr::local_tempfile()
    saveRDS(fit, file)
    expect_identical(predict(readRDS(file), new, type = "terms"), terms)
    fit$control$threads <- 4
    expect_identical(predict(seal_fit(fit), new, type = "terms"), terms)
    alone <- predict(fit, new[3, , drop = FALSE], type = "terms")
    expect_identical(as.vector(alone), as.vector(
      if (length(dim(terms)) == 3L) terms[3, , ] else terms[3, ]
    ))
  }
})

test_that("decisions that are no sum say so", {
  fit <- gmkl(d$x, d$y, kernels = kernel_set(kernel_rbf(1), kernel_rbf(2)), combine = "product")
  expect_mkl_error(predict(fit, new, type = "terms"), "multiplies", "type")
  skip_if_not_installed("class")
  knn <- mkl(d$x, d$y, learner = learner_knn())
  expect_mkl_error(predict(knn, new, type = "terms"), "no sum", "type")
  skip_if_not_installed("MASS")
  lda <- mkl(d$x, d$y, learner = learner_lda())
  expect_mkl_error(predict(lda, new, type = "terms"), "works on columns", "by")
  expect_identical(colnames(predict(lda, new, type = "terms", by = "view")), "all")
})

test_that("bad arguments are errors that name them", {
  fit <- mkl(d$x, d$y, kernels = set)
  expect_mkl_error(predict(fit, new, type = "terms", by = "rows"), argument = "by")
  expect_mkl_error(predict(fit, new, type = "decision", by = "view"), "goes with", "by")
  expect_mkl_error(predict(fit, new, type = "term"), argument = "type")
})
