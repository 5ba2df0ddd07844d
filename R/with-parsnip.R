# Interface to parsnip: a model of its own, `multi_kernel`, with the engine "multikernel".

#' Multiple kernel learning with tidymodels (parsnip)
#'
#' @description
#' `multi_kernel()` is a model specification for the package parsnip. It supports all learners of
#' this package for classification and regression, with `fit()`, `fit_xy()`, workflows and the
#' package tune. The engine `"multikernel"` registers itself when parsnip is loaded.
#'
#' `fit_multi_kernel()` is what the engine calls: [mkl()] with the parameters of the learner among
#' its arguments.
#'
#' @details
#' The underlying model is a fit of [mkl()], \deqn{f(x) = \sum_i \beta_i \sum_m d_m k_m(x_i, x) +
#'   b,}{ f(x) = sum_i beta_i sum_m d_m k_m(x_i, x) + b,} returned by `extract_fit_engine()`.
#'   Types of predictions:
#' * `"class"` and `"prob"` for classification. Probabilities take about five more fits; without
#'   them, `set_engine("multikernel", probability = FALSE)`, fits are faster;
#' * `"numeric"` for regression;
#' * `"raw"`: decision values.
#'
#' Arguments of `set_engine()` are the arguments of [mkl()] (`kernels`, `normalize`, `scale`,
#' `class_weights`, `multiclass`, `control` and so on) and further parameters of the learner
#' (`lambda`, `trials` and so on). Case weights are the `weights` of [mkl()]. Parameter names are
#' not partially matched: parameters such as `c` of [learner_mhks()] and `p` of [learner_lpmkl()]
#' must be set with `set_engine()`. `update()` changes only engine arguments that are already set.
#'
#' Formulas may have kernel terms, such as `y ~ rbf(a, b, sigma = 1) + linear(.)`. In a workflow
#' use `add_model(spec, formula = )` together with `add_variables()`; `add_formula()` and recipes
#' create plain columns.
#'
#' # Choosing parameters
#' `cost = tune()`, `margin = tune()` and `learner = tune()` need no grid: ranges of the first two
#' are defined in the package dials, the values of the third are those of `mkl_learners()`. Other
#' parameters are tuned through `set_engine()`, for instance `set_engine("multikernel", lambda =
#' tune())`, and need values in the grid. In a grid over learners, parameters that a learner does
#' not have are ignored, with one message in a session.
#'
#' @param mode Type of problem: `"classification"` or `"regression"`.
#' @param engine Computational engine; only `"multikernel"` is available.
#' @param learner A learner or its name: `"simplemkl"` is [learner_simplemkl()]. `NULL` for the
#'   default of [mkl()].
#' @param cost Cost of errors; `NULL` for the default of the learner.
#' @param margin Half-width of the epsilon-insensitive tube for regression, the `epsilon` of the
#'   learner, in standard deviations of the response.
#' @return `multi_kernel()`: a specification of class `multi_kernel` and `model_spec`.
#'   `fit_multi_kernel()`: a fit of [mkl()]. `mkl_learners()`: a parameter of the package dials.
#' @references
#' Kuhn, M. and Silge, J. (2022). *Tidy Modeling with R*. O'Reilly.
#' @family frameworks
#' @examples
#' if (requireNamespace("parsnip", quietly = TRUE)) {
#'   spec <- multi_kernel("classification", learner = "easymkl")
#'   spec <- parsnip::set_engine(spec, "multikernel", lambda = 0.2)
#'   set.seed(1)
#'   fit <- parsnip::fit(spec, Species ~ ., iris)
#'   print(predict(fit, iris[c(1, 51, 101), ]))
#'   print(predict(fit, iris[c(1, 51, 101), ], type = "prob"))
#' }
#' @export
multi_kernel <- function(mode = "unknown", engine = "multikernel", learner = NULL, cost = NULL,
                         margin = NULL, ...) {
  check_exact()
  if (...length()) stop_engine_argument(names(list(...))[1L], list(...)[[1L]])
  need_package("parsnip", "multi_kernel() needs")
  parsnip::new_model_spec(
    "multi_kernel",
    args = list(
      learner = rlang::enquo(learner), cost = rlang::enquo(cost), margin = rlang::enquo(margin)
    ),
    eng_args = NULL, mode = mode, user_specified_mode = !missing(mode), method = NULL,
    engine = engine, user_specified_engine = !missing(engine)
  )
}

