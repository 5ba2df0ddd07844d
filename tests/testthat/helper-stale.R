# Definitions of a user in two versions, for tests that a stored cell is reused when it may be and
# not otherwise. Each is a function of a number that gives arguments of benchmark_mkl().

kernel_entry <- function(f) {
  list(learners = list(k = list(learner_svm(), kernels = kernel_function(f))))
}
formula_task <- function(formula) list(tasks = list(d = formula))

# An environment like the workspace, without what the tests have defined.
fresh_place <- function(...) list2env(list(...), parent = globalenv())

in_place <- function(code, ...) eval(code, fresh_place(...))

# Versions 1 and 2 give different results.
stale_variants <- function() {
  out <- all_stale_variants()
  needs <- c("kernel of kernlab" = "kernlab", "R6 object" = "R6", "method of an R6 class" = "R6")
  absent <- !vapply(needs, requireNamespace, NA, quietly = TRUE)
  out[setdiff(names(out), names(needs)[absent])]
}

all_stale_variants <- function() {
  list(
    "value in a formula" = function(v) formula_task(in_place(quote(y ~ rbf(., sigma = s)), s = v)),
    "value in a formula with the name of a column" = function(v) {
      formula_task(in_place(quote(y ~ rbf(., sigma = a)), a = v))
    },
    "expression in a formula" = function(v) {
      formula_task(in_place(quote(y ~ rbf(., sigma = 2 * opts$s[1])), opts = list(s = c(v, 3))))
    },
    "function in a formula" = function(v) {
      formula_task(in_place(quote(y ~ h(a) + b), h = function(x) if (v == 1) x else x^2))
    },
    "function of a function in a formula" = function(v) {
      place <- fresh_place(s = v)
      eval(quote(h <- function(x) g(x)), place)
      eval(quote(g <- function(x) x^s), place)
      formula_task(eval(quote(y ~ h(abs(a)) + b), place))
    },
    "column in the surroundings of a formula" = function(v) {
      formula_task(in_place(quote(y ~ a + extra), extra = sin(v * 1:24)))
    },
    "matrix in a formula" = function(v) {
      formula_task(in_place(quote(y ~ precomputed(K)), K = exp(-v * as.matrix(dist(cos(1:24))))))
    },
    "captured value" = function(v) kernel_entry(function(x, z) (1 + tcrossprod(x, z))^v),
    "default argument" = function(v) {
      f <- if (v == 1) function(x, z, s = 1) tcrossprod(x, z) + s * tcrossprod(x^2, z^2) else
        function(x, z, s = 9) tcrossprod(x, z) + s * tcrossprod(x^2, z^2)
      kernel_entry(f)
    },
    "captured value in a default argument" = function(v) {
      kernel_entry(function(x, z, s = v) (1 + tcrossprod(x, z))^s)
    },
    "body" = function(v) {
      kernel_entry(if (v == 1) function(x, z) tcrossprod(x, z) else
        function(x, z) tcrossprod(x, z)^3)
    },
    "closures nested ten deep" = function(v) {
      f <- local({
        s <- v
        function(x, z) (1 + tcrossprod(x, z))^s
      })
      for (i in 1:10) f <- local({
        inner <- f
        function(x, z) inner(x, z)
      })
      kernel_entry(f)
    },
    "functions that call each other" = function(v) {
      place <- fresh_place(s = v)
      eval(quote(f <- function(x, z, n = 3) if (n == 0) tcrossprod(x, z) else g(x, z, n)), place)
      eval(quote(g <- function(x, z, n) s * tcrossprod(x^2, z^2) + f(x, z, n - 1)), place)
      kernel_entry(place$f)
    },
    "value in an environment" = function(v) {
      e <- new.env()
      e$s <- v
      kernel_entry(function(x, z) (1 + tcrossprod(x, z))^e$s)
    },
    "value in an environment in a list in an environment" = function(v) {
      e <- new.env()
      e$deep <- list(1, list(new.env()))
      e$deep[[2]][[1]]$s <- v
      e$self <- e
      kernel_entry(function(x, z) (1 + tcrossprod(x, z))^e$deep[[2]][[1]]$s)
    },
    "value around an environment" = function(v) {
      e <- new.env(parent = fresh_place(s = v))
      kernel_entry(function(x, z) (1 + tcrossprod(x, z))^with(e, s))
    },
    "attribute of an environment" = function(v) {
      e <- structure(new.env(), s = v)
      kernel_entry(function(x, z) (1 + tcrossprod(x, z))^attr(e, "s"))
    },
    "function in an environment" = function(v) {
      e <- new.env()
      e$power <- function(k) k^v
      kernel_entry(function(x, z) e$power(1 + tcrossprod(x, z)))
    },
    "variable of the workspace" = function(v) {
      assign("stale_s", v, envir = globalenv())
      f <- function(x, z) (1 + tcrossprod(x, z))^stale_s
      environment(f) <- globalenv()
      kernel_entry(f)
    },
    "function of the workspace" = function(v) {
      assign("stale_f", function(k) (1 + k)^v, envir = globalenv())
      f <- function(x, z) stale_f(tcrossprod(x, z))
      environment(f) <- globalenv()
      kernel_entry(f)
    },
    "function that masks one of R" = function(v) {
      kernel_entry(in_place(
        quote(function(x, z) tcrossprod(x, z)),
        tcrossprod = function(x, z) base::tcrossprod(x, z)^(2 * v - 1)
      ))
    },
    "get() with a name" = function(v) {
      s <- v
      kernel_entry(function(x, z) (1 + tcrossprod(x, z))^get("s"))
    },
    "get() with a computed name" = function(v) {
      s1 <- v
      kernel_entry(function(x, z) (1 + tcrossprod(x, z))^get(paste0("s", 1)))
    },
    "eval()" = function(v) {
      s <- v
      kernel_entry(function(x, z) eval(parse(text = "(1 + tcrossprod(x, z))^s")))
    },
    "get() as an argument" = function(v) {
      s <- v
      kernel_entry(function(x, z) {
        (1 + tcrossprod(x, z))^sapply("s", get, environment(sys.function()))
      })
    },
    "workspace by its name" = function(v) {
      assign("stale_s", v, envir = globalenv())
      kernel_entry(function(x, z) (1 + tcrossprod(x, z))^.GlobalEnv$stale_s)
    },
    "operator of the user" = function(v) {
      `%k%` <- function(x, z) (1 + tcrossprod(x, z))^v
      kernel_entry(function(x, z) x %k% z)
    },
    "value that was put into the code" = function(v) {
      kernel_entry(eval(bquote(function(x, z) .(function(k) (1 + k)^v)(tcrossprod(x, z)))))
    },
    "kernel of kernlab" = function(v) {
      kernel_entry(kernlab::besseldot(order = v))
    },
    "function by its name" = function(v) {
      power <- function(k) k^v
      kernel_entry(function(x, z) do.call("power", list(1 + tcrossprod(x, z))))
    },
    "function by its name in a variable" = function(v) {
      power <- function(k) k^v
      which <- "power"
      kernel_entry(function(x, z) do.call(which, list(1 + tcrossprod(x, z))))
    },
    "dots of the function around" = function(v) {
      make <- function(...) function(x, z) (1 + tcrossprod(x, z))^sum(...)
      kernel_entry(make(v, 1))
    },
    "S3 method" = function(v) {
      place <- fresh_place()
      eval(quote(power <- function(k) UseMethod("power")), place)
      place$power.mine <- function(k) unclass(k)^v
      kernel_entry(eval(
        quote(function(x, z) power(structure(1 + tcrossprod(x, z), class = "mine"))), place
      ))
    },
    "operator with a method" = function(v) {
      place <- fresh_place()
      place$"^.mine" <- function(a, b) structure(unclass(a)^v, class = "mine")
      kernel_entry(eval(
        quote(function(x, z) unclass(structure(1 + tcrossprod(x, z), class = "mine")^0)), place
      ))
    },
    "replacement function" = function(v) {
      `shift<-` <- function(x, value) (x + value)^v
      kernel_entry(function(x, z) {
        k <- tcrossprod(x, z)
        shift(k) <- 1
        k
      })
    },
    "value that is local on one path only" = function(v) {
      s <- v
      kernel_entry(function(x, z) {
        if (nrow(x) > 1e6) s <- 7
        (1 + tcrossprod(x, z))^s
      })
    },
    "list of functions" = function(v) {
      steps <- list(function(k) 1 + k, function(k) k^v)
      kernel_entry(function(x, z) Reduce(function(k, step) step(k), steps, tcrossprod(x, z)))
    },
    "function made by a function of R" = function(v) {
      g <- Vectorize(function(a, s) (1 + a)^s)
      kernel_entry(function(x, z) {
        k <- tcrossprod(x, z)
        array(g(k, v), dim(k))
      })
    },
    "active binding" = function(v) {
      place <- fresh_place()
      makeActiveBinding("s", local({
        s <- v
        function() s
      }), place)
      kernel_entry(eval(quote(function(x, z) (1 + tcrossprod(x, z))^s), place))
    },
    "option" = function(v) {
      options(multikernel.test.option = v)
      kernel_entry(function(x, z) (1 + tcrossprod(x, z))^getOption("multikernel.test.option"))
    },
    "environment variable" = function(v) {
      Sys.setenv(MULTIKERNEL_TEST_VALUE = v)
      kernel_entry(function(x, z) {
        (1 + tcrossprod(x, z))^as.numeric(Sys.getenv("MULTIKERNEL_TEST_VALUE"))
      })
    },
    "file" = function(v) {
      file <- file.path(tempdir(), "multikernel-test-value.rds")
      saveRDS(v, file)
      kernel_entry(function(x, z) (1 + tcrossprod(x, z))^readRDS(file))
    },
    "S4 object" = function(v) {
      kernel_entry(in_place(
        quote(function(x, z) (1 + tcrossprod(x, z))^object@s),
        object = methods::new(stale_s4(), s = v)
      ))
    },
    "reference object" = function(v) {
      object <- stale_reference()$new(s = v)
      kernel_entry(function(x, z) object$power(1 + tcrossprod(x, z)))
    },
    "method of an S4 generic" = function(v) {
      place <- fresh_place()
      methods::setGeneric("multikernel_power", function(o, k) standardGeneric("multikernel_power"),
                          where = place)
      power <- if (v == 1) function(o, k) k else function(o, k) k^3
      methods::setMethod("multikernel_power", "numeric", power, where = place)
      kernel_entry(eval(quote(function(x, z) multikernel_power(2, 1 + tcrossprod(x, z))), place))
    },
    "R6 object" = function(v) {
      class <- R6::R6Class("Power", public = list(
        initialize = function(s) private$s <- s, power = function(k) k^private$s
      ), private = list(s = NULL))
      object <- class$new(v)
      kernel_entry(function(x, z) object$power(1 + tcrossprod(x, z)))
    },
    "method of an R6 class" = function(v) {
      power <- if (v == 1) function(k) k else function(k) k^3
      object <- R6::R6Class("Power", public = list(power = power))$new()
      kernel_entry(function(x, z) object$power(1 + tcrossprod(x, z)))
    },
    "external pointer" = function(v) {
      # what a pointer stands for cannot be seen; here the attribute of one
      pointer <- structure(pointer_of(globalenv()), s = v)
      kernel_entry(function(x, z) (1 + tcrossprod(x, z))^attr(pointer, "s"))
    },
    "maker of kernels in a tuning" = function(v) {
      list(learners = list(k = list(
        learner_svm(), kernels = function(sigma) kernel_rbf(sigma * v), folds = 2,
        grid = list(sigma = c(1, 1.5))
      )))
    },
    "data" = function(v) list(data = list(d = transform(stale_data(), a = a^(2 * v - 1)))),
    "learner" = function(v) list(learners = list(k = learner_svm(cost = 10^(v - 2)))),
    "seed" = function(v) list(seed = v)
  )
}

