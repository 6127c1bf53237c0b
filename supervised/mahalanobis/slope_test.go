package mahalanobis_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/supervised/mahalanobis"
)

// slopeOf is the fast gradient of a kernel, where it has one.
func slopeOf(k vec.Kernel) (mahalanobis.Slope, error) {
	if weight, sigmas, ok := vec.RadialSlope(k); ok {
		return mahalanobis.Radial(weight, sigmas), nil
	}
	slope, err := vec.SlopeOf(k)
	return mahalanobis.Pairwise(slope), err
}

// Gradients of radial kernels from their values are those of pairs, also where points coincide.
func TestRadialSlopesAreThoseOfPairs(t *testing.T) {
	rng := testkit.Rand(t, 62)
	xs, coef := cloud(rng, 7, 3), mat.NewDense(7, 5, nil)
	copy(xs.At(3), xs.At(2)) // the same, and very near
	xs.At(4)[0], xs.At(4)[1], xs.At(4)[2] = xs.At(2)[0]+1e-9, xs.At(2)[1], xs.At(2)[2]
	for i := range coef.RawMatrix().Data {
		coef.RawMatrix().Data[i] = rng.NormFloat64()
	}
	for _, text := range []string{"rbf(sigma=0.7)", "rbf(sigma=[0.5,1,2])", "laplace(sigma=0.7)", "laplace(sigma=[0.7,2,1])", "laplace(sigma=1e-4)"} {
		k := parse(t, text)
		weight, sigmas, ok := vec.RadialSlope(k)
		slope, err := vec.SlopeOf(k)
		if err != nil || !ok {
			t.Fatalf("%s: %v, %v", text, ok, err)
		}
		for i := range xs.Len() {
			x, values := xs.At(i), make([]float64, 7)
			for j := range values {
				values[j] = k.Eval(x, xs.At(j))
			}
			for _, outputs := range []int{2, 5} {
				got, want := filled(outputs), filled(outputs)
				of := mat.DenseCopyOf(coef.Slice(0, 7, 0, outputs))
				mahalanobis.Radial(weight, sigmas)(got, x, values, xs, of)
				mahalanobis.Pairwise(slope)(want, x, values, xs, of)
				for c := range outputs {
					testkit.CloseSlice(t, text, got[c], want[c], 1e-12)
				}
			}
		}
	}
	if _, _, ok := vec.RadialSlope(parse(t, "linear")); ok {
		t.Error("linear is radial")
	}
}

// filled are gradients with something in them, which is lost.
func filled(outputs int) [][]float64 {
	out := make([][]float64, outputs)
	for c := range out {
		out[c] = []float64{9, 9, 9}
	}
	return out
}
