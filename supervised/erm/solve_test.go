package erm_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/loss"
	"example.org/mercer/model"
	"example.org/mercer/supervised/erm"
)

var smooth = []loss.Loss{loss.Squared{}, loss.Huber{Scale: 0.4}, loss.Logistic{}, loss.SquaredHinge{}, logCosh{}}

var piecewise = []loss.Piecewise{loss.Absolute{}, loss.Quantile{Tau: 0.1}, loss.Quantile{Tau: 0.75}, loss.Insensitive{Epsilon: 0.5}, loss.Insensitive{Epsilon: 5}, loss.Hinge{}}

// logCosh is a user's own loss.
type logCosh struct{}

func (logCosh) String() string { return "log-cosh" }
func (logCosh) Value(y, f float64) float64 {
	r := math.Abs(y - f)
	return r + math.Log1p(math.Exp(-2*r)) - math.Ln2
}
func (logCosh) Gradient(y, f float64) float64  { return math.Tanh(f - y) }
func (logCosh) Curvature(y, f float64) float64 { return 1 - math.Pow(math.Tanh(f-y), 2) }

// everyCase runs f with and without weights and intercept.
func everyCase(t *testing.T, f func(t *testing.T, weighted, intercept bool)) {
	for _, weighted := range []bool{false, true} {
		for _, intercept := range []bool{true, false} {
			t.Run(fmt.Sprintf("weighted=%v,intercept=%v", weighted, intercept), func(t *testing.T) { f(t, weighted, intercept) })
		}
	}
}

// Rα = −wℓ′ row by row and Σα = 0: the condition of a minimum of a smooth loss.
func TestSmoothSolutionIsStationary(t *testing.T) {
	everyCase(t, func(t *testing.T, weighted, intercept bool) {
		p := newProblem(testkit.Rand(t, 1), 70, weighted)
		k := matrix(parse(t, "rbf(sigma=1)"), p.xs)
		const lambda = 1e-2
		for _, l := range smooth {
			sol, report := solve(t, k, p, l, erm.Options{Lambda: lambda, NoIntercept: !intercept})
			want, sum := make([]float64, 70), 0.0
			for i, y := range p.targets(l) {
				want[i] = -p.weight(i) * l.Gradient(y, sol.Values.At(i, 0)) / (lambda * p.total())
				sum += sol.Coef.At(i, 0)
			}
			testkit.CloseSlice(t, l.String()+" α", mat.Col(nil, 0, sol.Coef), want, 1e-7)
			if intercept && math.Abs(sum) > 1e-8 {
				t.Errorf("%s: Σα = %g", l, sum)
			}
			value := objective(k, p, l, lambda, mat.Col(nil, 0, sol.Coef), sol.Bias[0])
			testkit.Close(t, l.String()+" objective", report.Objective, value, 1e-11)
			if !(report.Gap >= 0) || report.Gap > 1e-8*value {
				t.Errorf("%s: gap %g of %g", l, report.Gap, value)
			}
		}
	})
}

// The dual value of a loss of straight pieces at the returned coefficients, computed
// from its definition, is within 1e-9 of the primal one: a proof of both.
func TestPiecewiseGapByDefinition(t *testing.T) {
	everyCase(t, func(t *testing.T, weighted, intercept bool) {
		p := newProblem(testkit.Rand(t, 2), 90, weighted)
		k := matrix(parse(t, "rbf(sigma=1)"), p.xs)
		for _, lambda := range []float64{1, 1e-2, 1e-4} {
			for _, l := range piecewise {
				sol, report := solve(t, k, p, l, erm.Options{Lambda: lambda, NoIntercept: !intercept})
				alpha := mat.Col(nil, 0, sol.Coef)
				primal := objective(k, p, l, lambda, alpha, sol.Bias[0])
				dual, sum := 0.0, 0.0
				ka := new(mat.VecDense)
				ka.MulVec(k, mat.NewVecDense(90, alpha))
				for i, y := range p.targets(l) {
					at, up, down, width := l.Pieces(y)
					a := lambda * p.total() * alpha[i]
					w := p.weight(i)
					if a > w*up*(1+1e-9)+1e-12 || a < -w*down*(1+1e-9)-1e-12 {
						t.Errorf("%s: row %d has the coefficient %g outside of [%g, %g]", l, i, a, -w*down, w*up)
					}
					dual += (at*a - width*math.Abs(a)) / p.total()
					sum += a
				}
				dual -= lambda / 2 * mat.Dot(mat.NewVecDense(90, alpha), ka)
				if intercept && math.Abs(sum) > 1e-7 {
					t.Errorf("%s: Σa = %g", l, sum)
				}
				if gap := primal - dual; gap > 2e-9*primal || gap < -1e-9*primal {
					t.Errorf("%s at λ = %g: primal %g, dual %g", l, lambda, primal, dual)
				}
				testkit.Close(t, l.String()+" objective", report.Objective, primal, 1e-9)
				if report.Gap < 0 || report.Gap > 1.01e-9*primal {
					t.Errorf("%s: reported gap %g of %g", l, report.Gap, primal)
				}
			}
		}
	})
}

