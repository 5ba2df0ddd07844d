test_that("the script of the LB-MKL paper gives its table and the noise figure", {
  skip_on_cran()
  skip_on_os("windows")
  skip_unless_installed()
  skip_if_not_installed("MASS")
  first <- run_experiment_script("lbmkl", "--runs 2 --only cancer,LDA")
  on.exit(unlink(first$directory, recursive = TRUE))
  expect_identical(first$status, 0L)
  table <- first$table("lbmkl")
  expect_identical(unique(table$method), "LDA")
  lda <- table
  expect_equal(lda$paper[match(c("train", "test"), lda$measure)], c(3.8, 3.9))
  # errors are counts of 546 and 137 rows, means of two runs
  count <- lda$mean[match(c("train", "test"), lda$measure)] / 100 * 2 * c(546, 137)
  expect_equal(count, round(count), tolerance = 1e-3)
  expect_true(all(lda$mean < 10))

  second <- run_experiment_script(
    "lbmkl", c("--runs 1 --only", shQuote("noise 1")), first$directory
  )
  expect_identical(second$status, 0L)
  noise <- second$table("lbmkl")
  share <- function(method, measure) {
    noise$mean[noise$method == method & noise$measure == measure]
  }
  # with labels that leak the classes part whatever the noise; new rows do not
  expect_gt(share("noise 1", "beta 0"), share("noise 1", "columns"))
  expect_lt(share("noise 1", "new rows, beta 0"), share("noise 1", "beta 0"))
})

test_that("coefficients of the product fit rows of the product only", {
  skip_on_cran()
  skip_on_os("windows")
  skip_unless_installed()
  skip_if_not_installed("MASS")
  only <- shQuote("cancer,new rows")
  result <- run_experiment_script("lbmkl", c("--runs 1 --only", only))
  on.exit(unlink(result$directory, recursive = TRUE))
  expect_identical(result$status, 0L)
  table <- result$table("lbmkl")
  error <- function(measure) table$mean[table$measure == measure]
  # the same rows, kernel, beta and cost by lb_svm()
  e <- new.env(parent = globalenv())
  sys.source(system.file("experiments", "common.R", package = "multikernel"), e, chdir = TRUE)
  set.seed(e$seed_of("cancer", 0))
  set <- e$load_set("cancer")
  set.seed(e$seed_of("cancer", 1))
  d <- e$divide(set, e$training_rows(set$y, 0.8, by = set$y))
  fit <- lb_svm(d$x, d$y, beta = 4, cost = 16, kernels = kernel_rbf(sigma = 3))
  expect_equal(error("product"), 100 * mean(predict(fit, d$new_x) != d$new_y), tolerance = 1e-4)
  expect_gt(error("literal"), 30)
})

test_that("the stored figures of the LB-MKL paper are whole", {
  skip_unless_installed()
  paper <- utils::read.csv(
    system.file("experiments", "results", "lbmkl-paper.csv", package = "multikernel")
  )
  cells <- table(paper$data, paper$method, paper$measure)
  expect_identical(dim(cells), c(5L, 6L, 2L))
  expect_true(all(cells == 1L))
})
