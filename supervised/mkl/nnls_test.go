package mkl

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/testkit"
)

// The minimum over v ≥ 0 is that of one of the 2^p sets of positive unknowns.
func TestNonnegAgainstAllSets(t *testing.T) {
	rng := testkit.Rand(t, 1)
	for range 200 {
		p := 2 + rng.IntN(4)
		x := mat.NewDense(p, p+1, nil)
		for i := range p {
			norm := 0.0
			for j := range p + 1 {
				x.Set(i, j, rng.NormFloat64()+1)
				norm += x.At(i, j) * x.At(i, j)
			}
			row := x.RowView(i).(*mat.VecDense)
			row.ScaleVec(1/mat.Norm(row, 2), row)
		}
		m, a := mat.NewSymDense(p, nil), make([]float64, p)
		m.SymOuterK(1, x)
		for k := range a {
			a[k] = rng.NormFloat64() + 0.5
		}
		value := func(v []float64) float64 {
			vec := mat.NewVecDense(p, v)
			return mat.Inner(vec, m, vec) - 2*mat.Dot(vec, mat.NewVecDense(p, a))
		}
		got, err := nonNegativeLeastSquares(m, a)
		if err != nil {
			t.Fatal(err)
		}
		best := 0.0
		for set := 1; set < 1<<p; set++ {
			var in []int
			for k := range p {
				if set>>k&1 == 1 {
					in = append(in, k)
				}
			}
			z, ok := solveOn(m, a, in)
			if !ok {
				continue
			}
			v, inside := make([]float64, p), true
			for i, k := range in {
				v[k] = z[i]
				inside = inside && z[i] >= 0
			}
			if inside {
				best = min(best, value(v))
			}
		}
		testkit.Close(t, "minimum", value(got), best, 1e-9)
	}
}

// A term that is there twice is taken once.
func TestNonnegOfEqualTerms(t *testing.T) {
	m := mat.NewSymDense(3, []float64{1, 1, 0.5, 1, 1, 0.5, 0.5, 0.5, 1})
	v, err := nonNegativeLeastSquares(m, []float64{1, 1, 0.8})
	if err != nil {
		t.Fatal(err)
	}
	// The equations of terms 1 and 3: (0.8, 0.4), whichever of the equal terms it is.
	testkit.Close(t, "equal terms", v[0]+v[1], 0.8, 1e-12)
	testkit.Close(t, "the other", v[2], 0.4, 1e-12)
}
