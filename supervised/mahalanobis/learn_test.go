package mahalanobis_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/model"
	"example.org/mercer/rkhs/gradients"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/mahalanobis"
)

// ridge learns from the first rows of xs and scores by the RMSE of the others.
func ridge(k vec.Kernel, y *mat.Dense, learned int) func(ctx context.Context, xs data.Vectors) (mahalanobis.Fitted, error) {
	return func(ctx context.Context, xs data.Vectors) (mahalanobis.Fitted, error) {
		n, p := y.Dims()
		train, test := span(0, learned), span(learned, n)
		f, _, err := krr.Fit(ctx, k, xs.Gather(train), mat.DenseCopyOf(y.Slice(0, learned, 0, p)), krr.Options{Lambda: 1e-5})
		if err != nil {
			return mahalanobis.Fitted{}, err
		}
		e := f.(*model.Expansion[[]float64])
		slope, err := slopeOf(k)
		if err != nil {
			return mahalanobis.Fitted{}, err
		}
		values, err := e.Predict(ctx, xs.Gather(test), compute.Options{})
		if err != nil {
			return mahalanobis.Fitted{}, err
		}
		values.Sub(values, y.Slice(learned, n, 0, p))
		return mahalanobis.Fitted{F: e, Slope: slope, Score: mat.Norm(values, 2) / math.Sqrt(float64(n-learned))}, nil
	}
}

func span(from, to int) []int {
	out := make([]int, to-from)
	for i := range out {
		out[i] = from + i
	}
	return out
}

// oneDirection returns points of ten coordinates, and sin(2aᵀx) with a unit vector a.
func oneDirection(t *testing.T, n int) (xs data.Vectors, y *mat.Dense, a []float64) {
	rng := testkit.Rand(t, 10)
	xs, y, a = cloud(rng, n, 10), mat.NewDense(n, 1, nil), make([]float64, 10)
	a[1], a[4], a[7] = 0.6, -0.64, 0.48
	for i := range n {
		s := 0.0
		for j, v := range xs.At(i) {
			s += a[j] * v
		}
		y.Set(i, 0, math.Sin(2*s))
	}
	return xs, y, a
}

// The gradient of g(aᵀx) is g′(aᵀx)·a: M = E g′²·aaᵀ. The rounds find the direction, and error
// falls by more than ten; the diagonal finds the three columns.
func TestLearnFindsTheDirectionOfAFunction(t *testing.T) {
	xs, y, a := oneDirection(t, 500)
	weights := make([]float64, 500)
	for i := range 300 {
		weights[i] = 1
	}
	m, r, err := mahalanobis.Learn(t.Context(), xs, ridge(parse(t, "rbf(sigma=3)"), y, 300), mahalanobis.Options{Shape: mahalanobis.Full, Rounds: 6, Weights: weights})
	if err != nil {
		t.Fatal(err)
	}
	if along := mat.Inner(mat.NewVecDense(10, a), m.M(), mat.NewVecDense(10, a)) / mat.Trace(m.M()); along < 0.99 {
		t.Errorf("aᵀMa is %.4f of the trace of M", along)
	}
	if first, best := r.Rounds[0].Score, r.Rounds[r.Best].Score; !(best < first/10) {
		t.Errorf("rmse %.4f with the coordinates as they are, %.4f with the metric", first, best)
	}
	m, r, err = mahalanobis.Learn(t.Context(), xs, ridge(parse(t, "rbf(sigma=3)"), y, 300), mahalanobis.Options{Weights: weights})
	if err != nil {
		t.Fatal(err)
	}
	if rel := m.Relevance(); rel[1]+rel[4]+rel[7] < 0.95 || r.Best == 0 {
		t.Errorf("relevance %.3f in round %d", rel, r.Best)
	}
}

// A rotation of the rows changes neither distances nor scores of a full metric.
func TestFullMetricDoesNotDependOnARotation(t *testing.T) {
	xs, y, _ := oneDirection(t, 200)
	var qr mat.QR
	qr.Factorize(mat.NewDense(10, 10, cloud(testkit.Rand(t, 11), 10, 10).Raw()))
	var q, turned mat.Dense
	qr.QTo(&q)
	turned.Mul(mat.NewDense(200, 10, xs.Raw()), &q)
	zs, err := data.NewVectors(200, 10, turned.RawMatrix().Data)
	if err != nil {
		t.Fatal(err)
	}
	o := mahalanobis.Options{Shape: mahalanobis.Full, Rounds: 2}
	a, ra, err := mahalanobis.Learn(t.Context(), xs, ridge(parse(t, "rbf(sigma=3)"), y, 150), o)
	if err != nil {
		t.Fatal(err)
	}
	b, rb, err := mahalanobis.Learn(t.Context(), zs, ridge(parse(t, "rbf(sigma=3)"), y, 150), o)
	if err != nil {
		t.Fatal(err)
	}
	// Rounding in the solutions, whose condition is 1/λ = 10⁵, and in the root, √10⁻¹⁶.
	for i := range ra.Rounds {
		testkit.Close(t, "score", rb.Rounds[i].Score, ra.Rounds[i].Score, 1e-7)
	}
	ia, ib := a.Images(xs), b.Images(zs)
	for i := range 20 {
		testkit.Close(t, "distance", distance(ib.At(i), ib.At(i+20)), distance(ia.At(i), ia.At(i+20)), 1e-6)
	}
}

