# The data sets of the five papers: where each comes from and how it becomes columns and classes.
#
#   set <- load_set("sonar", directory)     list(name, x, y, split, note), or NULL if it is absent
#
# `x` is a numeric matrix with column names (NA where a value is missing), `y` a factor, `split` the
# official division into "train" and "test" or NULL, `note` what a paper leaves open about the set.
# A set comes from a package of CRAN, from a rule, or from a file below --data. Packages are only
# needed for the sets that they hold; a set that cannot be loaded is left out with a message.

# ---- sources -------------------------------------------------------------------------------------

# What cannot be found is a condition of its own: the script goes on without the set.
stop_absent <- function(...) {
  stop(structure(
    class = c("absent_set", "error", "condition"), list(message = paste0(...), call = NULL)
  ))
}

need_package <- function(package) {
  if (!requireNamespace(package, quietly = TRUE)) {
    stop_absent("install.packages(\"", package, "\") brings it")
  }
}

from_package <- function(package, name) {
  need_package(package)
  place <- new.env()
  suppressWarnings(utils::data(list = name, package = package, envir = place))
  if (is.null(place[[name]])) stop_absent("this version of ", package, " holds no ", name)
  place[[name]]
}

from_file <- function(directory, file) {
  if (is.null(directory)) stop_absent("it is in no package: give the directory of ", file,
                                      " by --data")
  path <- file.path(directory, file)
  if (!file.exists(path)) stop_absent("there is no file ", path)
  utils::read.csv(path, check.names = FALSE)
}

# Files of the package RKEELdata: a header of lines with @, then comma-separated rows, class last.
from_keel <- function(name) {
  need_package("RKEELdata")
  path <- system.file("datasets", paste0(name, ".dat"), package = "RKEELdata")
  if (path == "") stop_absent("RKEELdata holds no ", name, ".dat")
  lines <- grep("^@", readLines(path), value = TRUE, invert = TRUE)
  utils::read.csv(text = lines, header = FALSE, na.strings = "?", strip.white = TRUE)
}

# ---- shaping -------------------------------------------------------------------------------------

# Columns and classes of a data frame. Factors whose levels are numbers become those numbers.
make_set <- function(data, class, drop = NULL, split = NULL, note = NULL) {
  columns <- data[setdiff(names(data), c(class, drop))]
  x <- vapply(columns, as_number, numeric(nrow(data)))
  list(x = x, y = as.factor(data[[class]]), split = split, note = note)
}

as_number <- function(column) {
  if (is.factor(column) || is.character(column)) as.numeric(as.character(column)) else
    as.numeric(column)
}

some_rows <- function(set, rows) {
  set$x <- set$x[rows, , drop = FALSE]
  set$y <- droplevels(set$y[rows])
  if (!is.null(set$split)) set$split <- set$split[rows]
  set
}

# Each column mapped to [-1, 1]; constant ones to 0.
to_unit_range <- function(x) {
  apply(x, 2, function(column) {
    span <- range(column)
    if (span[1] == span[2]) 0 * column else 2 * (column - span[1]) / (span[2] - span[1]) - 1
  })
}

# ---- sets by rule --------------------------------------------------------------------------------

# Where does a balance lean? All weights and distances from 1 to 5 on both sides.
balance_scale <- function() {
  data <- expand.grid(
    right_distance = 1:5, right_weight = 1:5, left_distance = 1:5, left_weight = 1:5
  )[, 4:1]
  torque <- with(data, left_weight * left_distance - right_weight * right_distance)
  data$class <- factor(c("R", "B", "L")[sign(torque) + 2], levels = c("L", "B", "R"))
  make_set(data, "class")
}

# Four Gaussians, two for each class (section 4.1 of the LMKL paper). The draw is that of the
# random numbers at the moment of the call.
gauss4 <- function(n = 1200) {
  mean <- rbind(c(-3, 1), c(1, 1), c(-1, -2.2), c(3, -2.2))
  spread <- sqrt(rbind(c(0.8, 2), c(0.8, 2), c(0.8, 4), c(0.8, 4)))
  part <- sample(4, n, replace = TRUE)
  x <- mean[part, ] + spread[part, ] * matrix(stats::rnorm(2 * n), n)
  colnames(x) <- c("x1", "x2")
  list(x = x, y = factor(ifelse(part <= 2, "positive", "negative")), part = part)
}

# Two Gaussians in 20 dimensions, one inside the other.
ringnorm <- function(n = 7400, d = 20) {
  inner <- rep(c(FALSE, TRUE), length.out = n)
  x <- matrix(stats::rnorm(n * d), n) * ifelse(inner, 1, 2) + ifelse(inner, 2 / sqrt(d), 0)
  colnames(x) <- paste0("x", seq_len(d))
  list(
    x = x, y = factor(ifelse(inner, "2", "1")),
    note = "drawn with mean 2/sqrt(20); the paper states no size"
  )
}

# The MKBoost paper counts ten columns, so the number of the row was one of them.
two_kinds_of_glass <- function(types) {
  data <- from_package("mlbench", "Glass")
  data$Id <- seq_len(nrow(data))
  data$Type <- ifelse(data$Type %in% types, "window", "other")
  make_set(data, "Type")
}

