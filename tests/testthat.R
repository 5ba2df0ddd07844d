library(testthat)
library(multikernel)

test_check("multikernel")
