# Each step writes numbers: they are the same in every locale.
steps <- c(
  "options(warn = 1)",
  "wide <- 'gr\\u00f6\\u00dfe'; kana <- '\\u8868\\u30bd'",
  "i <- 1:60",
  "d <- data.frame(sin(i * 1.37) + cos(i), cos(i^2 * 0.11),",
  "  c('\\u00e9', 'z', '\\u65e5\\u672c', 'A', 'a')[i %% 5 + 1])",
  "names(d) <- c(wide, kana, 'kind')",
  "s <- d[[1]]^2 + d[[2]]",
  "d$y <- ifelse(s > 1.2, '\\u00fcber', ifelse(s > 0.3, 'Mitte', '\\u65e5'))",
  "x <- as.matrix(d[1:2])",
  "tick <- function(name) paste0('`', name, '`')",
  "kernels <- as.formula(paste0('y ~ rbf(', tick(wide), ', sigma = 1) + linear(', tick(kana),",
  "  ', kind)'))",
  "on <- kernel_set(kernel_rbf(1, on = kana), kernel_linear(on = wide))",
  "step <- function(name, expr) {",
  "  value <- tryCatch({",
  "    v <- as.numeric(unlist(expr))",
  "    sprintf('%.8g', c(head(v, 4), sum(v * seq_along(v))))",
  "  }, error = conditionMessage, warning = conditionMessage)",
  "  writeLines(iconv(enc2utf8(paste(c(name, value), collapse = ' ')), 'UTF-8', 'ASCII', '?'),",
  "    out)",
  "}",
  "decision <- function(fit, new = d) predict(fit, new, type = 'decision')",
  "step('levels', match(levels(predict(mkl(y ~ ., d), d)), c('Mitte', '\\u00fcber', '\\u65e5')))",
  "step('dot', decision(mkl(y ~ ., d)))",
  "step('columns', decision(mkl(reformulate(c(tick(wide), 'kind'), 'y'), d)))",
  "step('kernels', decision(mkl(kernels, d, learner = learner_easymkl())))",
  "calls <- as.formula(paste0('y ~ log(', tick(wide), '+ 3) *', tick(kana)))",
  "step('calls', decision(mkl(calls, d)))",
  "step('frame', decision(mkl(d[1:3], d$y), d[3:1]))",
  "step('matrix', decision(mkl(x, d$y, kernels = on, learner = learner_easymkl()), x[, 2:1]))",
  "step('on', decision(mkl(y ~ ., d, kernels = on, learner = learner_easymkl())))",
  "one <- kernel_rbf(1, on = reformulate(tick(wide)))",
  "step('on formula', decision(mkl(x, d$y, kernels = one), x))",
  "blocks <- setNames(list(tcrossprod(x), tcrossprod(x)^2), c(wide, kana))",
  "step('list', decision(mkl(blocks, d$y, learner = learner_average()), blocks))",
  "named <- function(...) setNames(list(...), c(wide, 'y')[seq_len(...length())])",
  "term <- as.formula(paste0('y ~ precomputed(', tick(wide), ')'))",
  "fit <- mkl(term, named(blocks[[1]], d$y))",
  "step('matrix in a formula', decision(fit, named(blocks[[1]][1:9, ])))",
  "step('new matrix', predict(fit, precomputed = named(blocks[[1]][1:9, ]), type = 'decision'))",
  "step('augment', augment(mkl(y ~ ., d), d)$.correct)",
  "response <- suppressWarnings(reformulate('.', as.name(wide)))",
  "step('regression', predict(mkl(response, d[1:2]), d))",
  "step('print', {",
  "  fit <- mkl(y ~ ., d, learner = learner_easymkl(), kernels = on)",
  "  text <- capture.output({print(fit); print(summary(fit)); print(on); print(tidy(fit))})",
  "  length(text) > 10",
  "})",
  "file <- file.path(Sys.getenv('LOCPATH'), 'fit.rds')",
  "if (!file.exists(file)) saveRDS(mkl(y ~ ., d), file)",
  "fit <- suppressWarnings(readRDS(file))",
  "step('a fit of another locale', decision(fit))",
  "step('folds', lapply(resample_splits(resample_folds(d$kind), d$y), function(s) s$test))",
  "set.seed(1)",
  "step('cv', cv_mkl(as.formula(paste0('y ~ scale(', tick(wide), ') + kind')), d,",
  "  folds = 3)$results$accuracy)",
  "step('metrics', compute_metrics(d$y, list(class = rev(d$y)), mkl_metrics('f1')))",
  "bench <- function(...) {",
  "  bm <- benchmark_mkl(setNames(list(y ~ ., kernels), c(wide, kana)), setNames(list(d, d), ",
  "    c(wide, kana)), setNames(list(learner_average(), learner_random()), c('\\u00fc', kana)),",
  "    resamples = resample_cv(2), metrics = 'accuracy', seed = 4, ...)",
  "  capture.output(print(bm))",
  "  bm$results$accuracy",
  "}",
  "step('benchmark', bench())",
  "dir <- file.path(Sys.getenv('LOCPATH'), 'results')",
  "step('stored', bench(directory = dir))",
  "step('files', length(list.files(dir)))"
)

test_that("names that are not ASCII give the same results in every locale", {
  skip_on_os(c("windows", "mac"))
  skip_unless_installed()
  path <- withr::local_tempdir()
  expected <- run_in_locale(steps, "C.UTF-8", path)
  skip_if(!l10n_info()$`UTF-8` || !length(expected), "no locale with UTF-8")
  numbers <- grepl("^[a-z ]+( -?[0-9.e+-]+)+$", expected)
  expect_identical(expected[!numbers], character())
  expect_gt(length(expected), 18L)
  expect_identical(run_in_locale(steps, "C", path), expected)
  if (make_locale(path, "de_DE", "ISO-8859-1")) {
    expect_identical(run_in_locale(steps, "de_DE.ISO-8859-1", path), expected)
  }
  if (make_locale(path, "ja_JP", "SHIFT_JIS")) {
    expect_identical(run_in_locale(steps, "ja_JP.SHIFT_JIS", path), expected)
  }
})

test_that("text is sorted by code points and not by the locale", {
  expect_identical(
    sort_text(c("b", "\u00e9", "a", "B", "\u65e5")), c("B", "a", "b", "\u00e9", "\u65e5")
  )
  latin <- iconv("\u00e9", "UTF-8", "latin1")
  expect_identical(sort_text(c("z", latin, "a")), c("a", "z", latin))
  expect_identical(levels(plain_factor(c("b", NA, "A", "a"))), c("A", "a", "b"))
  expect_identical(levels(plain_factor(c(10, 2, NA, -1))), c("-1", "2", "10"))
  expect_identical(levels(plain_factor(c(TRUE, FALSE))), c("FALSE", "TRUE"))
  expect_identical(plain_factor(iris$Species), iris$Species)
  expect_identical(levels(plain_factor(c(0.1 + 0.2, 0.3))), levels(factor(c(0.1 + 0.2, 0.3))))
})

test_that("names have the same bytes in all encodings", {
  latin <- iconv("gr\u00f6\u00dfe", "UTF-8", "latin1")
  expect_identical(charToRaw(plain_text(latin)), charToRaw("gr\u00f6\u00dfe"))
  expect_identical(symbol_text("gr<U+00F6><U+00DF>e"), "gr\u00f6\u00dfe")
  expect_identical(symbol_text(c("a<U", "<U+65E5>")), c("a<U", "\u65e5"))
  expect_identical(plain_text(character()), character())
  expect_identical(plain_text(NA_character_), NA_character_)
})