// Compass search, which sees only values of the definition: no step in any direction
// from the solution goes down, and from elsewhere it comes no lower.
func TestNothingIsLower(t *testing.T) {
	p := newProblem(testkit.Rand(t, 3), 8, true)
	k := matrix(parse(t, "rbf(sigma=1)"), p.xs)
	const lambda = 0.05
	for _, l := range append([]loss.Loss{loss.Absolute{}, loss.Quantile{Tau: 0.8}, loss.Insensitive{Epsilon: 0.5}, loss.Hinge{}}, smooth...) {
		sol, report := solve(t, k, p, l, erm.Options{Lambda: lambda})
		f := func(x []float64) float64 { return objective(k, p, l, lambda, x[:8], x[8]) }
		at := append(mat.Col(nil, 0, sol.Coef), sol.Bias[0])
		rng := testkit.Rand(t, 33)
		for range 2000 {
			x := append([]float64(nil), at...)
			size := math.Pow(10, -6*rng.Float64())
			for i := range x {
				x[i] += size * rng.NormFloat64()
			}
			if v := f(x); v < report.Objective*(1-1e-9) {
				t.Fatalf("%s: %.12g, but %.12g is near by", l, report.Objective, v)
			}
		}
		result, err := optimize.Minimize(optimize.Problem{Func: f}, make([]float64, 9), &optimize.Settings{MajorIterations: 3000}, &optimize.NelderMead{})
		if err != nil {
			t.Fatal(err)
		}
		if result.F < report.Objective*(1-1e-9) {
			t.Errorf("%s: %.12g, but %.12g was found", l, report.Objective, result.F)
		}
		if result.F > 2*report.Objective {
			t.Errorf("%s: the general optimiser is at %.12g, far above %.12g", l, result.F, report.Objective)
		}
	}
}

// Squared loss is ridge regression: (K + R/w)α + b = y.
func TestSquaredIsRidgeRegression(t *testing.T) {
	p := newProblem(testkit.Rand(t, 4), 30, false)
	k := matrix(parse(t, "rbf(sigma=1)"), p.xs)
	sol, _ := solve(t, k, p, loss.Squared{}, erm.Options{Ridge: 0.3})
	a, b := mat.NewDense(31, 31, nil), mat.NewVecDense(31, nil)
	for i := range 30 {
		for j := range 30 {
			a.Set(i, j, k.At(i, j))
		}
		a.Set(i, i, k.At(i, i)+0.3)
		a.Set(i, 30, 1)
		a.Set(30, i, 1)
		b.SetVec(i, p.y[i])
	}
	var x mat.VecDense
	if err := x.SolveVec(a, b); err != nil {
		t.Fatal(err)
	}
	testkit.CloseSlice(t, "α", mat.Col(nil, 0, sol.Coef), x.RawVector().Data[:30], 1e-10)
	testkit.Close(t, "b", sol.Bias[0], x.AtVec(30), 1e-10)
}

