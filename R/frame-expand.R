# The terms of a formula. stats::terms() keeps a table of variables by terms, which is 1.6 GB for
# 20,000 columns, and recurses for every `+`. Sums are therefore taken apart here, in time linear
# in their length; stats::terms() sees only summands with other operators, such as a * b.
#
# A *term set* is list(variables, terms): `variables` are expressions named by their labels, in the
# order in which they appear; `terms` are labels of variables, one character vector for each term.
# Their names identify terms: a:b is the same as b:a.

operators <- c("+", "-", "*", ":", "(", "^", "/", "%in%")

call_name <- function(e) {
  if (is.call(e) && is.symbol(e[[1L]])) as.character(e[[1L]]) else ""
}

# The name that model.frame() gives to the variable of this expression.
label_of <- function(e) {
  if (is.symbol(e)) return(as.character(e))
  if (call_name(e) == ":") return(paste(label_of(e[[2L]]), label_of(e[[3L]]), sep = ":"))
  paste(deparse(e, width.cutoff = 500L, backtick = TRUE), collapse = " ")
}

# The summands from left to right: list(parts, plus), where `plus` is FALSE for those that are
# taken away. A difference that is not the first summand, as in a + (b - c), takes nothing from
# those before it: it is a part of its own, for expand_part().
sum_parts <- function(e) {
  stack <- list(e)
  signs <- TRUE
  top <- 1L
  parts <- list()
  plus <- logical()
  push <- function(e, sign) {
    top <<- top + 1L
    stack[[top]] <<- e
    signs[top] <<- sign
  }
  while (top > 0L) {
    e <- stack[[top]]
    sign <- signs[top]
    top <- top - 1L
    name <- call_name(e)
    if (name == "(") {
      push(e[[2L]], sign)
    } else if (name == "+" || (name == "-" && length(parts) == 0L)) {
      push(e[[length(e)]], sign && name == "+")
      if (length(e) == 3L) push(e[[2L]], sign)
    } else {
      parts[[length(parts) + 1L]] <- e
      plus[length(parts)] <- sign
    }
  }
  list(parts = parts, plus = plus)
}

# The term set of an expression. `scope`: list(env, data, features), the latter being what `.`
# stands for.
expand_terms <- function(e, scope) {
  sum <- sum_parts(e)
  expand_sum(sum$parts, sum$plus, scope)
}

# Neighbors that are all added, or all taken away, go together: time stays linear.
expand_sum <- function(parts, plus, scope) {
  sets <- lapply(parts, expand_part, scope)
  out <- new_terms()
  end <- 0L
  runs <- rle(plus)
  for (i in seq_along(runs$values)) {
    own <- join_terms(sets[seq.int(end + 1L, length.out = runs$lengths[i])])
    end <- end + runs$lengths[i]
    if (runs$values[i]) {
      out <- join_terms(list(out, own))
    } else {
      # Its variables stay known, so that a misspelled one is noticed.
      out$variables <- join_terms(list(out, own))$variables
      out$terms <- out$terms[!names(out$terms) %in% names(own$terms)]
    }
  }
  out
}

new_terms <- function(variables = list(), terms = list()) {
  list(variables = variables, terms = terms)
}

# Terms that are one variable each.
main_terms <- function(expressions, labels = vapply(expressions, label_of, "")) {
  new_terms(
    stats::setNames(expressions, labels), stats::setNames(as.list(labels), labels)
  )
}

join_terms <- function(sets) {
  join <- function(what) {
    all <- do.call(base::c, lapply(unname(sets), `[[`, what)) %||% list()
    twice <- which(duplicated(names(all)))
    if (length(twice) == 0L) return(all)
    first <- match(names(all)[twice], names(all))
    odd <- which(!mapply(identical, all[twice], all[first]))
    if (length(odd) && what == "variables") stop_same_name(names(all)[twice[odd[1L]]])
    all[-twice]
  }
  new_terms(join("variables"), join("terms"))
}

# A column may be named like a call: `log(x)`.
stop_same_name <- function(label) {
  stop_mkl(
    "formula_error", "formula", "The formula has both a column that is named `", label, "` and ",
    "the term ", label, ". Give the column another name."
  )
}

