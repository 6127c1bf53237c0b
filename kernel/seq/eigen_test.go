package seq_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/kernel"
)

// smallest returns the smallest eigenvalue of a Gram matrix.
func smallest(t *testing.T, gram kernel.Tile) float64 {
	t.Helper()
	var eigen mat.EigenSym
	if !eigen.Factorize(mat.NewSymDense(gram.Rows, gram.Data), false) {
		t.Fatal("no eigenvalues")
	}
	return eigen.Values(nil)[0]
}
