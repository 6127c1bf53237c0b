package newton_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram/design"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/linalg"
	"example.org/mercer/loss"
	"example.org/mercer/space"
	"example.org/mercer/supervised/newton"
)

const (
	rows  = 300 // more than one block of features
	ridge = 0.7
)

// spaces returns the dual and the primal space of the linear kernel on random rows, their features
// with the constant 1 in front, and weights with a zero among them.
func spaces(t *testing.T, intercept bool) (dual, primal space.Space, phi *mat.Dense, v []float64) {
	t.Helper()
	rng := testkit.Rand(t, 1)
	xs, phi := data.MakeVectors(rows, 3), mat.NewDense(rows, 4, nil)
	v = make([]float64, rows)
	for i := range rows {
		phi.Set(i, 0, 1)
		for j := range 3 {
			xs.At(i)[j] = 2 + rng.NormFloat64()
			phi.Set(i, 1+j, xs.At(i)[j])
		}
		v[i] = rng.ExpFloat64()
	}
	v[7] = 0
	k := mat.NewSymDense(rows, nil)
	k.SymOuterK(1, phi.Slice(0, rows, 1, 4))
	parsed, err := vec.Parse("linear()")
	if err != nil {
		t.Fatal(err)
	}
	features, _ := design.Of(parsed, xs)
	primal, err = space.NewPrimal(t.Context(), features, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if intercept {
		if err := primal.Centre(t.Context(), nil, compute.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	return space.NewDual(k, linalg.Options{}), primal, phi, v
}

// quartic is (y − f)⁴/4 + (y − f)²/2: Newton's method needs several steps.
type quartic struct{}

func (quartic) Value(y, f float64) float64     { return math.Pow(y-f, 4)/4 + math.Pow(y-f, 2)/2 }
func (quartic) Gradient(y, f float64) float64  { return math.Pow(f-y, 3) + f - y }
func (quartic) Curvature(y, f float64) float64 { return 3*math.Pow(y-f, 2) + 1 }

// wild is not a number away from zero.
type wild struct{ quartic }

func (wild) Value(y, f float64) float64 { return math.NaN() }

func TestMinimizeIsQuadraticAndCertified(t *testing.T) {
	for _, intercept := range []bool{true, false} {
		dual, primal, phi, v := spaces(t, intercept)
		y := make([]float64, rows)
		for i := range y {
			y[i] = math.Sin(3*phi.At(i, 1)) + 5
		}
		r := &newton.Rows{Loss: quartic{}, Y: y, Weights: v}
		a, ta, err := newton.Minimize(t.Context(), dual, ridge, r.Model(), space.Zero(dual, 1, intercept), newton.Options{})
		if err != nil {
			t.Fatal(err)
		}
		b, tb, err := newton.Minimize(t.Context(), primal, ridge, r.Model(), space.Zero(primal, 1, intercept), newton.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !ta.Converged || !tb.Converged || ta.Iterations > 15 || math.Abs(ta.Value-tb.Value) > 1e-9*ta.Value {
			t.Errorf("dual %+v, primal %+v", ta, tb)
		}
		// Wherever it stops, the value is within the gap of the minimum.
		for steps := 1; steps < ta.Iterations; steps++ {
			early, trace, err := newton.Minimize(t.Context(), primal, ridge, r.Model(), space.Zero(primal, 1, intercept), newton.Options{Iterations: steps})
			if err != nil {
				t.Fatal(err)
			}
			if !intercept && trace.Value-tb.Value > trace.Gap+1e-9 {
				t.Errorf("after %d steps %g above the minimum, but the gap is %g", steps, trace.Value-tb.Value, trace.Gap)
			}
			if trace.Value != tb.Values[steps] || trace.Decrement != tb.Decrements[steps-1] {
				t.Errorf("step %d ends at %v with decrement %v, and the whole path has %v and %v", steps, trace.Value, trace.Decrement, tb.Values[steps], tb.Decrements[steps-1])
			}
			if early == nil || trace.Converged {
				t.Errorf("after %d of %d steps: %+v", steps, ta.Iterations, trace)
			}
		}
		got, want := mat.NewDense(rows, 1, nil), mat.NewDense(rows, 1, nil)
		a.Predictor(got)
		b.Predictor(want)
		testkit.CloseSlice(t, "values", got.RawMatrix().Data, want.RawMatrix().Data, 1e-8)
	}
}

func TestMinimizeFails(t *testing.T) {
	dual, _, _, v := spaces(t, true)
	y := make([]float64, rows)
	r := &newton.Rows{Loss: wild{}, Y: y, Weights: v}
	if _, _, err := newton.Minimize(t.Context(), dual, ridge, r.Model(), space.Zero(dual, 1, true), newton.Options{}); err == nil || !strings.Contains(err.Error(), "NaN at the start") {
		t.Errorf("a loss that is not a number: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r.Loss = quartic{}
	y[0] = 1
	if _, _, err := newton.Minimize(ctx, dual, ridge, r.Model(), space.Zero(dual, 1, true), newton.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// The best constant of squared residuals around a point is their mean.
func TestConstant(t *testing.T) {
	y := []float64{1, 2, 6}
	s := space.Constant(3)
	r := &newton.Rows{Loss: square{}, Y: y, Weights: []float64{1, 1, 2}}
	f, trace, err := newton.Minimize(t.Context(), s, 1, r.Model(), space.Zero(s, 1, true), newton.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(f.Bias[0]-3.75) > 1e-12 || !trace.Converged {
		t.Errorf("constant %v, %+v", f.Bias, trace)
	}
}

type square struct{}

func (square) Value(y, f float64) float64     { return (y - f) * (y - f) / 2 }
func (square) Gradient(y, f float64) float64  { return f - y }
func (square) Curvature(_, _ float64) float64 { return 1 }

// TestObjectiveOfManyRows: the objective of many rows is that of one, times their number, to a few
// roundings. A plain sum of a million losses is off by 10⁻¹² of it, more than the last steps gain:
// line searches then halve steps without end.
func TestObjectiveOfManyRows(t *testing.T) {
	const n, few = 1_000_000, 8 * 0x1p-53
	y, labels := make([]float64, n), make([]int, n)
	for i := range y {
		y[i], labels[i] = 1, i%2
	}
	one, two := mat.NewDense(n, 1, nil), mat.NewDense(n, 2, nil)
	for i := range n {
		one.Set(i, 0, 0.1)
		two.Set(i, labels[i], 0.1)
	}
	logistic := &newton.Rows{Loss: loss.Logistic{}, Y: y}
	softmax := &newton.Multinomial{Y: labels, Classes: 2}
	want := float64(n) * loss.Logistic{}.Value(1, 0.1)
	for _, workers := range []int{0, 1, 2, 7} {
		logistic.Workers, softmax.Workers = workers, workers
		for name, got := range map[string]float64{"logistic": logistic.Value(one), "softmax": softmax.Value(two)} {
			if math.Abs(got-want) > few*want {
				t.Errorf("%s: %v, want %v: off by %.1e of it", name, got, want, math.Abs(got-want)/want)
			}
		}
	}
}
