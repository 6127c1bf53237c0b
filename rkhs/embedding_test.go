package rkhs_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/rkhs"
)

// Moore and Aronszajn: a Gram matrix is that of the rows of U√Λ.
func TestEmbeddingHasTheGramMatrix(t *testing.T) {
	rng := testkit.Rand(t, 51)
	xs := data.MakeVectors(12, 2)
	for i := range xs.Raw() {
		xs.Raw()[i] = rng.Float64()
	}
	copy(xs.At(4), xs.At(3)) // rank 11
	k := vec.RBF{}
	gram := mat.NewSymDense(12, nil)
	for i := range 12 {
		for j := range i + 1 {
			gram.SetSym(i, j, k.Eval(xs.At(i), xs.At(j)))
		}
	}
	phi, err := rkhs.Embedding(gram)
	if err != nil {
		t.Fatal(err)
	}
	var back mat.Dense
	back.Mul(phi, phi.T())
	for i := range 12 {
		for j := range 12 {
			testkit.Close(t, "⟨φ,φ⟩", back.At(i, j), gram.At(i, j), 1e-14)
		}
	}
	if _, err := rkhs.Embedding(mat.NewSymDense(2, []float64{0, 1, 1, 0})); err == nil {
		t.Error("a matrix with the eigenvalue −1 was embedded")
	}
}
