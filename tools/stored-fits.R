# Writes small fits of every learner with their predictions, for the test that later versions read
# them. Run it with the installed package of a release; the file takes its version number.
#
#   Rscript tools/stored-fits.R tests/testthat

suppressPackageStartupMessages(library(multikernel))
directory <- commandArgs(TRUE)[1]

rows <- c(1:12, 51:62, 101:112)
flowers <- droplevels(iris[rows, ])
two <- droplevels(flowers[flowers$Species != "setosa", ])
new <- iris[c(20, 70, 120), ]
kernels <- kernel_set(kernel_rbf(sigma = c(1, 4)), kernel_linear())
K <- kernel_matrix(kernel_rbf(1), scale(two[, 1:4]))

fit_two <- function(learner, ..., kernels = get("kernels", globalenv())) {
  mkl(Species ~ ., two, learner = learner, kernels = kernels, ...)
}
set.seed(1)
fits <- list(
  svm = mkl(Species ~ ., flowers),
  svm_probability = mkl(Species ~ ., flowers, probability = TRUE),
  svm_rest = mkl(Species ~ ., flowers, multiclass = "one_vs_rest"),
  svm_regression = mkl(Sepal.Length ~ . - Species, flowers),
  svm_factor = mkl(Sepal.Length ~ ., flowers),
  svm_one_class = mkl(~ . - Species, flowers),
  svm_matrix = mkl(as.matrix(two[, 1:4]), two$Species),
  svm_terms = mkl(Species ~ rbf(Sepal.Length, Sepal.Width, sigma = 1):linear(.), two),
  svm_center = fit_two(learner_svm(), kernels = kernel_rbf(1), normalize = c("center", "cosine")),
  svm_precomputed = mkl(list(K = K), two$Species),
  average = fit_two(learner_average()),
  best = fit_two(learner_best()),
  random = fit_two(learner_random()),
  simplemkl = fit_two(learner_simplemkl()),
  simplemkl_regression = mkl(Sepal.Length ~ . - Species, flowers, learner = learner_simplemkl()),
  silpmkl = fit_two(learner_silpmkl()),
  levelmkl = fit_two(learner_levelmkl()),
  lpmkl = fit_two(learner_lpmkl()),
  glmkl = fit_two(learner_glmkl()),
  gmkl = fit_two(learner_gmkl()),
  gmkl_product = fit_two(learner_gmkl(combine = "product"), kernels = kernel_rbf(c(1, 4))),
  easymkl = fit_two(learner_easymkl()),
  easymkl_three = mkl(Species ~ ., flowers, learner = learner_easymkl(), kernels = kernels),
  komd = fit_two(learner_komd(), kernels = kernel_rbf(1)),
  mkboost = fit_two(learner_mkboost(trials = 5)),
  mkboost_three = mkl(Species ~ ., flowers, learner = learner_mkboost(trials = 5),
                      kernels = kernels),
  lbmkl = fit_two(learner_lbmkl()),
  lb_svm = fit_two(learner_lb_svm(), kernels = kernel_rbf(1)),
  label_based = fit_two(learner_average(), kernels = kernel_set(
    kernel_label_based(kernel_rbf(1), beta = c(1, 4)), kernel_linear())),
  label_precomputed = mkl(list(K = K), two$Species, learner = learner_lb_svm()),
  lmkl = fit_two(learner_lmkl()),
  mhks = fit_two(learner_mhks(), kernels = kernel_rbf(1)),
  multik_mhks = fit_two(learner_multik_mhks()),
  cca_mhks = fit_two(learner_cca_mhks()),
  cca_mhks_vote = fit_two(learner_cca_mhks(combine = "vote")),
  svm2k = fit_two(learner_svm2k(), kernels = kernel_set(kernel_rbf(1), kernel_linear())),
  svm_concatenated = fit_two(learner_svm_concatenated()),
  lda = mkl(Species ~ ., flowers, learner = learner_lda()),
  knn = mkl(Species ~ ., flowers, learner = learner_knn())
)

# New data of a fit, in its own form.
new_data <- function(name, fit) {
  if (grepl("precomputed", name)) {
    scaled <- scale(two[, 1:4])
    fresh <- scale(
      as.matrix(new[, 1:4]), attr(scaled, "scaled:center"), attr(scaled, "scaled:scale")
    )
    matrix <- kernel_matrix(kernel_rbf(1), scaled, fresh)
    attr(matrix, "diagonal") <- rep(1, nrow(new))
    return(list(K = matrix))
  }
  if (name == "svm_matrix") as.matrix(new[, 1:4]) else new
}
type_of <- function(fit) if (fit$task == "regression") "response" else "decision"
stored <- list(
  fits = fits,
  new = Map(new_data, names(fits), fits),
  type = lapply(fits, type_of)
)
stored$want <- Map(function(fit, new, type) {
  if (inherits(fit, "mkl_features")) return(predict(fit, new))
  predict(fit, new, type = type)
}, fits, stored$new, stored$type)
stored$probability <- predict(fits$svm_probability, new, type = "prob")

file <- file.path(directory, paste0("fits-", utils::packageVersion("multikernel"), ".rds"))
saveRDS(stored, file, compress = "xz", version = 2)
cat(file, round(file.size(file) / 1024), "KB,", length(fits), "fits\n")
