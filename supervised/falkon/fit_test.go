package falkon_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/loss"
	"example.org/mercer/supervised/erm"
	"example.org/mercer/supervised/falkon"
	"example.org/mercer/supervised/krr"
)

var exactly = falkon.Stop{Tolerance: 1e-12, Passes: 2000}

func TestSquaredLossSolvesTheNormalEquations(t *testing.T) {
	for _, m := range []int{1, 10, 40} {
		p := newProblem(t, 400)
		l := p.uniform(t, m)
		for _, weights := range [][]float64{nil, p.w} {
			for _, noIntercept := range []bool{false, true} {
				o := falkon.Options{Lambda: 1e-4, Weights: weights, NoIntercept: noIntercept, Stop: exactly}
				got, r := p.fit(t, l, o)
				want := p.bruteForce(t, l, weights, o.Lambda, !noIntercept)
				// The equations as they stand have the square of the condition of K_nm, 1e9.
				if d := worst(got, want); d > 1e-7 {
					t.Errorf("m=%d, weighted %v, no intercept %v: values are off by %.3g", m, weights != nil, noIntercept, d)
				}
				if !r.Converged || r.Residual > 1e-12 || r.Jitter != 0 || len(r.Warnings) > 0 {
					t.Errorf("m=%d: report %+v", m, r)
				}
			}
		}
	}
}

