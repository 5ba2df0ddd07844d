# Damage to calls of the compiled entries, for the fuzz tests. Each damaged call must end in a
# finite result or in an ordinary error; a crash would take the test run with it.
# MULTIKERNEL_FUZZ_SECONDS and MULTIKERNEL_FUZZ_SEED make it longer or different.

pick <- function(x) x[[sample.int(length(x), 1L)]]
odd_numbers <- c(0, -1, 0.5, 3, NaN, NA, Inf, -Inf, 1e200, -1e200, 1e-200, 1e308, 1e16)
junk <- function() {
  pick(list(
    NULL, NA, TRUE, "a", "", character(), numeric(), list(), list(1), list(a = 1), quote(a),
    sum, 1i, raw(2), matrix(0, 0, 0), matrix("a", 1, 1), matrix(1:4, 2), diag(3), c(a = 1),
    factor("a"), Sys.Date(), pick(odd_numbers), sample(odd_numbers, 3)
  ))
}

# Breaks one thing, somewhere.
damage <- function(x) {
  if (is.list(x) && length(x) && runif(1) < 0.75) {
    i <- sample.int(length(x), 1L)
    what <- runif(1)
    if (what < 0.1) return(x[-i])
    if (what < 0.15) return(c(x, x[i]))
    if (what < 0.2) return(unname(x))
    value <- damage(x[[i]])
    x[i] <- list(value)
    return(x)
  }
  if (is.numeric(x) && length(x) && runif(1) < 0.7) {
    what <- runif(1)
    if (what < 0.5) x[sample.int(length(x), 1L)] <- pick(odd_numbers)
    else if (what < 0.6) x <- x * 1e200
    else if (what < 0.7) x <- x[-1]
    else if (what < 0.8 && is.matrix(x)) x <- x[-1, , drop = FALSE]
    else if (what < 0.9 && is.matrix(x)) x <- x[, -1, drop = FALSE]
    else x <- c(x, 1)
    return(x)
  }
  if (is.character(x) && length(x) && runif(1) < 0.5) {
    x[1] <- pick(c("rbf", "precomputed", "product", "rbf_bags", "svm", "best", "regression",
                   "one_class", "one_vs_rest", "center", "cosine", "trace", "nearest", "baseline"))
    return(x)
  }
  junk()
}

# Variables of a table, some of two columns.
random_table <- function(p) {
  sizes <- if (p > 1) c(2, rep(1, p - 2)) else rep(1, p)
  kinds <- c(if (p > 1) pick(1:2), rep(0, p - (p > 1)))[seq_along(sizes)]
  list(family = pick(c("clinical", "overlap")), columns = seq_len(p), parameters = list(
    kinds = as.double(kinds), sizes = as.double(sizes), lows = rep(0, length(sizes)),
    ranges = round(runif(length(sizes), 0, 2), 1)
  ))
}

# Families that read text or graphs, with right parameters: an error on numbers.
random_raw <- function() {
  pick(list(
    list(family = "spectrum", parameters = list(k = 2, ignore_case = 0)),
    list(family = "mismatch", parameters = list(k = 2, m = 1, alphabet = "AB", ignore_case = 0)),
    list(family = "gappy", parameters = list(k = 2, g = 3, ignore_case = 0)),
    list(family = "weighted_degree", parameters = list(d = 2, shift = 1, length = 4)),
    list(family = "subtree", parameters = list(h = 1)),
    list(family = "diffusion", parameters = list(nodes = c("a", "b"), values = c(1, 0, 1)))
  ))
}

