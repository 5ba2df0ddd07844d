#' Gappy k-mer kernel for sequences and text
#'
#' Similarity of sequences based on subsequences of `k` letters within windows of `g` letters: a
#' spectrum kernel that allows for insertions and deletions.
#'
#' @details
#' \deqn{k(x, z) = \sum_{w} c_w(x)\, c_w(z)
#'   }{k(x, z) = sum over k-mers w of count_w(x) count_w(z)}
#' where \eqn{c_w(x)} is the number of windows of `g` letters in \eqn{x} (all
#' \eqn{\ell - g + 1}{l - g + 1} of them in a sequence of \eqn{\ell}{l} letters) in which \eqn{w}
#' occurs with its letters in order and up to `g` - `k` other letters between or around them. A
#' window is counted once for each \eqn{w}, regardless of the number of ways in which \eqn{w}
#' occurs in it (the (g, k)-gappy kernel of Leslie and Kuang, without gap penalties). `g = k`
#' gives [kernel_spectrum()].
#'
#' Windows with a letter outside of the `alphabet` are left out. Sequences of fewer than `g` letters
#' have the similarity 0 to all cases, also after `normalize = "cosine"`.
#'
#' # Choosing parameters
#' * `g = k + 1` or `k + 2`, with `k` as for [kernel_spectrum()] or larger by one.
#' * Time and memory grow with the number of ways to pick `k` of `g` letters, which may be at most
#'   100,000.
#'
#' @param g Window length in letters: a whole number from `k` to 100, or several.
#' @inheritParams kernel_spectrum
#' @inherit kernel_linear return
#' @references
#' Leslie, C. and Kuang, R. (2004). Fast string kernels using inexact matching for protein
#' sequences. *Journal of Machine Learning Research* 5, 1435-1455.
#' @family kernels
#' @examples
#' dna <- c(a = "ACGTACGT", b = "ACGATACGAT", c = "GGGGGGGG")
#' kernel_matrix(kernel_spectrum(4), dna)
#' kernel_matrix(kernel_gappy(4, g = 5), dna)
#' kernel_gappy(k = 3, g = 3:5)
#' @export
kernel_gappy <- function(k = 3, g = max(k) + 1, alphabet = NULL, ignore_case = FALSE, on = NULL,
                         normalize = NULL, ...) {
  check_dots(...)
  k <- check_numbers(k, "k", 1, longest_word, whole = TRUE)
  g <- check_numbers(g, "g", max(k), longest_word, whole = TRUE)
  letters_kernel("gappy", list(k = k, g = g), alphabet, ignore_case, on, normalize)
}
