# Opens the site in headless Chromium, for tools/site --check:
#   Rscript tools/site-check.R <site>            follows every internal link from the first page
#   Rscript tools/site-check.R <site> <directory>    saves pictures of some pages instead
#
# Of every page it checks that it loads and renders, that the console has no errors, that nothing
# comes from the network, that links lead to pages and anchors that exist, that no formula is left
# as TeX, and that nothing is wider than the window of a phone or a desktop. Then the search must
# find a learner. The last line is "N passed, N failed".

args <- commandArgs(TRUE)
site <- normalizePath(args[1])
pictures <- args[2]
widths <- c(phone = 390L, desktop = 1280L)

# ---- a server and a browser ----------------------------------------------------------------------
port <- httpuv::randomPort()
origin <- paste0("http://127.0.0.1:", port)
server <- httpuv::startServer("127.0.0.1", port, list(staticPaths = list("/" = site)))
# No name but that of the server is found: what needs the network fails here too.
chromote::set_chrome_args(c(
  "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
))
if (!nzchar(Sys.getenv("CHROMOTE_CHROME"))) {
  found <- Sys.which(c("chromium", "chromium-browser", "google-chrome", "chrome"))
  if (!any(nzchar(found))) stop("Chromium was not found: bash tools/setup --site")
  Sys.setenv(CHROMOTE_CHROME = found[nzchar(found)][1])
}
options(chromote.timeout = 60)
browser <- chromote::ChromoteSession$new()

# Messages and requests of the page that is open.
heard <- new.env()
hear <- function(what, text) heard[[what]] <- c(heard[[what]], text)
for (domain in c("Runtime", "Log", "Network")) browser[[domain]]$enable()
forget <- browser$Runtime$exceptionThrown(function(event) {
  details <- event$exceptionDetails
  hear("errors", paste(c(details$text, details$exception$description), collapse = " "))
})
forget <- browser$Runtime$consoleAPICalled(function(event) {
  if (event$type %in% c("error", "warning", "assert")) {
    hear("errors", paste(unlist(lapply(event$args, `[[`, "value")), collapse = " "))
  }
})
forget <- browser$Log$entryAdded(function(event) {
  if (event$entry$level %in% c("error", "warning")) {
    hear("errors", paste(event$entry$text, event$entry$url))
  }
})
forget <- browser$Network$requestWillBeSent(function(event) hear("requests", event$request$url))

js <- function(code) browser$Runtime$evaluate(code, returnByValue = TRUE)$result$value

resize <- function(width) {
  browser$Emulation$setDeviceMetricsOverride(
    width = width, height = if (width < 600L) 844L else 900L, deviceScaleFactor = 1,
    mobile = width < 600L
  )
}

# Waits until some code is true; FALSE if it never is.
wait_for <- function(code, seconds = 10) {
  end <- Sys.time() + seconds
  while (!isTRUE(js(code))) {
    if (Sys.time() > end) return(FALSE)
    later::run_now(0.05)
  }
  TRUE
}

open_page <- function(path) {
  heard$errors <- heard$requests <- NULL
  loaded <- browser$Page$loadEventFired(wait_ = FALSE)
  browser$Page$navigate(paste0(origin, "/", path), wait_ = FALSE)
  browser$wait_for(loaded)
}

# ---- one page ------------------------------------------------------------------------------------
facts_of_page <- "({
  links: [...document.querySelectorAll('a[href]')].map((a) => a.href),
  anchors: [...document.querySelectorAll('[id]')].map((e) => e.id),
  words: (document.querySelector('main') || document.body).innerText.split(/\\s+/).length,
  heading: (document.querySelector('h1') || {}).innerText || '',
  broken: [...document.images].filter((i) => i.complete && i.naturalWidth === 0).map((i) => i.src),
  tex: [...document.querySelectorAll('main p, main dd, main li, main td')]
    .map((e) => { const c = e.cloneNode(true);
                  c.querySelectorAll('code, pre, math').forEach((x) => x.remove());
                  return c.textContent; })
    .filter((t) => /\\\\\\(|\\$\\$|\\\\(frac|sum|alpha|mathrm)/.test(t)).map((t) => t.slice(0, 80)),
  math: document.querySelectorAll('math').length
})"

check_page <- function(path) {
  resize(widths[["phone"]])
  open_page(path)
  facts <- js(facts_of_page)
  problems <- character()
  add <- function(...) problems <<- c(problems, paste0(...))
  if (facts$words < 20) add("renders only ", facts$words, " words")
  if (!nzchar(facts$heading)) add("has no heading")
  if (length(facts$broken)) add("image not shown: ", unlist(facts$broken))
  if (length(facts$tex)) add("formula left as TeX: ", unlist(facts$tex))
  for (name in names(widths)) {
    resize(widths[[name]])
    # Not window.innerWidth, which grows with the content of a page on a phone.
    wide <- js("document.documentElement.scrollWidth") - widths[[name]]
    if (wide > 1) add("is ", wide, " pixels wider than the window of a ", name)
  }
  away <- grep(paste0("^(", origin, "|data:|blob:)"), heard$requests, invert = TRUE, value = TRUE)
  if (length(away)) add("asks the network for ", away)
  if (length(heard$errors)) add("console: ", heard$errors)
  list(problems = problems, links = unique(unlist(facts$links)), anchors = unlist(facts$anchors),
       math = facts$math)
}