# Two squares that touch at a corner (section 3.1 of the LB-MKL paper), without noise.
two_squares <- function(n = 100) {
  side <- rep(c(-1, 1), each = n / 2)
  x <- side * matrix(stats::runif(2 * n), n, dimnames = list(NULL, c("x1", "x2")))
  list(x = x, y = factor(side))
}

# Sites where genes are cut (exon - intron borders) against other places: windows of 60 bases. The
# package codes a base by three columns; here it has five, one for each of A, T, G, C and unknown.
dna_sites <- function() {
  data <- from_package("mlbench", "DNA")
  bits <- vapply(data[names(data) != "Class"], as_number, numeric(nrow(data)))
  x <- do.call(cbind, lapply(seq_len(ncol(bits) / 3), function(k) {
    three <- bits[, 3 * k - 2:0]
    five <- cbind(A = three[, 1], T = 1 - rowSums(three), G = three[, 3], C = three[, 2], N = 0)
    colnames(five) <- paste0(colnames(five), k)
    five
  }))
  list(
    x = x, y = factor(ifelse(data$Class == "n", "other", "site"), levels = c("other", "site")),
    scale = FALSE,
    note = "stands in for sets that are not public; windows of 60 bases, the paper has 200"
  )
}

# Six gases by 16 sensors, divided into two classes.
gas_sensors <- function(directory, first, name, other) {
  data <- from_file(directory, "gas-batch2.csv.xz")
  data$gas <- ifelse(data$gas %in% first, name, other)
  set <- make_set(data, "gas", drop = "concentration")
  set$x <- to_unit_range(set$x)
  set$note <- paste0("gases ", name, " against ", other, "; the paper states no rule")
  set
}

# ---- the catalogue -------------------------------------------------------------------------------

