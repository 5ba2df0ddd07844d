#' Weighted degree kernel for sequences of equal length
#'
#' Similarity of sequences of equal length, such as windows around splice sites, based on common
#' substrings at the same positions, or at positions shifted by a few letters.
#'
#' @details
#' \deqn{k(x, z) = \sum_{j=1}^{d} \beta_j \sum_{i=1}^{\ell - j + 1} [u_{j,i}(x) = u_{j,i}(z)],
#'   \qquad \beta_j = \frac{2 (d - j + 1)}{d (d + 1)}
#'   }{k(x, z) = sum_(j=1)^d b_j sum_(i=1)^(l-j+1) [u_(j,i)(x) = u_(j,i)(z)],
#'   b_j = 2 (d - j + 1) / (d (d + 1))}
#' where \eqn{u_{j,i}(x)}{u_(j,i)(x)} are the \eqn{j} letters of \eqn{x} from position \eqn{i} on,
#' \eqn{\ell}{l} is the length and [ ] is 1 for equal texts, else 0. With `shift` = S > 0, matches
#' at shifted positions are added with smaller weights,
#' \deqn{\sum_{s=1}^{S} \frac{1}{2 (s + 1)} \sum_{j=1}^{d} \beta_j \sum_{i=1}^{\ell - j - s + 1}
#'   [u_{j,i+s}(x) = u_{j,i}(z)] + [u_{j,i}(x) = u_{j,i+s}(z)]
#'   }{sum_(s=1)^S 1 / (2 (s + 1)) sum_(j=1)^d b_j sum_(i=1)^(l-j-s+1)
#'   [u_(j,i+s)(x) = u_(j,i)(z)] + [u_(j,i)(x) = u_(j,i+s)(z)],}
#' with the same shift at all positions.
#'
#' All sequences, including new cases, must have the length of the first training sequence;
#' otherwise an error names the case. A letter outside of the `alphabet` does not match any
#' letter.
#'
#' # Choosing parameters
#' * `d`: longer matches have a larger weight, but a match of `d` letters contains all shorter
#'   ones, so that results change little with `d` beyond 10. Common values for DNA are 5 to 20.
#' * `shift`: the maximum displacement of a signal. Time increases with `shift`.
#'
#' @param d Degree, the maximum length of matches: a whole number from 1 to 100, or several for a
#'   grid of kernels.
#' @param shift Maximum shift of matches: a non-negative integer, or several. 0 (default) compares
#'   only the same positions.
#' @inheritParams kernel_spectrum
#' @inherit kernel_linear return
#' @references
#' Rätsch, G. and Sonnenburg, S. (2004). Accurate splice site detection for Caenorhabditis elegans.
#' In *Kernel Methods in Computational Biology*, 277-298. MIT Press.
#'
#' Rätsch, G., Sonnenburg, S. and Schölkopf, B. (2005). RASE: recognition of alternatively spliced
#' exons in C. elegans. *Bioinformatics* 21(suppl. 1), i369-i377.
#' @family kernels
#' @examples
#' sites <- c(a = "CAGGTAAG", b = "CAGGTGAG", c = "TTCAGGTA")
#' kernel_matrix(kernel_weighted_degree(3), sites)
#' kernel_matrix(kernel_weighted_degree(3, shift = 2), sites)
#' @export
kernel_weighted_degree <- function(d = 5, shift = 0, alphabet = NULL, ignore_case = FALSE,
                                   on = NULL, normalize = NULL, ...) {
  check_dots(...)
  parameters <- list(
    d = check_numbers(d, "d", 1, longest_word, whole = TRUE),
    shift = check_numbers(shift, "shift", 0, .Machine$integer.max, whole = TRUE)
  )
  letters_kernel(
    "weighted_degree", parameters, alphabet, ignore_case, on, normalize, learn = learn_length
  )
}

# That of the first training sequence.
learn_length <- function(item, part, columns) {
  length <- text_lengths(part$x)[1L]
  if (is.na(length) || length == 0) {
    stop_kernel(item$name, "needs sequences, but the first one is empty: it has no positions.")
  }
  list(parameters = c(item$parameters, list(length = length)))
}

text_lengths <- function(x) as.double(nchar(x$values, "chars"))

# Sequences of another length than that of the fit.
check_length <- function(item, x, label) {
  if (item$family != "weighted_degree") return(invisible())
  wanted <- as.list(item$parameters)$length # a damaged fit may hold anything
  if (!is_number(wanted)) return(invisible())
  lengths <- text_lengths(x)
  odd <- which(lengths != wanted)
  if (length(odd)) {
    stop_kernel(
      item$name, "compares sequences of ", plural(wanted, "letter"),
      ", the length of the first training sequence, but ", label(odd[1L]), " has ",
      plural(lengths[odd[1L]], "letter"), "."
    )
  }
}