# ---- all pages, by their links -------------------------------------------------------------------
internal <- function(links) {
  links <- links[startsWith(as.character(links), paste0(origin, "/"))]
  unique(utils::URLdecode(substring(links, nchar(origin) + 2L)))
}
page_of <- function(link) {
  page <- sub("[?#].*", "", link)
  ifelse(page == "" | endsWith(page, "/"), paste0(page, "index.html"), page)
}

crawl <- function() {
  pages <- list()
  queue <- "index.html"
  while (length(queue)) {
    path <- queue[1]
    queue <- queue[-1]
    if (!file.exists(file.path(site, path))) next
    pages[[path]] <- check_page(path)
    pages[[path]]$internal <- internal(pages[[path]]$links)
    further <- unique(page_of(pages[[path]]$internal))
    further <- further[grepl("[.]html$", further)]
    queue <- union(queue, setdiff(further, names(pages)))
  }
  pages
}

# Links to pages that are not there, and to anchors that their page does not have.
check_links <- function(path, pages) {
  links <- pages[[path]]$internal
  target <- page_of(links)
  lost <- links[!file.exists(file.path(site, target))]
  fragment <- sub("^[^#]*#?", "", links)
  anchored <- nzchar(fragment) & target %in% names(pages)
  missing <- links[anchored & !mapply(function(t, f) f %in% pages[[t]]$anchors, target, fragment)]
  c(if (length(lost)) paste("link leads nowhere:", lost),
    if (length(missing)) paste("link to an anchor that is not there:", missing))
}

# ---- search --------------------------------------------------------------------------------------
check_search <- function(word, page) {
  resize(widths[["desktop"]])
  open_page("index.html")
  js("document.querySelector('#search-input').focus()")
  browser$Input$insertText(word)
  if (!wait_for("document.querySelector('a.search-result') !== null")) return("finds nothing")
  found <- js("[...document.querySelectorAll('a.search-result')].map((a) => a.href)")
  hit <- grep(page, unlist(found), fixed = TRUE, value = TRUE)
  if (length(hit) == 0) return(paste("does not find", page))
  open_page(substring(hit[1], nchar(origin) + 2L))
  marked <- js("[...document.querySelectorAll('main mark')].map((m) => m.textContent).join(' ')")
  if (!grepl(word, marked, ignore.case = TRUE)) return(paste(page, "does not mark the word"))
  if (length(heard$errors)) return(paste("console:", heard$errors))
  character()
}

report <- function(what, problems) {
  if (length(problems)) cat(paste0(what, ": ", problems, "\n"), sep = "")
  length(problems) == 0
}

run_checks <- function() {
  pages <- crawl()
  good <- vapply(names(pages), function(path) {
    report(path, c(pages[[path]]$problems, check_links(path, pages)))
  }, NA)
  # Pages for which there is no link are of no use.
  written <- list.files(site, "[.]html$", recursive = TRUE)
  alone <- setdiff(written, c(names(pages), "404.html"))
  # pkgdown redirects from aliases to the page of their topic.
  redirects <- vapply(file.path(site, alone), function(file) {
    any(grepl("http-equiv=\"refresh\"", readLines(file, warn = FALSE), fixed = TRUE))
  }, NA)
  alone <- alone[!redirects]
  good <- c(good, report("pages without a link", alone))
  good <- c(good, report("search", check_search("easymkl", "reference/easymkl.html")))
  formulas <- sum(vapply(pages, `[[`, 0L, "math"))
  index <- readLines(file.path(site, "reference", "index.html"), warn = FALSE)
  good <- c(good, report("_pkgdown.yml", if (any(grepl("Further pages", index, fixed = TRUE))) {
    "does not name all help pages: see the end of reference/index.html"
  }))
  good <- c(good, report("formulas", if (formulas == 0) "none is shown"))
  cat("site: ", length(pages), " pages, ",
      sum(lengths(lapply(pages, `[[`, "internal"))), " internal links, ", formulas,
      " formulas\n", sep = "")
  cat(sum(good), "passed,", sum(!good), "failed\n")
  if (!all(good)) quit(status = 1)
}

save_pictures <- function(directory) {
  dir.create(directory, recursive = TRUE, showWarnings = FALSE)
  shown <- c("index.html", "reference/index.html", "reference/easymkl.html",
             "articles/index.html", "articles/which-learner.html", "articles/kernels.html",
             "articles/gallery.html", "news/index.html")
  for (path in shown[file.exists(file.path(site, shown))]) {
    for (name in names(widths)) {
      resize(widths[[name]])
      open_page(path)
      later::run_now(0.3)
      file <- paste0(gsub("[/.]", "-", sub("[.]html$", "", path)), "-", name, ".png")
      picture <- browser$Page$captureScreenshot(format = "png")$data
      writeBin(jsonlite::base64_dec(picture), file.path(directory, file))
      cat(file.path(directory, file), "\n")
    }
  }
}

if (is.na(pictures)) run_checks() else save_pictures(pictures)
invisible(browser$close())
server$stop()
