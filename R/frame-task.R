# Tasks. What the rest of the package asks of classification, regression and novelty detection is
# one table: another task is an entry here and the functions that it names.
#
# `label`: the task in words.
# `response`: FALSE if there is none. `classes`: TRUE if it has classes, FALSE if numbers.
# `natural`: function(y), TRUE if this is the task of a response `y` when the user names none.
# `accept`: function(y, argument), an error if `y` is no response for this task.
# `encode`: function(y, argument), the response for the core: list(y, levels, classes, ordered).
# `standardize`: TRUE if the response is standardized.
# `types`: types of predictions, the default first.
# `metrics`: the default measures.
# `parameters`: the parameters of a support vector machine that are used.
# `margins`: TRUE if the loss has margins at f(x) = -1 and f(x) = 1.
# `sides`: what the two signs of a coefficient mean, for fits without classes.
# `drawn`: how plots show the predictions of many rows: a "table" of classes, "numbers" against
#   observed ones, or a histogram of decision "values".
# `frameworks`: the names that other packages have for the task.
task_table <- computed_once(function() {
  list(
    classification = list(
      label = "classification", response = TRUE, classes = TRUE, natural = has_labels,
      accept = check_discrete, encode = encode_classes, standardize = FALSE,
      types = c("class", "prob", "decision"), metrics = c("accuracy", "auc"),
      parameters = "cost", margins = TRUE, sides = NULL, drawn = "table",
      frameworks = c(parsnip = "classification", mlr3 = "classif", caret = "Classification")
    ),
    regression = list(
      label = "regression", response = TRUE, classes = FALSE, natural = is.numeric,
      accept = check_numeric, encode = encode_numbers, standardize = TRUE,
      types = c("response", "decision"), metrics = c("rmse", "mae"),
      parameters = c("cost", "epsilon"), margins = FALSE,
      sides = c("below the tube", "above the tube"), drawn = "numbers",
      frameworks = c(parsnip = "regression", mlr3 = "regr", caret = "Regression")
    ),
    one_class = list(
      label = "one-class", response = FALSE, classes = FALSE, natural = function(y) FALSE,
      accept = refuse_response, encode = function(y, argument) list(y = numeric()),
      standardize = FALSE, types = c("class", "decision"), metrics = "accuracy",
      parameters = "nu", margins = FALSE, sides = c("other row", "support vector"),
      drawn = "values", frameworks = character()
    )
  )
})

task_names <- function() names(task_table())

task_traits <- function(task) task_table()[[task]]

# Names of the tasks with a trait.
tasks_with <- function(trait) names(Filter(function(traits) isTRUE(trait(traits)), task_table()))

# The names that a framework has for the tasks that it knows, by task.
framework_tasks <- function(framework) {
  names <- vapply(task_table(), function(traits) traits$frameworks[framework], "")
  names[!is.na(names)]
}

task_called <- function(name, framework) names(which(framework_tasks(framework) == name))

# The task of a response, as the user names it or as it looks.
response_task <- function(y, task, argument) {
  if (!is.null(task)) task <- check_choice(task, "task", task_names())
  if (is.null(y)) {
    task <- task %||% tasks_with(function(traits) !traits$response)
    if (!task_traits(task)$response) return(task)
    stop_mkl(
      "response_error", argument, "`task` is \"", task, "\", which needs a response, but `",
      argument, "` is not given."
    )
  }
  check_response(y, argument)
  natural <- natural_task(y)
  if (is.null(task) || task == natural) return(natural)
  task_traits(task)$accept(y, argument)
  task
}

natural_task <- function(y) tasks_with(function(traits) traits$natural(y))[1L]

# Numbers that are -1/1 or 0/1 are labels; any other numbers are measurements.
has_labels <- function(y) {
  if (!is.numeric(y)) return(TRUE)
  values <- if (length(y)) unique(y[!is.na(y)]) else y
  length(values) == 2L && (all(values %in% c(-1, 1)) || all(values %in% c(0, 1)))
}

check_discrete <- function(y, argument) {
  values <- unique(y[!is.na(y)])
  odd <- values[!is.finite(values) | values != round(values)]
  if (length(odd)) {
    stop_mkl(
      "response_error", argument, "`task` is \"classification\", but `", argument, "` holds ",
      plural(length(values), "different number"), " such as ", format_number(odd[1L]),
      ", which are no class labels. Use cut() or factor() first."
    )
  }
}

check_numeric <- function(y, argument) {
  if (!is.numeric(y)) {
    stop_mkl(
      "response_error", argument, "`task` is \"regression\", which needs a numeric `", argument,
      "`, not ", describe_response(y), "."
    )
  }
}

describe_response <- function(y) {
  if (is.factor(y)) "a factor" else paste0("a ", typeof(y), " vector")
}

refuse_response <- function(y, argument) {
  stop_mkl(
    "response_error", "task", "`task` is \"one_class\", which takes no response: leave out `",
    argument, "`, or write a one-sided formula."
  )
}
