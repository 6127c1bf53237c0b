package krr_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/supervised/krr"
)

// The condition of the systems below is under 1e5, so that solutions of different
// algorithms agree to 1e-16·1e5; 1e-10 leaves a margin.
const solveTolerance = 1e-10

func TestSolveMeetsTheBorderedSystem(t *testing.T) {
	cases(t, func(t *testing.T, weighted, intercept bool, m int) {
		p := newProblem(t, testkit.Rand(t, 1), 40, 2, m, weighted)
		for _, solver := range []krr.Solver{"", krr.Cholesky, krr.Packed, krr.CG, krr.Eigen} {
			var op gram.Operator = gram.Of(kernel.Bind(gauss{1.3}, p.xs, p.xs), compute.Options{})
			got, report, err := solveGram(t.Context(), op, p.y, krr.Options{Ridge: 0.05, NoIntercept: !intercept, Weights: p.weights, Solver: solver, Tolerance: 1e-13})
			if err != nil {
				t.Fatalf("%s: %v", solver, err)
			}
			want := brute(t, p, 0.05, intercept)
			testkit.CloseSlice(t, string(solver)+" α", got.Coef.RawMatrix().Data, want.Coef.RawMatrix().Data, solveTolerance)
			if intercept {
				testkit.CloseSlice(t, string(solver)+" b", got.Bias, want.Bias, solveTolerance)
			}
			if !(report.Residual < 1e-12) {
				t.Errorf("%s: residual %g", solver, report.Residual)
			}
			// ‖f‖² = αᵀKα and the training error, by their definitions.
			var ka mat.Dense
			ka.Mul(p.k, want.Coef)
			scores := krr.Measure(p.y, predict(want, p.k), p.weights)
			for j := range m {
				testkit.Close(t, string(solver)+" ‖f‖²", report.Norm2[j], mat.Dot(want.Coef.ColView(j), ka.ColView(j)), 1e-9)
				testkit.Close(t, string(solver)+" train RMSE", report.Train.RMSE[j], scores.RMSE[j], 1e-9)
			}
		}
	})
}

func TestWeightsCountRows(t *testing.T) {
	rng := testkit.Rand(t, 2)
	p := newProblem(t, rng, 30, 2, 2, false)
	// Row 7 twice = weight 2; row 4 left out = weight 0.
	var rows []int
	for i := range 30 {
		if i != 4 {
			rows = append(rows, i)
		}
	}
	written := p.rows(append(rows, 7))
	weights := make([]float64, 30)
	for i := range weights {
		weights[i] = 1
	}
	weights[4], weights[7] = 0, 2
	o := krr.Options{Lambda: 1e-3, Weights: weights}
	got, report, err := solveGram(t.Context(), p.op(), p.y, o)
	if err != nil {
		t.Fatal(err)
	}
	want, other, err := solveGram(t.Context(), written.op(), written.y, krr.Options{Lambda: 1e-3})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "ridge", report.Ridge, other.Ridge, 1e-14)
	testkit.CloseSlice(t, "b", got.Bias, want.Bias, solveTolerance)
	for j := range 2 {
		if a := got.Coef.At(4, j); a != 0 {
			t.Errorf("α of a row of weight 0 = %g", a)
		}
		// The two copies share what the weighted row carries.
		testkit.Close(t, "α₇", got.Coef.At(7, j), want.Coef.At(6, j)+want.Coef.At(29, j), solveTolerance)
		testkit.Close(t, "α₀", got.Coef.At(0, j), want.Coef.At(0, j), solveTolerance)
		testkit.Close(t, "train RMSE", report.Train.RMSE[j], other.Train.RMSE[j], solveTolerance)
	}
	for i := range weights {
		weights[i] *= 37
	}
	again, _, err := solveGram(t.Context(), p.op(), p.y, o)
	if err != nil {
		t.Fatal(err)
	}
	testkit.CloseSlice(t, "α with all weights times 37", again.Coef.RawMatrix().Data, got.Coef.RawMatrix().Data, solveTolerance)
}

