test_that("the script of the LMKL paper gives its table, tests and counts", {
  skip_on_cran()
  skip_on_os("windows")
  skip_unless_installed()
  skip_if_not_installed("mlbench")
  only <- shQuote("sonar,german,SVM K_L,LMKL 3 K_L")
  result <- run_experiment_script("lmkl", c("--runs 2 --rows 90 --only", only))
  on.exit(unlink(result$directory, recursive = TRUE))
  expect_identical(result$status, 0L)
  expect_match(result$output, "data set german is left out", all = FALSE)

  cells <- result$table("lmkl-cells")
  value <- function(method, run, measures) {
    part <- cells[cells$method == method & cells$run == run, ]
    part$value[match(measures, part$measure)]
  }
  expect_equal(value("SVM K_L", 1, "rows"), 90)
  expect_equal(value("SVM K_L", 2, "accuracy"), mean(value("SVM K_L", 2, paste0("a", 1:10))))
  # a test set of 30 rows
  expect_equal(value("LMKL 3 K_L", 1, paste0("a", 1:10)) * 30 / 100,
               round(value("LMKL 3 K_L", 1, paste0("a", 1:10)) * 30 / 100))

  table <- result$table("lmkl")
  row <- table[table$method == "SVM K_L" & table$measure == "accuracy", ]
  two <- c(value("SVM K_L", 1, "accuracy"), value("SVM K_L", 2, "accuracy"))
  expect_equal(row$mean, mean(two), tolerance = 1e-4)
  expect_equal(row$paper, 73.86)
  # the paper has one division, and is taken to have our deviation
  expect_lt(abs(row$errors - (mean(two) - 73.86) / (sd(two) * sqrt(1 / 2 + 1))), 0.006)

  tests <- result$table("lmkl-tests")
  tests <- tests[tests$one == "LMKL 3 K_L" & tests$measure == "vectors", ]
  p <- matrix(value("SVM K_L", 1, paste0("v", 1:10)) - value("LMKL 3 K_L", 1, paste0("v", 1:10)), 2)
  f <- sum(p^2) / (2 * sum((p - rep(colMeans(p), each = 2))^2))
  expect_equal(tests$first_p, pf(f, 10, 5, lower.tail = FALSE), tolerance = 1e-6)
  expect_equal(tests$first_gain, mean(p), tolerance = 1e-6)
})

test_that("an interior point solver finds the same support vectors", {
  skip_on_cran()
  skip_on_os("windows")
  skip_unless_installed()
  skip_if_not_installed("mlbench")
  skip_if_not_installed("kernlab")
  pima <- utils::data(package = "mlbench")$results[, "Item"]
  if (!"PimaIndiansDiabetes" %in% pima) skip_if_not_installed("RKEELdata")
  only <- shQuote("two solvers,diabetes")
  result <- run_experiment_script("lmkl", c("--runs 1 --only", only))
  on.exit(unlink(result$directory, recursive = TRUE))
  expect_identical(result$status, 0L)
  table <- result$table("lmkl")
  share <- function(measure) table$mean[table$measure == measure]
  # 255 training rows: two of them are 0.8 %
  expect_lt(abs(share("ours 1") - share("ipop 1")), 0.8)
  expect_lt(abs(share("ours 100") - share("ipop 100")), 0.8)
  expect_gt(share("ours 1"), share("ours 100"))
})

test_that("the stored figures of the LMKL paper are whole", {
  skip_unless_installed()
  paper <- utils::read.csv(
    system.file("experiments", "results", "lmkl-paper.csv", package = "multikernel")
  )
  first <- paper[paper$table == "table 1", ]
  cells <- table(first$data, first$method, first$measure)
  expect_identical(dim(cells), c(10L, 6L, 2L))
  expect_true(all(cells == 1L))
  # "LMKL performs better ... on seven and eight out of ten data sets", twice
  wide <- function(method, measure) {
    part <- first[first$method == method & first$measure == measure, ]
    part$mean[order(part$data)]
  }
  expect_identical(sum(wide("LMKL K_P-K_G", "accuracy") > wide("MKL K_P-K_G", "accuracy")), 7L)
  expect_identical(sum(wide("LMKL K_P-K_G", "vectors") < wide("MKL K_P-K_G", "vectors")), 8L)
  expect_identical(sum(wide("LMKL 3 K_L", "accuracy") > wide("SVM K_L", "accuracy")), 7L)
  expect_identical(sum(wide("LMKL 3 K_L", "vectors") < wide("SVM K_L", "vectors")), 8L)
})
