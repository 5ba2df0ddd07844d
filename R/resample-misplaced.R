# Arguments that belong elsewhere: the cost of the learner given to mkl(), threads given to a
# learner, names that other packages use. Where a name belongs is read off the formals of the
# constructors, so that a new parameter needs no entry here.

# Names of other packages (e1071, kernlab, LiblineaR, ranger, glmnet, caret, rsample).
argument_synonyms <- function() {
  c(
    C = "cost", Cost = "cost", kernel = "kernels", kpar = "kernels", tolerance = "tol",
    thresh = "tol", nthread = "threads", nthreads = "threads", n_threads = "threads",
    num_threads = "threads", num.threads = "threads", cores = "threads", ncores = "threads",
    mc.cores = "threads", cache = "memory", cachesize = "memory", maxit = "max_iter",
    maxiter = "max_iter", max.iter = "max_iter", cross = "folds", nfolds = "folds",
    n_folds = "folds", class.weights = "class_weights", prob.model = "probability",
    scaled = "scale", coef0 = "offset", type = "task", case_weights = "weights", wts = "weights"
  )
}

# The sentence that says where `name` belongs; "" if nobody knows it. `value`: what was given, or
# the expression for it. `learner`: the one that the call uses, or NULL; a list in a benchmark.
# `own`: the arguments of the function that was called, `called`: its name. `inside`: TRUE if
# parameters of the learner are among these (named methods and frameworks). `grid`: TRUE if the name
# is one of a grid.
where_it_belongs <- function(name, value, called, own, learner = NULL, inside = FALSE,
                             grid = FALSE) {
  if (!nzchar(name)) return("")
  if (name == "seed") return("Call set.seed() before instead of giving `seed`.")
  learners <- known_learners(learner)
  meant <- meant_name(name, learners)
  said <- paste0("`", name, "`", if (meant != name) paste0(" is called `", meant, "` here"))
  text <- if (meant == "kernels" && !missing(value)) kernel_text(value) else value_text(value)
  if (meant != name && meant %in% own) {
    return(paste0(said, if (text != "...") paste0(": ", meant, " = ", text), "."))
  }
  home <- find_home(meant, own, learners, inside)
  if (is.null(home)) return("")
  home$many <- is_learner_list(learner)
  home$used <- if (inside || home$many || length(learners) == 0L) NULL else {
    paste0("learner_", learners[[1L]]$name, "()")
  }
  paste0(said, if (meant != name) " and", home_text(home, meant, text, called, grid))
}

misplaced$explain <- where_it_belongs

# Where a name belongs, and how it is written there.
home_text <- function(home, name, text, called, grid) {
  inner <- paste0("(", name, " = ", text, ")")
  made <- paste0(home$maker, inner)
  switch(home$kind,
    learner = paste0(" belongs to the learner: ", if (home$many) {
      paste0("learners = list(", made, ").")
    } else {
      paste0("learner = ", made, ".")
    }),
    mkl = paste0(" belongs to mkl(): mkl(..., ", name, " = ", text, ")."),
    control = paste0(" belongs to the control: control = ", made, "."),
    kernel = paste0(" belongs to a kernel: kernels = ", if (grid) {
      paste0("function(", name, ") ", home$maker, "(", name, " = ", name, ").")
    } else {
      paste0(made, ".")
    }),
    resampling = paste0(
      " belongs to ", home$maker, if (text != "...") paste0(": ", name, " = ", text), "."
    ),
    others = paste0(
      " is a parameter of ", name_some(home$makers), ", not of ", home$used %||% called,
      if (!is.null(home$used)) {
        paste0(": for instance learner = ", sub("()", inner, home$makers[1L], fixed = TRUE))
      }, "."
    )
  )
}

# Those of the learners of a call, given as objects or by name, that are known.
known_learners <- function(learner) {
  learners <- if (is_learner_list(learner)) learner else list(learner)
  Filter(Negate(is.null), lapply(learners, function(one) {
    tryCatch(check_learner(one), error = function(e) NULL)
  }))
}