# Both versions are the same to a user.
same_variants <- function() {
  list(
    "the same function again" = function(v) {
      f <- if (v == 1) function(x, z) (1 + tcrossprod(x, z))^2 else
        function(x, z) (1 + tcrossprod(x, z))^2
      kernel_entry(f)
    },
    "other spaces and comments" = function(v) {
      text <- if (v == 1) "function(x, z) { tcrossprod(x, z) }" else
        "function(x, z)\n{\n  # a comment\n  tcrossprod(x,z)\n}"
      kernel_entry(eval(parse(text = text, keep.source = TRUE), fresh_place()))
    },
    "byte code" = function(v) {
      f <- eval(quote(function(x, z) tcrossprod(x, z)), fresh_place())
      kernel_entry(if (v == 1) f else compiler::cmpfun(f))
    },
    "made again by the same function" = function(v) {
      make <- function(d) function(x, z) (1 + tcrossprod(x, z))^d
      kernel_entry(make(2))
    },
    "the same value computed otherwise" = function(v) {
      s <- if (v == 1) c(1L, 2L, 3L) else 1:3
      kernel_entry(function(x, z) (1 + tcrossprod(x, z))^s[2])
    },
    "a variable that it does not use" = function(v) {
      unused <- v
      kernel_entry(function(x, z) tcrossprod(x, z))
    },
    "text with the name of another variable" = function(v) {
      d <- v
      kernel_entry(function(x, z) {
        k <- list(d = tcrossprod(x, z))
        k[["d"]]
      })
    },
    "a local variable with the name of another" = function(v) {
      d <- v
      kernel_entry(function(x, z) {
        d <- ncol(x)
        for (v in 1:2) d <- d + v
        tcrossprod(x, z) / d
      })
    },
    "an argument with the name of another variable" = function(v) {
      x <- v
      kernel_entry(function(x, z) tcrossprod(x, z))
    },
    "columns with the names of variables" = function(v) {
      formula_task(in_place(quote(y ~ a + b), a = v, b = v, y = v))
    },
    "environments with the same content" = function(v) {
      e <- new.env()
      for (name in if (v == 1) c("s", "t") else c("t", "s")) assign(name, 2, envir = e)
      kernel_entry(function(x, z) (1 + tcrossprod(x, z))^e$s)
    },
    "reference object whose methods have been used" = function(v) {
      object <- stale_reference()$new(s = 2)
      if (v == 2) object$power(1)
      kernel_entry(function(x, z) object$power(1 + tcrossprod(x, z)))
    },
    "S4 generic that has been used" = function(v) {
      place <- fresh_place()
      methods::setGeneric("multikernel_power", function(o, k) standardGeneric("multikernel_power"),
                          where = place)
      methods::setMethod("multikernel_power", "numeric", function(o, k) k^o, where = place)
      if (v == 2) place$multikernel_power(2, 2)
      kernel_entry(eval(quote(function(x, z) multikernel_power(2, 1 + tcrossprod(x, z))), place))
    },
    "another name of the learner" = function(v) {
      list(learners = stats::setNames(list(learner_svm()), c("one", "one.again")[v]))
    },
    "R6 object that has been used" = function(v) {
      if (!requireNamespace("R6", quietly = TRUE)) return(list())
      object <- R6::R6Class("Power", public = list(power = function(k) k^2))$new()
      if (v == 2) object$power(3)
      kernel_entry(function(x, z) object$power(1 + tcrossprod(x, z)))
    },
    "threads" = function(v) {
      list(learners = list(k = list(learner_svm(), control = mkl_control(threads = v))))
    },
    "names of data in another encoding" = function(v) {
      data <- stale_data()
      name <- "gr\u00f6\u00dfe"
      names(data)[1] <- if (v == 1) name else iconv(name, "UTF-8", "latin1")
      list(data = list(d = data))
    },
    "a function that a package made" = function(v) {
      kernel_entry(local({
        g <- stats::splinefun(0:3, c(0, 1, 1.5, 2))
        function(x, z) {
          k <- tcrossprod(x, z)
          array(g(k), dim(k))
        }
      }))
    }
  )
}