func TestLambdaZeroInterpolates(t *testing.T) {
	p := newProblem(t, testkit.Rand(t, 3), 20, 3, 1, true)
	p.k = matrix(t, gauss{0.5}, p.xs)
	for _, solver := range []krr.Solver{krr.Cholesky, krr.Eigen} {
		sol, _, err := solveGram(t.Context(), p.op(), p.y, krr.Options{Weights: p.weights, Solver: solver})
		if err != nil {
			t.Fatal(err)
		}
		f := predict(sol, p.k)
		for i, w := range p.weights {
			if w > 0 {
				testkit.Close(t, "f(x)+b", f.At(i, 0), p.y.At(i, 0), 1e-8)
			}
		}
		q := newProblem(t, testkit.Rand(t, 3), 20, 3, 1, false)
		q.k = matrix(t, gauss{0.5}, q.xs.Gather([]int{0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18}))
		if _, report, err := solveGram(t.Context(), q.op(), q.y, krr.Options{Solver: solver}); err != nil || report.Rank != 18 {
			t.Errorf("%s: a repeated row with λ = 0 gives rank %d, error %v", solver, report.Rank, err)
		}
	}
}

func TestSolveRefuses(t *testing.T) {
	p := newProblem(t, testkit.Rand(t, 4), 12, 2, 1, false)
	bad := mat.NewSymDense(12, nil)
	bad.CopySym(p.k)
	bad.SetSym(3, 5, math.NaN())
	indefinite := mat.NewSymDense(12, nil)
	for i := range 12 {
		indefinite.SetSym(i, i, -1)
	}
	nanY := mat.DenseCopyOf(p.y)
	nanY.Set(7, 0, math.NaN())
	for _, c := range []struct {
		name string
		k    *mat.SymDense
		y    *mat.Dense
		o    krr.Options
		want []string
	}{
		{"everything wrong at once", p.k, p.y, krr.Options{Lambda: -1, Ridge: math.Inf(1), Solver: "magic", Tolerance: 2, Weights: []float64{1}}, []string{"lambda = -1", "ridge = +Inf", `solver "magic"`, "tolerance = 2", "1 weights for 12 rows"}},
		{"both ways to give λ", p.k, p.y, krr.Options{Lambda: 1, Ridge: 2}, []string{"two ways to give one number"}},
		{"rows of y", p.k, mat.NewDense(3, 1, nil), krr.Options{Lambda: 1}, []string{"y is 3×1", "12 rows"}},
		{"NaN in y", p.k, nanY, krr.Options{Lambda: 1}, []string{"y[7,0] = NaN"}},
		{"no y", p.k, nil, krr.Options{Lambda: 1}, []string{"no targets"}},
		{"NaN in K", bad, p.y, krr.Options{Lambda: 1}, []string{"rows 3 and 5 is NaN"}},
		{"not definite", indefinite, p.y, krr.Options{Lambda: 0.01}, []string{"not positive definite", "larger λ"}},
		{"not definite, eigen", indefinite, p.y, krr.Options{Lambda: 0.01, Solver: krr.Eigen}, []string{"smallest eigenvalue is -1"}},
		{"not definite, cg", indefinite, p.y, krr.Options{Lambda: 0.01, Solver: krr.CG}, []string{"not positive definite", "larger λ"}},
		{"negative weight", p.k, p.y, krr.Options{Lambda: 1, Weights: []float64{1, 1, 1, 1, 1, -2, 1, 1, 1, 1, 1, 1}}, []string{"weight 5 = -2"}},
		{"no weight", p.k, p.y, krr.Options{Lambda: 1, Weights: make([]float64, 12)}, []string{"all weights are zero"}},
		{"primal without map", p.k, p.y, krr.Options{Lambda: 1, Solver: krr.Primal}, []string{"a Gram matrix has none"}},
		{"leave-one-out in single precision", p.k, p.y, krr.Options{Lambda: 1, LOO: true, Compute: compute.Options{Precision: compute.Single}}, []string{"need double precision"}},
		{"LOO by cg", p.k, p.y, krr.Options{Lambda: 1, Solver: krr.CG, LOO: true}, []string{"leave-one-out residuals need"}},
		{"one row", mat.NewSymDense(1, []float64{1}), mat.NewDense(1, 1, []float64{1}), krr.Options{Lambda: 1, LOO: true}, []string{"at least two rows"}},
	} {
		_, _, err := solveGram(t.Context(), gram.FromMatrix(c.k), c.y, c.o)
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v does not say %q", c.name, err, want)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, solver := range []krr.Solver{krr.Cholesky, krr.Eigen, krr.CG} {
		if _, _, err := solveGram(ctx, p.op(), p.y, krr.Options{Lambda: 1, Solver: solver}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s after cancelling: %v", solver, err)
		}
	}
}

