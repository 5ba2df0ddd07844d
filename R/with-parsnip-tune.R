# Tuning in tidymodels: parameters of the package dials for all arguments of the engine that can be
# tuned, and predictions of all numbers of trials from one fit.

#' Parameters and trials for tuning in tidymodels
#'
#' @description
#' `set_engine("multikernel", lambda = tune())` needs no grid: the parameters of all learners, and
#' the arguments `normalize`, `scale` and `multiclass` of [mkl()], have ranges for the packages
#' dials and tune. `mkl_parameter()` makes such a parameter with another range, for `update()` of a
#' parameter set.
#'
#' `multi_predict()` of the package parsnip predicts with several numbers of trials of
#' [mkboost()], from one fit.
#'
#' @details
#' For a learner given by name the ranges are those of its help page, which [tune_mkl()] uses, too;
#' if the learner is tuned itself, they are valid for all learners that have the parameter.
#' Those of `cost` and `margin` are ranges of dials. Positive parameters that span more than a
#' factor of 20, such as `beta`, are tuned on the scale of the logarithm to base 2. With
#' \eqn{t(\theta) = \log_2 \theta}{t(theta) = log2(theta)} or the identity, a regular grid of s
#' points of the range from a to b is
#' \deqn{t(\theta_i) = t(a) + \frac{i - 1}{s - 1} (t(b) - t(a)), \quad i = 1, \dots, s.}{
#'   t(theta_i) = t(a) + (i - 1) / (s - 1) * (t(b) - t(a)), i = 1, ..., s.}
#'
#' Parameters that a learner does not have are not used, with a message, so that a grid can contain
#' several learners. Widths of kernels are parameters of kernels: tune them with [tune_mkl()], whose
#' `kernels` may be a function of them, or use a set of several widths.
#'
#' # Choosing parameters
#' Start with `cost` (all learners based on a support vector machine) or `lambda`. Tolerances and
#' numbers of iterations have no ranges: they are no matter of tuning.
#'
#' @param range Smallest and largest value, not transformed. Integers (`c(10L, 200L)`) make an
#'   integer parameter.
#' @param trans Scale on which values are spread evenly: `"identity"` (default) or `"log2"`.
#' @param values Values of a qualitative parameter, instead of `range`.
#' @return `mkl_parameter()`: a parameter of the package dials.
#' @references
#' Kuhn, M. and Silge, J. (2022). *Tidy Modeling with R*. O'Reilly.
#' @family frameworks
#' @examples
#' if (requireNamespace("dials", quietly = TRUE) && requireNamespace("parsnip", quietly = TRUE)) {
#'   print(mkl_parameter(c(0.1, 100), trans = "log2"))
#'   spec <- multi_kernel("classification", learner = "lpmkl", cost = hardhat::tune())
#'   spec <- parsnip::set_engine(spec, "multikernel", p = hardhat::tune())
#'   ranges <- hardhat::extract_parameter_set_dials(spec)
#'   print(dials::grid_regular(ranges, levels = 3))
#' }
#' @export
mkl_parameter <- function(range = NULL, trans = c("identity", "log2"), values = NULL) {
  check_exact()
  need_package("dials", "mkl_parameter() needs")
  trans <- check_choice(trans, "trans", c("identity", "log2"))
  if (!is.null(values)) {
    if (!(is.character(values) || is.logical(values)) || length(values) == 0L) {
      stop_must("values", "texts or logical values", values)
    }
    return(dials::new_qual_param(typeof(values), values = values))
  }
  if (!is.numeric(range) || length(range) != 2L || !all(is.finite(range)) ||
        range[1L] > range[2L]) {
    stop_must("range", "the smallest and the largest value", range)
  }
  log <- trans == "log2"
  if (log && range[1L] <= 0) stop_must("range", "positive for `trans = \"log2\"`", range)
  dials::new_quant_param(
    if (is.integer(range) && !log) "integer" else "double",
    range = if (log) log2(range) else range, inclusive = c(TRUE, TRUE),
    trans = if (log) dials::cost()$trans
  )
}

# ---- what can be tuned ---------------------------------------------------------------------------

# Parameters that are not tuned: those of the solvers, and what is no number or choice.
not_tuned <- function() {
  c("gap", "iterations", "tolerance", "step", "solver", "direction", "metric", "weights", "base",
    "final", "gating_on", "preset", "prior", "restarts", "folds", "margin")
}

# Ranges of parameters that tune_mkl() has no grid for.
more_ranges <- function() {
  list(
    epsilon = c(0.01, 0.5), nu = c(0.01, 0.5), coupling = c(0.01, 100), level = c(0.1, 0.9),
    kappa = c(0.001, 0.1), rho = c(0.5, 0.99), penalty = c(1e-4, 0.1), decay = c(2^-8, 1),
    cost = c(0.01, 1000), lambda = c(0.1, 100), components = c(1L, 50L), rank = c(5L, 200L),
    landmarks = c(50L, 500L), gating_rank = c(1L, 10L), threshold = c(0.3, 0.9)
  )
}

