# Generics that other packages have under the same name: tidy(), glance(), augment() and refit() of
# generics, autoplot() of ggplot2. Both are suggested only, so there are generics of our own
# (in R/tidy-fits.R, R/resample-tune-best.R and R/plot-ggplot.R). Two generics of one name would
# mask each other, in the order of the library() calls. Our names are therefore active bindings:
# they are the other package's function, the very same object, as soon as it is loaded. Methods are
# registered for both generics.

shared_generics <- function() {
  c(tidy = "generics", glance = "generics", augment = "generics", refit = "generics",
    autoplot = "ggplot2")
}

# Called while the namespace is loaded, before it is sealed.
share_generics <- function(namespace) {
  owners <- shared_generics()
  for (name in names(owners)) {
    own <- get(name, envir = namespace, inherits = FALSE)
    rm(list = name, envir = namespace)
    makeActiveBinding(name, shared_generic(name, owners[[name]], own), namespace)
  }
}

shared_generic <- function(name, package, own) {
  list(name, package, own) # forced, as the binding is read much later
  function() {
    if (!isNamespaceLoaded(package)) return(own)
    # A package that is being loaded may not have its functions yet.
    get0(name, asNamespace(package), mode = "function", inherits = FALSE, ifnotfound = own)
  }
}

# The defaults are registered under other names: a function tidy.default() in this namespace would
# be found again by the dispatch of generics::tidy() that is called from here.

#' @rawNamespace S3method(tidy, default, tidy_other)
tidy_other <- function(x, ...) hand_on("tidy", x, ...)

#' @rawNamespace S3method(glance, default, glance_other)
glance_other <- function(x, ...) hand_on("glance", x, ...)

#' @rawNamespace S3method(augment, default, augment_other)
augment_other <- function(x, ...) hand_on("augment", x, ...)

hand_on <- function(verb, x, ..., package = "generics") {
  if (!requireNamespace(package, quietly = TRUE)) {
    stop_mkl(
      "argument_error", "x", verb, "() of this package is for its own fits and results, not for ",
      describe(x), ". For other objects install the package ", package, "."
    )
  }
  getExportedValue(package, verb)(x, ...)
}