# All but the three main arguments go through set_engine().
stop_engine_argument <- function(name, value) {
  if (is.null(name) || !nzchar(name)) {
    stop_mkl("argument_error", "...", "An argument of multi_kernel() without a name is left over.")
  }
  engine <- c(framework_arguments(), learners_parameters())
  known <- c(names(formals(multi_kernel)), engine)
  if (name %in% engine) {
    stop_mkl(
      "argument_error", name, "`", name, "` belongs to the engine: set_engine(\"multikernel\", ",
      name, " = ", value_text(value), ")."
    )
  }
  stop_unknown(name, value, "multi_kernel()", known, inside = TRUE)
}

#' @rdname multi_kernel
#' @param object A specification.
#' @param parameters A data frame or list with values of parameters, or `NULL`.
#' @param fresh `TRUE` to replace all arguments instead of only those given.
#' @param ... For `multi_kernel()`: not used. For `update()`: engine arguments. For
#'   `fit_multi_kernel()`: parameters of the learner and arguments of [mkl()].
#' @export
update.multi_kernel <- function(object, parameters = NULL, learner = NULL, cost = NULL,
                                margin = NULL, fresh = FALSE, ...) {
  check_exact()
  need_package("parsnip", "update() needs")
  parsnip::update_spec(
    object = object, parameters = parameters,
    args_enquo_list = list(
      learner = rlang::enquo(learner), cost = rlang::enquo(cost), margin = rlang::enquo(margin)
    ),
    fresh = fresh, cls = "multi_kernel", ...
  )
}

#' @rdname multi_kernel
#' @param formula,data Formula and data frame.
#' @export
fit_multi_kernel <- function(formula, data, learner = NULL, ...) {
  check_exact()
  framework_fit(formula, data, learner = learner, values = list(...), drop = TRUE)
}

#' @rdname multi_kernel
#' @param values Names of learners.
#' @export
mkl_learners <- function(values = c("svm", "average", "simplemkl", "lpmkl")) {
  need_package("dials", "mkl_learners() needs")
  if (!is.character(values) || length(values) == 0L) {
    stop_must("values", "names of learners", values)
  }
  for (one in values) check_choice(one, "values", learner_names())
  dials::new_qual_param("character", values = values, label = c(learner = "Learner"))
}

# Enters the model into the register of parsnip, once.
register_parsnip <- function() {
  if ("multi_kernel" %in% parsnip::get_model_env()$models) return(invisible())
  parsnip::set_new_model("multi_kernel")
  for (task in names(framework_tasks("parsnip"))) register_mode(task)
  arguments <- list(
    learner = c("learner", "multikernel", "mkl_learners"), cost = c("cost", "dials", "cost"),
    margin = c("epsilon", "dials", "svm_margin")
  )
  for (name in names(arguments)) {
    this <- arguments[[name]]
    parsnip::set_model_arg(
      model = "multi_kernel", eng = "multikernel", parsnip = name, original = this[1L],
      func = list(pkg = this[2L], fun = this[3L]), has_submodel = FALSE
    )
  }
}

register_mode <- function(task) {
  mode <- framework_tasks("parsnip")[[task]]
  types <- task_traits(task)$types
  parsnip::set_model_mode("multi_kernel", mode)
  parsnip::set_model_engine("multi_kernel", mode, "multikernel")
  parsnip::set_dependency("multi_kernel", "multikernel", "multikernel", mode)
  parsnip::set_fit("multi_kernel", mode, "multikernel", list(
    interface = "formula", protect = c("formula", "data", "weights"),
    func = c(pkg = "multikernel", fun = "fit_multi_kernel"),
    defaults = list(task = task, probability = "prob" %in% types)
  ))
  parsnip::set_encoding("multi_kernel", mode, "multikernel", list(
    predictor_indicators = "none", compute_intercept = FALSE, remove_intercept = FALSE,
    allow_sparse_x = FALSE
  ))
  called <- c(response = "numeric", class = "class", prob = "prob", decision = "raw")
  for (type in types) {
    parsnip::set_pred("multi_kernel", mode, "multikernel", called[[type]], list(
      pre = NULL, post = if (type != "decision") function(x, object) framework_values(x),
      func = c(fun = "predict"),
      args = list(object = quote(object$fit), newdata = quote(new_data), type = type)
    ))
  }
}
