package sparsegp_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/kerneltest"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/sparsegp"
)

func slope(t testing.TB, k kernel.Kernel[[]float64], xs data.Set[[]float64], at data.Vectors, y *mat.Dense, o sparsegp.Options) (value float64, theta []float64, noise float64) {
	t.Helper()
	smooth, ok := kernel.Gradient(k)
	if !ok {
		t.Fatalf("%s has no gradient", k)
	}
	value, theta, noise, err := sparsegp.Slope(t.Context(), k, smooth, xs, at, y, o)
	if err != nil {
		t.Fatal(err)
	}
	return value, theta, noise
}

// TestGradientByDifferences: central differences with a step of 1e-4 are off by 1e-8 of a third
// derivative of about the value, and by its rounding, 1e-13 of 100, over the step.
func TestGradientByDifferences(t *testing.T) {
	const step = 1e-4
	rng := testkit.Rand(t, 21)
	xs, y := wave(rng, 45, 2)
	_, z := wave(rng, 45, 2)
	both := new(mat.Dense)
	both.Augment(y, z)
	at, _ := wave(rng, 7, 2)
	copy(at.At(0), xs.At(9))
	o := sparsegp.Options{Noise: 0.2, RowNoise: positive(rng, 45), Weights: positive(rng, 45), Jitter: 1e-3}
	o.Weights[4] = 0
	for _, text := range []string{"1.5*rbf(sigma=[1,0.7])", "rq(sigma=1, alpha=1.3) + 0.5*linear()", "matern(nu=1.5, lengthscale=0.8)*rbf(sigma=3) + white(value=0.2)"} {
		k := parse(t, text)
		for _, o.Approximation = range sparsegp.Approximations {
			for _, o.Mean = range means {
				_, theta, noise := slope(t, k, xs, at, both, o)
				want := kerneltest.Slopes(t, k.(kernel.Tunable[[]float64]), step, func(k kernel.Kernel[[]float64]) float64 {
					value, _, _ := slope(t, k, xs, at, both, o)
					return value
				})
				name := text + " " + string(o.Approximation) + " " + string(o.Mean)
				testkit.CloseSlice(t, name, theta, want, 1e-6)
				more, less := o, o
				more.Noise, less.Noise = o.Noise*math.Exp(step), o.Noise*math.Exp(-step)
				high, _, _ := slope(t, k, xs, at, both, more)
				low, _, _ := slope(t, k, xs, at, both, less)
				testkit.Close(t, name+": noise", noise, (high-low)/(2*step), 1e-6)
			}
		}
	}
}

// TestGradientOfAllRows: with every row a landmark the derivatives are those of the exact
// evidence, of which package gp has the formula.
func TestGradientOfAllRows(t *testing.T) {
	rng := testkit.Rand(t, 22)
	xs, y := wave(rng, 40, 2)
	k := parse(t, "1.5*matern(nu=1.5, lengthscale=[1,2])")
	n := xs.Len()
	g := mat.NewSymDense(n, between(k, xs, xs).RawMatrix().Data)
	s, err := gp.Gradient(t.Context(), g, mat.Col(nil, 0, y), gp.Options{Noise: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	smooth, _ := kernel.Gradient(k)
	raw := s.DK.RawSymmetric()
	want, err := kernel.Contract(t.Context(), smooth, xs, kernel.Tile{Rows: n, Cols: n, Stride: raw.Stride, Data: raw.Data}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, approximation := range sparsegp.Approximations {
		value, theta, noise := slope(t, k, xs, xs, y, sparsegp.Options{Approximation: approximation, Noise: 0.1})
		// The jitter: n·1e-10/σ² and a few times that.
		testkit.Close(t, string(approximation), value, s.LogEvidence, 1e-6)
		testkit.CloseSlice(t, string(approximation)+" gradient", theta, want, 1e-6)
		testkit.Close(t, string(approximation)+" noise", noise, s.DLogNoise, 1e-6)
	}
}

// TestTune: the maximum of the bound has a zero gradient, is below that of the exact evidence,
// and near it with enough landmarks.
func TestTune(t *testing.T) {
	rng := testkit.Rand(t, 23)
	xs, y := wave(rng, 120, 1)
	k := parse(t, "2*rbf(sigma=2)")
	_, _, exact, err := gp.Tune(t.Context(), k, xs, mat.Col(nil, 0, y), gp.TuneOptions{Options: gp.Options{Noise: 0.3}})
	if err != nil {
		t.Fatal(err)
	}
	for _, approximation := range sparsegp.Approximations {
		o := sparsegp.Options{Approximation: approximation, Noise: 0.3}
		tuned, noise, r, err := sparsegp.Tune(t.Context(), k, xs, xs.Gather(span(25)), y, o, gp.TuneOptions{Evaluations: 300})
		if err != nil {
			t.Fatal(err)
		}
		if !r.Converged || r.Gradient > 1e-3 || !(r.LogEvidence > r.Start) {
			t.Errorf("%s: %+v", approximation, r)
		}
		if approximation == sparsegp.Variational && (r.LogEvidence > exact.LogEvidence+1e-6 || r.LogEvidence < exact.LogEvidence-0.5) {
			t.Errorf("the largest bound is %v, the largest evidence %v", r.LogEvidence, exact.LogEvidence)
		}
		o.Noise = noise
		_, fitted := fit(t, tuned, xs, xs.Gather(span(25)), y, o)
		testkit.Close(t, "objective of the fit", fitted.LogEvidence[0], r.LogEvidence, 1e-12)
	}
}

func TestTuneRefuses(t *testing.T) {
	xs, y := wave(testkit.Rand(t, 24), 10, 1)
	same := mat.NewDense(10, 1, slices.Repeat([]float64{2}, 10))
	for _, tc := range []struct {
		want string
		y    *mat.Dense
		o    sparsegp.Options
		by   gp.TuneOptions
	}{
		{"all targets are 2", same, sparsegp.Options{Noise: 1}, gp.TuneOptions{}},
		{`no parameter "gamma"`, y, sparsegp.Options{Noise: 1}, gp.TuneOptions{Fixed: []string{"gamma"}}},
		{"noise = -1", y, sparsegp.Options{Noise: -1}, gp.TuneOptions{}},
	} {
		_, _, _, err := sparsegp.Tune(t.Context(), parse(t, "rbf(sigma=1)"), xs, xs, tc.y, tc.o, tc.by)
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("error %v, want one with %q", err, tc.want)
		}
	}
}

func TestCancel(t *testing.T) {
	xs, y := wave(testkit.Rand(t, 25), 50, 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := sparsegp.Fit(ctx, parse(t, "rbf(sigma=1)"), xs, xs, y, sparsegp.Options{Noise: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("fit: %v", err)
	}
	if _, _, _, err := sparsegp.Tune(ctx, parse(t, "rbf(sigma=1)"), xs, xs, y, sparsegp.Options{Noise: 1}, gp.TuneOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("tune: %v", err)
	}
}
