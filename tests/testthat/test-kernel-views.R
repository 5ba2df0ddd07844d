d <- three_views(30)
v <- make_views(d)

names_of <- function(...) names(coef(mkl(v, d$y, learner = "average", ...)))

test_that("a kernel comes to a view by the list, by `on`, by a column, or to every view", {
  expect_identical(names_of(kernels = list(rna = kernel_linear(), table = kernel_rbf(1:2))), c(
    "rna", "table.rbf(sigma=1)", "table.rbf(sigma=2)"
  ))
  fit <- mkl(v, d$y, learner = "average", kernels = list(
    kernel_linear(on = "rna"), kernel_rbf(1, on = "words"), kernel_linear(on = c("age", "flag"))
  ))
  expect_identical(kernel_weights(fit, by = "view"), c(rna = 1, words = 1, table = 1) / 3)
  expect_identical(
    names_of(kernels = kernel_linear()), c("rna.linear", "table.linear", "words.linear")
  )
  two <- mkl(v, d$y, learner = "average", kernels = kernel_linear(on = c("rna", "words")))
  expect_identical(names(kernel_weights(two, by = "view")), c("rna", "words"))
})

test_that("the kernels of views are those of their columns alone", {
  numbers <- lapply(d[c("rna", "words")], function(x) x / 10)
  v <- do.call(views, numbers)
  K <- kernel_matrix(list(rna = kernel_rbf(1), kernel_linear(on = "words")), v)
  expect_equal(unname(K$rna), gauss(numbers$rna, numbers$rna, 1), tolerance = 1e-12)
  expect_equal(unname(K[[2]]), unname(tcrossprod(numbers$words)), tolerance = 1e-12)
  new <- kernel_matrix(list(rna = kernel_rbf(1)), v, v[2:4, ])
  expect_equal(unname(new), gauss(numbers$rna[2:4, ], numbers$rna, 1), tolerance = 1e-12)
  column <- kernel_matrix(kernel_linear(on = "w2"), v)
  expect_equal(unname(column), unname(tcrossprod(numbers$words[, 2])), tolerance = 1e-12)
})

test_that("factors of a product see views of their own", {
  numbers <- lapply(d[c("rna", "words")], function(x) x / 10)
  v <- do.call(views, numbers)
  both <- kernel_rbf(1, on = "rna") * kernel_linear(on = "words")
  expected <- gauss(numbers$rna, numbers$rna, 1) * tcrossprod(unname(numbers$words))
  expect_equal(unname(kernel_matrix(both, v)), expected, tolerance = 1e-12)
  each <- kernel_matrix(kernel_rbf(1) * kernel_linear(), v)
  expect_identical(names(each), c("rna.rbf(sigma=1):linear", "words.rbf(sigma=1):linear"))
  fit <- mkl(v, d$y, learner = "average", kernels = both)
  expect_identical(names(kernel_weights(fit, by = "view")), "rna:words")
})

test_that("formulas name views", {
  fit <- mkl(
    d$y ~ rbf(rna, sigma = 2) + linear(table) + rbf(words, sigma = 1):linear(rna), v,
    learner = "average"
  )
  expect_identical(names(kernel_weights(fit, by = "view")), c("rna", "table", "words:rna"))
  listed <- mkl(v, d$y, learner = "average", kernels = list(
    kernel_rbf(2, on = "rna"), kernel_linear(on = "table"),
    kernel_rbf(1, on = "words") * kernel_linear(
      on = "rna"
    )
  ))
  expect_identical(
    unname(predict(fit, v, type = "decision")), unname(predict(listed, v, type = "decision"))
  )
  plain <- mkl(d$y ~ rna + words, v, learner = "average")
  expect_identical(names(kernel_weights(plain, by = "view")), c("rna", "words"))
  all <- mkl(d$y ~ linear(.), v, learner = "average")
  expect_identical(names(coef(all)), c("rna.linear", "table.linear", "words.linear"))
  inside <- mkl(out ~ ., views(out = d$y, rna = d$rna, words = d$words), learner = "average")
  expect_identical(names(inside$frame$views), c("rna", "words"))
  expect_mkl_error(mkl(d$y ~ rbf(nothing), v), "nothing", "nothing")
  expect_mkl_error(mkl(d$y ~ log(rna), v), "terms of a formula name views", "formula")
})

