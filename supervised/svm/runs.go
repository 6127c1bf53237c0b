package svm

// cut returns the bounds of part i of n things cut into runs of side.
func cut(i, side, n int) (from, to int) { return i * side, min(n, (i+1)*side) }

// parts returns the number of runs of side that n things make.
func parts(n, side int) int { return (n + side - 1) / side }
