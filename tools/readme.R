# Makes the plots of README.md and prints the output of its examples.
#   Rscript tools/readme.R        from the root of the package, multikernel installed

suppressPackageStartupMessages(library(multikernel))

# ---- the example: run as it stands in README.md --------------------------------------------------
lines <- readLines("README.md", encoding = "UTF-8")

# Runs the code of the i-th block; `change` may replace some of its text.
run_block <- function(i, change = identity) {
  start <- grep("^```r$", lines)[i]
  end <- start + which(lines[-seq_len(start)] == "```")[1]
  file <- tempfile(fileext = ".R")
  writeLines(change(lines[(start + 1):(end - 1)]), file)
  cat("---- output of example", i, "\n")
  source(file, echo = FALSE, print.eval = TRUE)
}
run_block(1)
run_block(2)
run_block(3)

# ---- the plot: which kernel does each pair of classes choose? ------------------------------------
utils::data("Vehicle", package = "mlbench")
widths <- 2^(-1:5)
kernels <- kernel_set(kernel_linear(), kernel_polynomial(2:3), kernel_rbf(sigma = widths))
set.seed(7)
fit <- mkl(Class ~ ., Vehicle, learner = learner_best(cost = 10), kernels = kernels)
long <- kernel_weights(fit)
pairs <- unique(long$pair)
named <- unique(long$kernel)
weights <- matrix(0, length(named), length(pairs), dimnames = list(named, pairs))
weights[cbind(match(long$kernel, named), match(long$pair, pairs))] <- long$weight

dir.create("man/figures", recursive = TRUE, showWarnings = FALSE)
grDevices::png("man/figures/README-weights.png", width = 1400, height = 760, res = 150)
graphics::par(mar = c(10, 8, 3, 1), las = 2, family = "sans")
shades <- grDevices::colorRampPalette(c("#f1f4f6", "#2f6f9f"))(64)
graphics::image(
  seq_along(named), seq_along(pairs), weights[, rev(pairs), drop = FALSE],
  col = shades, zlim = c(0, 1), axes = FALSE, xlab = "", ylab = "",
  main = "Vehicle silhouettes: the kernel that each pair of classes chooses"
)
graphics::abline(v = seq(0.5, length(named) + 0.5), h = seq(0.5, length(pairs) + 0.5),
                 col = "white", lwd = 3)
graphics::axis(1, seq_along(named), named, tick = FALSE, cex.axis = 0.8)
graphics::axis(2, seq_along(pairs), rev(pairs), tick = FALSE, cex.axis = 0.9)
invisible(grDevices::dev.off())
cat("plot: man/figures/README-weights.png\n")

# ---- the comparison ------------------------------------------------------------------------------
store <- file.path(tempdir(), "results")
run_block(4, function(code) {
  code <- sub("\"results\"", deparse(store), code, fixed = TRUE)
  sub("autoplot(bm)", "picture <- autoplot(bm)", code, fixed = TRUE)
})
ggplot2::ggsave("man/figures/README-benchmark.png", picture, width = 8, height = 4.6, dpi = 120,
                bg = "white")
cat("plot: man/figures/README-benchmark.png\n")

# ---- fewer bytes, where the program for it is there ----------------------------------------------
if (nzchar(Sys.which("pngquant"))) {
  plots <- file.path("man/figures", c("README-weights.png", "README-benchmark.png"))
  system2("pngquant", c("--speed=1", "--force", "--ext", ".png", "24", shQuote(plots)))
}