test_that("kernels that no view has are errors that say what views there are", {
  expect_mkl_error(names_of(kernels = kernel_linear(on = "nothing")), "no view has")
  expect_mkl_error(names_of(kernels = kernel_linear(on = 1:2)), "by position: say of which view")
  twins <- views(a = d$rna, b = d$rna)
  expect_mkl_error(
    mkl(twins, d$y, kernels = kernel_linear(on = "g1")), "the views `a`, `b` all have"
  )
  text <- views(a = d$rna, b = rep(c("acgt", "gtca"), 15))
  expect_mkl_error(
    mkl(text, d$y, kernels = list(b = kernel_linear())), "needs numbers, but view `b` is text"
  )
  expect_identical(
    names(coef(mkl(text, d$y, learner = "average", kernels = kernel_linear()))), "a.linear"
  )
  only <- views(b = rep(c("acgt", "gtca"), 15))
  expect_mkl_error(mkl(only, d$y, kernels = kernel_linear()), "needs numbers, and no view has that")
})

test_that("width rules and ranges look at the cases that have the view", {
  holes <- views(rna = replace(d$rna, cbind(rep(1:6, 4), rep(1:4, each = 6)), NA), words = d$words)
  fit <- mkl(
    holes, d$y, learner = "average",
    kernels = list(rna = kernel_rbf("median"), words = kernel_linear())
  )
  x <- scale(d$rna[-(1:6), ])
  expect_equal(fit$kernels[[1]]$parameters[[1]], 1 / (2 * median(dist(x))^2), tolerance = 1e-8)
})

# Types of data, and the cases that errors name ---------------------------------------------------

d <- three_views(60)
text <- stats::setNames(paste0(letters[1 + seq_len(60) %% 5], "ACGTT"), rownames(d$rna))

test_that("kernels of numbers refuse text without views too, whatever learns from it", {
  for (kernel in list(kernel_rbf(), kernel_rbf(1), kernel_linear(), kernel_clinical())) {
    expect_mkl_error(mkl(text, d$y, kernels = kernel), "needs numbers, but the data are text", "x")
    expect_mkl_error(kernel_matrix(kernel, text), "needs numbers", "x")
  }
  expect_mkl_error(mkl(d$rna, d$y, kernels = kernel_spectrum()), "needs text", "x")
})

test_that("label-based kernels say that text has no distances", {
  sharp <- kernel_label_based(kernel_spectrum(2), 0.5)
  expect_mkl_error(mkl(text, d$y, kernels = sharp), "cannot be label-based")
  two <- views(rna = d$rna, text = text)
  expect_mkl_error(
    mkl(two, d$y, learner = "lbmkl", kernels = list(rna = kernel_rbf(1), text = kernel_spectrum())),
    "cannot be label-based"
  )
})

test_that("the default learner weighs a single kernel that is made for several views", {
  two <- views(rna = d$rna, words = d$words)
  expected <- c("rna.rbf(sigma=1)", "words.rbf(sigma=1)")
  expect_named(kernel_weights(mkl(two, d$y, kernels = kernel_rbf(1))), expected)
  y <- d$y
  expect_named(kernel_weights(mkl(y ~ rbf(., sigma = 1), two)), expected)
  one <- mkl(two, d$y, kernels = list(rna = kernel_rbf(1)))
  expect_identical(one$learner$name, "svm")
})