func TestAllRowsAsLandmarksAreTheExactMethods(t *testing.T) {
	p := newProblem(t, 150)
	for _, precision := range []compute.Precision{compute.Double, compute.Single} {
		o := falkon.Options{Lambda: 1e-3, Weights: p.w, Stop: falkon.Stop{Tolerance: 1e-11, Passes: 5000}, Compute: compute.Options{Precision: precision}}
		got, r := p.fit(t, p.uniform(t, 150), o)
		f, exact, err := krr.Fit(t.Context(), p.k, p.xs, p.y, krr.Options{Lambda: 1e-3, Weights: p.w})
		if err != nil {
			t.Fatal(err)
		}
		want, err := f.Predict(t.Context(), p.xs, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		// In single precision 2⁻²³ is added to the diagonal of K_mm, whose smallest
		// eigenvalues the ridge of 0.1 outweighs.
		if d := worst(got, want); d > []float64{1e-8, 1e-6}[precision] {
			t.Errorf("%v precision: values differ by %.3g from those of krr, residual %.3g", precision, d, r.Residual)
		}
		if r.Lambda != exact.Lambda || r.ResidualKernel != nil {
			t.Errorf("λ is %v, that of krr %v; no row is left, and the residual kernel is %v", r.Lambda, exact.Lambda, r.ResidualKernel)
		}
	}
}

func TestOtherLossesWithAllRowsAreThoseOfERM(t *testing.T) {
	numbers := newProblem(t, 120)
	labelled := numbers.labels(t)
	for _, c := range []struct {
		loss loss.Loss
		on   problem
	}{{loss.Logistic{}, labelled}, {loss.SquaredHinge{}, labelled}, {loss.Huber{Scale: 0.1}, numbers}} {
		for _, noIntercept := range []bool{false, true} {
			o := falkon.Options{Lambda: 1e-3, Weights: numbers.w, Loss: c.loss, NoIntercept: noIntercept, Stop: falkon.Stop{Tolerance: 1e-11, Passes: 20000}}
			got, r := c.on.fit(t, c.on.uniform(t, 120), o)
			if !r.Converged {
				t.Errorf("%s: %+v", c.loss, r)
			}
			objective := 0.0
			for j := range 2 {
				y := mat.Col(nil, j, c.on.y)
				f, exact, err := erm.Fit(t.Context(), c.on.k, c.on.xs, y, c.loss, erm.Options{Lambda: 1e-3, Weights: numbers.w, NoIntercept: noIntercept})
				if err != nil {
					t.Fatal(err)
				}
				want, err := f.Predict(t.Context(), c.on.xs, compute.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if d := worst(mat.NewDense(120, 1, mat.Col(nil, j, got)), want); d > 1e-8*mat.Norm(want, 2) {
					t.Errorf("%s, no intercept %v, target %d: values differ by %.3g from those of erm", c.loss, noIntercept, j, d)
				}
				objective += exact.Objective
			}
			if d := r.Objective - objective; d > 1e-9*objective || d < -1e-9*objective {
				t.Errorf("%s: objective %v, that of erm %v", c.loss, r.Objective, objective)
			}
		}
	}
}

func TestWeightTwoIsTheRowTwice(t *testing.T) {
	p := newProblem(t, 200)
	l := p.uniform(t, 20)
	twice := p
	index, weights := make([]int, 0, 210), make([]float64, 200)
	for i := range 200 {
		index, weights[i] = append(index, i), 1
		if i < 10 {
			index, weights[i] = append(index, i), 2
		}
	}
	twice.xs, twice.y = p.xs.Gather(index), mat.NewDense(210, 2, nil)
	for to, from := range index {
		twice.y.SetRow(to, p.y.RawRowView(from))
	}
	l.Rows = nil // the points are those of rows of the first problem
	for _, of := range []loss.Loss{loss.Squared{}, loss.Huber{Scale: 0.2}} {
		f, _, err := falkon.Fit(t.Context(), p.k, p.xs, l, p.y, falkon.Options{Lambda: 1e-4, Loss: of, Weights: weights, Stop: exactly})
		if err != nil {
			t.Fatal(err)
		}
		g, _, err := falkon.Fit(t.Context(), p.k, twice.xs, l, twice.y, falkon.Options{Lambda: 1e-4, Loss: of, Stop: exactly})
		if err != nil {
			t.Fatal(err)
		}
		a, _ := f.Predict(t.Context(), p.xs, compute.Options{})
		b, _ := g.Predict(t.Context(), p.xs, compute.Options{})
		if d := worst(a, b); d > 1e-8 {
			t.Errorf("%s: values differ by %.3g", of, d)
		}
	}
}

func TestSameBitsForAnyWorkers(t *testing.T) {
	p := newProblem(t, 1500)
	for name, o := range map[string]falkon.Options{
		"squared":  {Lambda: 1e-5},
		"single":   {Lambda: 1e-5, Compute: compute.Options{Precision: compute.Single}},
		"logistic": {Lambda: 1e-4, Loss: loss.Logistic{}},
	} {
		on := p
		if o.Loss != nil {
			on = p.labels(t)
		}
		var want *mat.Dense
		for _, workers := range []int{1, 2, 3, 8} {
			o.Compute.Workers = workers
			f, _, err := falkon.Fit(t.Context(), on.k, on.xs, on.uniform(t, 60), on.y, o)
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = f.Coef
			}
			if !mat.Equal(f.Coef, want) {
				t.Errorf("%s: other coefficients with %d workers", name, workers)
			}
		}
	}
}

// Where single precision does not come closer the rest is done in double precision.
func TestSinglePrecisionGivesUp(t *testing.T) {
	p := newProblem(t, 2000)
	var err error
	if p.k, err = vec.Parse("rbf(sigma=3)"); err != nil {
		t.Fatal(err)
	}
	_, r := p.fit(t, p.uniform(t, 100), falkon.Options{Lambda: 1e-10, Stop: falkon.Stop{Passes: 2000}, Compute: compute.Options{Precision: compute.Single}})
	if r.Precision != compute.Double.String() || !r.Converged || len(r.Warnings) == 0 {
		t.Errorf("precision %s, converged %v to %.3g, warnings %q", r.Precision, r.Converged, r.Residual, r.Warnings)
	}
}

// TestPreconditionerDoesNotLimitSinglePrecision: at a condition of K_mm of 9·10⁸ and a small λ
// passes in single precision end at 6·10⁻⁵ with a preconditioner in double precision, at 4·10⁻⁴
// with rows of its sample whitened in single precision, and where whitening is double and products
// of whitened rows are single at 5·10⁻⁵.
func TestPreconditionerDoesNotLimitSinglePrecision(t *testing.T) {
	p := newProblem(t, 4000)
	landmarks := p.uniform(t, 400)
	for _, size := range []float64{1, 0x1p-120, 0x1p120} { // of the kernel: products of float32 would leave their range
		var err error
		if p.k, err = vec.Parse(fmt.Sprintf("%g*rbf(sigma=0.4)", size)); err != nil {
			t.Fatal(err)
		}
		_, r := p.fit(t, landmarks, falkon.Options{Lambda: 1e-6 * size, Stop: falkon.Stop{Tolerance: 1e-300, Passes: 20}, Compute: compute.Options{Precision: compute.Single}})
		if r.Precision != compute.Single.String() || !(r.Residual < 1.5e-4) {
			t.Errorf("kernel × %g: after 20 passes in %s precision the residual is %.2g, want below 1.5e-4", size, r.Precision, r.Residual)
		}
	}
}

// What the factors alone take is refused beyond the limit.
func TestTooLarge(t *testing.T) {
	p := newProblem(t, 300)
	var large *compute.TooLarge
	_, _, err := falkon.Fit(t.Context(), p.k, p.xs, p.uniform(t, 100), p.y, falkon.Options{Lambda: 1e-3, Compute: compute.Options{MaxMemory: 50_000}})
	if !errors.As(err, &large) || large.Need <= large.Limit {
		t.Errorf("error %v", err)
	}
}

// The bound on the objective holds, and falls with the tolerance.
func TestGapBoundsTheObjective(t *testing.T) {
	p := newProblem(t, 500)
	l := p.uniform(t, 50)
	for _, of := range []loss.Loss{loss.Squared{}, loss.Logistic{}} {
		on := p
		if of != (loss.Squared{}) {
			on = p.labels(t)
		}
		_, best := on.fit(t, l, falkon.Options{Lambda: 1e-4, Loss: of, Stop: exactly})
		for _, tolerance := range []float64{1e-1, 1e-2, 1e-4} {
			_, r := on.fit(t, l, falkon.Options{Lambda: 1e-4, Loss: of, Stop: falkon.Stop{Tolerance: tolerance}})
			if above := r.Objective - best.Objective; above > r.Gap+1e-12 || above < -1e-12 || r.Residual > tolerance || !r.Converged {
				t.Errorf("%s at %g: %g above the minimum, at most %g were reported; residual %g", of, tolerance, above, r.Gap, r.Residual)
			}
		}
	}
}

func TestPathIsTheFitsOneByOne(t *testing.T) {
	p := newProblem(t, 300)
	l, lambdas := p.uniform(t, 30), []float64{1e-5, 1e-2, 1e-3}
	for _, of := range []loss.Loss{loss.Squared{}, loss.Huber{Scale: 0.2}} {
		fits, reports, err := falkon.Path(t.Context(), p.k, p.xs, l, p.y, lambdas, falkon.Options{Loss: of, Stop: exactly})
		if err != nil {
			t.Fatal(err)
		}
		for i, lambda := range lambdas {
			want, _ := p.fit(t, l, falkon.Options{Lambda: lambda, Loss: of, Stop: exactly})
			got, err := fits[i].Predict(t.Context(), p.xs, compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if d := worst(got, want); d > 1e-8 || reports[i].Lambda != lambda || !reports[i].Converged {
				t.Errorf("%s, λ = %g: values differ by %.3g; report for λ = %g", of, lambda, d, reports[i].Lambda)
			}
		}
	}
}

func TestValidationEndsTheIterationEarly(t *testing.T) {
	p := newProblem(t, 600)
	var left []int
	for i := 0; i < 600; i += 3 {
		left = append(left, i)
	}
	o := falkon.Options{Lambda: 1e-12, Stop: falkon.Stop{Tolerance: 1e-10, Validation: left}}
	_, r := p.fit(t, p.uniform(t, 200), o)
	if len(r.Validation) != r.Best+1+3 || r.Passes > len(r.Validation)+1 {
		t.Errorf("%d values with the best at %d, %d passes", len(r.Validation), r.Best, r.Passes)
	}
	for i, v := range r.Validation {
		if v < r.Validation[r.Best] {
			t.Errorf("value %d, %g, is smaller than the best, %g", i, v, r.Validation[r.Best])
		}
	}
	// Rows for validation do not act on the fit: other targets there change nothing.
	o.Stop.Patience = 100
	o.Lambda = 1e-3
	before, _ := p.fit(t, p.uniform(t, 20), o)
	for _, i := range left {
		p.y.Set(i, 0, p.y.At(i, 0)+1)
		p.y.Set(i, 1, p.y.At(i, 1)+1)
	}
	o.Stop.Patience = 1000
	after, _ := p.fit(t, p.uniform(t, 20), o)
	if d := worst(before, after); d > 1e-6 {
		t.Errorf("targets that are not learned from move values by %.3g", d)
	}
}

func TestLeftFallsWithTheLandmarks(t *testing.T) {
	p, last := newProblem(t, 800), 1.0
	for _, m := range []int{5, 20, 80} {
		_, r := p.fit(t, p.uniform(t, m), falkon.Options{Lambda: 1e-4})
		if r.ResidualKernel == nil || r.ResidualKernel.Rows != 256 || !(r.ResidualKernel.Trace < last) || r.ResidualKernel.Frobenius < 0 {
			t.Fatalf("m=%d: what is left is %+v, before %v", m, r.ResidualKernel, last)
		}
		last = r.ResidualKernel.Trace
	}
}

func TestRepeatedLandmarksAreUsedOnce(t *testing.T) {
	p := newProblem(t, 100)
	for i := range 20 {
		copy(p.xs.At(80+i), p.xs.At(i))
	}
	all, r := p.fit(t, p.uniform(t, 100), falkon.Options{Lambda: 1e-3, Stop: exactly})
	if r.Repeated != 20 || r.Landmarks != 80 || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "20 of 100") {
		t.Errorf("report %+v", r)
	}
	want := p.bruteForce(t, p.at(count(80)...), nil, 1e-3, true)
	if d := worst(all, want); d > 1e-8 {
		t.Errorf("values differ by %.3g", d)
	}
}

func count(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func TestConstantTargetIsTheIntercept(t *testing.T) {
	p := newProblem(t, 100)
	p.y.Apply(func(int, int, float64) float64 { return 3 }, p.y)
	got, r := p.fit(t, p.uniform(t, 10), falkon.Options{Lambda: 1e-3})
	if d := mat.Max(got) - mat.Min(got); d > 1e-12 || !r.Converged || math.Abs(got.At(0, 0)-3) > 1e-13 {
		t.Errorf("values reach from %v to %v, %+v", mat.Min(got), mat.Max(got), r)
	}
}

func TestBadInputIsRefusedInWords(t *testing.T) {
	p := newProblem(t, 50)
	y := p.labels(t).y
	one := mat.DenseCopyOf(y)
	one.Apply(func(_, _ int, _ float64) float64 { return 1 }, one)
	good := falkon.Options{Lambda: 1e-3}
	for _, c := range []struct {
		name  string
		l     *nystrom.Selection[[]float64]
		y     *mat.Dense
		o     falkon.Options
		wants []string
	}{
		{"no landmarks", nil, p.y, good, []string{"no landmarks"}},
		{"more landmarks than rows", &nystrom.Selection[[]float64]{Points: data.MakeVectors(51, 2)}, p.y, good, []string{"51 landmarks for 50 rows"}},
		{"a row twice", p.at(1, 2, 1), p.y, good, []string{"row 1 is a landmark twice"}},
		{"no such row", &nystrom.Selection[[]float64]{Points: data.MakeVectors(1, 2), Rows: []int{50}}, p.y, good, []string{"landmark row 50"}},
		{"no penalty, no targets", p.uniform(t, 5), nil, falkon.Options{}, []string{"lambda is 0", "no targets"}},
		{"one class", p.uniform(t, 5), one, falkon.Options{Lambda: 1, Loss: loss.Logistic{}}, []string{"one label only"}},
		{"no labels", p.uniform(t, 5), p.y, falkon.Options{Lambda: 1, Loss: loss.Logistic{}}, []string{"wants labels −1 and 1"}},
		{"corners", p.uniform(t, 5), y, falkon.Options{Lambda: 1, Loss: loss.Hinge{}}, []string{"has corners"}},
		{"no scale", p.uniform(t, 5), p.y, falkon.Options{Lambda: 1, Loss: loss.Huber{}}, []string{"give huber("}},
		{"not convex", p.uniform(t, 5), p.y, falkon.Options{Lambda: 1, Loss: loss.Tukey{}}, []string{"not convex"}},
		{"validation", p.uniform(t, 5), p.y, falkon.Options{Lambda: 1, Stop: falkon.Stop{Validation: []int{3, 50}, Tolerance: 2}}, []string{"from 3 to 50", "tolerance = 2"}},
	} {
		_, _, err := falkon.Fit(t.Context(), p.k, p.xs, c.l, c.y, c.o)
		for _, want := range c.wants {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: the error is %v, it should say %q", c.name, err, want)
			}
		}
	}
}

func TestFitEndsWithItsContext(t *testing.T) {
	p := newProblem(t, 3000)
	for _, stage := range []string{"gram", "factor", "product", "conjugate gradients"} {
		ctx, cancel := context.WithCancel(t.Context())
		o := falkon.Options{Lambda: 1e-9, Compute: compute.Options{Progress: func(s string, _, _ int64) {
			if s == stage {
				cancel()
			}
		}}}
		_, _, err := falkon.Fit(ctx, p.k, p.xs, p.uniform(t, 300), p.y, o)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled in stage %q: %v", stage, err)
		}
		cancel()
	}
}

