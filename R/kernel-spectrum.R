# The spectrum kernel, and what all kernels of sequences share.

#' Spectrum (k-mer) kernel for sequences and text
#'
#' Similarity of texts (DNA, RNA and protein sequences, documents) based on common substrings of
#' `k` letters (k-mers), independent of their position.
#'
#' @details
#' \deqn{k(x, z) = \sum_{w} c_w(x)\, c_w(z)
#'   }{k(x, z) = sum over k-mers w of count_w(x) count_w(z)}
#' where \eqn{c_w(x)} is the number of occurrences of the k-mer \eqn{w} in \eqn{x}, including
#' overlapping ones. The sum is over all k-mers, so that k-mers of new cases that do not occur in
#' the training cases contribute to \eqn{k(z, z)} and thus to `normalize = "cosine"`.
#'
#' A letter is a character (a Unicode code point), not a byte; text in other encodings is
#' converted. With an `alphabet`, k-mers that contain another letter, such as `N` in DNA, are not
#' counted. A sequence of fewer than `k` letters has no k-mers: its similarity to all cases is 0,
#' also after `normalize = "cosine"`.
#'
#' # Choosing parameters
#' * `k`: with large values sequences share few k-mers and only closely related sequences are
#'   similar; with small values all sequences are similar. Common values are 3 to 6 for DNA, 2 to
#'   4 for proteins, 3 to 5 for text. With several values, as in `k = 2:5`, the learner selects or
#'   weights them.
#' * `normalize = "cosine"` makes similarities independent of the lengths of the sequences.
#'
#' @param k Length of the k-mers: a whole number from 1 to 100, or several for a grid of kernels.
#' @param alphabet Letters that are counted: `"dna"` (ACGT), `"rna"` (ACGU), `"protein"` (the 20
#'   amino acids), in upper or lower case, or the letters themselves as one text or a vector, such
#'   as `"ACGTN"`. `NULL`: all.
#' @param ignore_case `TRUE` to treat upper and lower case as the same letter (Latin, Greek and
#'   Cyrillic).
#' @param on View or text column used by the kernel. `NULL` (default) for all views of text.
#' @inheritParams kernel_linear
#' @inherit kernel_linear return
#' @references
#' Leslie, C., Eskin, E. and Noble, W. S. (2002). The spectrum kernel: a string kernel for SVM
#' protein classification. In *Proceedings of the Pacific Symposium on Biocomputing*, 564-575.
#' @seealso [kernel_mismatch()] and [kernel_gappy()] allow for mismatches and gaps,
#'   [kernel_weighted_degree()] compares position by position.
#' @family kernels
#' @examples
#' dna <- c(a = "ACGTACGT", b = "ACGTTTTT", c = "GGGGGGGG")
#' kernel_matrix(kernel_spectrum(2), dna)
#' kernel_matrix(kernel_spectrum(2, normalize = "cosine"), dna)
#'
#' # promoters have TATAAT, others do not
#' set.seed(1)
#' random <- replicate(40, paste(sample(c("A", "C", "G", "T"), 30, TRUE), collapse = ""))
#' data <- data.frame(seq = random, class = rep(c("promoter", "other"), 20))
#' substr(data$seq[data$class == "promoter"], 11, 16) <- "TATAAT"
#' fit <- mkl(class ~ spectrum(seq, k = 4, normalize = "cosine"), data)
#' mean(fitted(fit) == data$class)
#' @export
kernel_spectrum <- function(k = 3, alphabet = NULL, ignore_case = FALSE, on = NULL,
                            normalize = NULL, ...) {
  check_dots(...)
  k <- check_numbers(k, "k", 1, longest_word, whole = TRUE)
  letters_kernel("spectrum", list(k = k), alphabet, ignore_case, on, normalize)
}

# Sequences ----------------------------------------------------------------------------------------

longest_word <- 100

known_alphabets <- c(dna = "ACGT", rna = "ACGU", protein = "ACDEFGHIKLMNPQRSTVWY")

# A kernel of sequences over the letters of an alphabet.
letters_kernel <- function(family, parameters, alphabet, ignore_case, on, normalize, ...) {
  parameters <- c(parameters, list(
    alphabet = check_alphabet(alphabet), ignore_case = check_flag(ignore_case, "ignore_case")
  ))
  new_kernel(family, parameters, on, normalize, core = letters_core, reads = "strings", ...)
}

# One text with all letters, or the name of an alphabet.
check_alphabet <- function(alphabet) {
  if (is.null(alphabet)) return(NULL)
  valid <- is.character(alphabet) && length(alphabet) > 0L && !anyNA(alphabet) &&
    (all(nchar(alphabet) == 1L) || (length(alphabet) == 1L && nzchar(alphabet)))
  if (!valid) {
    expected <- paste0(
      quote_all(names(known_alphabets)), ", or letters in a text such as \"ACGTN\""
    )
    stop_must("alphabet", expected, alphabet)
  }
  # "DNA" is meant as the name, not as the letters A, D and N.
  if (tolower(alphabet[1L]) %in% names(known_alphabets)) return(tolower(alphabet))
  paste(plain_text(alphabet), collapse = "")
}

# What the core reads: letters in place of the name of an alphabet.
letters_core <- function(parameters) {
  known <- isTRUE(parameters$alphabet %in% names(known_alphabets))
  if (known) parameters$alphabet <- known_alphabets[[parameters$alphabet]]
  parameters
}
