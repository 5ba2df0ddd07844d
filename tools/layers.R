# Checks that calls go down the layers of CONTRIBUTING.md ("Map of the files"):
#   Rscript tools/layers.R <root of the source tree> [calls]
# A fault is a file that the map does not name, a name in the map without a file, a call or an
# include from a lower to a higher layer, and a circle of includes. The exit status is 1 if there is
# any. With `calls` it prints which file calls which and by what functions.
#
# R: a file calls another one if it names a function or value that the other defines at top level.
# A generic with methods in higher layers is no call of these. C++: a file and its header are one.

# ---- the map -------------------------------------------------------------------------------------

# One row for each name in the map: `side` (R or src), `layer`, its rank from below and a pattern.
read_map <- function(root) {
  lines <- readLines(file.path(root, "CONTRIBUTING.md"), encoding = "UTF-8")
  start <- grep("^## Map of the files", lines)
  end <- c(grep("^## ", lines), length(lines) + 1)
  lines <- lines[seq(start, min(end[end > start]) - 1)]
  sides <- c("R", "src")[cumsum(grepl("^### ", lines))[grepl("^\\| `", lines)]]
  rows <- strsplit(grep("^\\| `", lines, value = TRUE), " *\\| *")
  layer <- gsub("`", "", vapply(rows, `[`, "", 2))
  patterns <- lapply(rows, function(row) {
    gsub("`", "", regmatches(row[3], gregexpr("`[^`]+`", row[3]))[[1]])
  })
  map <- data.frame(
    side = rep(sides, lengths(patterns)), layer = rep(layer, lengths(patterns)),
    pattern = unlist(patterns)
  )
  for (side in unique(map$side)) {
    here <- map$side == side
    map$rank[here] <- match(map$layer[here], unique(map$layer[here]))
  }
  map
}

# For each file the row of the map that names it; a whole name goes before a pattern.
rows_of <- function(stems, map, side) {
  candidates <- which(map$side == side)
  vapply(stems, function(stem) {
    hits <- candidates[vapply(utils::glob2rx(map$pattern[candidates]), grepl, NA, x = stem)]
    hits <- hits[order(grepl("*", map$pattern[hits], fixed = TRUE))]
    if (length(hits)) hits[1] else NA_integer_
  }, 0L)
}

faults_of_map <- function(stems, map, side) {
  rows <- rows_of(stems, map, side)
  unused <- setdiff(which(map$side == side), rows)
  c(
    sprintf("%s: no layer of the map has the file %s", side, stems[is.na(rows)]),
    sprintf("%s: there is no file %s, which the map names", side, map$pattern[unused])
  )
}

# ---- R -------------------------------------------------------------------------------------------

is_assignment <- function(code) {
  is.call(code) && (identical(code[[1]], quote(`<-`)) || identical(code[[1]], quote(`=`))) &&
    (is.name(code[[2]]) || is.character(code[[2]]))
}

# Names that a file defines at top level.
defined_in <- function(expressions) {
  unlist(lapply(expressions, function(code) {
    if (is_assignment(code)) return(as.character(code[[2]]))
    active <- is.call(code) && identical(code[[1]], quote(makeActiveBinding))
    if (active && is.character(code[[2]])) code[[2]]
  }))
}

# The parts of a piece of code that are not empty, as that between the commas of x[i, , 2].
present <- function(code) {
  parts <- as.list(code)
  empty <- vapply(seq_along(parts), function(i) {
    is.name(parts[[i]]) && !nzchar(as.character(parts[[i]]))
  }, NA)
  parts[!empty]
}

# Names that code takes from outside: `called` as functions and `passed` as values. A call of the
# name of a local variable is taken for a call of the function, unless a function is stored in it.
# Names that are put together while the code runs are not seen.
names_used <- function(code) {
  called <- passed <- variables <- functions <- character()
  see_function <- function(code) {
    variables <<- c(variables, names(code[[2]]))
    for (default in present(code[[2]])) visit(default)
    visit(code[[3]])
  }
  see_call <- function(code) {
    head <- code[[1]]
    if (is.name(head) && as.character(head) == "function") return(see_function(code))
    if (is.name(head) && as.character(head) %in% c("$", "@")) return(visit(code[[2]]))
    if (is.name(head) && as.character(head) %in% c("::", ":::")) {
      if (identical(as.character(code[[2]]), "multikernel")) visit(as.name(code[[3]]))
      return()
    }
    # Functions that find another one by its name.
    finds <- c("do.call", "match.fun", "get", "get0", "mget", "exists", "getFunction")
    if (is.name(head) && as.character(head) %in% finds) {
      passed <<- c(passed, unlist(Filter(is.character, as.list(code[-1]))))
    }
    if (is_assignment(code)) {
      target <- as.character(code[[2]])
      variables <<- c(variables, target)
      value <- code[[3]]
      if (is.call(value) && identical(value[[1]], quote(`function`))) {
        functions <<- c(functions, target)
      }
      return(visit(value))
    }
    if (identical(head, quote(`for`))) variables <<- c(variables, as.character(code[[2]]))
    if (is.name(head)) called <<- c(called, as.character(head)) else visit(head)
    for (part in present(code[-1])) visit(part)
  }
  visit <- function(code) {
    if (is.name(code)) passed <<- c(passed, as.character(code))
    if (is.call(code)) see_call(code)
  }
  visit(code)
  unique(c(setdiff(called, functions), setdiff(passed, variables)))
}

