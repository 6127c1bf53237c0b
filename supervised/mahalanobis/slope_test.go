package mahalanobis_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/model"
	"example.org/mercer/supervised/mahalanobis"
)

// slopeOf is the fast gradient of a kernel, where it has one.
func slopeOf(k vec.Kernel) (mahalanobis.Slope, error) {
	if form, ok := vec.RadialSlope(k); ok {
		return mahalanobis.Radial(form).Slope, nil
	}
	slope, err := vec.SlopeOf(k)
	return mahalanobis.Pairwise(slope), err
}

// Gradients of radial kernels by products of matrices are those of pairs, also where points
// coincide, and where the outputs are divided among products.
func TestRadialSlopesAreThoseOfPairs(t *testing.T) {
	rng := testkit.Rand(t, 62)
	xs, many := cloud(rng, 40, 3), cloud(rng, 600, 3)
	copy(xs.At(3), xs.At(2)) // the same, and very near
	xs.At(4)[0], xs.At(4)[1], xs.At(4)[2] = xs.At(2)[0]+1e-9, xs.At(2)[1], xs.At(2)[2]
	for i := range xs.Len() { // far from the origin
		xs.At(i)[1] += 50
	}
	for _, c := range []struct {
		points  data.Vectors
		outputs int
	}{{xs, 1}, {xs, 5}, {many, 400}} { // products of 218 outputs
		for _, text := range []string{"rbf(sigma=0.7)", "rbf(sigma=[0.5,1,2])", "laplace(sigma=0.7)", "laplace(sigma=[0.7,2,1])", "laplace(sigma=1e-4)", "matern(nu=2.5, sigma=[1,2,3])", "rq(alpha=0.7, sigma=2)"} {
			k := parse(t, text)
			form, ok := vec.RadialSlope(k)
			slope, err := vec.SlopeOf(k)
			if err != nil || !ok {
				t.Fatalf("%s: %v, %v", text, ok, err)
			}
			f := &model.Expansion[[]float64]{Kernel: k, Points: c.points, Coef: mat.NewDense(c.points.Len(), c.outputs, nil)}
			for i := range f.Coef.RawMatrix().Data {
				f.Coef.RawMatrix().Data[i] = rng.NormFloat64()
			}
			got, want := mat.NewDense(xs.Len(), 3*c.outputs, nil), mat.NewDense(xs.Len(), 3*c.outputs, nil)
			got.Set(0, 0, 9) // is lost
			mahalanobis.Radial(form).Slope(f, xs)(got, 0)
			mahalanobis.Pairwise(slope)(f, xs)(want, 0)
			testkit.CloseSlice(t, text, got.RawMatrix().Data, want.RawMatrix().Data, 1e-11)
		}
	}
	if _, ok := vec.RadialSlope(parse(t, "linear")); ok {
		t.Error("linear is radial")
	}
}
