package dkl

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/deep"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/rkhs/gradients"
	"example.org/mercer/supervised/krr"
)

// wave is sin(3(x₀ − x₁)) + noise of points of three coordinates.
func wave(t testing.TB, n int, noise float64) (data.Vectors, *mat.Dense) {
	rng := testkit.Rand(t, 71)
	xs, y := data.MakeVectors(n, 3), mat.NewDense(n, 1, nil)
	for i := range n {
		x := xs.At(i)
		for j := range x {
			x[j] = rng.NormFloat64()
		}
		y.Set(i, 0, math.Sin(3*(x[0]-x[1]))+noise*rng.NormFloat64())
	}
	return xs, y
}

func parsed(t testing.TB, text string) (deep.Kernel, gradients.Slope) {
	t.Helper()
	k, err := vec.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	of := k.(deep.Kernel)
	if form, ok := vec.RadialSlope(of.Of); ok {
		return of, gradients.Radial(form)
	}
	slope, err := vec.SlopeOf(of.Of)
	if err != nil {
		t.Fatal(err)
	}
	return of, gradients.Pairwise(slope)
}

// Central differences with a step of 1e-5 are right to 1e-10 times a third derivative, and to the
// rounding of the system over the step: 1e-6 of the largest derivative covers both.
func TestGradientIsThatOfDifferences(t *testing.T) {
	const h = 1e-5
	xs, y := wave(t, 30, 0.1)
	for _, by := range krr.Criteria {
		for _, text := range []string{"deep(of=rbf(sigma=1.5), widths=[4, 2])", "deep(of=matern(nu=2.5,sigma=2) + 0.3*linear, widths=[3, 2], activation=tanh)"} {
			k, slope := parsed(t, text)
			s := newSearch(t.Context(), k, slope, xs, y, Options{By: by, Lambda: 0.02})
			theta := append(slices.Clone(s.start.Weights), math.Log(0.02))
			e, err := s.evaluate(theta)
			if err != nil {
				t.Fatal(err)
			}
			size := 0.0
			for _, g := range e.grad {
				size = math.Max(size, math.Abs(g))
			}
			for i := range theta {
				value := func(at float64) float64 {
					moved := slices.Clone(theta)
					moved[i] = at
					e, err := s.evaluate(moved)
					if err != nil {
						t.Fatal(err)
					}
					return e.value
				}
				testkit.Close(t, text+" by "+string(by), e.grad[i], (value(theta[i]+h)-value(theta[i]-h))/(2*h), 1e-6*size)
			}
		}
	}
}

// What judges is the error of a fit on the other rows, and the criterion is that fit's.
func TestJudgedRowsAreNotLearnedFrom(t *testing.T) {
	xs, y := wave(t, 40, 0.1)
	k, slope := parsed(t, "deep(of=rbf(sigma=1.5), widths=[4, 2])")
	s := newSearch(t.Context(), k, slope, xs, y, Options{By: krr.LOO, Lambda: 0.02})
	e, err := s.evaluate(append(slices.Clone(s.start.Weights), math.Log(0.02)))
	if err != nil {
		t.Fatal(err)
	}
	var learned []int
	for i := range 40 {
		if i%10 != 9 {
			learned = append(learned, i)
		}
	}
	started, err := k.WithNetwork(s.start)
	if err != nil {
		t.Fatal(err)
	}
	targets := mat.NewDense(len(learned), 1, nil)
	for to, from := range learned {
		targets.Set(to, 0, y.At(from, 0))
	}
	f, r, err := krr.Fit(t.Context(), started, xs.Gather(learned), targets, krr.Options{Lambda: 0.02, LOO: true})
	if err != nil {
		t.Fatal(err)
	}
	values, err := f.Predict(t.Context(), xs.Gather([]int{9, 19, 29, 39}), compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := 0.0
	for at, i := range []int{9, 19, 29, 39} {
		want += math.Pow(values.At(at, 0)-y.At(i, 0), 2) / 4
	}
	testkit.Close(t, "judged", e.judged, want, 1e-9*want)
	testkit.Close(t, "criterion", e.criterion, r.Point.LOO.MSE(), 1e-9*e.criterion)
}

// A wave along one direction of three: 400 rows are few for a Gaussian kernel on all of them, and
// the network finds the direction.
func TestLearnFindsTheDirection(t *testing.T) {
	xs, y := wave(t, 400, 0.05)
	for _, by := range []krr.Criterion{krr.Evidence, krr.LOO} {
		k, slope := parsed(t, "deep(of=rbf(sigma=1.5), widths=[8, 2])")
		learned, r, err := Learn(t.Context(), k, slope, xs, y, Options{By: by, Lambda: 1e-3})
		if err != nil {
			t.Fatal(err)
		}
		if r.Errors[r.Best] > r.Errors[0]/10 || !learned.Trained() {
			t.Errorf("%s: error %v at the start, %v at step %d", by, r.Errors[0], r.Errors[r.Best], r.Best)
		}
		for i := 1; i < len(r.Criteria); i++ {
			if r.Criteria[i] > r.Criteria[i-1] {
				t.Errorf("%s: the criterion rises at step %d", by, i)
			}
		}
	}
}

// Forty rows of noise, and as many weights: the criterion falls, and the error of others does not.
func TestOverfittingIsTold(t *testing.T) {
	rng := testkit.Rand(t, 72)
	xs, y := wave(t, 60, 0)
	for i := range 60 {
		y.Set(i, 0, rng.NormFloat64())
	}
	k, slope := parsed(t, "deep(of=rbf(sigma=1), widths=[20, 5])")
	_, r, err := Learn(t.Context(), k, slope, xs, y, Options{Lambda: 1e-3})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "kept aside rose") {
		t.Errorf("errors %v, warnings %q", r.Errors, r.Warnings)
	}
}

func TestLearnHasTheSameBitsForAnyWorkers(t *testing.T) {
	xs, y := wave(t, 90, 0.1)
	var want []float64
	for _, workers := range []int{1, 2, 3, 8} {
		k, slope := parsed(t, "deep(of=rbf(sigma=1.5), widths=[4, 2])")
		learned, r, err := Learn(t.Context(), k, slope, xs, y, Options{Lambda: 0.01, Steps: 4, Compute: compute.Options{Workers: workers}})
		if err != nil {
			t.Fatal(err)
		}
		if got := append(slices.Clone(learned.Network.Weights), r.Lambda); want == nil {
			want = got
		} else if !reflect.DeepEqual(got, want) {
			t.Errorf("other bits with %d workers", workers)
		}
	}
}

func TestLearnRefuses(t *testing.T) {
	k, slope := parsed(t, "deep(of=rbf(sigma=1), widths=[2])")
	for want, o := range map[string]Options{
		"is not known": {By: "luck", Lambda: 1}, "lambda = 0": {}, "steps = -1": {Lambda: 1, Steps: -1},
	} {
		xs, y := wave(t, 40, 0)
		if _, _, err := Learn(t.Context(), k, slope, xs, y, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	few, y := wave(t, 19, 0)
	if _, _, err := Learn(t.Context(), k, slope, few, y, Options{Lambda: 1}); err == nil || !strings.Contains(err.Error(), "19 rows are too few") {
		t.Errorf("few rows: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	xs, y := wave(t, 40, 0)
	if _, _, err := Learn(ctx, k, slope, xs, y, Options{Lambda: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