# The name that this package has for it.
meant_name <- function(name, learners) {
  synonyms <- argument_synonyms()
  known <- c(
    unlist(lapply(learners, learner_parameters)), unlist(lapply(homes(), function(h) h$names))
  )
  if (name %in% known || !name %in% names(synonyms)) name else synonyms[[name]]
}

# All places of arguments but learners: kind, what makes it, names.
homes <- function() {
  exports <- getNamespaceExports(topenv())
  shared <- c("...", "on", "normalize", "name", "x", "y", "data", "learner")
  arguments <- function(maker) setdiff(names(formals(get(maker, topenv()))), shared)
  makers <- setdiff(sort(grep("^kernel_", exports, value = TRUE)), not_kernels())
  # The most common kernels are named first.
  makers <- unique(c("kernel_rbf", "kernel_polynomial", makers))
  fitting <- setdiff(setting_names(), shared[-3L])
  c(
    list(list(kind = "mkl", maker = "mkl", names = c(fitting, "normalize"))),
    list(list(kind = "control", maker = "mkl_control", names = arguments("mkl_control"))),
    list(list(kind = "resampling", maker = "cv_mkl() and tune_mkl()", names = arguments("cv_mkl"))),
    list(list(kind = "resampling", maker = "tune_mkl()", names = arguments("tune_mkl"))),
    lapply(makers, function(maker) list(kind = "kernel", maker = maker, names = arguments(maker)))
  )
}

# Functions that make no kernel from parameters.
not_kernels <- function() {
  c("kernel_matrix", "kernel_set", "kernel_weights", "kernel_product", "kernel_precomputed",
    "kernel_function", "kernel_label_based", "kernel_rbf_bags")
}

find_home <- function(name, own, learners, inside) {
  for (one in if (!inside) learners) {
    if (name %in% learner_parameters(one)) {
      return(list(kind = "learner", maker = paste0("learner_", one$name)))
    }
  }
  for (home in homes()) {
    # An argument that the function has itself is not misplaced.
    if (name %in% home$names && !name %in% own) return(home)
  }
  makers <- learners_with(name)
  if (length(makers)) list(kind = "others", makers = paste0("learner_", makers, "()"))
}

is_learner_list <- function(learner) is.list(learner) && !inherits(learner, "mkl_learner")

# Names of the parameters of all learners.
learners_parameters <- function() unique(unlist(lapply(learner_names(), parameters_of)))

parameters_of <- function(stem) constructor_parameters(get(paste0("learner_", stem), topenv()))

# Names of the learners that have a parameter.
learners_with <- function(name) {
  Filter(function(stem) name %in% parameters_of(stem), learner_names())
}

name_some <- function(names) {
  shown <- utils::head(names, 4L)
  if (length(names) > 4L) return(paste0(paste(shown, collapse = ", "), " and others"))
  if (length(shown) == 1L) return(shown)
  paste(paste(shown[-length(shown)], collapse = ", "), "and", shown[length(shown)])
}

# A value as it would be typed, if that is short.
value_text <- function(value) {
  if (missing(value) || is.object(value)) return("...")
  text <- tryCatch(deparse(value, width.cutoff = 60L, nlines = 2L), error = function(e) "...")
  if (length(text) == 1L && nchar(text) <= 40L) text else "..."
}

# Names of kernels in e1071 and kernlab.
kernel_text <- function(value) {
  makers <- c(
    radial = "rbf", rbf = "rbf", rbfdot = "rbf", gaussian = "rbf", linear = "linear",
    vanilladot = "linear", polynomial = "polynomial", poly = "polynomial", polydot = "polynomial",
    sigmoid = "sigmoid", tanhdot = "sigmoid", laplacedot = "laplacian", anovadot = "anova"
  )
  known <- is_text(value) && value %in% names(makers)
  if (known) paste0("kernel_", makers[[value]], "()") else value_text(value)
}
