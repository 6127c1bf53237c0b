package klr_test

import (
	"context"
	"encoding/json"
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
	"example.org/mercer/supervised/klr"
)

// everyCase runs f for two and four classes, with and without weights and intercept.
func everyCase(t *testing.T, f func(t *testing.T, m int, weighted, intercept bool)) {
	for _, m := range []int{2, 4} {
		for _, weighted := range []bool{false, true} {
			for _, intercept := range []bool{true, false} {
				t.Run(fmt.Sprintf("classes=%d,weighted=%v,intercept=%v", m, weighted, intercept), func(t *testing.T) { f(t, m, weighted, intercept) })
			}
		}
	}
}

// residual is the gradient of the losses by its definition, wᵢ(P(c|xᵢ) − [yᵢ = c]).
func residual(p *problem, values *mat.Dense) *mat.Dense {
	probabilities := klr.Probabilities(values)
	g := mat.DenseCopyOf(values)
	_, outs := values.Dims()
	for i, y := range p.y {
		for c := range outs {
			class := c
			if outs == 1 {
				class = 1
			}
			hit := 0.0
			if y == class {
				hit = 1
			}
			g.Set(i, c, p.weight(i)*(probabilities.At(i, class)-hit))
		}
	}
	return g
}

// The representer form of a zero gradient: Rα = −∇ℓ row by row, Σα = 0.
func TestSolutionIsStationary(t *testing.T) {
	everyCase(t, func(t *testing.T, m int, weighted, intercept bool) {
		p := newProblem(testkit.Rand(t, 1), 70, 3, m, weighted)
		k := matrix(parse(t, "rbf(sigma=1.2)"), p.xs)
		const lambda = 1e-2
		sol, report := solve(t, k, p, klr.Options{Lambda: lambda, NoIntercept: !intercept})
		values := new(mat.Dense)
		values.Mul(k, sol.Coef)
		values.Apply(func(_, c int, v float64) float64 { return v + sol.Bias[c] }, values)
		testkit.CloseSlice(t, "values", sol.Values.RawMatrix().Data, values.RawMatrix().Data, 1e-10)
		g := residual(p, values)
		g.Scale(-1/(lambda*p.total()), g)
		testkit.CloseSlice(t, "α", sol.Coef.RawMatrix().Data, g.RawMatrix().Data, 1e-8)
		_, outs := values.Dims()
		for c := range outs {
			if sum := mat.Sum(sol.Coef.ColView(c)); intercept && math.Abs(sum) > 1e-9 {
				t.Errorf("Σα of function %d is %g", c, sum)
			}
			var kc mat.VecDense
			kc.MulVec(k, sol.Coef.ColView(c))
			testkit.Close(t, "‖f‖²", report.Norm2[c], mat.Dot(sol.Coef.ColView(c), &kc), 1e-9)
		}
		if m > 2 {
			sums := new(mat.Dense)
			sums.Mul(sol.Coef, mat.NewDense(m, 1, []float64{1, 1, 1, 1}))
			if s := mat.Norm(sums, math.Inf(1)); s > 1e-8 {
				t.Errorf("the functions add up to coefficients of %g, not 0", s)
			}
			if s := mat.Sum(mat.NewVecDense(m, sol.Bias)); math.Abs(s) > 1e-9 {
				t.Errorf("the constants add up to %g", s)
			}
		}
		if r := report.Newton; !(r.Gap >= 0) || r.Gap > 1e-8*r.Value {
			t.Errorf("gap %g of %g", r.Gap, r.Value)
		}
	})
}

