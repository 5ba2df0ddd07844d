#' Mismatch k-mer kernel for sequences and text
#'
#' Similarity of sequences based on common substrings of `k` letters with up to `m` mismatches: a
#' spectrum kernel that allows for mutations.
#'
#' @details
#' \deqn{k(x, z) = \sum_{w \in A^k} c_w(x)\, c_w(z)
#'   }{k(x, z) = sum over all k-mers w of the alphabet count_w(x) count_w(z)}
#' where \eqn{c_w(x)} is the number of k-mers in \eqn{x} that differ from \eqn{w} in at most `m`
#' letters: each k-mer of \eqn{x} is counted for every k-mer of the alphabet \eqn{A} within `m`
#' substitutions. `m = 0` gives [kernel_spectrum()] with the same alphabet.
#'
#' The kernel depends on the alphabet, including letters that do not occur in the data. `alphabet
#' = NULL` uses the letters of the training sequences. k-mers with other letters are not counted.
#' Sequences of fewer than `k` letters have the similarity 0 to all cases, also after `normalize =
#' "cosine"`.
#'
#' # Choosing parameters
#' * `m = 1` with `k` from 4 to 6 is usual. With larger `m` choose a larger `k`; otherwise all
#'   sequences are similar.
#' * Time and memory grow with the number of k-mers within `m` substitutions, 1 + k (|A| - 1) for
#'   `m = 1`. It may be at most 100,000.
#'
#' @param m Maximum number of mismatches: a whole number from 0 to `k`, or several.
#' @param alphabet Letters of the alphabet: `"dna"` (ACGT), `"rna"` (ACGU), `"protein"` (the 20
#'   amino acids), or the letters themselves as one text or a vector, such as `"ACGTN"`. `NULL`:
#'   the letters of the training sequences.
#' @inheritParams kernel_spectrum
#' @inherit kernel_linear return
#' @references
#' Leslie, C., Eskin, E., Cohen, A., Weston, J. and Noble, W. S. (2004). Mismatch string kernels for
#' discriminative protein classification. *Bioinformatics* 20(4), 467-476.
#' @family kernels
#' @examples
#' dna <- c(a = "ACGTACGT", b = "ACCTACCT", c = "GGGGGGGG")
#' kernel_matrix(kernel_spectrum(4), dna)
#' kernel_matrix(kernel_mismatch(4, m = 1, alphabet = "dna"), dna)
#' kernel_mismatch(k = 4:6, m = 1)
#' @export
kernel_mismatch <- function(k = 4, m = 1, alphabet = NULL, ignore_case = FALSE, on = NULL,
                            normalize = NULL, ...) {
  check_dots(...)
  k <- check_numbers(k, "k", 1, longest_word, whole = TRUE)
  m <- check_numbers(m, "m", 0, min(k), whole = TRUE)
  letters_kernel(
    "mismatch", list(k = k, m = m), alphabet, ignore_case, on, normalize, learn = learn_alphabet
  )
}

# The letters of the training sequences.
learn_alphabet <- function(item, part, columns) {
  letters <- item$parameters$alphabet %||% letters_cpp(part$x, item$parameters$ignore_case)
  if (!nzchar(letters)) {
    stop_kernel(
      item$name, "finds no letters in the training sequences. Give the letters as `alphabet`."
    )
  }
  item$parameters$alphabet <- letters
  item["parameters"]
}
