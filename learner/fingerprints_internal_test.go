package learner

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/pass/passtest"
)

// TestFingerprintsInPasses: rows have the same fingerprints one after another, in a pass, and in
// one that is made elsewhere; rows that differ in a feature, a target or a weight have others.
func TestFingerprintsInPasses(t *testing.T) {
	const n = 1000
	rng := testkit.Rand(t, 5)
	for targets := range 3 {
		for _, weighted := range []bool{false, true} {
			xs := data.MakeVectors(n, 3)
			for i := range xs.Raw() {
				xs.Raw()[i] = rng.NormFloat64()
			}
			rows := &prep.Prepared{X: xs, Rows: make([]int, n), Y: mat.NewDense(n, max(1, targets), nil)}
			for i := range n {
				rows.Y.Set(i, 0, rng.NormFloat64())
			}
			if weighted {
				rows.W = make([]float64, n)
				for i := range rows.W {
					rows.W[i] = rng.ExpFloat64()
				}
			}
			want, err := fingerprintsHere(t.Context(), rows, xs, false)
			if err != nil {
				t.Fatal(err)
			}
			apart, driver := passtest.Apart(xs)
			for _, of := range []data.Rows{xs, apart} {
				got, err := Fingerprints(t.Context(), rows, of, false, compute.Options{Workers: 2})
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("%d targets, weights %v: other fingerprints in a pass: %v", targets, weighted, err)
				}
			}
			if driver.Passes != 1 {
				t.Errorf("%d passes elsewhere", driver.Passes)
			}
			xs.At(1)[2]++
			rows.Y.Set(2, 0, 7)
			if weighted {
				rows.W[3]++
			}
			got, err := Fingerprints(t.Context(), rows, xs, false, compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for i := range got {
				if changed := i == 1 || i == 2 || i == 3 && weighted; changed == (got[i] == want[i]) {
					t.Errorf("row %d: changed %v, and the fingerprints are %x and %x", i, changed, want[i], got[i])
				}
			}
		}
	}
}
