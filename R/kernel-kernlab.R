# Kernel objects of the package kernlab, which is suggested only: S4 objects whose slot `kpar` holds
# their parameters and which are functions of two vectors, not of two matrices. Also plain functions
# of two vectors with the class "kernel", as the help of kernlab tells its users to write them.

is_kernlab_kernel <- function(x) {
  is.function(x) && (identical(attr(class(x), "package"), "kernlab") || inherits(x, "kernel"))
}

# A function that makes kernels from parameters, for tune_mkl(): a kernel of kernlab is a function
# too, but a kernel.
is_kernel_maker <- function(x) is.function(x) && !is_kernlab_kernel(x)

# The same kernel as one of ours where there is one, which is exact and computes in the core; else
# one that asks kernlab.
kernel_from_kernlab <- function(kernel, on = NULL, normalize = NULL) {
  class <- class(kernel)[1L]
  if (class == "stringkernel") {
    stop_mkl(
      "argument_error", "kernels", "A string kernel of kernlab compares texts, not rows of ",
      "numbers. Compute its matrix by kernlab::kernelMatrix() and give that."
    )
  }
  parameters <- check_kernlab_parameters(as.list(attr(kernel, "kpar")), class)
  twin <- kernlab_twin(class, parameters)
  if (!is.null(twin)) {
    return(do.call(twin$make, c(twin$parameters, list(on = on, normalize = normalize))))
  }
  kernel_function(kernlab_evaluator(kernel), on, normalize, kernlab_name(class, parameters))
}

check_kernlab_parameters <- function(parameters, class) {
  odd <- names(parameters)[!vapply(parameters, function(p) is_number(p) && is.finite(p), NA)]
  known <- class %in% c(
    "rbfkernel", "polykernel", "tanhkernel", "laplacekernel", "anovakernel", "besselkernel"
  )
  if (known && length(odd)) {
    stop_mkl(
      "argument_error", odd[1L], "`", odd[1L], "` of the ", class, " of kernlab must be a finite ",
      "number, not ", describe(parameters[[odd[1L]]]), "."
    )
  }
  parameters
}

# list(make, parameters) or NULL. Their `sigma` multiplies a distance, so it is an inverse width.
# The Laplacian kernel of kernlab has the Euclidean distance, ours that of city blocks: the twin is
# a Matérn kernel. Parameters out of the range of our constructors have no twin.
kernlab_twin <- function(class, p) {
  whole <- function(x) x >= 1 && x == round(x)
  switch(class,
    vanillakernel = list(make = kernel_linear),
    rbfkernel = if (p$sigma > 0) list(make = kernel_rbf, parameters = list(gamma = p$sigma)),
    polykernel = if (whole(p$degree) && p$scale > 0 && p$offset >= 0) {
      list(make = kernel_polynomial, parameters = p[c("degree", "scale", "offset")])
    },
    tanhkernel = if (p$scale > 0) {
      list(make = kernel_sigmoid, parameters = p[c("scale", "offset")])
    },
    laplacekernel = if (p$sigma > 0) {
      list(make = kernel_matern, parameters = list(nu = 1 / 2, sigma = 1 / p$sigma))
    },
    anovakernel = if (p$sigma > 0 && whole(p$degree)) {
      list(make = kernel_anova, parameters = p[c("sigma", "degree")])
    }
  )
}

# The function is stored in the fit: its environment holds the kernel and nothing else.
kernlab_evaluator <- function(kernel) {
  # kernelMatrix() of kernlab 0.9 fails on a tanhdot() with two matrices.
  if (class(kernel)[1L] == "tanhkernel") return(tanh_evaluator(attr(kernel, "kpar")))
  force(kernel)
  function(x, z) {
    need_package("kernlab", "This kernel needs")
    out <- kernlab::kernelMatrix(kernel, unname(x), unname(z))
    matrix(as.double(out), nrow(x), nrow(z))
  }
}

tanh_evaluator <- function(parameters) {
  force(parameters)
  function(x, z) tanh(parameters$scale * tcrossprod(x, z) + parameters$offset)
}

kernlab_name <- function(class, parameters) {
  shown <- Filter(is_number, parameters)
  stem <- if (class == "kernel") "kernel" else sub("kernel$", "dot", class)
  label_kernel(stem, shown, NULL)
}
