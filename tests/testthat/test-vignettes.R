test_that("an installed package has the vignettes that README and the help pages name", {
  index <- system.file("Meta", "vignette.rds", package = "multikernel")
  skip_if(!nzchar(index) || !nzchar(system.file("doc", package = "multikernel")),
          "the package was installed without vignettes")
  found <- utils::vignette(package = "multikernel")$results[, "Item"]
  named <- c(
    "data-sources", "explain", "getting-started", "kernels", "gallery", "extending", "scaling-out",
    "large-data", "speed", "which-learner",
    "mkboost-paper", "easymkl-paper", "lbmkl-paper", "lmkl-paper", "multik-paper"
  )
  expect_setequal(found, named)
  pages <- system.file("doc", paste0(named, ".html"), package = "multikernel")
  expect_length(pages, length(named))
})