// A weight of 2 is the row twice, 0 is no row.
func TestWeightsCountRows(t *testing.T) {
	p := newProblem(testkit.Rand(t, 5), 40, false)
	p.weights = make([]float64, 40)
	q, rows := &problem{}, []int(nil)
	for i := range 40 {
		p.weights[i] = float64([]int{1, 2, 0}[i%3])
		for range int(p.weights[i]) {
			rows = append(rows, i)
			q.y, q.labels = append(q.y, p.y[i]), append(q.labels, p.labels[i])
		}
	}
	q.xs = p.xs.Gather(rows)
	kp, kq := matrix(parse(t, "rbf(sigma=1)"), p.xs), matrix(parse(t, "rbf(sigma=1)"), q.xs)
	all := append([]loss.Loss{loss.Huber{}}, smooth...)
	for _, l := range piecewise {
		all = append(all, l)
	}
	for _, l := range all {
		a, ra := solve(t, kp, p, l, erm.Options{Lambda: 1e-2})
		b, rb := solve(t, kq, q, l, erm.Options{Lambda: 1e-2})
		testkit.Close(t, l.String()+" objective", ra.Objective, rb.Objective, 1e-8)
		testkit.Close(t, l.String()+" scale", ra.Scale, rb.Scale, 1e-5)
		for at, i := range rows {
			testkit.Close(t, l.String()+" values", a.Values.At(i, 0), b.Values.At(at, 0), 2e-4)
		}
		for i, w := range p.weights {
			if w == 0 && a.Coef.At(i, 0) != 0 {
				t.Errorf("%s: row %d of weight zero has the coefficient %g", l, i, a.Coef.At(i, 0))
			}
		}
	}
}