func TestTooManyPassesAreAWarning(t *testing.T) {
	p := newProblem(t, 500)
	for _, of := range []loss.Loss{loss.Squared{}, loss.Logistic{}} {
		on := p
		if of != (loss.Squared{}) {
			on = p.labels(t)
		}
		_, r := on.fit(t, on.uniform(t, 100), falkon.Options{Lambda: 1e-9, Loss: of, Stop: falkon.Stop{Tolerance: 1e-9, Passes: 3}})
		if r.Converged || r.Passes > 4 || len(r.Warnings) != 1 || !strings.Contains(fmt.Sprint(r.Warnings), "are spent") {
			t.Errorf("%s: %+v", of, r)
		}
	}
}

// A larger sample is worth its time for passes to come alone.
func TestPreconditionerDoesNotGrowAfterTheLastPass(t *testing.T) {
	p := newProblem(t, 2000)
	for passes, grown := range map[int]bool{40: true, 3: false} { // conjugate gradients pause after 30
		_, r := p.fit(t, p.uniform(t, 50), falkon.Options{Lambda: 1e-12, Stop: falkon.Stop{Tolerance: 1e-14, Passes: passes}})
		if r.Converged || r.Sample > 50 != grown {
			t.Errorf("after %d passes at most %d, the sample of the preconditioner has %d rows", r.Passes, passes, r.Sample)
		}
	}
}