# Calls between R files: caller and callee with the functions that they are in.
calls_in_r <- function(root) {
  files <- list.files(file.path(root, "R"), "[.]R$", full.names = TRUE)
  stems <- sub("[.]R$", "", basename(files))
  code <- lapply(files, parse, keep.source = FALSE, encoding = "UTF-8")
  definitions <- lapply(code, function(expressions) as.character(defined_in(expressions)))
  home <- stats::setNames(rep(stems, lengths(definitions)), unlist(definitions))
  calls <- Map(function(stem, expressions) {
    do.call(rbind, lapply(expressions, function(expression) {
      within <- if (is_assignment(expression)) as.character(expression[[2]]) else "(top level)"
      if (is_assignment(expression)) expression <- expression[[3]]
      used <- intersect(names_used(expression), names(home))
      if (length(used)) data.frame(file = stem, within, uses = used, of = unname(home[used]))
    }))
  }, stems, code)
  calls <- do.call(rbind, unname(calls))
  twice <- unique(names(home)[duplicated(names(home))])
  list(stems = stems, calls = calls[calls$file != calls$of, ], twice = twice)
}

# ---- C++ -----------------------------------------------------------------------------------------

includes_in_cpp <- function(root) {
  src <- file.path(root, "src")
  files <- list.files(src, "[.](c|cc|cpp|hpp|h)$", recursive = TRUE)
  stem_of <- function(file) sub("[.][a-z]+$", "", file)
  includes <- lapply(files, function(file) {
    lines <- readLines(file.path(src, file), encoding = "UTF-8")
    pattern <- '^\\s*#\\s*include\\s*["<]([^">]+)[">].*'
    found <- sub(pattern, "\\1", grep(pattern, lines, value = TRUE))
    found <- found[file.exists(file.path(src, dirname(file), found))]
    if (length(found) == 0) return(NULL)
    paths <- normalizePath(file.path(src, dirname(file), found), mustWork = FALSE)
    of <- stem_of(substring(paths, nchar(normalizePath(src)) + 2))
    data.frame(file = stem_of(file), within = file, uses = found, of = of)
  })
  calls <- do.call(rbind, includes)
  of_r <- '^\\s*#\\s*include\\s*[<"](Rcpp|R([._]|internals)|S[.]h)'
  rcpp <- files[vapply(files, function(file) any(grepl(of_r, readLines(file.path(src, file)))), NA)]
  list(stems = unique(stem_of(files)), calls = calls[calls$file != calls$of, ], rcpp = rcpp)
}

# The calls that are part of a circle: the file that is called reaches the caller.
on_cycle <- function(calls) {
  reached_from <- function(file) {
    reached <- character()
    fresh <- file
    while (length(fresh)) {
      fresh <- setdiff(calls$of[calls$file %in% fresh], reached)
      reached <- c(reached, fresh)
    }
    reached
  }
  reached <- lapply(split(calls$of, calls$of), function(of) reached_from(of[1]))
  calls[unlist(Map(function(file, of) file %in% reached[[of]], calls$file, calls$of)), ]
}

# ---- report --------------------------------------------------------------------------------------

upward_calls <- function(graph, map, side) {
  rank <- map$rank[rows_of(graph$stems, map, side)]
  rank <- stats::setNames(rank, graph$stems)
  up <- graph$calls[which(rank[graph$calls$file] < rank[graph$calls$of]), ]
  sprintf("%s: %s (%s) goes up to %s (%s)", side, up$file, up$within, up$of, up$uses)
}

layer_faults <- function(root) {
  map <- read_map(root)
  r <- calls_in_r(root)
  cpp <- includes_in_cpp(root)
  cycle <- unique(on_cycle(cpp$calls)[c("file", "of")])
  c(
    faults_of_map(r$stems, map, "R"), faults_of_map(cpp$stems, map, "src"),
    sprintf("R: %s is defined more than once; the last file wins", r$twice),
    upward_calls(r, map, "R"), upward_calls(cpp, map, "src"),
    sprintf("src: on a cycle, %s includes %s", cycle$file, cycle$of),
    sprintf("src: %s includes R, which only r_*.cpp may", grep("^r_|^Rcpp", cpp$rcpp, value = TRUE,
                                                              invert = TRUE))
  )
}

print_calls <- function(calls) {
  for (file in unique(calls$file)) {
    mine <- calls[calls$file == file, ]
    cat(file, "\n", sep = "")
    for (of in unique(mine$of)) {
      cat("  ", of, ": ", toString(unique(mine$uses[mine$of == of])), "\n", sep = "")
    }
  }
}

if (sys.nframe() == 0L) {
  args <- commandArgs(TRUE)
  if (length(args) > 1) {
    print_calls(calls_in_r(args[1])$calls)
    print_calls(includes_in_cpp(args[1])$calls)
  }
  faults <- layer_faults(args[1])
  writeLines(faults)
  cat(length(faults), "faults of layers\n")
  quit(status = as.integer(length(faults) > 0))
}