func TestSolveLeavesTheMatrixAlone(t *testing.T) {
	p := newProblem(t, testkit.Rand(t, 5), 15, 2, 1, true)
	before := append([]float64(nil), p.k.RawSymmetric().Data...)
	if _, _, err := solveGram(t.Context(), p.op(), p.y, krr.Options{Lambda: 1e-2, Weights: p.weights, LOO: true}); err != nil {
		t.Fatal(err)
	}
	for i, v := range p.k.RawSymmetric().Data {
		if v != before[i] {
			t.Fatalf("element %d of the caller's storage was %g and is %g", i, before[i], v)
		}
	}
}

func TestWorkersDoNotChangeBits(t *testing.T) {
	p := newProblem(t, testkit.Rand(t, 6), 300, 2, 2, false)
	op := gram.Of(kernel.Bind(gauss{1.3}, p.xs, p.xs), compute.Options{})
	var first *krr.Solution
	for _, workers := range []int{1, 2, 5} {
		sol, _, err := solveGram(t.Context(), op, p.y, krr.Options{Lambda: 1e-3, Compute: compute.Options{Workers: workers}})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = sol
		} else if !mat.Equal(first.Coef, sol.Coef) || first.Bias[0] != sol.Bias[0] {
			t.Errorf("%d workers give other bits than one", workers)
		}
	}
}

// With a condition of 1e12 a Cholesky solution leaves a residual that refinement takes
// away; the report says both.
func TestRefinement(t *testing.T) {
	p := newProblem(t, testkit.Rand(t, 7), 120, 1, 1, false)
	_, report, err := solveGram(t.Context(), p.op(), p.y, krr.Options{Ridge: 1e-10, LOO: true})
	if err != nil {
		t.Fatal(err)
	}
	if !report.Refined || !(report.Residual < 1e-5) || report.Condition < 1e11 || report.Jitter != 0 {
		t.Errorf("refined %v, residual %g, condition %g, jitter %g", report.Refined, report.Residual, report.Condition, report.Jitter)
	}
	if len(report.Warnings) != 1 || !strings.Contains(report.Warnings[0], "ill-conditioned") {
		t.Errorf("warnings %q", report.Warnings)
	}
	if _, err := json.Marshal(report); err != nil {
		t.Error(err)
	}
}

// Without preconditioning the condition of 1e6 takes hundreds of iterations.
func TestConjugateGradientsArePreconditioned(t *testing.T) {
	p := newProblem(t, testkit.Rand(t, 8), 600, 2, 1, true)
	o := krr.Options{Ridge: 1e-3, Weights: p.weights, Solver: krr.CG}
	_, plain, err := solveGram(t.Context(), productsOnly{p.op()}, p.y, o)
	if err != nil {
		t.Fatal(err)
	}
	_, fast, err := solveGram(t.Context(), gram.Of(kernel.Bind(gauss{1.3}, p.xs, p.xs), compute.Options{}), p.y, o)
	if err != nil {
		t.Fatal(err)
	}
	if fast.Iterations > 20 || fast.Iterations*3 > plain.Iterations {
		t.Errorf("%d iterations with the preconditioner, %d without", fast.Iterations, plain.Iterations)
	}
}

// TestAutoStoresHalfWhereValuesAreCheap: tiles and stored matrices are packed; a kernel
// that is evaluated pair by pair is evaluated once for each pair.
func TestAutoStoresHalfWhereValuesAreCheap(t *testing.T) {
	p := newProblem(t, testkit.Rand(t, 9), 300, 2, 1, false)
	slow := &counted{Pairs: kernel.Bind(gauss{1.3}, p.xs, p.xs)}
	for _, c := range []struct {
		op   gram.Operator
		want krr.Solver
	}{{p.op(), krr.Packed}, {gram.Of(slow, compute.Options{}), krr.Cholesky}, {gram.Of(tiled{slow}, compute.Options{}), krr.Packed}} {
		_, report, err := solveGram(t.Context(), c.op, p.y, krr.Options{Lambda: 1e-3})
		if err != nil || report.Solver != c.want {
			t.Errorf("auto is %s (%s), want %s; error %v", report.Solver, report.Why, c.want, err)
		}
		if c.want == krr.Cholesky {
			if most := int64(300*300/2 + 300*128); slow.elements.Load() > most {
				t.Errorf("%d elements were evaluated, the triangle in tiles has at most %d", slow.elements.Load(), most)
			}
		}
	}
}