func TestPrimalEqualsDual(t *testing.T) {
	everyCase(t, func(t *testing.T, weighted, intercept bool) {
		p := newProblem(testkit.Rand(t, 6), 300, weighted)
		k := parse(t, "poly(degree=2, offset=1)")
		all := append([]loss.Loss{loss.Huber{}}, smooth...)
		for _, l := range piecewise {
			all = append(all, l)
		}
		for _, l := range all {
			o := erm.Options{Lambda: 1e-2, NoIntercept: !intercept, Weights: p.weights}
			f, primal, err := erm.Fit(t.Context(), k, p.xs, p.targets(l), l, o)
			if err != nil {
				t.Fatalf("%s: %v", l, err)
			}
			if _, ok := f.(*model.Primal[[]float64]); !ok || primal.Features != 6 {
				t.Fatalf("%s: %T, %s", l, f, primal.Why)
			}
			o.Solver = erm.Cholesky
			g, dual, err := erm.Fit(t.Context(), k, p.xs, p.targets(l), l, o)
			if err != nil {
				t.Fatalf("%s: %v", l, err)
			}
			testkit.Close(t, l.String()+" objective", primal.Objective, dual.Objective, 1e-8)
			got, err := f.Predict(t.Context(), p.xs, compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			want, err := g.Predict(t.Context(), p.xs, compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			testkit.CloseSlice(t, l.String()+" values", got.RawMatrix().Data, want.RawMatrix().Data, 1e-4)
		}
	})
}

func TestSameBitsForAnyNumberOfWorkers(t *testing.T) {
	p := newProblem(testkit.Rand(t, 7), 400, true)
	for _, text := range []string{"rbf(sigma=1)", "linear()"} {
		for _, l := range []loss.Loss{loss.Absolute{}, loss.Huber{}, loss.Tukey{}, loss.SquaredHinge{}} {
			if testing.Short() && l == loss.Loss(loss.Tukey{}) {
				continue
			}
			var want *mat.Dense
			for _, workers := range []int{1, 2, 3, 8} {
				f, _, err := erm.Fit(t.Context(), parse(t, text), p.xs, p.targets(l), l, erm.Options{Lambda: 1e-2, Weights: p.weights, Compute: compute.Options{Workers: workers}})
				if err != nil {
					t.Fatal(err)
				}
				got, err := f.Predict(t.Context(), p.xs, compute.Options{Workers: workers})
				if err != nil {
					t.Fatal(err)
				}
				if want == nil {
					want = got
				} else if !mat.Equal(got, want) {
					t.Errorf("%s, %s: %d workers give other bits", text, l, workers)
				}
			}
		}
	}
}

// Offsets are targets moved the other way.
func TestOffsets(t *testing.T) {
	p := newProblem(testkit.Rand(t, 8), 40, false)
	k := matrix(parse(t, "rbf(sigma=1)"), p.xs)
	offsets, moved := make([]float64, 40), *p
	moved.y = make([]float64, 40)
	for i := range offsets {
		offsets[i] = math.Cos(float64(i))
		moved.y[i] = p.y[i] - offsets[i]
	}
	for _, l := range []loss.Loss{loss.Absolute{}, loss.Insensitive{Epsilon: 0.3}, loss.Huber{}, loss.Tukey{}, logCosh{}} {
		a, _ := solve(t, k, p, l, erm.Options{Lambda: 1e-2, Offsets: offsets})
		b, _ := solve(t, k, &moved, l, erm.Options{Lambda: 1e-2})
		testkit.CloseSlice(t, l.String(), mat.Col(nil, 0, a.Coef), mat.Col(nil, 0, b.Coef), 1e-5)
	}
}

func TestBadInput(t *testing.T) {
	k := gram.FromMatrix(mat.NewSymDense(3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}))
	good := []float64{1, 2, 4}
	for _, c := range []struct {
		y    []float64
		l    loss.Loss
		o    erm.Options
		want string
	}{
		{good, loss.Squared{}, erm.Options{}, "give a λ > 0"},
		{good, loss.Squared{}, erm.Options{Lambda: -1}, "lambda = -1"},
		{good, loss.Squared{}, erm.Options{Lambda: 1, Ridge: 1}, "two ways"},
		{good, loss.Squared{}, erm.Options{Lambda: 1, Solver: "sgd"}, `solver "sgd"`},
		{good, loss.Squared{}, erm.Options{Lambda: 1, Solver: erm.Primal}, "feature map"},
		{good, nil, erm.Options{Lambda: 1}, "no loss"},
		{good[:2], loss.Squared{}, erm.Options{Lambda: 1}, "2 targets for 3 rows"},
		{[]float64{1, math.Inf(1), 2}, loss.Squared{}, erm.Options{Lambda: 1}, "y[1] = +Inf"},
		{good, loss.Squared{}, erm.Options{Lambda: 1, Weights: []float64{0, 0, 0}}, "all weights are zero"},
		{good, loss.Squared{}, erm.Options{Lambda: 1, Weights: []float64{1, math.NaN(), 0}}, "weight 1 = NaN"},
		{good, loss.Squared{}, erm.Options{Lambda: 1, Offsets: []float64{1}}, "1 offsets for 3 rows"},
		{good, loss.Quantile{Tau: 1}, erm.Options{Lambda: 1}, "tau = 1"},
		{good, loss.Insensitive{Epsilon: -1}, erm.Options{Lambda: 1}, "epsilon = -1"},
		{good, loss.Huber{K: math.NaN()}, erm.Options{Lambda: 1}, "finite numbers"},
		{good, loss.Hinge{}, erm.Options{Lambda: 1}, "labels −1 and 1"},
		{[]float64{2, 2, 2}, loss.Huber{}, erm.Options{Lambda: 1}, "all targets are equal"},
	} {
		if _, _, err := onRows(t.Context(), k, c.y, c.l, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v %v %+v: %v, want %q", c.y, c.l, c.o, err, c.want)
		}
	}
	indefinite := gram.FromMatrix(mat.NewSymDense(3, []float64{1, 9, 0, 9, 1, 0, 0, 0, 1}))
	for _, l := range []loss.Loss{loss.Squared{}, loss.Absolute{}} {
		if _, _, err := onRows(t.Context(), indefinite, good, l, erm.Options{Lambda: 1e-3}); err == nil || !strings.Contains(err.Error(), "not positive definite") {
			t.Errorf("%s of an indefinite kernel: %v", l, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, l := range []loss.Loss{loss.Squared{}, loss.Absolute{}, loss.Tukey{}} {
		if _, _, err := onRows(ctx, k, good, l, erm.Options{Lambda: 1}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s cancelled: %v", l, err)
		}
	}
}

// Targets without variation are the constant, with losses that need no scale.
func TestConstantTargets(t *testing.T) {
	p := newProblem(testkit.Rand(t, 9), 20, false)
	for i := range p.y {
		p.y[i] = 3
	}
	k := matrix(parse(t, "rbf(sigma=1)"), p.xs)
	for _, l := range []loss.Loss{loss.Absolute{}, loss.Quantile{Tau: 0.9}, loss.Squared{}, loss.Huber{Scale: 1}, loss.Insensitive{Epsilon: 0.1}} {
		sol, report, err := onRows(t.Context(), gram.FromMatrix(k), p.y, l, erm.Options{Lambda: 0.1})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(sol.Values.At(4, 0)-3) > 0.1+1e-6 || !report.Converged {
			t.Errorf("%s: value %g, %+v", l, sol.Values.At(4, 0), report)
		}
	}
}
