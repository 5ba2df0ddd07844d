# One convex problem, many solvers: five real data sets, costs from 0.1 to 1000. Each solver's own
# certificate says how far it can be from the optimum; here they check one another.

real_sets <- function() {
  get_data <- function(name) {
    utils::data(list = name, package = "mlbench", envir = environment())
    get(name)
  }
  numeric_part <- function(data) vapply(data, as.numeric, numeric(nrow(data)))
  ionosphere <- get_data("Ionosphere")
  vehicle <- get_data("Vehicle")
  vehicle <- droplevels(vehicle[vehicle$Class %in% c("opel", "saab"), ]) # hard to tell apart
  cancer <- stats::na.omit(get_data("BreastCancer"))
  sonar <- get_data("Sonar")
  spam <- spam_rows(1000)
  list(
    sonar = list(x = numeric_part(sonar[1:60]), y = sonar$Class, columns = 30),
    ionosphere = list(x = numeric_part(ionosphere[3:34]), y = ionosphere$Class, columns = 0),
    vehicle = list(x = numeric_part(vehicle[1:18]), y = vehicle$Class, columns = 8),
    cancer = list(x = numeric_part(cancer[2:10]), y = cancer$Class, columns = 0),
    spam = list(x = spam$x, y = spam$y, columns = 0)
  )
}

# Seven widths and three polynomials on all columns, and a Gaussian on each of some columns.
many_kernels <- function(p, columns) {
  single <- lapply(seq_len(columns), function(j) kernel_rbf(sigma = 1, on = j))
  do.call(c, c(
    list(kernel_rbf(sigma = sqrt(p) * 2^(-3:3)), kernel_polynomial(1:3)), single
  ))
}

# As mkl() does: columns without variance become 0.
scale_columns <- function(x) {
  z <- scale(x)
  z[, attr(z, "scaled:scale") == 0] <- 0
  matrix(z, nrow(x))
}

test_that("five data sets: the solvers agree on the objective and on the kernels", {
  skip_on_cran()
  skip_if_not_installed("mlbench")
  skip_if_not_installed("kernlab")
  sets <- real_sets()
  for (name in names(sets)) {
    set <- sets[[name]]
    kernels <- many_kernels(ncol(set$x), set$columns)
    matrices <- kernel_matrix(kernels, scale_columns(set$x), normalize = "trace")
    for (cost in c(0.1, 1, 1000)) {
      learners <- convex_learners(cost)[c("newton", "silpmkl", "levelmkl", "glmkl")]
      fits <- lapply(learners, function(learner) {
        mkl(set$x, set$y, kernels = kernels, normalize = "trace", learner = learner)
      })
      what <- paste(name, "at cost", cost)
      expect_true(all(vapply(fits, converged, NA)), label = what)
      expect_true(all(vapply(fits, duality_gap, 0) <= 1e-4), label = what)
      j <- vapply(fits, objective, 0)
      expect_lte(diff(range(j)) / min(j), 1e-3, label = what)
      # The optimum lies between these, found from coefficients alone: no certificate excludes it.
      bounds <- vapply(fits, bounds_of, c(0, 0), matrices, signs(set$y), cost)
      least <- max(bounds["below", ])
      most <- min(bounds["above", ])
      expect_lte((most - least) / most, 2e-4, label = what)
      expect_true(all(j >= least * (1 - 1e-6)), label = what)
      expect_true(all(j * (1 - vapply(fits, duality_gap, 0)) <= most * (1 + 1e-6)), label = what)
      # kernels that matter to one matter to all
      weights <- vapply(fits, coef, numeric(length(kernels)))
      clear <- rowSums(weights > 0.05) > 0
      expect_true(all(weights[clear, ] > 0.005), label = what)
    }
  }
})