expand_part <- function(e, scope) {
  if (identical(e, quote(.))) return(expand_dot(scope))
  name <- call_name(e)
  if (name == "offset") stop_offset()
  if (name == "-") return(expand_terms(e, scope))
  plain <- is.symbol(e) || (is.call(e) && !name %in% operators)
  # An intercept (1, 0, - 1) means nothing to a kernel method.
  if (is.numeric(e) && e %in% c(0, 1)) return(new_terms())
  if (plain) main_terms(list(e)) else expand_operator(e, scope)
}

expand_dot <- function(scope) {
  if (is.null(scope$data)) {
    stop_mkl("formula_error", "formula", "The formula has a `.`, which needs `data`.")
  }
  main_terms(lapply(scope$features, as.name), scope$features)
}

# Interactions, nested and crossed variables.
expand_operator <- function(e, scope) {
  formula <- stats::as.formula(call("~", e), env = scope$env)
  data <- NULL
  if ("." %in% all.vars(e)) {
    data <- expand_dot(scope)$terms
    data <- structure(data, class = "data.frame", row.names = 1L)
  }
  terms <- catch_error(
    if (is.null(data)) stats::terms(formula) else stats::terms(formula, data = data),
    error = function(e) stop_mkl("formula_error", "formula", "The formula is not valid: ",
                                 conditionMessage(e))
  )
  if (!is.null(attr(terms, "offset"))) stop_offset()
  variables <- as.list(attr(terms, "variables"))[-1L]
  labels <- vapply(variables, label_of, "")
  factors <- attr(terms, "factors")
  count <- length(attr(terms, "term.labels"))
  members <- lapply(seq_len(count), function(j) labels[factors[, j] > 0L])
  new_terms(
    stats::setNames(variables, labels), stats::setNames(members, vapply(members, term_key, ""))
  )
}

# x2:x1 is the interaction x1:x2. No label has a line feed.
term_key <- function(labels) paste(sort_text(labels), collapse = "\n")

# list(variables, groups): the variables that occur in a term, and their positions for each term,
# those with fewer variables first.
term_groups <- function(set) {
  used <- unlist(set$terms, use.names = FALSE)
  variables <- set$variables[names(set$variables) %in% used]
  place <- match(used, names(variables))
  sizes <- lengths(set$terms, use.names = FALSE)
  groups <- if (all(sizes == 1L)) {
    as.list(place)
  } else {
    unname(lapply(split(place, rep(seq_along(sizes), sizes)), sort))[order(sizes)]
  }
  list(variables = variables, groups = groups)
}

# Labels of terms, as they name the columns that a kernel sees.
term_labels <- function(labels, groups) {
  if (all(lengths(groups) == 1L)) return(as.character(labels[as.integer(unlist(groups))]))
  vapply(groups, function(group) paste(labels[group], collapse = ":"), "")
}

# The formula of a fit --------------------------------------------------------------------------

# With plain terms the `.` is expanded, so that it means the columns of the fit whatever the data.
full_formula <- function(frame) {
  formula <- frame$formula
  if (!isTRUE(frame$dot)) return(formula)
  variables <- Map(function(e, label) {
    if (is.symbol(e)) e else str2lang(label)
  }, unname(frame$variables), names(frame$encoders))
  summands <- lapply(frame$groups, function(group) {
    Reduce(function(a, b) call(":", a, b), unname(variables)[group])
  })
  formula[[length(formula)]] <- sum_call(summands)
  formula
}

# The call a + b + c. Long sums are halved again and again: eval() and readRDS() of R overflow their
# stacks on a formula that is nested 20,000 deep.
sum_call <- function(summands) {
  n <- length(summands)
  if (n <= 1000L) return(Reduce(function(a, b) call("+", a, b), summands))
  half <- n %/% 2L
  call("+", sum_call(summands[seq_len(half)]), sum_call(summands[seq.int(half + 1L, n)]))
}

# As update.formula(), which needs minutes and gigabytes for 20,000 terms: so many are put in place
# of the `.` without being simplified.
update_terms <- function(old, new) {
  if (length(sum_parts(old[[length(old)]])$parts) <= 1000L) return(stats::update.formula(old, new))
  put <- function(e, value) eval(call("substitute", e, list(. = value)))
  new <- stats::as.formula(new)
  new[[length(new)]] <- put(new[[length(new)]], call("(", old[[length(old)]]))
  if (length(old) == 2L) return(new)
  if (length(new) == 2L) new <- stats::as.formula(call("~", quote(.), new[[2L]]))
  new[[2L]] <- put(new[[2L]], old[[2L]])
  new
}