# One function for each set; `directory` is that of --data.
catalogue <- list(
  "balance-scale" = function(directory) {
    set <- balance_scale()
    set <- some_rows(set, set$y != "B")
    set$note <- "two classes: the balanced cases are left out"
    set
  },
  "balance" = function(directory) balance_scale(),
  "german" = function(directory) {
    make_set(from_file(directory, "german.numer.csv.gz"), "class")
  },
  "glass" = function(directory) {
    set <- two_kinds_of_glass(c("1", "2", "3"))
    set$note <- "windows against the rest, with the row number as a column; the rule is a guess"
    set
  },
  "glass-type-1" = function(directory) {
    set <- two_kinds_of_glass("1")
    set$note <- "type 1 against the rest, with the row number as a column"
    set
  },
  "ionosphere" = function(directory) {
    make_set(from_package("mlbench", "Ionosphere"), "Class")
  },
  "monks-1" = function(directory) {
    data <- from_file(directory, "monks-1.csv")
    make_set(data, "class", drop = "split", split = data$split)
  },
  "sonar" = function(directory) make_set(from_package("mlbench", "Sonar"), "Class"),
  "svmguide3" = function(directory) make_set(from_file(directory, "svmguide3.csv.gz"), "class"),
  "wdbc" = function(directory) {
    held <- function(package) requireNamespace(package, quietly = TRUE)
    if (!held("mclust") && held("dslabs")) return(from_package("dslabs", "brca")[c("x", "y")])
    make_set(from_package("mclust", "wdbc"), "Diagnosis", drop = "ID")
  },
  "wdbc-id" = function(directory) {
    set <- make_set(from_package("mclust", "wdbc"), "Diagnosis")
    set$note <- "with the number of the patient as a column"
    set
  },
  "segment" = function(directory) {
    files <- paste0("segment-", c("challenge", "test"), ".arff")
    paths <- system.file("arff", files, package = "RWeka")
    if (!is.null(directory) && length(paths) < 2) paths <- file.path(directory, files)
    if (length(paths) < 2 || !all(file.exists(paths))) {
      stop_absent("the package RWeka holds it; or put inst/arff/segment-*.arff of its sources ",
                  "into the directory of --data")
    }
    need_package("foreign")
    make_set(do.call(rbind, lapply(paths, foreign::read.arff)), "class")
  },
  "vehicle" = function(directory) make_set(from_package("mlbench", "Vehicle"), "Class"),
  "splice" = function(directory) {
    data <- from_file(directory, "splice.csv.gz")
    set <- make_set(data[data$split == "train", ], "class", drop = "split")
    set$x <- to_unit_range(set$x)
    set
  },
  "batch2" = function(directory) {
    gas_sensors(directory, c("Ethanol", "Ethylene", "Ammonia"), "1-3", "4-6")
  },
  "batch2-odd" = function(directory) {
    gas_sensors(directory, c("Ethanol", "Ammonia", "Acetone"), "odd", "even")
  },
  "mushroom" = function(directory) {
    data <- from_package("cba", "Mushroom")
    columns <- data[setdiff(names(data), c("class", "stalk-root"))]
    x <- do.call(cbind, lapply(names(columns), function(name) {
      values <- droplevels(as.factor(columns[[name]]))
      block <- 2 * outer(as.integer(values), seq_along(levels(values)), "==") - 1
      colnames(block) <- paste0(name, ":", levels(values))
      block
    }))
    list(x = x, y = as.factor(data$class), note = "8124 rows; the paper takes 2000, unknown which")
  },
  "prostate" = function(directory) {
    data <- from_package("spls", "prostate")
    x <- to_unit_range(data$x)
    colnames(x) <- paste0("gene", seq_len(ncol(x)))
    list(
      x = x, y = factor(data$y, labels = c("normal", "tumour")),
      note = "stands in for Gisette, which cannot be had"
    )
  },
  "cancer" = function(directory) {
    make_set(stats::na.omit(from_package("MASS", "biopsy")), "class", drop = "ID")
  },
  "saheart" = function(directory) {
    data <- from_package("loon.data", "SAheart")
    data$famhist <- as.numeric(as.factor(data$famhist) == levels(as.factor(data$famhist))[2])
    make_set(data, "chd")
  },
  "hepatitis" = function(directory) {
    data <- from_keel("hepatitis")
    set <- make_set(data, names(data)[ncol(data)])
    set$note <- "167 values are missing; the paper does not say how they were filled in"
    set
  },
  "votes" = function(directory) {
    data <- from_package("mlbench", "HouseVotes84")
    x <- vapply(data[names(data) != "Class"], function(v) {
      ifelse(is.na(v), 0, ifelse(v == "y", 1, -1))
    }, numeric(nrow(data)))
    list(x = x, y = data$Class, note = "y / n / missing as 1 / -1 / 0")
  },
  "banana" = function(directory) {
    data <- from_keel("banana")
    make_set(data, names(data)[ncol(data)])
  },
  "heart" = function(directory) {
    path <- file.path(directory %||% "", "StatlogHeart.RData") # of the sources of evtree
    place <- new.env()
    if (file.exists(path)) {
      load(path, place)
    } else {
      place$StatlogHeart <- from_package("evtree", "StatlogHeart")
    }
    data <- place$StatlogHeart
    # Words become the codes of the original file, most of them counted from 0.
    data$thal <- c(3, 6, 7)[data$thal]
    from_one <- c("chest_pain_type", "slope_of_the_peak")
    for (name in setdiff(names(Filter(is.factor, data)), "heart_disease")) {
      data[[name]] <- as.integer(data[[name]]) - !name %in% from_one
    }
    make_set(data, "heart_disease")
  },
  "liver" = function(directory) {
    data <- from_keel("bupa")
    make_set(data, names(data)[ncol(data)])
  },
  "diabetes" = function(directory) {
    # mlbench gave it up with version 2.1-10; RKEELdata has the same rows in another order.
    tryCatch(
      make_set(from_package("mlbench", "PimaIndiansDiabetes"), "diabetes"),
      absent_set = function(e) {
        data <- from_keel("pima")
        make_set(data, names(data)[ncol(data)])
      }
    )
  },
  "ringnorm" = function(directory) ringnorm(),
  "dna" = function(directory) dna_sites(),
  "spambase" = function(directory) make_set(from_package("kernlab", "spam"), "type"),
  "gauss4" = function(directory) gauss4(),
  "squares" = function(directory) two_squares(),
  "soybean" = function(directory) make_set(from_file(directory, "soybean-small.csv"), "class"),
  "water" = function(directory) {
    data <- from_file(directory, "water-treatment.csv.gz")
    columns <- setdiff(names(data), c("day", "class"))
    keep <- data$class %in% c(9, 11) & rowSums(is.na(data[columns])) <= 8
    set <- make_set(data[keep, ], "class", drop = "day")
    set$note <- "classes 9 and 11, at most 8 missing values: the size of the paper's set, a guess"
    set
  },
  "iris" = function(directory) make_set(datasets::iris, "Species"),
  "wine" = function(directory) {
    set <- make_set(from_package("gclus", "wine"), "Class")
    set$note <- "13 columns; the paper has 12 and does not say which"
    set
  },
  "letters" = function(directory) make_set(from_package("mlbench", "LetterRecognition"), "lettr"),
  "orl" = function(directory) {
    make_set(from_file(directory, "orl-28x23.csv.xz"), "subject", drop = "image")
  }
)

# Sets by rule draw random numbers: with them each run has its own draw, all others are loaded once.
drawn_sets <- c("gauss4", "ringnorm", "squares")

`%||%` <- function(a, b) if (is.null(a)) b else a

# A set, or NULL with a message if it cannot be had here.
load_set <- function(name, directory = NULL) {
  if (!name %in% names(catalogue)) stop("There is no data set ", name, ".", call. = FALSE)
  set <- tryCatch(catalogue[[name]](directory), absent_set = function(e) {
    message("data set ", name, " is left out: ", conditionMessage(e))
    NULL
  })
  if (is.null(set)) return(NULL)
  stopifnot(is.matrix(set$x), is.numeric(set$x), is.factor(set$y), nrow(set$x) == length(set$y))
  c(list(name = name), set)
}
