package gram_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
)

func TestOwnCopiesAndChecks(t *testing.T) {
	k := mat.NewSymDense(2, []float64{2, 1, 1, 3})
	own, err := gram.CopyDense(t.Context(), gram.FromMatrix(k), compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	own.SetSym(0, 1, 9)
	if k.At(0, 1) != 1 || own.At(1, 1) != 3 {
		t.Errorf("the caller's matrix is now %v, the copy %v", k, own)
	}
	k.SetSym(0, 1, math.NaN())
	if _, err := gram.CopyDense(t.Context(), gram.FromMatrix(k), compute.Options{}); err == nil || !strings.Contains(err.Error(), "rows 0 and 1 is NaN") {
		t.Errorf("NaN: %v", err)
	}
}
