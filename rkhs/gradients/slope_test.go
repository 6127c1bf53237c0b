package gradients_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/model"
	"example.org/mercer/rkhs/gradients"
)

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
			gradients.Radial(form).Of(f, xs)(got, 0)
			gradients.Pairwise(slope).Of(f, xs)(want, 0)
			testkit.CloseSlice(t, text, got.RawMatrix().Data, want.RawMatrix().Data, 1e-11)
		}
	}
	if _, ok := vec.RadialSlope(parse(t, "linear")); ok {
		t.Error("linear is radial")
	}
}

// Weighted sums over the points of a set are those of pairs, and of an expansion for each row.
func TestWeightedSlopesAreThoseOfPairs(t *testing.T) {
	rng := testkit.Rand(t, 63)
	xs, m := cloud(rng, 90, 3), kernel.NewTile(90, 90)
	copy(xs.At(3), xs.At(2))
	xs.At(4)[0], xs.At(4)[1], xs.At(4)[2] = xs.At(2)[0]+1e-9, xs.At(2)[1], xs.At(2)[2]
	for i := range m.Data {
		m.Data[i] = rng.NormFloat64()
	}
	for _, text := range []string{"rbf(sigma=0.7)", "laplace(sigma=[0.7,2,1])", "matern(nu=2.5, sigma=2)"} {
		k := parse(t, text)
		form, _ := vec.RadialSlope(k)
		slope, err := vec.SlopeOf(k)
		if err != nil {
			t.Fatal(err)
		}
		got, want := mat.NewDense(20, 3, nil), mat.NewDense(20, 3, nil)
		gradients.Radial(form).Weighted(k, xs, m)(got, 70)
		gradients.Pairwise(slope).Weighted(k, xs, m)(want, 70)
		testkit.CloseSlice(t, text, got.RawMatrix().Data, want.RawMatrix().Data, 1e-11)
		one := mat.NewDense(1, 3, nil)
		coef := mat.NewDense(90, 1, nil)
		for i := range 90 {
			coef.Set(i, 0, m.Row(75)[i])
		}
		gradients.Radial(form).Of(&model.Expansion[[]float64]{Kernel: k, Points: xs, Coef: coef}, xs)(one, 75)
		testkit.CloseSlice(t, text+", one row", got.RawRowView(5), one.RawMatrix().Data, 1e-11)
	}
}
