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

test_that("the stored figures of the LB-MKL paper are whole", {
  skip_unless_installed()
  paper <- utils::read.csv(
    system.file("experiments", "results", "lbmkl-paper.csv", package = "multikernel")
  )
  cells <- table(paper$data, paper$method, paper$measure)
  expect_identical(dim(cells), c(5L, 6L, 2L))
  expect_true(all(cells == 1L))
})
