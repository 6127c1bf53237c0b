package krr_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/supervised/krr"
)

var singleSolvers = []krr.Solver{"", krr.Cholesky, krr.Packed, krr.CG}

// single returns computing options in single precision.
func single(workers int) compute.Options {
	return compute.Options{Workers: workers, Precision: compute.Single}
}

// The condition of these systems is under 1e5: single precision alone would leave
// errors of 1e-3, and refined solutions agree to 1e-12·1e5.
func TestSinglePrecisionIsRefined(t *testing.T) {
	cases(t, func(t *testing.T, weighted, intercept bool, m int) {
		p := newProblem(t, testkit.Rand(t, 71), 300, 2, m, weighted)
		want := brute(t, p, 0.05, intercept)
		for _, solver := range singleSolvers {
			for name, op := range map[string]gram.Operator{"stream": gram.Of(kernel.Bind(gauss{1.3}, p.xs, p.xs), compute.Options{}), "matrix": p.op()} {
				got, report, err := solveGram(t.Context(), op, p.y, krr.Options{Ridge: 0.05, NoIntercept: !intercept, Weights: p.weights, Solver: solver, Tolerance: 1e-12, Compute: single(0)})
				if err != nil {
					t.Fatalf("%s, %s: %v", solver, name, err)
				}
				testkit.CloseSlice(t, string(solver)+" α", got.Coef.RawMatrix().Data, want.Coef.RawMatrix().Data, 1e-7)
				if report.Precision != "single" || !(report.Residual <= 1e-12) || report.Iterations < 2 || report.Iterations > 12 || len(report.Warnings) > 0 {
					t.Errorf("%s, %s: report is %+v", solver, name, report)
				}
				var ka mat.Dense
				ka.Mul(p.k, want.Coef)
				for j := range m {
					testkit.Close(t, string(solver)+" ‖f‖²", report.Norm2[j], mat.Dot(want.Coef.ColView(j), ka.ColView(j)), 1e-9)
				}
			}
		}
	})
}

// TestSinglePrecisionFallsBack: at a ridge of 1e-9 the factorization of a smooth kernel
// breaks down in single precision; double precision solves it, and the report says so.
func TestSinglePrecisionFallsBack(t *testing.T) {
	p := newProblem(t, testkit.Rand(t, 72), 200, 2, 1, false)
	op := gram.Of(kernel.Bind(gauss{1.3}, p.xs, p.xs), compute.Options{})
	o := krr.Options{Ridge: 1e-9, Compute: single(0)}
	got, report, err := solveGram(t.Context(), op, p.y, o)
	if err != nil {
		t.Fatal(err)
	}
	if report.Precision != "double" || report.Solver != krr.Packed || len(report.Warnings) == 0 || !strings.Contains(report.Warnings[0], "single precision is not enough: the factorization broke down at row") {
		t.Errorf("report is %+v", report)
	}
	want, _, err := solveGram(t.Context(), op, p.y, krr.Options{Ridge: 1e-9, Solver: krr.Packed})
	if err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(got.Coef, want.Coef) {
		t.Error("the fallback is not the solution in double precision")
	}

	// Conjugate gradients in single precision cannot resolve 1e-9 either.
	o.Solver, o.Tolerance = krr.CG, 1e-6
	_, report, err = solveGram(t.Context(), op, p.y, o)
	if err != nil {
		t.Fatal(err)
	}
	if !(report.Residual <= 1e-6) || (report.Precision == "double") != (len(report.Warnings) > 0) {
		t.Errorf("report is %+v", report)
	}

	// 200² packed doubles do not fit in 200000 bytes, which the process holds already.
	o.Solver, o.Compute.MaxMemory = krr.Cholesky, 200_000
	_, _, err = solveGram(t.Context(), op, p.y, o)
	var large *compute.TooLarge
	if !errors.As(err, &large) || !strings.Contains(err.Error(), "single precision is not enough") || !strings.Contains(err.Error(), "a larger λ") {
		t.Errorf("error is %v", err)
	}
}

// TestSingleSameBits for any number of workers.
func TestSingleSameBits(t *testing.T) {
	p := newProblem(t, testkit.Rand(t, 73), 700, 2, 2, true)
	for _, solver := range singleSolvers[1:] {
		var want *krr.Solution
		for _, workers := range []int{1, 2, 3, 8} {
			o := single(workers)
			op := gram.Of(kernel.Bind(gauss{1.3}, p.xs, p.xs), o)
			got, _, err := solveGram(t.Context(), op, p.y, krr.Options{Ridge: 0.1, Weights: p.weights, Solver: solver, Compute: o})
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = got
			} else if !mat.Equal(got.Coef, want.Coef) {
				t.Errorf("%s: %d workers give other bits", solver, workers)
			}
		}
	}
}