random_kernel <- function(n, p, deep = TRUE) {
  number <- function() round(runif(1, 0.1, 3), 2)
  K <- tcrossprod(matrix(rnorm(n * 2), n))
  kernel <- pick(list(
    list(family = "linear"),
    list(family = "polynomial", parameters = list(degree = 2, scale = 1, offset = 1)),
    list(family = "sigmoid", parameters = list(scale = number(), offset = 0)),
    list(family = "rbf", parameters = list(gamma = number())),
    list(family = "laplacian", parameters = list(sigma = number())),
    list(family = "matern", parameters = list(nu = 1.5, sigma = number())),
    list(family = "rational_quadratic", parameters = list(sigma = number(), alpha = 1)),
    list(family = "anova", parameters = list(sigma = number(), degree = 2)),
    list(family = "chisq", parameters = list(gamma = number())),
    list(family = "intersection"),
    list(family = "tanimoto"),
    list(family = "bray_curtis"),
    list(family = "aitchison", parameters = c(
      list(pseudocount = number()), pick(list(NULL, list(gamma = number())))
    )),
    list(family = "alignment", parameters = list(sigma = number(), triangular = pick(c(0, 2)))),
    random_table(p),
    random_raw(),
    list(family = "rbf_bags",
         parameters = list(count = 3, max_features = 4, beta = pick(c(NaN, 1)), seed = 1)),
    list(family = "precomputed", matrix = K, diagonal = diag(K), train_diagonal = diag(K)),
    if (deep) {
      list(family = "product",
           factors = list(random_kernel(n, p, FALSE), random_kernel(n, p, FALSE)))
    } else list(family = "linear")
  ))
  kernel$name <- kernel$family
  kernel$normalize <- pick(list(character(), "trace", "unit_trace", "cosine", "center",
                                c("center", "cosine")))
  if (p > 0 && is.null(kernel$columns) && runif(1) < 0.3) kernel$columns <- sample.int(p, 1L)
  kernel
}

random_control <- function() {
  core(tol = pick(c(1e-3, 1e-8)), max_iter = pick(c(1, 50, 5000)), threads = pick(1:2),
       memory = pick(c(0, 1e3, 1e9)), simd = pick(simd_levels()), shrinking = pick(c(TRUE, FALSE)))
}

# The gap of a method that solves no problem with a dual is NaN.
finite <- function(x) {
  if (is.list(x)) all(vapply(x[setdiff(seq_along(x), which(names(x) == "gap"))], finite, NA))
  else !is.numeric(x) || all(is.finite(x))
}

# "fine", "error", or what was wrong.
judge <- function(call) {
  outcome <- tryCatch(
    suppressWarnings(do.call(call[[1]], call[[2]], quote = TRUE)), error = identity
  )
  if (!inherits(outcome, "error")) return(if (finite(outcome)) "fine" else "not finite")
  text <- conditionMessage(outcome)
  odd <- nchar(text) < 8 || grepl("out of bounds|bad_alloc|std::|basic_string|vector::", text)
  if (odd) text else "error"
}

# A control that would print, or never end. Dates, factors and complex numbers count as TRUE too.
tame <- function(x) {
  if (!is.list(x)) return(x)
  loud <- is.atomic(x$verbose) && any(as.logical(unclass(x$verbose)), na.rm = TRUE)
  if (loud) x$verbose <- FALSE
  if (is.numeric(x$max_iter)) x$max_iter <- pmin(x$max_iter, 5000)
  x
}

# Damaged calls for some seconds, and until there was a result and an error (a slow machine does not
# get there in its time): counts of them, or the call that went wrong. `make` gives a right call as
# list(function, arguments).
fuzz <- function(make, seconds, seed) {
  set.seed(seed)
  counts <- c(fine = 0, error = 0)
  deadline <- proc.time()[["elapsed"]] + seconds
  late <- deadline + 60
  while ((now <- proc.time()[["elapsed"]]) < deadline || (any(counts == 0) && now < late)) {
    state <- .Random.seed
    call <- make()
    if (is.null(call)) next
    damages <- sample(0:3, 1)
    for (k in seq_len(damages)) {
      i <- sample.int(length(call[[2]]), 1L)
      call[[2]][i] <- list(damage(call[[2]][[i]]))
    }
    call[[2]] <- lapply(call[[2]], tame)
    verdict <- judge(call)
    if (!verdict %in% names(counts)) return(list(verdict = verdict, call = call, state = state))
    counts[verdict] <- counts[verdict] + 1
  }
  counts
}

# Runs fuzz() on each entry of `calls`, with its share of the time.
expect_robust <- function(calls, share, seconds) {
  seed <- as.numeric(Sys.getenv("MULTIKERNEL_FUZZ_SEED", "1"))
  for (entry in names(share)) {
    result <- fuzz(calls[[entry]], seconds * share[[entry]] / sum(share), seed)
    if (is.list(result)) {
      text <- paste(utils::capture.output(utils::str(result$call[[2]])), collapse = "\n")
      fail(paste0(entry, ": ", result$verdict, "\n", text))
    } else {
      expect_gt(result[["fine"]], 0, label = entry)
      expect_gt(result[["error"]], 0, label = entry)
    }
  }
}

fuzz_seconds <- function(usual) {
  as.numeric(Sys.getenv("MULTIKERNEL_FUZZ_SECONDS", if (on_cran()) "1" else usual))
}
