# The size of the package and its longest functions:
#   Rscript tools/size.R <root of the source tree>
# Prints the lines of code of R/ and src/ (no comments, no blank lines, nothing generated) and all
# functions of more than 60 lines, comments included. The exit status is 1 if there is one.

limit <- 60

# ---- R -------------------------------------------------------------------------------------------

# Functions in code that are not inside of others: name and number of lines.
functions_in <- function(code, name) {
  if (!is.call(code)) return(NULL)
  if (identical(code[[1]], quote(`function`))) {
    place <- as.integer(code[[4]])
    return(data.frame(name, lines = place[3] - place[1] + 1L))
  }
  assigned <- identical(code[[1]], quote(`<-`)) && is.name(code[[2]])
  if (assigned) name <- as.character(code[[2]])
  parts <- as.list(code)[-1]
  names <- if (is.null(names(parts))) rep("", length(parts)) else names(parts)
  do.call(rbind, lapply(seq_along(parts), function(i) {
    if (is.call(parts[[i]])) functions_in(parts[[i]], if (nzchar(names[i])) names[i] else name)
  }))
}

size_of_r <- function(file) {
  lines <- readLines(file, encoding = "UTF-8")
  code <- parse(file, keep.source = TRUE, encoding = "UTF-8")
  functions <- do.call(rbind, lapply(as.list(code), functions_in, name = "(no name)"))
  list(lines = sum(!grepl("^\\s*(#|$)", lines)), functions = functions)
}

# ---- C++ -----------------------------------------------------------------------------------------

# The text without comments and what is in quotation marks; lines stay lines.
bare_text <- function(file) {
  text <- paste(readLines(file, encoding = "UTF-8"), collapse = "\n")
  pattern <- "//[^\n]*|/\\*(?s:.*?)\\*/|\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\\n])'"
  found <- gregexpr(pattern, text, perl = TRUE)
  regmatches(text, found) <- list(gsub("[^\n]", "", regmatches(text, found)[[1]]))
  text
}

# What a brace opens, by the text between it and the statement before.
kind_of <- function(head, outside) {
  if (grepl("^\\s*(inline\\s+)?namespace\\b", head)) return("namespace")
  if (grepl("\\b(class|struct|union|enum|extern)\\b[^()]*$", head)) return("class")
  # A member that a constructor initializes: name_{value}.
  if (grepl("\\)[^()]*[:,]\\s*\\w+$", head) || grepl("^\\s*,\\s*\\w+$", head)) return("member")
  if (outside && grepl("(", head, fixed = TRUE)) "function" else "other"
}

functions_in_cpp <- function(text) {
  marks <- gregexpr("[{};]", text)[[1]]
  if (marks[1] < 0) return(NULL)
  what <- substring(text, marks, marks)
  kinds <- starts <- integer()
  start <- 1L
  out <- list()
  for (i in seq_along(marks)) {
    if (what[i] == "{") {
      outside <- all(kinds %in% c("namespace", "class"))
      kinds <- c(kinds, kind_of(substring(text, start, marks[i] - 1L), outside))
      starts <- c(starts, start)
    } else if (what[i] == "}" && length(kinds)) {
      last <- length(kinds)
      if (kinds[last] == "function") out <- c(out, list(c(starts[last], marks[i])))
      if (kinds[last] == "member") {
        # The head of the constructor goes on.
        start <- starts[last]
        kinds <- kinds[-last]
        starts <- starts[-last]
        next
      }
      kinds <- kinds[-last]
      starts <- starts[-last]
    }
    start <- marks[i] + 1L
  }
  do.call(rbind, lapply(out, function(range) {
    body <- sub("^(\\s|#[^\n]*\n)*", "", substring(text, range[1], range[2]))
    head <- sub("\\s*\\(.*", "", gsub("\n", " ", sub("\\{.*", "", body)))
    data.frame(name = sub(".*[ *&]", "", head), lines = lengths(strsplit(body, "\n")))
  }))
}

# Lines of the preprocessor, with those that they go on in, are no part of functions.
without_directives <- function(text) gsub("(?m)^\\s*#(.*\\\\\n)*.*$", "", text, perl = TRUE)

size_of_cpp <- function(file) {
  text <- bare_text(file)
  list(lines = sum(nzchar(trimws(strsplit(text, "\n")[[1]]))),
       functions = functions_in_cpp(without_directives(text)))
}

# ---- report --------------------------------------------------------------------------------------

report <- function(folder, files, size_of) {
  sizes <- lapply(files, size_of)
  cat(sprintf("%-4s %6d lines in %d files\n", basename(folder),
              sum(vapply(sizes, function(size) size$lines, 0L)), length(files)))
  functions <- do.call(rbind, Map(function(file, size) {
    if (length(size$functions)) data.frame(file = file, size$functions)
  }, substring(files, nchar(folder) + 2), sizes))
  long <- functions[functions$lines > limit, ]
  long <- long[order(-long$lines), ]
  cat(sprintf("     %4d lines: %s() in %s\n", long$lines, long$name, long$file), sep = "")
  nrow(long)
}

root <- commandArgs(TRUE)[1]
generated <- "^RcppExports"
files_of <- function(folder, pattern) {
  files <- list.files(folder, pattern, recursive = TRUE, full.names = TRUE)
  files[!grepl(generated, basename(files))]
}
r <- file.path(root, "R")
src <- file.path(root, "src")
long <- report(r, files_of(r, "[.]R$"), size_of_r) +
  report(src, files_of(src, "[.](cpp|hpp|h)$"), size_of_cpp)
cat(long, "functions of more than", limit, "lines\n")
quit(status = as.integer(long > 0))
