package check

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/testkit"
)

func TestSmallestEigenpair(t *testing.T) {
	rng := testkit.Rand(t, 1)
	for m := 1; m <= 14; m++ {
		for range 20 {
			a := make([]float64, m*m)
			for i := range m {
				for j := i; j < m; j++ {
					v := rng.NormFloat64()
					a[i*m+j], a[j*m+i] = v, v
				}
			}
			sym := mat.NewSymDense(m, slices.Clone(a))
			var want mat.EigenSym // LAPACK's QR algorithm, an independent method
			if !want.Factorize(sym, false) {
				t.Fatal("no convergence")
			}
			v := make([]float64, m)
			got := smallest(a, m, v, make([]float64, m*m))
			// Backward stable: errors of a few m·ε‖A‖.
			tol := 20 * float64(m) * 0x1p-52 * mat.Norm(sym, 2)
			testkit.Close(t, "λ", got, want.Values(nil)[0], tol)
			x := mat.NewVecDense(m, v)
			testkit.Close(t, "‖v‖", mat.Norm(x, 2), 1, tol)
			var residual mat.VecDense
			residual.MulVec(sym, x)
			residual.AddScaledVec(&residual, -got, x)
			if r := mat.Norm(&residual, 2); !(r <= tol) {
				t.Errorf("m = %d: ‖Av − λv‖ = %g, more than %g", m, r, tol)
			}
		}
	}
}

// TestSmallestGraded: after scaling to a unit diagonal, tiny eigenvalues are found
// to high relative accuracy: 1 − t and 1 + t for [[1, t], [t, 1]].
func TestSmallestGraded(t *testing.T) {
	for _, d := range []float64{0x1p-10, 0x1p-40, 0x1p-52} {
		v := make([]float64, 2)
		got := smallest([]float64{1, 1 - d, 1 - d, 1}, 2, v, make([]float64, 4))
		testkit.Close(t, "λ/d", got/d, 1, 1e-9/1)
		if math.Signbit(v[0]) == math.Signbit(v[1]) {
			t.Errorf("eigenvector %v, want (1, −1)/√2", v)
		}
	}
}
