package compress_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/seq"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/model"
	"example.org/mercer/rkhs/compress"
)

// expansion is a function with two outputs of very different size.
func expansion(t *testing.T, n int) *model.Expansion[[]float64] {
	rng, xs := testkit.Rand(t, 1), data.MakeVectors(n, 2)
	coef := mat.NewDense(n, 2, nil)
	for i := range n {
		x := xs.At(i)
		x[0], x[1] = rng.NormFloat64(), rng.NormFloat64()
		coef.SetRow(i, []float64{rng.NormFloat64(), 1e-6 * math.Sin(x[0])})
	}
	return &model.Expansion[[]float64]{Kernel: vec.RBF{Sigma: 0.7}, Points: xs, Coef: coef, Bias: []float64{3, -1}}
}

func matrix[T any](e *model.Expansion[T]) *mat.Dense {
	n := e.Points.Len()
	k := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			k.Set(i, j, e.Kernel.Eval(e.Points.At(i), e.Points.At(j)))
		}
	}
	return k
}

// fall is what Σ ‖f − g‖²/‖f‖² is for the projection on some points, from the definition.
func fall(t *testing.T, k *mat.Dense, coef *mat.Dense, kept []int) float64 {
	t.Helper()
	n, p := coef.Dims()
	m := len(kept)
	var values mat.Dense
	values.Mul(k, coef)
	sub, at := mat.NewDense(m, m, nil), mat.NewDense(m, p, nil)
	for a, i := range kept {
		at.SetRow(a, values.RawRowView(i))
		for b, j := range kept {
			sub.Set(a, b, k.At(i, j))
		}
	}
	var beta mat.Dense
	if err := beta.Solve(sub, at); err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for j := range p {
		norm2, lost := 0.0, 0.0
		for i := range n {
			norm2 += coef.At(i, j) * values.At(i, j)
		}
		lost = norm2
		for a := range m {
			lost -= beta.At(a, j) * at.At(a, j)
		}
		sum += lost / norm2
	}
	return sum
}

// Every point is the one among all with which the projection is nearest, tried one by one.
func TestEveryPointIsTheBest(t *testing.T) {
	e := expansion(t, 25)
	k := matrix(e)
	kept, _, _, err := compress.Solve(t.Context(), gram.Of(kernel.Bind(e.Kernel, e.Points, e.Points), compute.Options{}), e.Coef, compress.Options{Points: 8})
	if err != nil || len(kept) != 8 {
		t.Fatal(kept, err)
	}
	for m := range kept {
		best := fall(t, k, e.Coef, kept[:m+1])
		for i := range 25 {
			if slices.Contains(kept[:m+1], i) {
				continue
			}
			if other := fall(t, k, e.Coef, append(slices.Clone(kept[:m]), i)); other < best-1e-9 {
				t.Errorf("point %d: %d leaves %v, and %d would leave %v", m, kept[m], best, i, other)
			}
		}
	}
}

