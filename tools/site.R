# Builds the site of the package without a network, for tools/site:
#   Rscript tools/site.R <copy of the sources> <directory of the site>
# multikernel and pkgdown are installed. pkgdown would load libraries for its script from the
# network; pkgdown/assets/pkgdown.js takes the place of that script and needs none of them.

args <- commandArgs(TRUE)
source_dir <- normalizePath(args[1])
site <- args[2]
options(pkgdown.internet = FALSE)

# ---- pkgdown without downloads -------------------------------------------------------------------
replace_in_pkgdown <- function(name, value) {
  if (!exists(name, asNamespace("pkgdown"), inherits = FALSE)) {
    stop("This version of pkgdown has no ", name, "(): tools/site.R needs pkgdown 2.1 or newer.")
  }
  utils::assignInNamespace(name, value, ns = "pkgdown")
}
replace_in_pkgdown("external_dependencies", function(...) {
  list(fontawesome::fa_html_dependency())
})
# Whether the package is on CRAN, and since when.
replace_in_pkgdown("cran_link", function(...) NULL)
replace_in_pkgdown("pkg_timeline", function(...) NULL)

# ---- formulas of the help pages as MathML --------------------------------------------------------
# pkgdown writes formulas of help pages as TeX, for a script in the browser. Pandoc converts all of
# them at once.
unescape <- function(text) {
  text <- gsub("&lt;", "<", text, fixed = TRUE)
  text <- gsub("&gt;", ">", text, fixed = TRUE)
  gsub("&amp;", "&", text, fixed = TRUE)
}

to_mathml <- function(formulas, display) {
  marks <- ifelse(display, "$$", "$")
  # One paragraph each. Blanks inside the marks would end a formula for pandoc.
  tex <- trimws(gsub("[[:space:]]+", " ", formulas))
  # Sizes of brackets, which old versions of pandoc do not read everywhere. MathML stretches them.
  tex <- gsub("\\\\[Bb]igg?[lr]?(?![A-Za-z])", "", tex, perl = TRUE)
  input <- tempfile(fileext = ".md")
  output <- tempfile(fileext = ".html")
  writeLines(paste0(marks, tex, marks, "\n"), input, useBytes = TRUE)
  rmarkdown::pandoc_convert(input, to = "html", from = "markdown", output = output,
                            options = c("--mathml", "--wrap=none"))
  page <- xml2::read_html(output, encoding = "UTF-8")
  paragraphs <- xml2::xml_find_all(page, "/html/body/p")
  made <- vapply(paragraphs, function(p) as.character(xml2::xml_find_first(p, ".//math")), "")
  if (length(made) != length(formulas) || anyNA(made)) {
    stop("pandoc could not convert ", toString(formulas[is.na(made)]))
  }
  made
}

formula_pattern <- "(?s)\\$\\$.+?\\$\\$|\\\\\\(.+?\\\\\\)"

render_math <- function(files) {
  pages <- lapply(files, function(file) {
    paste(readLines(file, warn = FALSE, encoding = "UTF-8"), collapse = "\n")
  })
  # Code is no formula.
  parts <- lapply(pages, function(page) {
    at <- gregexpr("(?s)<pre.*?</pre>|<code.*?</code>", page, perl = TRUE)
    list(code = regmatches(page, at)[[1]], text = regmatches(page, at, invert = TRUE)[[1]])
  })
  texts <- unlist(lapply(parts, `[[`, "text"))
  found <- gregexpr(formula_pattern, texts, perl = TRUE)
  formulas <- unique(unlist(regmatches(texts, found)))
  if (length(formulas) == 0) stop("No formula was found in the help pages.")
  inner <- unescape(substr(formulas, 3, nchar(formulas) - 2))
  mathml <- to_mathml(inner, startsWith(formulas, "$$"))
  regmatches(texts, found) <- lapply(regmatches(texts, found), function(all) {
    mathml[match(all, formulas)]
  })
  texts <- relist(texts, lapply(parts, `[[`, "text"))
  for (i in seq_along(files)) {
    code <- parts[[i]]$code
    page <- paste0(c(rbind(texts[[i]], c(code, ""))), collapse = "")
    writeLines(page, files[i], useBytes = TRUE)
  }
  length(formulas)
}

# ---- links of README.md to files that are no pages of the site -----------------------------------
readme <- file.path(source_dir, "README.md")
text <- readLines(readme, warn = FALSE, encoding = "UTF-8")
text <- gsub("](inst/experiments/README.md)", "](articles/index.html)", text, fixed = TRUE)
writeLines(text, readme, useBytes = TRUE)

# ---- build ---------------------------------------------------------------------------------------
# Help pages that _pkgdown.yml does not name are shown at the end, names without a page are left
# out, so that the site can be built; tools/site --check fails then.
complete_index <- function(pkg) {
  topics <- pkg$topics[!pkg$topics$internal, ]
  named <- unlist(lapply(pkg$meta$reference, `[[`, "contents"))
  known <- vapply(topics$alias, function(alias) any(alias %in% named), NA) | topics$name %in% named
  lost <- setdiff(named, c(pkg$topics$name, unlist(pkg$topics$alias)))
  pkg$meta$reference <- lapply(pkg$meta$reference, function(section) {
    section$contents <- setdiff(section$contents, lost)
    if (length(section$contents) == 0) section$contents <- NULL
    section
  })
  new <- topics$name[!known]
  if (length(new)) {
    further <- list(title = "Further pages", contents = new)
    pkg$meta$reference <- c(pkg$meta$reference, list(further))
  }
  if (length(c(new, lost))) cat("site: enter in _pkgdown.yml:", new, "; leave out:", lost, "\n")
  pkg
}
pkg <- complete_index(
  pkgdown::as_pkgdown(source_dir, override = list(destination = site))
)
pkgdown::build_site(pkg, new_process = FALSE, install = FALSE, preview = FALSE, devel = FALSE,
                    seed = 1014L)
formulas <- render_math(list.files(file.path(site, "reference"), "[.]html$", full.names = TRUE))

# The search index as a script: pages that are opened from a folder can read it, JSON they cannot.
index <- readLines(file.path(site, "search.json"), warn = FALSE, encoding = "UTF-8")
writeLines(c("window.searchIndex =", index, ";"), file.path(site, "search.js"), useBytes = TRUE)

pages <- list.files(site, "[.]html$", recursive = TRUE)
cat("site:", length(pages), "pages,", formulas, "different formulas of help pages\n")
