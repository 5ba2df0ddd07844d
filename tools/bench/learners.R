# The cost of each learner, for the table of vignettes/which-learner.Rmd: seconds of a fit from data
# to model, and how they grow when the rows and when the kernels are doubled.
#
#   Rscript tools/bench/learners.R [--quick]
#
# Data: the first n rows of a fixed shuffle of spam (57 columns, z-scored), two classes. CPU time,
# one thread, smallest of two runs or more, default parameters. LMKL has 50 steps in all cases.
script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(script), "common.R"))

learners <- list(
  `svm, one kernel` = NULL,
  average = learner_average(),
  best = learner_best(),
  simplemkl = learner_simplemkl(),
  levelmkl = learner_levelmkl(),
  silpmkl = learner_silpmkl(),
  glmkl = learner_glmkl(),
  `lpmkl, p = 2` = learner_lpmkl(),
  gmkl = learner_gmkl(),
  easymkl = learner_easymkl(),
  cka = learner_cka(),
  `mkboost S1` = learner_mkboost("S1"),
  lmkl = learner_lmkl(iterations = 50),
  lbmkl = learner_lbmkl(),
  multik_mhks = learner_multik_mhks(),
  cca_mhks = learner_cca_mhks(),
  svm_concatenated = learner_svm_concatenated(),
  # two kernels, whatever M is
  `svm2k, two kernels` = learner_svm2k()
)

seconds_of <- function(name, n, m) {
  data <- spam_data(n)
  kernels <- some_kernels(m, ncol(data$x))
  if (name == "svm, one kernel") {
    learner <- learner_svm()
    kernels <- kernel_rbf("median")
  } else {
    learner <- learners[[name]]
  }
  if (name == "svm2k, two kernels") kernels <- kernels[c(4, 9)]
  run <- function() {
    set.seed(1)
    # The end of LMKL after its 50 steps is on purpose.
    suppressWarnings(
      mkl(data$x, data$y, kernels = kernels, learner = learner, normalize = "trace", scale = FALSE,
          control = mkl_control(threads = 1, memory = "2GB")),
      classes = "multikernel_not_converged"
    )
  }
  time_of(run, repeats = 2, most = 5)
}

n <- if (quick) 100 else 500
m <- 10

describe_run()
cat(sprintf("\n%-20s %12s %12s %12s\n", "", paste0("n=", n, ", M=", m), "2 n: times", "2 M: times"))
for (name in names(learners)) {
  base <- seconds_of(name, n, m)
  rows <- seconds_of(name, 2 * n, m) / base
  single <- grepl("kernel", name)
  kernels <- if (single) NA else seconds_of(name, n, 2 * m) / base
  cat(sprintf("%-20s %11.3fs %12.1f %12s\n", name, base, rows,
              if (single) "-" else sprintf("%.1f", kernels)))
}
