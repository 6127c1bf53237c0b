package mahalanobis_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/model"
	"example.org/mercer/rkhs/gradients"
	"example.org/mercer/supervised/mahalanobis"
)

// cloud returns n standard normal points of d coordinates.
func cloud(rng *rand.Rand, n, d int) data.Vectors {
	xs := data.MakeVectors(n, d)
	for i := range xs.Raw() {
		xs.Raw()[i] = rng.NormFloat64()
	}
	return xs
}

func parse(t testing.TB, text string) vec.Kernel {
	t.Helper()
	k, err := vec.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// slopeOf is the fast gradient of a kernel, where it has one.
func slopeOf(k vec.Kernel) (gradients.Slope, error) {
	if form, ok := vec.RadialSlope(k); ok {
		return gradients.Radial(form), nil
	}
	slope, err := vec.SlopeOf(k)
	return gradients.Pairwise(slope), err
}

// function is an expansion with random coefficients.
func function(t testing.TB, rng *rand.Rand, k vec.Kernel, points data.Vectors, outputs int) (*model.Expansion[[]float64], gradients.Slope) {
	t.Helper()
	coef := mat.NewDense(points.Len(), outputs, nil)
	for i := range coef.RawMatrix().Data {
		coef.RawMatrix().Data[i] = rng.NormFloat64()
	}
	slope, err := slopeOf(k)
	if err != nil {
		t.Fatal(err)
	}
	return &model.Expansion[[]float64]{Kernel: k, Points: points, Coef: coef}, slope
}

func outer(t testing.TB, f *model.Expansion[[]float64], slope gradients.Slope, xs data.Set[[]float64], weights []float64, workers int) *mat.SymDense {
	t.Helper()
	m, err := mahalanobis.Outer(t.Context(), f, slope, xs, weights, workers)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// gradient returns the central differences of output c of f at x.
func gradient(f *model.Expansion[[]float64], c int, x []float64) []float64 {
	const h = 1e-5
	value := func(x []float64) float64 {
		sum := 0.0
		for j := range f.Points.Len() {
			sum += f.Coef.At(j, c) * f.Kernel.Eval(x, f.Points.At(j))
		}
		return sum
	}
	g := make([]float64, len(x))
	for j := range x {
		up, down := slices.Clone(x), slices.Clone(x)
		up[j] += h
		down[j] -= h
		g[j] = (value(up) - value(down)) / (2 * h)
	}
	return g
}

// The outer product of two outputs with weights is that of central differences.
func TestOuterIsThatOfDifferences(t *testing.T) {
	rng := testkit.Rand(t, 1)
	xs, weights := cloud(rng, 40, 3), make([]float64, 40)
	f, slope := function(t, rng, parse(t, "rbf(sigma=1.5) + 0.1*linear"), cloud(rng, 8, 3), 2)
	want, total := mat.NewSymDense(3, nil), 0.0
	for i := range weights {
		weights[i] = float64(rng.IntN(3))
		total += weights[i]
		for c := range 2 {
			want.SymRankOne(want, weights[i], mat.NewVecDense(3, gradient(f, c, xs.At(i))))
		}
	}
	want.ScaleSym(1/total, want)
	got := outer(t, f, slope, xs, weights, 2)
	for i := range 3 {
		for j := range 3 {
			testkit.Close(t, "M", got.At(i, j), want.At(i, j), 1e-8*mat.Trace(want))
		}
	}
}

// A linear function has one gradient w everywhere: M = wwᵀ.
func TestOuterOfALinearFunction(t *testing.T) {
	rng := testkit.Rand(t, 2)
	points := cloud(rng, 5, 4)
	f, slope := function(t, rng, vec.Linear{}, points, 1)
	w := make([]float64, 4)
	for i := range points.Len() {
		for j, v := range points.At(i) {
			w[j] += f.Coef.At(i, 0) * v
		}
	}
	got := outer(t, f, slope, cloud(rng, 30, 4), nil, 1)
	for i := range w {
		for j := range w {
			testkit.Close(t, "wwᵀ", got.At(i, j), w[i]*w[j], 1e-13*mat.Trace(got))
		}
	}
}

func TestOuterWeighsARowAsTheRowTwice(t *testing.T) {
	rng := testkit.Rand(t, 3)
	xs := cloud(rng, 20, 3)
	f, slope := function(t, rng, vec.RBF{}, cloud(rng, 6, 3), 1)
	weights, index := make([]float64, 20), []int(nil)
	for i := range weights {
		weights[i] = float64(i % 3)
		for range i % 3 {
			index = append(index, i)
		}
	}
	a, b := outer(t, f, slope, xs, weights, 1), outer(t, f, slope, xs.Gather(index), nil, 1)
	for i := range 3 {
		for j := range 3 {
			testkit.Close(t, "M", a.At(i, j), b.At(i, j), 1e-13*mat.Trace(b))
		}
	}
}

func TestOuterHasTheSameBitsForAnyWorkers(t *testing.T) {
	rng := testkit.Rand(t, 4)
	xs := cloud(rng, 501, 5)
	f, slope := function(t, rng, parse(t, "matern(nu=1.5, sigma=2)"), cloud(rng, 20, 5), 3)
	want := outer(t, f, slope, xs, nil, 1)
	for _, workers := range []int{2, 3, 8} {
		if got := outer(t, f, slope, xs, nil, workers); !slices.Equal(got.RawSymmetric().Data, want.RawSymmetric().Data) {
			t.Errorf("%d workers: other bits", workers)
		}
	}
}

func TestOuterEndsWithItsContext(t *testing.T) {
	rng := testkit.Rand(t, 5)
	f, slope := function(t, rng, vec.RBF{}, cloud(rng, 6, 3), 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := mahalanobis.Outer(ctx, f, slope, cloud(rng, 9, 3), nil, 2); err != context.Canceled {
		t.Errorf("error %v", err)
	}
	if _, err := mahalanobis.Outer(t.Context(), f, slope, cloud(rng, 2, 3), []float64{0, 0}, 1); err == nil {
		t.Error("weights of 0 are accepted")
	}
}

// A point without a kernel corner next to it: the slope of |x − c| at c is taken as 0.
func TestOuterAtAPointOfTheExpansion(t *testing.T) {
	rng := testkit.Rand(t, 6)
	points := cloud(rng, 3, 2)
	f, slope := function(t, rng, parse(t, "laplace(sigma=1)"), points, 1)
	if m := outer(t, f, slope, points, nil, 1); math.IsNaN(mat.Sum(m)) {
		t.Error("the outer product at the points is NaN")
	}
}

// The gradients of two outputs are central differences, and with their mean taken off they have the
// centred outer product, for any number of workers.
func TestGradientsAreThoseOfDifferences(t *testing.T) {
	rng := testkit.Rand(t, 7)
	xs, weights := cloud(rng, 50, 3), make([]float64, 50)
	f, slope := function(t, rng, parse(t, "laplacepq(sigma=2,p=1.7,q=0.8) + 0.3*rbf(sigma=1)"), cloud(rng, 9, 3), 2)
	got, err := gradients.All(t.Context(), f, slope, xs, 3)
	if err != nil {
		t.Fatal(err)
	}
	total, means, want := 0.0, [2][]float64{make([]float64, 3), make([]float64, 3)}, mat.NewSymDense(3, nil)
	for i := range weights {
		weights[i] = float64(rng.IntN(3))
		total += weights[i]
		for c := range 2 {
			testkit.CloseSlice(t, "gradient", got[c].RawRowView(i), gradient(f, c, xs.At(i)), 1e-7)
			for j, v := range got[c].RawRowView(i) {
				means[c][j] += weights[i] * v
			}
		}
	}
	for i, w := range weights {
		for c := range 2 {
			centred := mat.NewVecDense(3, nil)
			for j := range 3 {
				centred.SetVec(j, got[c].At(i, j)-means[c][j]/total)
			}
			want.SymRankOne(want, w/total, centred)
		}
	}
	for _, workers := range []int{1, 2, 8} {
		m, err := mahalanobis.CentredOuter(t.Context(), f, slope, xs, weights, workers)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			testkit.CloseSlice(t, "centred M", []float64{m.At(i, 0), m.At(i, 1), m.At(i, 2)}, []float64{want.At(i, 0), want.At(i, 1), want.At(i, 2)}, 1e-12*mat.Trace(want))
		}
	}
}
