package krr_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/supervised/krr"
)

// fitted solves with LOO and keeps what a model keeps.
func fitted(t testing.TB, p *problem, ridge float64, intercept bool) krr.Fitted {
	t.Helper()
	sol, report, err := solveGram(t.Context(), p.op(), p.y, krr.Options{Ridge: ridge, NoIntercept: !intercept, Weights: p.weights, LOO: true})
	if err != nil {
		t.Fatal(err)
	}
	return krr.Fitted{Solution: sol, LOOResiduals: report.Point.LOOResiduals, Ridge: ridge, Weights: p.weights, NoIntercept: !intercept}
}

// crossOf returns the kernel values of new points (rows) against the training points.
func crossOf(k gauss, fresh, xs interface {
	Len() int
	At(int) []float64
}) *mat.Dense {
	c := mat.NewDense(fresh.Len(), xs.Len(), nil)
	for i := range fresh.Len() {
		for j := range xs.Len() {
			c.Set(i, j, k.Eval(fresh.At(i), xs.At(j)))
		}
	}
	return c
}

// dropColumn returns the matrix without column i.
func dropColumn(a *mat.Dense, i int) *mat.Dense {
	rows, cols := a.Dims()
	out := mat.NewDense(rows, cols-1, nil)
	for r := range rows {
		out.SetRow(r, slices.Delete(slices.Clone(a.RawRowView(r)), i, i+1))
	}
	return out
}

// The jackknife+ of Barber et al. (2021), equation 1.4, by n fits without one row.
func TestJackknifePlusEqualsRefits(t *testing.T) {
	const ridge, n = 0.1, 24
	cases(t, func(t *testing.T, weighted, intercept bool, m int) {
		rng := testkit.Rand(t, 41)
		p := newProblem(t, rng, n, 2, m, weighted)
		fresh := newProblem(t, rng, 5, 2, 1, false).xs
		cross := crossOf(gauss{1.3}, fresh, p.xs)
		v, err := krr.NewIntervals(t.Context(), p.op(), fitted(t, p, ridge, intercept), compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		lo, hi, err := v.Predict(t.Context(), cross, 0.8, krr.JackknifePlus)
		if err != nil {
			t.Fatal(err)
		}
		wantLo, wantHi := mat.NewDense(5, m, nil), mat.NewDense(5, m, nil)
		for r := range 5 {
			for j := range m {
				var lower, upper []float64
				for i := range n {
					if weighted && p.weights[i] == 0 {
						continue
					}
					without := brute(t, p.without(i), ridge, intercept)
					residual := math.Abs(p.y.At(i, j) - predict(without, p.crossWithout(i)).At(0, j))
					f := predict(without, dropColumn(cross, i)).At(r, j)
					lower, upper = append(lower, f-residual), append(upper, f+residual)
				}
				slices.Sort(lower)
				slices.Sort(upper)
				rows := len(lower)
				wantLo.Set(r, j, lower[int(math.Floor(0.2*float64(rows+1)))-1])
				wantHi.Set(r, j, upper[int(math.Ceil(0.8*float64(rows+1)))-1])
			}
		}
		testkit.CloseSlice(t, "lower ends", lo.RawMatrix().Data, wantLo.RawMatrix().Data, 1e-9)
		testkit.CloseSlice(t, "upper ends", hi.RawMatrix().Data, wantHi.RawMatrix().Data, 1e-9)
	})
}

// 1500 fresh points, 3 fits: a coverage of exactly 0.9 would be below 0.86 with
// probability under 1e-6 if the points were independent given the fit; the fits of
// 150 rows add a standard deviation of √(0.1·0.9/150)/√3 ≈ 0.014 of their own.
func TestIntervalsCover(t *testing.T) {
	for _, method := range []krr.IntervalMethod{krr.JackknifePlus, krr.Jackknife} {
		rng := testkit.Rand(t, 42)
		inside, width := 0, 0.0
		const fits, n, fresh = 3, 150, 500
		for range fits {
			p := noisySine(t, rng, n+fresh)
			train, test := p.rows(indices(0, n)), p.rows(indices(n, n+fresh))
			v, err := krr.NewIntervals(t.Context(), train.op(), fitted(t, train, 1, true), compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			lo, hi, err := v.Predict(t.Context(), crossOf(gauss{1.3}, test.xs, train.xs), 0.9, method)
			if err != nil {
				t.Fatal(err)
			}
			for i := range fresh {
				if y := test.y.At(i, 0); lo.At(i, 0) <= y && y <= hi.At(i, 0) {
					inside++
				}
				width += (hi.At(i, 0) - lo.At(i, 0)) / (fits * fresh)
			}
		}
		if c := float64(inside) / (fits * fresh); c < 0.85 || c > 0.95 {
			t.Errorf("%s: level 0.9 covers %.3f", method, c)
		}
		// The noise is normal with σ = 0.3: ±1.645σ is a width of 0.99.
		if width < 0.9 || width > 1.3 {
			t.Errorf("%s: mean width %.3f, the noise alone takes 0.99", method, width)
		}
	}
}

// noisySine is a problem with noise of standard deviation 0.3.
func noisySine(t testing.TB, rng *rand.Rand, n int) *problem {
	return newProblem(t, rng, n, 1, 1, false)
}

func indices(from, to int) []int {
	var out []int
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	return out
}

func TestIntervalsRefuse(t *testing.T) {
	p := newProblem(t, testkit.Rand(t, 43), 12, 2, 1, false)
	f := fitted(t, p, 1, true)
	v, err := krr.NewIntervals(t.Context(), p.op(), f, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		cross  *mat.Dense
		level  float64
		method krr.IntervalMethod
		want   string
	}{
		{mat.NewDense(1, 12, nil), 1, "", "level 1 is not between 0 and 1"},
		{mat.NewDense(1, 12, nil), 0.95, "", "takes 19 rows"},
		{mat.NewDense(1, 3, nil), 0.9, "", "kernel values against 3 training rows"},
		{mat.NewDense(1, 12, nil), 0.9, "magic", `"magic" is not known`},
	} {
		if _, _, err := v.Predict(t.Context(), c.cross, c.level, c.method); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v does not say %q", err, c.want)
		}
	}
	f.LOOResiduals = nil
	if _, err := krr.NewIntervals(t.Context(), p.op(), f, compute.Options{}); err == nil || !strings.Contains(err.Error(), "fit with LOO") {
		t.Errorf("without residuals: %v", err)
	}
	f.LOOResiduals = mat.NewDense(3, 1, nil)
	if _, err := krr.NewIntervals(t.Context(), p.op(), f, compute.Options{}); err == nil || !strings.Contains(err.Error(), "of one fit") {
		t.Errorf("with residuals of another fit: %v", err)
	}
}
