package task

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
)

// The centred matrix is HKH, tile by tile; its rows have the mean 0.
func TestCentredPairs(t *testing.T) {
	const n = 9
	rng, xs := testkit.Rand(t, 3), data.MakeVectors(n, 2)
	for i := range n {
		xs.At(i)[0], xs.At(i)[1] = rng.NormFloat64(), rng.NormFloat64()
	}
	pairs := kernel.Bind(vec.RBF{Sigma: 1}, xs, xs)
	c, err := centred(t.Context(), pairs, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	k, h := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
	whole := kernel.NewTile(n, n)
	pairs.Tile(whole, 0, 0)
	copy(k.RawMatrix().Data, whole.Data)
	for i := range n {
		for j := range n {
			h.Set(i, j, -1./n)
		}
		h.Set(i, i, 1-1./n)
	}
	want := new(mat.Dense)
	want.Product(h, k, h)
	part := kernel.NewTile(4, 3)
	c.Tile(part, 2, 5)
	for i := range 4 {
		for j := range 3 {
			testkit.Close(t, "an element", part.Row(i)[j], want.At(2+i, 5+j), 1e-14)
		}
	}
	diag := make([]float64, n)
	kernel.Diag(c, diag)
	testkit.Close(t, "the trace", sum(diag), mat.Trace(want), 1e-13)
}

func sum(xs []float64) float64 {
	total := 0.0
	for _, x := range xs {
		total += x
	}
	return total
}
