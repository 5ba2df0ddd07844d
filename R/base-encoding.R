# Text in every locale: the same order, the same bytes, and names that formulas can use.

# The same bytes for the same text in every locale. In the C locale R does not know the encoding of
# what it reads: text that is valid UTF-8 is taken for that.
plain_text <- function(x) {
  if (length(x) == 0L) return(as.character(x))
  if (is.character(x) && is_ascii_cpp(x)) return(x)
  unknown <- which(Encoding(x) == "unknown" & !is.na(x))
  foreign <- unknown[grepl("[^ -~]", x[unknown], perl = TRUE, useBytes = TRUE)]
  if (length(foreign) && !l10n_info()$MBCS && !l10n_info()$`Latin-1`) {
    foreign <- foreign[validUTF8(x[foreign])]
    Encoding(x[foreign]) <- "UTF-8"
  }
  enc2utf8(x)
}

# A name in code as it was written: R translates symbols to the encoding of the locale, and writes
# characters that this does not have as <U+00F6>.
symbol_text <- function(x) {
  x <- plain_text(x)
  for (i in grep("<U+", x, fixed = TRUE)) {
    found <- gregexpr("<U[+][0-9A-F]{4,8}>", x[i])
    codes <- strtoi(gsub("[^0-9A-F]", "", sub("U", "", regmatches(x[i], found)[[1L]])), 16L)
    regmatches(x[i], found) <- list(vapply(codes, intToUtf8, ""))
  }
  x
}

# Text in the order of its Unicode code points, in every locale.
sort_text <- function(x) x[order(plain_text(x), method = "radix")]

sorted_values <- function(x) {
  x <- unique(x[!is.na(x)])
  if (is.character(x)) sort_text(x) else x[order(x, method = "radix")]
}

# A factor whose levels are in the same order in every locale, which factor() does not promise.
plain_factor <- function(x) {
  if (is.factor(x)) return(x)
  x <- as.vector(x)
  factor(x, levels = unique(as.character(sorted_values(x))))
}

# Names as symbols have them. R translates a symbol to the encoding of the locale: in the C locale a
# column with an umlaut is found in a formula as `gr<U+00F6><U+00DF>e`, whatever the data call it.
symbol_names <- function(names) {
  if (is.null(names) || l10n_info()$`UTF-8`) return(names)
  foreign <- which(!is.na(names) & nzchar(names) & Encoding(names) != "unknown")
  names[foreign] <- vapply(names[foreign], function(name) {
    suppressWarnings(as.character(as.name(name)))
  }, "")
  names
}

# Data with the names that a formula finds.
symbol_columns <- function(data) {
  translated <- symbol_names(names(data))
  if (!identical(translated, names(data))) names(data) <- translated
  data
}

# Names as `known` writes them, whether they come from text or from symbols.
as_known <- function(names, known) {
  if (l10n_info()$`UTF-8`) return(names)
  at <- match(symbol_names(names), symbol_names(known))
  ifelse(is.na(at), names, known[at])
}
