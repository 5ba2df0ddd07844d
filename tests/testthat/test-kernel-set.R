test_that("vectors of parameters span the product grid", {
  expect_length(kernel_rbf(sigma = 2^(-1:1)), 3L)
  grid <- kernel_polynomial(1:3, scale = c(0.1, 1))
  expect_length(grid, 6L)
  expect_identical(names(grid)[1:2], c(
    "polynomial(degree=1, scale=0.1)", "polynomial(degree=2, scale=0.1)"
  ))
  expect_length(kernel_matern(c(1 / 2, 3 / 2, 5 / 2), sigma = c(1, 2)), 6L)
})

test_that("names identify kernels", {
  expect_identical(names(kernel_rbf(0.5)), "rbf(sigma=0.5)")
  expect_identical(names(kernel_rbf(gamma = 2)), "rbf(gamma=2)")
  expect_identical(names(kernel_rbf("median")), "rbf(sigma=median)")
  expect_identical(names(kernel_linear()), "linear")
  expect_identical(names(kernel_polynomial(2)), "polynomial(degree=2)")
  expect_identical(names(kernel_linear(on = c("a", "b"))), "linear(a, b)")
  expect_identical(names(kernel_linear(on = letters)), "linear(a, ..., z)")
  expect_identical(names(kernel_linear(on = 1:2)), "linear(#1, #2)")
  expect_identical(names(kernel_linear(on = ~ a + b)), "linear(a + b)")
  expect_identical(names(c(kernel_linear(), kernel_linear())), c("linear", "linear#1"))

  # R's own `[<-` knows nothing of names: whoever uses the set makes them differ
  twice <- kernel_rbf(1:2)
  twice[2] <- kernel_rbf(1)
  expect_identical(names(kernel_matrix(twice, diag(2))), c("rbf(sigma=1)", "rbf(sigma=1)#1"))
})

test_that("names do not follow the decimal mark of the session", {
  old <- options(OutDec = ",")
  on.exit(options(old))
  expect_identical(names(kernel_rbf(0.5)), "rbf(sigma=0.5)")
})

test_that("sets are joined, named and indexed", {
  set <- kernel_set(kernel_rbf(c(1, 2)), linear = kernel_linear(), p = kernel_polynomial(1:2))
  expect_s3_class(set, "mkl_kernels")
  expect_length(set, 5L)
  expect_identical(names(set)[3:5], c("linear", "p.polynomial(degree=1)", "p.polynomial(degree=2)"))
  expect_identical(names(set[c(1, 3)]), c("rbf(sigma=1)", "linear"))
  expect_identical(names(set["linear"]), "linear")
  expect_identical(names(set[-(1:3)]), names(set)[4:5])
  expect_identical(names(set[c(TRUE, FALSE, FALSE, FALSE, FALSE)]), "rbf(sigma=1)")
  expect_length(set[0], 0L)
  expect_length(set[[2]], 1L)
  expect_identical(c(kernel_rbf(1), kernel_linear()), kernel_set(kernel_rbf(1), kernel_linear()))
  names(set) <- letters[1:5]
  expect_identical(names(set), letters[1:5])
  expect_mkl_error(set[6], "holds 5 kernels")
  expect_mkl_error(set["nobody"])
  expect_mkl_error(names(set) <- c(letters[1:4], ""), "not empty", "names")
})

test_that("matrices, functions and lists may be put into a set", {
  K <- diag(3)
  set <- kernel_set(kernel_linear(), mine = K, function(x, z) tcrossprod(x, z), list(kernel_rbf(1)))
  expect_identical(names(set), c("linear", "mine", "function", "rbf(sigma=1)"))
  expect_mkl_error(kernel_set("rbf"), "kernel constructors")
  expect_mkl_error(kernel_set(), "at least one")
})

test_that("bags count as many kernels and stay together", {
  set <- kernel_set(kernel_linear(), kernel_rbf_bags(4, seed = 1))
  expect_length(set, 5L)
  expect_identical(names(set)[c(1, 2, 5)], c("linear", "rbf_bags[1]", "rbf_bags[4]"))
  expect_length(set["rbf_bags"], 4L)
  expect_length(set[2:5], 4L)
  expect_mkl_error(set[2:3], "only together")
  expect_mkl_error(set[2:5] * kernel_linear(), "cannot be multiplied")
  expect_length(kernel_rbf_bags(1e6), 1e6)
  many <- kernel_rbf_bags(.Machine$integer.max, seed = 1)
  expect_mkl_error(c(many, kernel_linear()), "at most 2147483647 kernels", "kernels")
})

test_that("products hold all pairs", {
  product <- kernel_rbf(c(1, 2)) * kernel_linear(on = "a")
  expect_identical(names(product), c("rbf(sigma=1):linear(a)", "rbf(sigma=2):linear(a)"))
  three <- kernel_product(kernel_rbf(1), kernel_linear(), kernel_polynomial(2))
  expect_length(three, 1L)
  expect_length(as.list(three)[[1]]$factors, 3L)
  expect_mkl_error(kernel_product(kernel_linear()), "at least two")
  expect_mkl_error(kernel_linear() + kernel_linear(), "joined by c()")
})

test_that("sets print one line for each kernel", {
  expect_snapshot(print(kernel_set(
    kernel_rbf(c(0.5, 2)), kernel_linear(on = "a", normalize = c("center", "cosine")),
    kernel_rbf_bags(1000, seed = 1)
  )))
  expect_output(print(kernel_rbf(1:30)), "and 10 more")
})

test_that("set.seed() governs the bags, and a given seed leaves the generator alone", {
  set.seed(1)
  a <- kernel_rbf_bags(3)
  set.seed(1)
  expect_identical(kernel_rbf_bags(3), a)
  set.seed(1)
  before <- .Random.seed
  kernel_rbf_bags(3, seed = 7)
  expect_identical(.Random.seed, before)
})

test_that("columns are found by name, position and formula, factors as a whole", {
  data <- data.frame(a = c(1, 2, 4), f = factor(c("u", "v", "u")), b = c(0, 1, 3))
  x <- cbind(c(1, 2, 4), c(1, 0, 1), c(0, 1, 0), c(0, 1, 3))
  expect_equal(kernel_matrix(kernel_linear(), data), tcrossprod(x))
  expect_equal(kernel_matrix(kernel_linear(on = "f"), data), tcrossprod(x[, 2:3]))
  expect_equal(kernel_matrix(kernel_linear(on = "fu"), data), tcrossprod(x[, 2]))
  expect_equal(kernel_matrix(kernel_linear(on = c(1, 3)), data), tcrossprod(x[, c(1, 4)]))
  expect_equal(kernel_matrix(kernel_linear(on = ~ . - a), data), tcrossprod(x[, 2:4]))
  expect_mkl_error(kernel_matrix(kernel_linear(on = "bb"), data), "Did you mean \"b\"")
  expect_mkl_error(kernel_matrix(kernel_linear(on = 4), data), "column 4.*3 columns")
  expect_mkl_error(kernel_matrix(kernel_linear(on = c("f", "fu")), data), "column `fu` twice")
})
