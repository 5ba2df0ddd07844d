# Draws the logo: kernel functions of several widths in a hexagon, and their combination above them.
#   Rscript tools/logo.R <directory>       logo.png, and icons of the site
#
# The logo of the tree is man/figures/logo.png: Rscript tools/logo.R man/figures logo

directory <- commandArgs(TRUE)[1]
logo_only <- identical(commandArgs(TRUE)[2], "logo")

# Three Gaussian kernels at x, and their weighted sum.
centers <- c(-0.42, 0.04, 0.40)
widths <- c(0.19, 0.11, 0.20)
weights <- c(0.42, 0.46, 0.50)
shades <- c("#f4a259", "#8cb369", "#5bc0de")

draw <- function(label = TRUE) {
  graphics::par(mar = rep(0, 4), xaxs = "i", yaxs = "i", bg = "transparent")
  graphics::plot.new()
  graphics::plot.window(c(-1, 1), c(-1.155, 1.155), asp = 1)
  angle <- pi / 6 + (0:5) * pi / 3
  graphics::polygon(1.12 * cos(angle), 1.12 * sin(angle), col = "#1f4e79", border = "#8fb8de",
                    lwd = 5, ljoin = 1)
  x <- seq(-0.86, 0.86, length.out = 400)
  base <- if (label) -0.28 else -0.45
  height <- if (label) 1.0 else 1.25
  parts <- mapply(function(center, width, weight) weight * exp(-(x - center)^2 / (2 * width^2)),
                  centers, widths, weights)
  for (m in 3:1) {
    graphics::polygon(c(x, rev(x)), base + height * c(parts[, m], 0 * x), border = NA,
                      col = grDevices::adjustcolor(shades[m], 0.75))
  }
  graphics::lines(x, base + height * rowSums(parts), col = "white", lwd = if (label) 5 else 7)
  graphics::segments(-0.86, base, 0.86, base, col = "white", lwd = 2)
  if (label) {
    graphics::text(0, -0.52, "multikernel", col = "white", cex = 1.95, font = 2, family = "sans")
  }
}

# The size of text and lines follows the number of pixels.
paint <- function(file, pixels, label = TRUE) {
  grDevices::png(file, width = pixels, height = round(pixels * 1.155), res = pixels * 0.3,
                 bg = "transparent", type = "cairo")
  draw(label)
  invisible(grDevices::dev.off())
}

# An .ico file that holds one PNG.
write_ico <- function(png, ico, pixels) {
  bytes <- readBin(png, "raw", file.size(png))
  out <- file(ico, "wb")
  on.exit(close(out))
  writeBin(as.raw(c(0, 0, 1, 0, 1, 0, pixels, pixels, 0, 0, 1, 0, 32, 0)), out)
  writeBin(c(length(bytes), 22L), out, size = 4L, endian = "little")
  writeBin(bytes, out)
}

square <- function(file, pixels) {
  grDevices::png(file, width = pixels, height = pixels, res = pixels * 0.3, bg = "transparent",
                 type = "cairo")
  draw(FALSE)
  invisible(grDevices::dev.off())
}

dir.create(directory, recursive = TRUE, showWarnings = FALSE)
paint(file.path(directory, "logo.png"), 240)
if (!logo_only) {
  square(file.path(directory, "favicon-96x96.png"), 96)
  square(file.path(directory, "apple-touch-icon.png"), 180)
  small <- tempfile(fileext = ".png")
  square(small, 48)
  write_ico(small, file.path(directory, "favicon.ico"), 48)
  grDevices::svg(file.path(directory, "favicon.svg"), width = 3.3, height = 3.3, bg = "transparent")
  draw(FALSE)
  invisible(grDevices::dev.off())
  writeLines(c(
    "{", "  \"name\": \"multikernel\",",
    "  \"icons\": [{\"src\": \"apple-touch-icon.png\", \"sizes\": \"180x180\"}]", "}"
  ), file.path(directory, "site.webmanifest"))
}
