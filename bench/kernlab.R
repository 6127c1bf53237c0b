# kernlab's side of the benchmarks: one contestant, one process; the protocol is that
# of peers.py. R's own packages read no .npy files and no JSON: the few lines that this
# needs are here.

suppressPackageStartupMessages(library(kernlab))

arguments <- commandArgs(trailingOnly = TRUE)
name <- arguments[1]
folder <- arguments[2]

read.npy <- function(name) {
  f <- file(file.path(folder, paste0(name, ".npy")), "rb")
  on.exit(close(f))
  readBin(f, "raw", 8)
  size <- readBin(f, "integer", 1, size = 2, signed = FALSE, endian = "little")
  header <- rawToChar(readBin(f, "raw", size))
  shape <- sub("\\).*", "", sub(".*'shape': \\(", "", header))
  shape <- as.integer(strsplit(shape, ", *")[[1]])
  matrix(readBin(f, "double", prod(shape), endian = "little"), shape[1], shape[2], byrow = TRUE)
}

write.npy <- function(name, a) {
  f <- file(file.path(folder, paste0(name, ".npy")), "wb")
  on.exit(close(f))
  header <- sprintf("{'descr': '<f8', 'fortran_order': True, 'shape': (%d, %d), }", nrow(a), ncol(a))
  header <- paste0(header, strrep(" ", (64 - (10 + nchar(header) + 1) %% 64) %% 64), "\n")
  writeBin(as.raw(c(0x93, utf8ToInt("NUMPY"), 1, 0)), f)
  writeBin(nchar(header), f, size = 2, endian = "little")
  writeBin(charToRaw(header), f)
  writeBin(as.double(a), f, endian = "little")
}

text <- paste(readLines(file.path(folder, "params.json"), warn = FALSE), collapse = "")
number <- function(before) as.numeric(sub(paste0(".*", before, "([-+.0-9e]+).*"), "\\1", text))
x <- read.npy("x")
gamma <- suppressWarnings(number("rbf\\(gamma=")) # of the rows that have one
sequences <- if (name == "kernlab spectrum") apply(x, 1, function(row) paste(c("A", "C", "G", "T")[row + 1], collapse = ""))

# Only the work is inside of the clock; `write` puts the result down for the judge.
contestants <- list(
  "kernlab spectrum" = list(
    run = function() kernelMatrix(stringdot(type = "spectrum", length = number('"k": *'), normalized = FALSE), sequences),
    write = function(out) {
      # stringdot ends every sequence with a line feed and counts the last k − 1 symbols with it as a word: 1 too many
      # where these are equal ("AC" and "GC" have no word of two symbols in common, and get 1). It is taken off here.
      probes <- read.npy("probes") + 1
      ends <- substring(sequences, nchar(sequences) - number('"k": *') + 2)
      write.npy("sample", matrix(out@.Data[probes] - (ends[probes[, 1]] == ends[probes[, 2]]), ncol = 1))
    }),
  "kernlab kkmeans" = list(
    run = function() kkmeans(x, centers = number('"k": *'), kernel = "rbfdot", kpar = list(sigma = gamma), alg = "kkmeans"),
    write = function(out) write.npy("result", matrix(as.double(out@.Data) - 1, ncol = 1))),
  "kernlab kpca" = list(
    run = function() kpca(x, kernel = "rbfdot", kpar = list(sigma = gamma), features = number('"components": *')),
    write = function(out) {
      # pcv is v / sqrt(eigenvalue of Kc / n), eig is that eigenvalue: see ?kpca.
      values <- as.double(eig(out)) * nrow(x)
      vectors <- sweep(pcv(out), 2, sqrt(colSums(pcv(out)^2)), "/")
      write.npy("values", matrix(values, ncol = 1))
      write.npy("result", vectors)
    })
)
contestant <- contestants[[name]]
if (is.null(contestant)) stop(paste("no contestant", name))

answer <- function(...) {
  cat(sprintf(...), "\n", sep = "")
  flush(stdout())
}

answer('{"ready": {"R": "%s.%s", "kernlab": "%s"}}', R.version$major, R.version$minor, packageVersion("kernlab"))
input <- file("stdin", "r")
set.seed(1)
while (length(line <- readLines(input, n = 1)) > 0) {
  if (line == "run") {
    out <- NULL
    gc()
    seconds <- system.time(out <- contestant$run())[["elapsed"]]
    answer('{"seconds": %.6f}', seconds)
  } else {
    contestant$write(out)
    answer('{"saved": true}')
  }
}
