test_that("the script of the EasyMKL paper measures AUC, time and memory", {
  skip_on_os("windows")
  skip_unless_installed()
  # stands in for splice, which is in no package: same name, same columns
  data <- tempfile("data")
  dir.create(data)
  on.exit(unlink(data, recursive = TRUE))
  set.seed(1)
  x <- matrix(sample(4, 240 * 60, replace = TRUE), 240)
  colnames(x) <- paste0("x", 1:60)
  class <- ifelse(rowSums(x[, 1:6]) > 15, 1, -1)
  table <- data.frame(class = class, split = "train", x)
  connection <- gzfile(file.path(data, "splice.csv.gz"), "w")
  utils::write.csv(table, connection, row.names = FALSE)
  close(connection)

  run <- run_experiment_script("easymkl", c(
    "--runs 1 --kernels 50 --data", shQuote(data), "--only",
    shQuote("splice,batch2,EasyMKL d5 few,GLMKL d5,EasyMKL bags on 100")
  ))
  on.exit(unlink(run$directory, recursive = TRUE), add = TRUE)
  expect_identical(run$status, 0L)
  expect_match(run$output, "data set batch2 is left out", all = FALSE)
  found <- run$table("easymkl")
  auc <- found[found$measure == "auc", ]
  expect_setequal(auc$method, c("EasyMKL d5 few", "GLMKL d5"))
  expect_true(all(auc$mean > 50 & auc$mean <= 100))
  expect_equal(auc$paper[auc$method == "GLMKL d5"], 85.36)
  expect_true(all(found$mean[found$measure == "kernels"] == 50))
  resources <- run$table("easymkl-resources")
  expect_identical(resources$kernels, 100L)
  expect_gt(resources$time, 0)
})