// TestHeldTilesAreAChoiceOfMemory: below a limit that has no room for the triangle
// conjugate gradients compute their tiles in every product, with the same solution to
// the tolerance and the plan that says so.
func TestHeldTilesAreAChoiceOfMemory(t *testing.T) {
	const n = 1500
	p := newProblem(t, testkit.Rand(t, 74), n, 3, 1, false)
	held := &counted{Pairs: kernel.Bind(gauss{1.3}, p.xs, p.xs)}
	for _, precision := range []compute.Precision{compute.Double, compute.Single} {
		o := krr.Options{Ridge: 0.5, Solver: krr.CG, Compute: compute.Options{Precision: precision}}
		held.elements.Store(0)
		want, report, err := solveGram(t.Context(), gram.Of(held, compute.Options{}), p.y, o)
		if err != nil {
			t.Fatal(err)
		}
		few := held.elements.Swap(0)
		o.Compute.MaxMemory = gram.PackedBytes(n, precision)
		got, _, err := solveGram(t.Context(), gram.Of(held, compute.Options{}), p.y, o)
		if err != nil {
			t.Fatal(err)
		}
		products := int64(max(report.Iterations, report.SingleProducts))
		if many := held.elements.Load(); many < few+(products-2)*n*n/2 {
			t.Errorf("%s precision, %d products: %d elements of tiles that are held, %d of tiles that are not", precision, products, few, many)
		}
		testkit.CloseSlice(t, "α", got.Coef.RawMatrix().Data, want.Coef.RawMatrix().Data, 1e-7)
		w := krr.Work{Rows: n, Targets: 1, Solver: krr.CG, Precision: precision}
		notes := func(limit int64) string { return fmt.Sprint(krr.Plan(w, machine, limit).Notes) }
		if !strings.Contains(notes(0), "keep the triangle") || strings.Contains(notes(o.Compute.MaxMemory), "keep the triangle") {
			t.Errorf("%s precision: the plan says %s and %s", precision, notes(0), notes(o.Compute.MaxMemory))
		}
	}
}

func TestSingleEndsWithItsContext(t *testing.T) {
	p := newProblem(t, testkit.Rand(t, 75), 600, 2, 1, false)
	for _, solver := range singleSolvers[1:] {
		for _, stage := range []string{"gram", "factor", "conjugate gradients"} {
			if solver == krr.CG && stage == "factor" {
				continue
			}
			ctx, cancel := context.WithCancel(t.Context())
			o := single(2)
			o.Progress = func(s string, _, _ int64) {
				if s == stage {
					cancel()
				}
			}
			op := gram.Of(kernel.Bind(gauss{1.3}, p.xs, p.xs), o)
			_, _, err := solveGram(ctx, op, p.y, krr.Options{Ridge: 0.1, Solver: solver, Compute: o})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s: cancelled during %s: %v", solver, stage, err)
			}
			cancel()
		}
	}
}

func TestPlanOfSinglePrecision(t *testing.T) {
	rates := machine
	rates.Memory = 24 << 30
	p := krr.Plan(krr.Work{Rows: 60000, Columns: 100, Targets: 1, Precision: compute.Single}, rates, 24<<30)
	// n²/2 numbers of 4 bytes and O(n) beside them.
	if triangle := int64(4 * 60000 * 60000 / 2); p.Memory < triangle || p.Memory > triangle+triangle/25 {
		t.Errorf("n = 60000 is planned with %s, the triangle alone takes %s", compute.FormatBytes(p.Memory), compute.FormatBytes(triangle))
	}
	if most := int64(0.3 * 8 * 60000 * 60000); p.Memory > most {
		t.Errorf("the plan is above 0.3·8n² = %d bytes", most)
	}
	if !strings.Contains(fmt.Sprint(p.Notes), "falls back to double precision") {
		t.Errorf("the plan does not tell of the fallback: %q", p.Notes)
	}
	if hint := p.Alternatives[len(p.Alternatives)-1].Hint; hint != "a subsample of 30000 rows" {
		t.Errorf("where all rows fit, %q is offered", hint)
	}
	double := krr.Plan(krr.Work{Rows: 60000, Columns: 100, Targets: 1}, rates, 10<<30)
	if err := compute.CheckMemory(double, 10<<30); err == nil || !strings.Contains(err.Error(), "--precision single") {
		t.Errorf("the refusal does not offer single precision: %v", err)
	}
}

func TestPrimalStaysDouble(t *testing.T) {
	xs := data.MakeVectors(50, 2)
	rng := testkit.Rand(t, 76)
	y := mat.NewDense(50, 1, nil)
	for i := range 50 {
		xs.At(i)[0], xs.At(i)[1] = rng.NormFloat64(), rng.NormFloat64()
		y.Set(i, 0, xs.At(i)[0])
	}
	_, report, err := krr.Fit(t.Context(), poly2{1}, xs, y, krr.Options{Lambda: 1e-3, Compute: single(0)})
	if err != nil || report.Precision != "double" || len(report.Warnings) != 1 {
		t.Errorf("report is %+v, error %v", report, err)
	}
}

// TestSingleStopsAtRounding: for targets that are noise at a small ridge ‖M‖‖x‖/‖b‖ is
// 10⁵, and rounding in double precision leaves a residual above 1e-12, with a factor in
// double precision as well. That is said, and is no reason to factor again.
func TestSingleStopsAtRounding(t *testing.T) {
	rng := testkit.Rand(t, 77)
	p := newProblem(t, rng, 300, 2, 1, false)
	for i := range 300 {
		p.y.Set(i, 0, rng.NormFloat64())
	}
	solve := func(s krr.Solver, o compute.Options) *krr.Report {
		op := gram.Of(kernel.Bind(gauss{1}, p.xs, p.xs), compute.Options{})
		_, report, err := solveGram(t.Context(), op, p.y, krr.Options{Ridge: 3e-4, NoIntercept: true, Solver: s, Compute: o})
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	report, double := solve(krr.Packed, single(0)), solve(krr.Packed, compute.Options{})
	if report.Precision != "single" || len(report.Warnings) != 1 || !strings.Contains(report.Warnings[0], "what rounding in double precision leaves") {
		t.Errorf("report is %+v", report)
	}
	if !(report.Residual > 1e-12) || report.Residual > 10*double.Residual {
		t.Errorf("residual %g, with a factor in double precision %g", report.Residual, double.Residual)
	}
}