// A general optimiser, which knows only the value and the gradient of the definition.
func TestAgreesWithGeneralOptimiser(t *testing.T) {
	everyCase(t, func(t *testing.T, m int, weighted, intercept bool) {
		p := newProblem(testkit.Rand(t, 2), 14, 2, m, weighted)
		k := matrix(parse(t, "rbf(sigma=1)"), p.xs)
		const lambda = 0.05
		sol, report := solve(t, k, p, klr.Options{Lambda: lambda, NoIntercept: !intercept})
		n, outs := sol.Coef.Dims()
		unpack := func(x []float64) (alpha, values *mat.Dense) {
			alpha, values = mat.NewDense(n, outs, x[:n*outs]), new(mat.Dense)
			values.Mul(k, alpha)
			if intercept {
				values.Apply(func(_, c int, v float64) float64 { return v + x[n*outs+c] }, values)
			}
			return alpha, values
		}
		objective := func(x []float64) float64 {
			alpha, values := unpack(x)
			probabilities, sum := klr.Probabilities(values), 0.0
			for i, y := range p.y {
				sum -= p.weight(i) * math.Log(probabilities.At(i, y)) / p.total()
			}
			ka := new(mat.Dense)
			ka.Mul(k, alpha)
			for i := range n {
				for c := range outs {
					sum += lambda / 2 * alpha.At(i, c) * ka.At(i, c)
				}
			}
			return sum
		}
		gradient := func(grad, x []float64) {
			alpha, values := unpack(x)
			g := residual(p, values)
			g.Scale(1/p.total(), g)
			for c := range outs {
				if intercept {
					grad[n*outs+c] = mat.Sum(g.ColView(c))
				}
			}
			alpha.Apply(func(i, c int, a float64) float64 { return lambda*a + g.At(i, c) }, mat.DenseCopyOf(alpha))
			mat.NewDense(n, outs, grad[:n*outs]).Mul(k, alpha)
		}
		size := n * outs
		if intercept {
			size += outs
		}
		result, err := optimize.Minimize(optimize.Problem{Func: objective, Grad: func(grad, x []float64) { gradient(grad, append([]float64(nil), x...)) }},
			make([]float64, size), &optimize.Settings{GradientThreshold: 1e-9, MajorIterations: 5000}, &optimize.BFGS{})
		if err != nil {
			t.Log(err) // the line search ends at rounding
		}
		testkit.Close(t, "objective", report.Objective, result.F, 1e-10)
		_, values := unpack(result.X)
		testkit.CloseSlice(t, "probabilities", klr.Probabilities(sol.Values).RawMatrix().Data, klr.Probabilities(values).RawMatrix().Data, 1e-5)
	})
}

func TestWeightsCountRows(t *testing.T) {
	for _, m := range []int{2, 4} {
		p := newProblem(testkit.Rand(t, 3), 40, 2, m, false)
		p.weights = make([]float64, 40)
		var rows []int
		for i := range 40 {
			w := []int{1, 2, 0}[i%3]
			if i < m {
				w = 1
			}
			p.weights[i] = float64(w)
			for range w {
				rows = append(rows, i)
			}
		}
		q := p.rows(rows)
		q.weights = nil
		kernel := parse(t, "rbf(sigma=1.2)")
		o := klr.Options{Lambda: 1e-2}
		a, ra := solve(t, matrix(kernel, p.xs), p, o)
		b, rb := solve(t, matrix(kernel, q.xs), q, o)
		testkit.CloseSlice(t, "b", a.Bias, b.Bias, 1e-8)
		testkit.Close(t, "deviance", ra.Deviance, rb.Deviance, 1e-9)
		testkit.Close(t, "null deviance", ra.NullDeviance, rb.NullDeviance, 1e-9)
		testkit.Close(t, "accuracy", ra.Accuracy, rb.Accuracy, 1e-12)
		for at, i := range rows {
			testkit.CloseSlice(t, "values", a.Values.RawRowView(i), b.Values.RawRowView(at), 1e-7)
		}
		for i, w := range p.weights {
			if w == 0 && mat.Norm(a.Coef.RowView(i), 1) != 0 {
				t.Errorf("row %d of weight zero has the coefficients %v", i, a.Coef.RawRowView(i))
			}
		}
	}
}

// A constant offset is taken back by the intercept; one that is the fit itself leaves
// less to fit, and with the very wᵢ and R no other answer.
func TestOffsets(t *testing.T) {
	for _, m := range []int{2, 4} {
		p := newProblem(testkit.Rand(t, 4), 40, 2, m, false)
		k := matrix(parse(t, "rbf(sigma=1)"), p.xs)
		plain, report := solve(t, k, p, klr.Options{Lambda: 1e-2})
		outs := len(plain.Bias)
		offsets := mat.NewDense(40, outs, nil)
		offsets.Apply(func(_, c int, _ float64) float64 { return 0.7 * float64(1+c) }, offsets)
		moved, shifted := solve(t, k, p, klr.Options{Lambda: 1e-2, Offsets: offsets})
		testkit.CloseSlice(t, "α", moved.Coef.RawMatrix().Data, plain.Coef.RawMatrix().Data, 1e-7)
		testkit.Close(t, "deviance", shifted.Deviance, report.Deviance, 1e-9)
		testkit.Close(t, "null deviance", shifted.NullDeviance, report.NullDeviance, 1e-9)
		if outs == 1 {
			testkit.Close(t, "b", moved.Bias[0], plain.Bias[0]-0.7, 1e-8)
		}
		// An offset of one row moves the fit of that row's neighbours the other way.
		offsets.Zero()
		offsets.Set(5, 0, 3)
		other, _ := solve(t, k, p, klr.Options{Lambda: 1e-2, Offsets: offsets})
		g := residual(p, other.Values)
		g.Scale(-1/(1e-2*40), g)
		testkit.CloseSlice(t, "α with an offset", other.Coef.RawMatrix().Data, g.RawMatrix().Data, 1e-8)
	}
}

