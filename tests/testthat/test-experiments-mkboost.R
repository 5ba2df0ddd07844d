test_that("the script of the MKBoost paper gives tables and goes on where it was", {
  skip_on_cran()
  skip_on_os("windows")
  skip_unless_installed()
  skip_if_not_installed("mlbench")
  first <- run_experiment_script(
    "mkboost", "--runs 2 --fits 1 --only sonar,german,MKBoost-S1,MKL-SILP"
  )
  on.exit(unlink(first$directory, recursive = TRUE))
  expect_identical(first$status, 0L)
  # german is in no package and --data is not given
  expect_match(first$output, "data set german is left out", all = FALSE)
  table <- first$table("mkboost")
  expect_setequal(table$method, c("MKBoost-S1", "MKL-SILP"))
  expect_identical(unique(table$data), "sonar")
  expect_identical(unique(table$runs), 2L)
  accuracy <- table[table$measure == "accuracy", ]
  expect_true(all(accuracy$mean > 0.6 & accuracy$mean < 1))
  expect_equal(accuracy$paper[accuracy$method == "MKL-SILP"], 0.7791)
  pooled <- sqrt((accuracy$sd^2 + 19 * accuracy$paper_sd^2) / 20)
  expect_equal(
    accuracy$errors * pooled * sqrt(1 / 2 + 1 / 20), accuracy$mean - accuracy$paper,
    tolerance = 1e-2
  )
  expect_true(any(accuracy$best_of_table_2, na.rm = TRUE))

  # the same again from the store, where run 3 is not
  second <- run_experiment_script(
    "mkboost", "--runs 3 --stored --only sonar,MKBoost-S1,MKL-SILP", first$directory
  )
  expect_identical(second$status, 0L)
  expect_identical(second$table("mkboost"), table)
  expect_false(any(grepl("run 3", second$output)))
})

test_that("the stored figures of the MKBoost paper are whole", {
  skip_unless_installed()
  paper <- utils::read.csv(
    system.file("experiments", "results", "mkboost-paper.csv", package = "multikernel")
  )
  cells <- table(paper$data, paper$method, paper$measure)
  expect_identical(dim(cells), c(10L, 8L, 2L))
  expect_true(all(cells == 1L))
  expect_true(all(paper$mean[paper$measure == "accuracy"] < 1))
})