# Choices whose names are not in the default of the argument.
more_values <- function() {
  list(
    mkboost = list(variant = c("D1", "D2", "S1", "S2")),
    lmkl = list(gating = c("softmax", "sigmoid", "rbf")),
    cca_mhks = list(combine = c("concatenate", "vote"))
  )
}

# Arguments of mkl() that can be tuned.
tuned_settings <- function() {
  list(normalize = c("none", "trace", "cosine", "center"), scale = c(TRUE, FALSE),
       multiclass = c("one_vs_one", "one_vs_rest"))
}

# Range or values of a parameter of one learner; NULL if it is not tuned.
learner_range <- function(name, learner) {
  if (name %in% not_tuned()) return(NULL)
  values <- more_values()[[learner$name]][[name]]
  if (!is.null(values)) return(list(values = values))
  grid <- learner$grid[[name]]
  if (is.numeric(grid)) {
    whole <- all(grid == round(grid)) && is_count_parameter(name)
    return(list(range = if (whole) as.integer(base::range(grid)) else base::range(grid)))
  }
  default <- formals(get(paste0("learner_", learner$name)))[[name]]
  if (is.call(default)) default <- eval(default, baseenv())
  if (is.character(default) && length(default) > 1L) return(list(values = default))
  if (!is.null(more_ranges()[[name]])) list(range = more_ranges()[[name]])
}

is_count_parameter <- function(name) name %in% c("trials", "k")

# The same for several learners: what is valid for all of them. A name such as `method` with other
# values in another learner is not tuned with both.
joint_range <- function(ranges) {
  ranges <- Filter(Negate(is.null), ranges)
  if (length(ranges) == 0L) return(NULL)
  values <- lapply(ranges, `[[`, "values")
  if (!all(vapply(values, is.null, NA))) {
    shared <- Reduce(intersect, values)
    return(if (length(shared)) list(values = shared))
  }
  lower <- lapply(ranges, function(one) one$range[1L])
  upper <- lapply(ranges, function(one) one$range[2L])
  range <- c(do.call(max, lower), do.call(min, upper))
  if (range[1L] >= range[2L]) return(NULL)
  wide <- range[1L] > 0 && range[2L] / range[1L] > 20 && !is.integer(range)
  list(range = range, trans = if (wide) "log2" else "identity")
}

parameter_range <- function(name, learners) {
  if (!is.null(tuned_settings()[[name]])) return(list(values = tuned_settings()[[name]]))
  joint_range(lapply(learners, function(learner) {
    if (name %in% learner_parameters(learner)) learner_range(name, learner)
  }))
}

# The learners that a specification may fit.
spec_learners <- function(learner) {
  value <- tryCatch(rlang::eval_tidy(learner), error = function(e) NULL)
  if (inherits(value, "mkl_learner")) return(list(value))
  one <- is.character(value) && length(value) == 1L && value %in% learner_names()
  lapply(if (one) value else learner_names(), learner_called)
}

#' @exportS3Method generics::tunable
tunable.multi_kernel <- function(x, ...) {
  out <- NextMethod()
  learners <- spec_learners(x$args$learner)
  for (i in which(out$component_id == "engine")) {
    found <- parameter_range(out$name[i], learners)
    if (!is.null(found)) {
      out$call_info[[i]] <- c(list(pkg = "multikernel", fun = "mkl_parameter"), found)
    }
  }
  out
}

# ---- trials --------------------------------------------------------------------------------------

#' @rdname mkl_parameter
#' @param object A fit of parsnip to a [mkboost()] learner.
#' @param new_data A data frame.
#' @param type `"class"` (default) or `"raw"`, the decision value.
#' @param trials Numbers of trials.
#' @param ... Not used.
#' @rawNamespace S3method(parsnip::multi_predict, "_mkl_mkboost")
`multi_predict._mkl_mkboost` <- function(object, new_data, type = "class", trials = NULL, ...) {
  type <- check_choice(type %||% "class", "type", c("class", "raw"))
  fit <- object$fit
  trials <- trials %||% learner_of(fit)$parameters$trials
  each <- lapply(trials, function(t) {
    values <- stats::predict(fit, new_data, type = if (type == "raw") "decision" else "class",
                             trials = t)
    framework_values(values)
  })
  name <- if (type == "raw") ".pred" else ".pred_class"
  rows <- lapply(seq_len(nrow(new_data)), function(i) {
    one <- lapply(each, function(values) if (is.data.frame(values)) values[i, ] else values[i])
    values <- if (is.data.frame(one[[1L]])) do.call(rbind, one) else do.call(c, one)
    columns <- if (is.data.frame(values)) as.list(values) else stats::setNames(list(values), name)
    tibble::as_tibble(c(list(trials = trials), columns))
  })
  tibble::tibble(.pred = rows)
}