func TestNullDeviance(t *testing.T) {
	p := newProblem(testkit.Rand(t, 5), 50, 2, 3, true)
	k := matrix(parse(t, "rbf(sigma=1)"), p.xs)
	_, report := solve(t, k, p, klr.Options{Lambda: 1e-2})
	share := make([]float64, 3)
	for i, c := range p.y {
		share[c] += p.weight(i) / p.total()
	}
	want := 0.0
	for _, s := range share {
		want -= 2 * p.total() * s * math.Log(s)
	}
	testkit.Close(t, "null deviance", report.NullDeviance, want, 1e-10)
	_, report = solve(t, k, p, klr.Options{Lambda: 1e-2, NoIntercept: true})
	testkit.Close(t, "without a constant", report.NullDeviance, 2*p.total()*math.Log(3), 1e-12)
}

// Separable classes, tiny λ, values of thousands: Newton's method must arrive all the
// same, and from λ to λ/10 the deviance falls and the norm rises.
func TestSeparableClasses(t *testing.T) {
	p := newProblem(testkit.Rand(t, 6), 60, 2, 2, false)
	for i := range p.y {
		p.xs.At(i)[0] += 8 * float64(2*p.y[i]-1)
	}
	deviance, norm := math.Inf(1), 0.0
	for _, lambda := range []float64{1, 1e-2, 1e-4, 1e-6, 1e-8, 1e-10} {
		f, report, err := klr.Fit(t.Context(), parse(t, "linear()"), p.xs, p.y, klr.Options{Lambda: lambda})
		if err != nil {
			t.Fatal(err)
		}
		if !report.Newton.Converged || report.Accuracy != 1 || !(report.Deviance < deviance) || !(report.Norm2[0] > norm) {
			t.Errorf("λ = %g: %+v, accuracy %g, deviance %g, ‖f‖² %g", lambda, report.Newton, report.Accuracy, report.Deviance, report.Norm2[0])
		}
		deviance, norm = report.Deviance, report.Norm2[0]
		values, err := f.Predict(t.Context(), p.xs, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range klr.Classes(values) {
			if c != p.y[i] {
				t.Errorf("λ = %g: row %d is of class %d", lambda, i, c)
			}
		}
	}
}

// Primal and dual are the same function.
func TestPrimalEqualsDual(t *testing.T) {
	everyCase(t, func(t *testing.T, m int, weighted, intercept bool) {
		p := newProblem(testkit.Rand(t, 7), 300, 3, m, weighted) // more than a block of rows
		k := parse(t, "poly(degree=2, offset=1)")
		o := klr.Options{Lambda: 1e-2, NoIntercept: !intercept, Weights: p.weights, LOO: m == 2}
		f, primal, err := klr.Fit(t.Context(), k, p.xs, p.y, o)
		if err != nil {
			t.Fatal(err)
		}
		if primal.Solver != klr.Primal || !strings.Contains(primal.Why, "10 dimensions") {
			t.Fatalf("solver %s: %s", primal.Solver, primal.Why)
		}
		o.Solver = klr.Cholesky
		g, dual, err := klr.Fit(t.Context(), k, p.xs, p.y, o)
		if err != nil {
			t.Fatal(err)
		}
		got, err := f.Predict(t.Context(), p.xs, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := g.Predict(t.Context(), p.xs, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		testkit.CloseSlice(t, "values", got.RawMatrix().Data, want.RawMatrix().Data, 1e-7)
		testkit.Close(t, "objective", primal.Objective, dual.Objective, 1e-11)
		testkit.CloseSlice(t, "‖f‖²", primal.Norm2, dual.Norm2, 1e-7)
		if m == 2 {
			testkit.CloseSlice(t, "standard errors", primal.Point.StandardErrors, dual.Point.StandardErrors, 1e-7)
			testkit.CloseSlice(t, "LOO", primal.Point.LOOValues, dual.Point.LOOValues, 1e-7)
		}
	})
}

func TestSameBitsForAnyNumberOfWorkers(t *testing.T) {
	for _, m := range []int{2, 4} {
		p := newProblem(testkit.Rand(t, 8), 600, 3, m, true)
		for _, text := range []string{"rbf(sigma=1)", "poly(degree=2, offset=1)"} {
			var want *mat.Dense
			for _, workers := range []int{1, 2, 3, 8} {
				f, _, err := klr.Fit(t.Context(), parse(t, text), p.xs, p.y, klr.Options{Lambda: 1e-2, Weights: p.weights, Compute: compute.Options{Workers: workers}})
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
					t.Errorf("%s, %d classes: %d workers give other bits", text, m, workers)
				}
			}
		}
	}
}

func TestProbabilitiesAgreeWithClasses(t *testing.T) {
	values := mat.NewDense(4, 1, []float64{-800, 0, 3, 800})
	p := klr.Probabilities(values)
	testkit.CloseSlice(t, "P", p.RawRowView(2), []float64{1 / (1 + math.Exp(3)), 1 / (1 + math.Exp(-3))}, 1e-15)
	if got := fmt.Sprint(klr.Classes(values)); got != "[0 0 1 1]" {
		t.Errorf("classes %s", got)
	}
	q := klr.Probabilities(mat.NewDense(2, 3, []float64{1000, 1001, 999, 0, 0, 0}))
	e := 1 + math.Exp(-1) + math.Exp(-2)
	testkit.CloseSlice(t, "softmax", q.RawMatrix().Data, []float64{math.Exp(-1) / e, 1 / e, math.Exp(-2) / e, 1. / 3, 1. / 3, 1. / 3}, 1e-15)
	rng := testkit.Rand(t, 9)
	random := mat.NewDense(200, 5, nil)
	random.Apply(func(int, int, float64) float64 { return 40 * rng.NormFloat64() }, random)
	probabilities := klr.Probabilities(random)
	for i, c := range klr.Classes(random) {
		testkit.Close(t, "Σ P", mat.Sum(probabilities.RowView(i)), 1, 1e-14)
		for _, v := range probabilities.RawRowView(i) {
			if v > probabilities.At(i, c) {
				t.Errorf("row %d: class %d is not the most probable", i, c)
			}
		}
	}
}

func TestReportIsPlainData(t *testing.T) {
	p := newProblem(testkit.Rand(t, 10), 30, 2, 2, false)
	_, report := solve(t, matrix(parse(t, "rbf(sigma=1)"), p.xs), p, klr.Options{Lambda: 1e-2, LOO: true})
	text, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{`"null_deviance"`, `"gap"`, `"loo_deviance"`, `"stages"`, `"converged":true`} {
		if !strings.Contains(string(text), key) {
			t.Errorf("%s is missing in %s", key, text)
		}
	}
	if report.Seconds <= 0 || len(report.Stages) != 3 {
		t.Errorf("stages %v", report.Stages)
	}
}

func TestBadInput(t *testing.T) {
	k := gram.FromMatrix(mat.NewSymDense(4, []float64{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}))
	good := []int{0, 1, 0, 1}
	for _, c := range []struct {
		y    []int
		o    klr.Options
		want string
	}{
		{good, klr.Options{}, "give a λ > 0"},
		{good, klr.Options{Lambda: math.NaN()}, "lambda = NaN"},
		{good, klr.Options{Lambda: 1, Ridge: 2}, "two ways"},
		{good, klr.Options{Lambda: 1, Solver: "sgd"}, `solver "sgd" is not known`},
		{good, klr.Options{Lambda: 1, Solver: klr.Primal}, "feature map"},
		{good[:3], klr.Options{Lambda: 1}, "3 targets for 4 rows"},
		{[]int{0, 0, 0, 0}, klr.Options{Lambda: 1}, "needs rows of at least two"},
		{[]int{0, 2, 0, 2}, klr.Options{Lambda: 1}, "class 1 has no rows"},
		{[]int{0, -1, 0, 1}, klr.Options{Lambda: 1}, "the class of row 1 is -1"},
		{[]int{0, 1 << 40, 0, 1}, klr.Options{Lambda: 1}, "without gaps"},
		{good, klr.Options{Lambda: 1, Weights: []float64{1, 0, 1, 0}}, "2 rows of class 1 all have weight zero"},
		{good, klr.Options{Lambda: 1, Weights: []float64{1, -1, 1, 0}}, "weight 1 = -1"},
		{good, klr.Options{Lambda: 1, Weights: []float64{1}}, "1 weights for 4 rows"},
		{good, klr.Options{Lambda: 1, Offsets: mat.NewDense(4, 2, nil)}, "offsets are 4×2"},
	} {
		if _, _, err := solveGram(t.Context(), k, c.y, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v %+v: %v, want %q", c.y, c.o, err, c.want)
		}
	}
	indefinite := gram.FromMatrix(mat.NewSymDense(4, []float64{1, 9, 0, 0, 9, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}))
	if _, _, err := solveGram(t.Context(), indefinite, good, klr.Options{Lambda: 1e-3}); err == nil || !strings.Contains(err.Error(), "not positive definite") {
		t.Errorf("indefinite: %v", err)
	}
	if _, _, err := solveGram(t.Context(), gram.FromMatrix(mat.NewSymDense(4, append([]float64{math.NaN()}, make([]float64, 15)...))), good, klr.Options{Lambda: 1}); err == nil || !strings.Contains(err.Error(), "rows 0 and 0 is NaN") {
		t.Errorf("NaN: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := solveGram(ctx, k, good, klr.Options{Lambda: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
