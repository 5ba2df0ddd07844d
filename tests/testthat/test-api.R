# The C++ test of src/api fits and predicts without R. Where it has run, as in tools/test, its
# decision values are those of mkl() on the same table.

test_that("fits through src/api without R are those of mkl()", {
  file <- Sys.getenv("MULTIKERNEL_API_VALUES")
  table <- Sys.getenv("MULTIKERNEL_API_TABLE")
  skip_if(!file.exists(file) || !file.exists(table), "the C++ tests have not run")
  flowers <- read.csv(table)
  train <- flowers[flowers$part == "train", 1:5]
  new <- flowers[flowers$part == "new", 1:5]
  kernels <- kernel_set(kernel_rbf("median"), kernel_rbf(c(1, 4)), kernel_linear())
  control <- mkl_control(tol = 1e-10)
  decide <- function(learner) {
    fit <- mkl(species ~ ., train, learner = learner, kernels = kernels, control = control)
    unname(predict(fit, new, type = "decision"))
  }
  svm <- mkl(sepal_length ~ . - species, train, learner = learner_svm(cost = 1), control = control,
             kernels = kernel_rbf("median", normalize = "trace"))
  wanted <- list(
    easymkl = decide(learner_easymkl()), simplemkl = decide(learner_simplemkl(gap = 1e-8)),
    svm = unname(predict(svm, new))
  )
  found <- read.csv(file, header = FALSE)
  expect_equal(split(found$V3, found$V1), wanted, tolerance = 1e-12)
})