test_that("functions see text and series as they are, and no cases that lack their view", {
  same <- function(x, z) {
    stopifnot(is.character(x), !anyNA(x), !anyNA(z))
    1 * outer(substr(x, 1, 1), substr(z, 1, 1), "==")
  }
  expected <- unname(same(text, text))
  expect_identical(unname(kernel_matrix(kernel_function(same), text)), expected)
  some <- views(rna = d$rna, text = text[11:60])
  K <- kernel_matrix(list(rna = kernel_rbf(1), text = kernel_function(same)), some)$text
  expect_identical(unname(K[11:60, 11:60] > 0), expected[11:60, 11:60] > 0)
  expect_true(all(K[1:10, ] == 0))
  fit <- mkl(some, d$y, learner = "average",
             normalize = "cosine",
             kernels = list(rna = kernel_rbf(1), text = kernel_function(same)))
  expect_identical(predict(fit, some), fitted(fit))
  series <- lapply(1:6, function(i) sin(seq_len(5 + i)))
  means <- function(x, z) outer(vapply(x, mean, 0), vapply(z, mean, 0))
  expect_equal(kernel_matrix(kernel_function(means), series), means(series, series))
  # Numbers first, where there are some.
  expect_identical(
    names(kernel_matrix(kernel_set(kernel_function(tcrossprod), kernel_spectrum(2)),
                        views(rna = d$rna, text = text))),
    c("rna.function", "text.spectrum(k=2)")
  )
})

test_that("errors about cases name them, in new data too, whatever order and gaps there are", {
  counts <- round(abs(d$rna))[11:60, ] + 1
  two <- views(text = text, counts = counts)
  both <- list(text = kernel_weighted_degree(3), counts = kernel_aitchison())
  fit <- mkl(two, d$y, learner = "average", kernels = both)
  broken <- replace(counts, cbind(5, 2), 0) # case 15
  expect_mkl_error(predict(fit, views(text = text, counts = broken)), 'case "case15" of column g2')
  expect_mkl_error(
    mkl(views(text = text, counts = broken), d$y, learner = "average", kernels = both),
    'case "case15" of column g2'
  )
  infinite <- replace(counts, cbind(5, 2), Inf)
  expect_mkl_error(
    mkl(views(text = text, counts = infinite), d$y, kernels = both), 'case "case15" of column `g2`'
  )
  short <- replace(text, 7, "ACG")
  message <- 'case "case7" has 3 letters'
  expect_mkl_error(mkl(views(text = short), d$y, kernels = kernel_weighted_degree(3)), message)
  expect_mkl_error(predict(fit, views(text = short)), message)
  expect_mkl_error(predict(fit, views(text = replace(text, 3, NA))[1:4, ]), 'first is case "case3"')
  table <- data.frame(y = d$y, counts = I(round(abs(d$rna)) + 1))
  plain <- mkl(y ~ bray_curtis(counts), table)
  table$counts[2, 1] <- NA # its prediction is NA
  table$counts[9, 3] <- -1
  rownames(table) <- paste0("s", 1:60)
  expect_mkl_error(predict(plain, table), 'case "s9" of column')
})

test_that("factors are text for kernels that read text", {
  table <- data.frame(y = d$y, plain = unname(text), factor = factor(text), few = gl(2, 30))
  table$few <- factor(ifelse(table$few == 1, "ACGTA", "TTTTA"))
  one <- mkl(y ~ spectrum(plain), table)
  other <- mkl(y ~ spectrum(factor), table)
  expect_identical(fitted(other), fitted(one))
  expect_identical(predict(other, table[1:3, ]), predict(one, table[1:3, ]))
  chosen <- mkl(table["few"], d$y, kernels = kernel_spectrum(2, on = "few"))
  expect_identical(predict(chosen, table), fitted(chosen))
})

test_that("a name in a list of kernels that is no view is an error, or announced", {
  d <- three_views(20)
  v <- make_views(d)
  fit <- function(kernels) mkl(v, d$y, learner = "average", kernels = kernels)
  expect_mkl_error(
    fit(list(rna = kernel_linear(), Words = kernel_rbf(1))),
    "names `Words`, which is no view.*Did you mean `words`", "Words"
  )
  expect_message(
    labels <- fit(list(straight = kernel_linear(), gauss = kernel_rbf(1))),
    "names `straight`, `gauss`, which are no views", class = "multikernel_kernel_names"
  )
  expect_length(coef(labels), 6L)
  counted <- 0
  withCallingHandlers(
    mkl(v, d$y, kernels = list(straight = kernel_linear())),
    multikernel_kernel_names = function(m) {
      counted <<- counted + 1
      invokeRestart("muffleMessage")
    }
  )
  expect_identical(counted, 1)
  expect_silent(fit(list(rna = kernel_linear(), other = kernel_rbf(1, on = "words"))))
})
