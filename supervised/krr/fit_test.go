package krr_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
	"example.org/mercer/space"
	"example.org/mercer/supervised/krr"
)

// Primal and dual are the same function: to 1e-10, with condition numbers below 1e5.
func TestPrimalEqualsDual(t *testing.T) {
	cases(t, func(t *testing.T, weighted, intercept bool, m int) {
		for _, k := range []kernel.Kernel[[]float64]{poly2{-1}, poly2{1}} {
			rng := testkit.Rand(t, 21)
			// Straddles the block of 256 rows; 15 columns make 136 features.
			p := newProblem(t, rng, 300, 15, m, weighted)
			fresh := newProblem(t, rng, 20, 15, m, false).xs
			o := krr.Options{Ridge: 3, NoIntercept: !intercept, Weights: p.weights, LOO: true}
			f, primal, err := krr.Fit(t.Context(), k, p.xs, p.y, o)
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := f.(*model.Primal[[]float64]); !ok || primal.Solver != krr.Primal || !strings.Contains(primal.Why, "fewer than 300 rows") {
				t.Fatalf("automatic choice is %T, %s because %s", f, primal.Solver, primal.Why)
			}
			o.Solver = krr.Cholesky
			g, dual, err := krr.Fit(t.Context(), k, p.xs, p.y, o)
			if err != nil {
				t.Fatal(err)
			}
			got, err := f.Predict(t.Context(), fresh, compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			want, err := g.Predict(t.Context(), fresh, compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			testkit.CloseSlice(t, "predictions", got.RawMatrix().Data, want.RawMatrix().Data, 1e-10)
			testkit.CloseSlice(t, "‖f‖²", primal.Norm2, dual.Norm2, 1e-9)
			testkit.CloseSlice(t, "training RMSE", primal.Train.RMSE, dual.Train.RMSE, 1e-10)
			a, b := primal.Point, dual.Point
			testkit.CloseSlice(t, "α", a.Solution.Coef.RawMatrix().Data, b.Solution.Coef.RawMatrix().Data, 1e-9)
			testkit.CloseSlice(t, "LOO", a.LOOResiduals.RawMatrix().Data, b.LOOResiduals.RawMatrix().Data, 1e-9)
			testkit.CloseSlice(t, "leverage", a.Leverage, b.Leverage, 1e-9)
			testkit.Close(t, "dof", a.DOF, b.DOF, 1e-9)
			testkit.Close(t, "GCV", a.GCV, b.GCV, 1e-9)
			testkit.Close(t, "evidence", a.Evidence, b.Evidence, 1e-9)
			testkit.Close(t, "profiled evidence", a.ProfiledEvidence, b.ProfiledEvidence, 1e-9)
		}
	})
}

// Without a penalty the linear kernel is ordinary least squares, which has a unique
// solution in the primal although K has rank 2.
func TestPrimalWithoutPenaltyIsLeastSquares(t *testing.T) {
	p := newProblem(t, testkit.Rand(t, 22), 50, 2, 1, false)
	for i := range 50 {
		x := p.xs.At(i)
		p.y.Set(i, 0, 4+2*x[0]-x[1])
	}
	f, report, err := krr.Fit(t.Context(), poly2{-1}, p.xs, p.y, krr.Options{LOO: true})
	if err != nil {
		t.Fatal(err)
	}
	w := f.(*model.Primal[[]float64])
	testkit.CloseSlice(t, "w", w.W.RawMatrix().Data, []float64{2, -1}, 1e-12)
	testkit.CloseSlice(t, "b", w.Bias, []float64{4}, 1e-12)
	testkit.Close(t, "dof of a plane", report.Point.DOF, 3, 1e-12)
	if report.Point.Evidence != 0 || math.IsNaN(report.Point.GCV) {
		t.Errorf("evidence %g and GCV %g", report.Point.Evidence, report.Point.GCV)
	}
}

func TestFitChoosesTheDual(t *testing.T) {
	p := newProblem(t, testkit.Rand(t, 23), 12, 4, 1, false)
	for _, k := range []kernel.Kernel[[]float64]{gauss{1}, poly2{1}} { // no map; 15 > 12 features
		f, report, err := krr.Fit(t.Context(), k, p.xs, p.y, krr.Options{Lambda: 0.1})
		if err != nil {
			t.Fatal(err)
		}
		e, ok := f.(*model.Expansion[[]float64])
		if !ok || report.Solver != krr.Cholesky {
			t.Fatalf("%s: %T by %s", k, f, report.Solver)
		}
		got, err := e.Predict(t.Context(), p.xs, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		q := *p
		q.k = matrix(t, k, p.xs)
		want := predict(brute(t, &q, 12*0.1, true), q.k)
		testkit.CloseSlice(t, "predictions", got.RawMatrix().Data, want.RawMatrix().Data, 1e-10)
	}
	_, _, err := krr.Fit(t.Context(), gauss{1}, p.xs, p.y, krr.Options{Lambda: 0.1, Solver: krr.Primal})
	if err == nil || !strings.Contains(err.Error(), "finite feature map") {
		t.Errorf("primal with a Gaussian: %v", err)
	}
}

func TestChoosePrimalIsWhatFitDoes(t *testing.T) {
	p := newProblem(t, testkit.Rand(t, 26), 15, 4, 1, false)
	for _, c := range []struct {
		k      kernel.Kernel[[]float64]
		solver krr.Solver
		dim    int
		primal bool
	}{
		{gauss{1}, krr.Auto, 0, false},
		{poly2{-1}, krr.Auto, 4, true},
		{poly2{-1}, krr.Cholesky, 4, false},
		{poly2{1}, krr.Auto, 15, false}, // not fewer than rows
		{poly2{1}, krr.Primal, 15, true},
	} {
		if dim, primal := space.ChoosePrimal(c.k, p.xs, c.solver); dim != c.dim || primal != c.primal {
			t.Errorf("%s, %s: %d dimensions, primal %v; want %d, %v", c.k, c.solver, dim, primal, c.dim, c.primal)
		}
		_, report, err := krr.Fit(t.Context(), c.k, p.xs, p.y, krr.Options{Ridge: 0.1, Solver: c.solver})
		if err != nil {
			t.Fatal(err)
		}
		if (report.Solver == krr.Primal) != c.primal {
			t.Errorf("%s, %s: Fit took %s", c.k, c.solver, report.Solver)
		}
	}
}

// picky is defined for first coordinates below 1.
type picky struct{ gauss }

func (picky) Contains(x []float64) error {
	if x[0] >= 1 {
		return errors.New("too large")
	}
	return nil
}

func TestFitRefusesPointsOutsideTheDomain(t *testing.T) {
	p := newProblem(t, testkit.Rand(t, 27), 15, 1, 1, false)
	p.xs.At(9)[0] = 5
	for i := range 9 {
		p.xs.At(i)[0] = 0.1 * float64(i)
	}
	_, _, err := krr.Fit(t.Context(), picky{gauss{1}}, p.xs, p.y, krr.Options{Ridge: 0.1})
	if err == nil || !strings.Contains(err.Error(), "row 9: too large") {
		t.Errorf("a point outside the domain: %v", err)
	}
}

func TestFitRefusesBeyondTheMemory(t *testing.T) {
	p := newProblem(t, testkit.Rand(t, 24), 400, 2, 1, false)
	o := krr.Options{Lambda: 0.1, Compute: compute.Options{MaxMemory: 1 << 20}}
	_, _, err := krr.Fit(t.Context(), gauss{1}, p.xs, p.y, o)
	var refused *compute.TooLarge
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), "--solver packed") {
		t.Errorf("400 rows in 1 MiB: %v", err)
	}
	o.Compute.MaxMemory = 1 << 34
	if _, _, err := krr.Fit(t.Context(), gauss{1}, p.xs, p.y, o); err != nil {
		t.Errorf("400 rows in 16 GiB: %v", err)
	}
}

// Least squares on a column that only one row has: nothing else can predict it.
func TestLeaveOneOutNeedsOtherRows(t *testing.T) {
	p := newProblem(t, testkit.Rand(t, 25), 20, 2, 1, false)
	for i := range 20 {
		p.xs.At(i)[1] = 0
	}
	p.xs.At(6)[1] = 1
	_, _, err := krr.Fit(t.Context(), poly2{-1}, p.xs, p.y, krr.Options{LOO: true})
	if err == nil || !strings.Contains(err.Error(), "row 6 has no leave-one-out prediction") {
		t.Errorf("without a penalty: %v", err)
	}
	if _, _, err := krr.Fit(t.Context(), poly2{-1}, p.xs, p.y, krr.Options{LOO: true, Ridge: 0.1}); err != nil {
		t.Errorf("with a penalty: %v", err)
	}
	weights := make([]float64, 20)
	for i := range weights {
		weights[i] = 1e-18
	}
	weights[3] = 1
	_, _, err = solveGram(t.Context(), p.op(), p.y, krr.Options{LOO: true, Ridge: 1e-3, Weights: weights})
	if err == nil || !strings.Contains(err.Error(), "row 3 has no leave-one-out prediction") {
		t.Errorf("one row with all the weight: %v", err)
	}
}
