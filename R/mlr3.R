register_mlr3 <- function() NULL
