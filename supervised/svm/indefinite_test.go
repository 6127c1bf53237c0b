package svm_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/gram"
	"example.org/mercer/supervised/svm"
)

// Without a bound on the coefficients an indefinite kernel has no best function, and the
// error does not blame the numbers alone.
func TestHardMarginWithAnIndefiniteKernel(t *testing.T) {
	k := mat.NewSymDense(4, []float64{
		1, 3, 0, 1,
		3, 1, 1, 0,
		0, 1, 1, 3,
		1, 0, 3, 1,
	})
	_, _, err := svm.Solve(t.Context(), svm.Dual{Source: gram.RowsOf(gram.FromMatrix(k).Pairs())}, []int{0, 1, 0, 1}, svm.Options{C: math.Inf(1)})
	if err == nil || !strings.Contains(err.Error(), "indefinite") {
		t.Errorf("the error is %v, want one that speaks of an indefinite kernel", err)
	}
}