stale_data <- function() {
  i <- 1:24
  d <- data.frame(a = sin(i * 1.37) + cos(i), b = cos(i^2 * 0.11))
  d$y <- factor(ifelse(d$a^2 + d$b > 0.6, "yes", "no"))
  d
}

stale_s4 <- function() {
  methods::setClass("MultikernelTestS4", slots = c(s = "numeric"), where = globalenv())
  "MultikernelTestS4"
}

stale_reference <- function() {
  methods::setRefClass(
    "MultikernelTestReference", fields = list(s = "numeric"),
    methods = list(power = function(k) k^s), where = globalenv()
  )
}

# Any external pointer: that of a text connection.
pointer_of <- function(env) {
  connection <- textConnection("text")
  on.exit(close(connection))
  attr(connection, "conn_id")
}

run_variant <- function(arguments, ...) {
  defaults <- list(
    tasks = list(d = y ~ .), data = list(d = stale_data()), learners = list(k = learner_svm()),
    resamples = resample_holdout(0.5, 1), metrics = "accuracy", seed = 1, predictions = TRUE
  )
  defaults[names(arguments)] <- arguments
  bm <- do.call(benchmark_mkl, c(defaults, list(...)))
  stopifnot(all(is.na(bm$results$failure)))
  bm$predictions
}
