# What plots of weights show: the largest weights of kernels or views, and how weight is spread.

# The largest weights by size; several models are averaged. list(weights, others: the number of
# weights that are not among them, share: of these in the sum of the absolute weights, mean: of
# these, NA if there are none).
top_weights <- function(x, limit, by = "kernel") {
  weights <- weights_by(x, by)
  weights <- weights[order(-abs(weights), method = "radix")]
  rest <- utils::tail(weights, -limit)
  list(
    weights = utils::head(weights, limit), others = length(rest),
    share = sum(abs(rest)) / max(sum(abs(weights)), 1e-300),
    mean = if (length(rest)) mean(rest) else NA_real_
  )
}

# Mean weights over the models, of the kernels or summed over those of each view.
weights_by <- function(x, by) {
  weights <- mean_weights(x)
  if (by == "kernel") return(weights)
  views <- kernel_groups(x)
  vapply(split(weights, factor(views, unique(views))), sum, 0)
}

# Bars of a plot of weights from the top, with one for the mean of those that are left out.
# list(labels, weights, rest: whether each is that of the others, note: NULL or a subtitle).
weight_bars <- function(x, limit, by) {
  top <- top_weights(x, limit, by)
  out <- list(
    labels = shorten(names(top$weights)), weights = unname(top$weights),
    rest = rep(FALSE, length(top$weights))
  )
  if (top$others == 0L) return(out)
  out$labels <- c(out$labels, if (top$others == 1L) "1 other" else {
    paste0("mean of ", top$others, " others")
  })
  out$weights <- c(out$weights, top$mean)
  out$rest <- c(out$rest, TRUE)
  total <- length(top$weights) + top$others
  out$note <- paste0(
    "Largest ", length(top$weights), " of ", plural(total, by), "; the others hold ",
    format_number(100 * top$share, 3L), " % of the weight"
  )
  out
}

# How the weight is spread over all kernels: its cumulative share at each share of the kernels, and
# the number of kernels that hold half of it.
weight_spread <- function(weights) {
  count <- length(weights)
  share <- cumsum(sort(unname(weights), decreasing = TRUE)) / max(sum(weights), 1e-300)
  half <- which(share >= 0.5)[1L]
  rank <- unique(round(seq(1, count, length.out = min(count, 500L))))
  list(
    kernels = c(0, rank / count), weight = c(0, share[rank]), count = count, half = half,
    half_at = c(half / count, share[half])
  )
}

# Long labels lose their middle: kernels of one kind begin alike, and differ at the end. Labels that
# would be the same then keep some more letters, or else the part in which they differ.
shorten <- function(labels, width = 36L) {
  all <- unique(labels)
  short <- lose_middle(all, width)
  alike <- short %in% short[duplicated(short)]
  longer <- lose_middle(all[alike], width + width %/% 4L)
  short[alike] <- if (anyDuplicated(longer)) {
    stats::ave(all[alike], short[alike], FUN = function(group) keep_difference(group, width))
  } else {
    longer
  }
  make.unique(short, " ")[match(labels, all)]
}

lose_middle <- function(labels, width) {
  long <- nchar(labels) > width
  head <- (width - 3L) %/% 2L
  size <- nchar(labels[long])
  tail <- substr(labels[long], size - (width - 4L - head), size)
  labels[long] <- paste0(substr(labels[long], 1L, head), "...", tail)
  labels
}

# Labels that begin alike, from the first word in which they differ.
keep_difference <- function(labels, width) {
  ends <- strsplit(sort(labels, method = "radix")[c(1L, length(labels))], "")
  common <- which(ends[[1L]][seq_along(ends[[2L]])] != ends[[2L]])[1L] - 1L
  if (is.na(common)) common <- length(ends[[1L]])
  start <- nchar(sub("[[:alnum:]]*$", "", substr(labels[1L], 1L, common)))
  head <- width %/% 3L
  rest <- substring(labels, max(start, head) + 1L)
  paste0(substr(labels, 1L, head), "...", lose_end(rest, width - head - 3L))
}

lose_end <- function(text, width) {
  long <- nchar(text) > width
  text[long] <- paste0(substr(text[long], 1L, width - 3L), "...")
  text
}

# A title in lines that fit on a plot of usual width, and the smaller subtitle.
wrap_title <- function(text, width = 62L) paste(strwrap(text, width), collapse = "\n")

wrap_subtitle <- function(text) if (!is.null(text)) wrap_title(text, 86L)

# NULL, or why there are no weights to draw.
no_weights <- function(x, by = "kernel") {
  if (length(x$kernels) == 0L) {
    return(paste0("Fits of learner_", x$learner$name, "() have no kernels and no weights."))
  }
  if (by == "view" && all(kernel_groups(x) == "all")) {
    return("The fit sees no views(): draw its weights by kernel.")
  }
}

weights_title <- function(x, by = "kernel") {
  paste(if (length(x$models) == 1L) "weight of the" else "mean weight of the", by)
}

# Which weights or other things a plot shows that the user leaves the choice of.
auto_picture <- function(x, data) {
  single <- sum(item_counts(x$kernels)) <= 1
  if ((!is.null(data) || single) && is.null(no_boundary(x))) return("boundary")
  if (single && is.null(no_fitted(x))) "fitted" else "weights"
}

# Lines of several models: names are readable for a few. list(count, names, named, note).
line_groups <- function(model, few = 10L) {
  names <- unique(model)
  count <- max(length(names), 1L)
  list(
    count = count, names = names, named = count > 1L && count <= few,
    note = if (count > few) paste("A line for each of", count, "models")
  )
}