// Columns in other units: the same function of them gives the same distances, up to the one
// constant that belongs to the width of the kernel.
func TestMetricsDoNotDependOnUnits(t *testing.T) {
	rng := testkit.Rand(t, 12)
	xs, scales := cloud(rng, 60, 4), []float64{0.01, 1, 7, 200}
	f, slope := function(t, rng, vec.RBF{Sigma: 2}, xs, 1)
	scaled, inverse := data.MakeVectors(60, 4), make([]float64, 4)
	for j, s := range scales {
		inverse[j] = 1 / s
		for i := range 60 {
			scaled.At(i)[j] = s * xs.At(i)[j]
		}
	}
	k, err := vec.NewMahalanobis(f.Kernel, inverse, nil)
	if err != nil {
		t.Fatal(err)
	}
	steep, err := slopeOf(k)
	if err != nil {
		t.Fatal(err)
	}
	same := &model.Expansion[[]float64]{Kernel: k, Points: scaled, Coef: f.Coef}
	for _, shape := range mahalanobis.Shapes {
		a := learnedFrom(t, f, slope, xs, shape)
		b := learnedFrom(t, same, steep, scaled, shape)
		ia, ib := a.Images(xs), b.Images(scaled)
		ratio := distance(ib.At(0), ib.At(1)) / distance(ia.At(0), ia.At(1))
		for i := range 50 {
			testkit.Close(t, string(shape), distance(ib.At(i), ib.At(i+5)), ratio*distance(ia.At(i), ia.At(i+5)), 1e-9*ratio*distance(ia.At(i), ia.At(i+5)))
		}
	}
}