// TestPathSavesPasses: each point of a path is as good as a fit from f = 0, to the gaps that
// both report, and the path takes fewer passes.
func TestPathSavesPasses(t *testing.T) {
	lambdas := []float64{1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5}
	for name, c := range map[string]struct {
		of loss.Loss
		on problem
	}{"squared": {loss.Squared{}, newProblem(t, 800)}, "logistic": {loss.Logistic{}, newProblem(t, 800).labels(t)}} {
		l, warm, cold := c.on.uniform(t, 80), 0, 0
		_, reports, err := falkon.Path(t.Context(), c.on.k, c.on.xs, l, c.on.y, lambdas, falkon.Options{Loss: c.of})
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range reports {
			_, alone := c.on.fit(t, l, falkon.Options{Lambda: lambdas[i], Loss: c.of})
			if d := r.Objective - alone.Objective; !r.Converged || d > r.Gap+1e-13 || -d > alone.Gap+1e-13 {
				t.Errorf("%s, λ = %g: objective %v, from f = 0 %v; gaps %.3g and %.3g", name, r.Lambda, r.Objective, alone.Objective, r.Gap, alone.Gap)
			}
			if alone.Start != 1 || i > 0 && !(r.Start < 1) {
				t.Errorf("%s, λ = %g: residual %v at the start of the path, %v at f = 0", name, r.Lambda, r.Start, alone.Start)
			}
			warm, cold = warm+r.Passes+r.Gradients, cold+alone.Passes+alone.Gradients
		}
		if t.Logf("%s: %d passes along the path, %d one by one", name, warm, cold); !(warm < cold) {
			t.Errorf("%s: %d passes along the path, %d one by one", name, warm, cold)
		}
	}
}