// The certificate is what the definition says, and the bound holds at other points.
func TestCertificate(t *testing.T) {
	e := expansion(t, 60)
	g, r, err := compress.Compress(t.Context(), e, compress.Options{Points: 12})
	if err != nil {
		t.Fatal(err)
	}
	if r.N != 60 || r.Points != 12 || g.Points.Len() != 12 || !slices.Equal(g.Bias, e.Bias) {
		t.Fatalf("%+v, %d points, bias %v", r, g.Points.Len(), g.Bias)
	}
	// f − g as an expansion over both.
	both := data.MakeVectors(72, 2)
	coef := mat.NewDense(72, 2, nil)
	for i := range 60 {
		copy(both.At(i), e.Points.At(i))
		coef.SetRow(i, e.Coef.RawRowView(i))
	}
	for i := range 12 {
		copy(both.At(60+i), g.Points.At(i))
		coef.SetRow(60+i, []float64{-g.Coef.At(i, 0), -g.Coef.At(i, 1)})
	}
	var values, before mat.Dense
	values.Mul(matrix(&model.Expansion[[]float64]{Kernel: e.Kernel, Points: both, Coef: coef}), coef)
	before.Mul(matrix(e), e.Coef)
	rng := testkit.Rand(t, 2)
	others := data.MakeVectors(200, 2)
	for i := range others.Raw() {
		others.Raw()[i] = 2 * rng.NormFloat64()
	}
	f, err := e.Predict(t.Context(), others, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	small, err := g.Predict(t.Context(), others, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for j := range 2 {
		lost, norm := math.Sqrt(mat.Dot(coef.ColView(j), values.ColView(j))), math.Sqrt(mat.Dot(e.Coef.ColView(j), before.ColView(j)))
		testkit.Close(t, "distance", r.Distance[j], lost/norm, 1e-7)
		testkit.Close(t, "bound", r.Bound[j], lost, 1e-7*norm)
		change := 0.0
		for i := range 60 {
			change = math.Max(change, math.Abs(values.At(i, j)))
		}
		testkit.Close(t, "change", r.Difference[j], change, 1e-9*norm)
		for i := range 200 {
			if d := math.Abs(f.At(i, j) - small.At(i, j)); d > r.Bound[j]*(1+1e-9) {
				t.Errorf("output %d: the function moves by %v at row %d, beyond the bound %v", j, d, i, r.Bound[j])
			}
		}
	}
}

// A tolerance is met by the distance that is computed at the end, with no more points than
// a smaller one takes; repeated points are merged without loss.
func TestTolerance(t *testing.T) {
	e := expansion(t, 150)
	last := 0
	for _, tolerance := range []float64{0.3, 1e-2, 1e-5} {
		g, r, err := compress.Compress(t.Context(), e, compress.Options{Tolerance: tolerance})
		if err != nil {
			t.Fatal(err)
		}
		if worst := slices.Max(r.Distance); worst > tolerance*(1+1e-6) || worst < tolerance*1e-3 || len(r.Warnings) > 0 {
			t.Errorf("tolerance %g: distance %v, warnings %q", tolerance, r.Distance, r.Warnings)
		}
		if g.Points.Len() < last || g.Points.Len() == 150 {
			t.Errorf("tolerance %g: %d points, after %d", tolerance, g.Points.Len(), last)
		}
		last = g.Points.Len()
	}
	twice := &model.Expansion[string]{Kernel: seq.Spectrum{K: 2}, Points: data.Slice[string]{"ACGT", "TTGA", "ACGT", "GGCA", "TTGA"}, Coef: mat.NewDense(5, 1, []float64{1, 2, 3, -1, 0})}
	g, r, err := compress.Compress(t.Context(), twice, compress.Options{Tolerance: 1e-6})
	if err != nil || g.Points.Len() != 3 || r.N != 5 || !(r.Distance[0] < 1e-7) {
		t.Fatal(g, r, err)
	}
	for i := range 3 {
		want := map[string]float64{"ACGT": 4, "TTGA": 2, "GGCA": -1}[g.Points.At(i)]
		testkit.Close(t, g.Points.At(i), g.Coef.At(i, 0), want, 1e-12)
	}
}

func TestSameBitsForAnyWorkers(t *testing.T) {
	e := expansion(t, 700)
	var want *model.Expansion[[]float64]
	for _, workers := range []int{1, 2, 3, 8} {
		g, _, err := compress.Compress(t.Context(), e, compress.Options{Points: 70, Compute: compute.Options{Workers: workers}})
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = g
		}
		if !mat.Equal(g.Coef, want.Coef) {
			t.Errorf("%d workers give other bits", workers)
		}
	}
}

func TestRefusals(t *testing.T) {
	e := expansion(t, 20)
	for what, c := range map[string]struct {
		o    compress.Options
		want string
	}{
		"nothing":   {compress.Options{}, "neither a number of points nor a tolerance"},
		"negative":  {compress.Options{Points: -1, Tolerance: 2}, "points = -1"},
		"tolerance": {compress.Options{Points: -1, Tolerance: 2}, "tolerance = 2"},
		"memory":    {compress.Options{Points: 10, Compute: compute.Options{MaxMemory: 1000}}, "1000 B"},
	} {
		if _, _, err := compress.Compress(t.Context(), e, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v does not say %q", what, err, c.want)
		}
	}
	constant := &model.Expansion[[]float64]{Kernel: e.Kernel, Points: e.Points, Coef: mat.NewDense(20, 1, nil)}
	if _, _, err := compress.Compress(t.Context(), constant, compress.Options{Points: 3}); err == nil || !strings.Contains(err.Error(), "squared norm 0") {
		t.Errorf("a constant: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := compress.Compress(ctx, e, compress.Options{Points: 3}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