// learnedFrom returns the metric of the first round after a function.
func learnedFrom(t *testing.T, f *model.Expansion[[]float64], slope gradients.Slope, xs data.Vectors, shape mahalanobis.Shape) *mahalanobis.Metric {
	t.Helper()
	score := 1.0
	m, _, err := mahalanobis.Learn(t.Context(), xs, func(context.Context, data.Vectors) (mahalanobis.Fitted, error) {
		score--
		return mahalanobis.Fitted{F: f, Slope: slope, Score: score}, nil
	}, mahalanobis.Options{Shape: shape, Rounds: 1})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func distance(x, y []float64) float64 {
	sum := 0.0
	for j, v := range x {
		sum += (v - y[j]) * (v - y[j])
	}
	return math.Sqrt(sum)
}

// A column that is constant has no gradient, and a new value in it changes nothing.
func TestConstantColumnsHaveNoRelevance(t *testing.T) {
	xs, y, _ := oneDirection(t, 200)
	for i := range 200 {
		xs.At(i)[2] = 5
	}
	for _, shape := range mahalanobis.Shapes {
		m, _, err := mahalanobis.Learn(t.Context(), xs, ridge(parse(t, "rbf(sigma=3)"), y, 150), mahalanobis.Options{Shape: shape})
		if err != nil {
			t.Fatal(err)
		}
		if m.Relevance()[2] > 1e-15 {
			t.Errorf("%s: relevance %v", shape, m.Relevance())
		}
	}
}

// The variance of the images is that of the rows.
func TestMetricKeepsTheVariance(t *testing.T) {
	xs, y, _ := oneDirection(t, 200)
	for _, shape := range mahalanobis.Shapes {
		m, _, err := mahalanobis.Learn(t.Context(), xs, ridge(parse(t, "rbf(sigma=3)"), y, 150), mahalanobis.Options{Shape: shape})
		if err != nil {
			t.Fatal(err)
		}
		testkit.Close(t, "variance", variance(m.Images(xs)), variance(xs), 1e-12*variance(xs))
	}
}

func variance(xs data.Vectors) float64 {
	sum := 0.0
	for j := range xs.Dim() {
		mean := 0.0
		for i := range xs.Len() {
			mean += xs.At(i)[j] / float64(xs.Len())
		}
		for i := range xs.Len() {
			sum += (xs.At(i)[j] - mean) * (xs.At(i)[j] - mean) / float64(xs.Len())
		}
	}
	return sum
}

func TestLearnKeepsTheCoordinatesWhereNoMetricIsBetter(t *testing.T) {
	rng := testkit.Rand(t, 13)
	xs := cloud(rng, 30, 2)
	f, slope := function(t, rng, vec.RBF{}, xs, 1)
	score := 0.0
	m, r, err := mahalanobis.Learn(t.Context(), xs, func(context.Context, data.Vectors) (mahalanobis.Fitted, error) {
		score++
		return mahalanobis.Fitted{F: f, Slope: slope, Score: score}, nil
	}, mahalanobis.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s := m.Scales(); s[0] != 1 || s[1] != 1 || r.Best != 0 || len(r.Warnings) != 1 || len(r.Rounds) != 3 {
		t.Errorf("scales %v, report %+v", s, r)
	}
}

func TestLearnRefuses(t *testing.T) {
	rng := testkit.Rand(t, 14)
	xs := cloud(rng, 10, 2)
	f, slope := function(t, rng, vec.RBF{}, xs, 1)
	fit := func(context.Context, data.Vectors) (mahalanobis.Fitted, error) {
		return mahalanobis.Fitted{F: f, Slope: slope}, nil
	}
	broken := cloud(rng, 10, 2)
	broken.At(3)[1] = math.NaN()
	flat := &model.Expansion[[]float64]{Kernel: f.Kernel, Points: f.Points, Coef: mat.NewDense(10, 1, nil)}
	none := errors.New("no fit")
	for name, c := range map[string]struct {
		xs   data.Vectors
		fit  func(context.Context, data.Vectors) (mahalanobis.Fitted, error)
		o    mahalanobis.Options
		want string
	}{
		"shape":    {xs, fit, mahalanobis.Options{Shape: "round"}, `"round" is not known`},
		"rounds":   {xs, fit, mahalanobis.Options{Rounds: -1}, "may be negative"},
		"weights":  {xs, fit, mahalanobis.Options{Weights: []float64{1}}, "weights"},
		"NaN":      {broken, fit, mahalanobis.Options{}, "row 3: coordinate 1"},
		"constant": {data.MakeVectors(4, 2), fit, mahalanobis.Options{}, "no distance to learn"},
		"flat": {xs, func(context.Context, data.Vectors) (mahalanobis.Fitted, error) {
			return mahalanobis.Fitted{F: flat, Slope: slope}, nil
		}, mahalanobis.Options{}, "constant on the rows"},
		"fit": {xs, func(context.Context, data.Vectors) (mahalanobis.Fitted, error) { return mahalanobis.Fitted{}, none }, mahalanobis.Options{}, "no fit"},
	} {
		if _, _, err := mahalanobis.Learn(t.Context(), c.xs, c.fit, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The metric of power s after one round is the power of the outer product of the first function,
// up to the one constant of the scale. The diagonal has powers of single numbers, the full matrix
// squares: M of power ½ times itself is M of power 1.
func TestPowersOfTheOuterProduct(t *testing.T) {
	rng := testkit.Rand(t, 21)
	xs := cloud(rng, 80, 3)
	f, slope := function(t, rng, parse(t, "rbf(sigma=1.5)[0,1] + 0.1*linear"), xs, 1)
	learn := func(shape mahalanobis.Shape, power float64) *mat.SymDense {
		score := 1.0
		m, _, err := mahalanobis.Learn(t.Context(), xs, func(context.Context, data.Vectors) (mahalanobis.Fitted, error) {
			score--
			return mahalanobis.Fitted{F: f, Slope: slope, Score: score}, nil
		}, mahalanobis.Options{Shape: shape, Rounds: 1, Power: power})
		if err != nil {
			t.Fatal(err)
		}
		out := m.M()
		out.ScaleSym(1/mat.Trace(out), out)
		return out
	}
	g := outer(t, f, slope, xs, nil, 1)
	for _, shape := range mahalanobis.Shapes {
		half := learn(shape, 0.5)
		var squared mat.Dense
		squared.Mul(half, half)
		squared.Scale(1/mat.Trace(&squared), &squared)
		for i := range 3 {
			for j := range 3 {
				want := g.At(i, j) / mat.Trace(g)
				if shape == mahalanobis.Diagonal && i != j {
					want = 0
				}
				testkit.Close(t, string(shape), squared.At(i, j), want, 1e-9)
				testkit.Close(t, string(shape), learn(shape, 1).At(i, j), want, 1e-9)
			}
		}
	}
}
