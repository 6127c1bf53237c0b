// Package lbfgs looks for minima of smooth functions whose evaluations take long, by L-BFGS: the
// optimiser of gonum, which asks for value and gradient one after the other and fails in more ways
// than a search in doubt should.
package lbfgs
