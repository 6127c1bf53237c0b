package check

import (
	"slices"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
)

func randomRows(t *testing.T, n, d int) data.Vectors {
	rng := testkit.Rand(t, uint64(n))
	v := data.MakeVectors(n, d)
	for i := range v.Raw() {
		v.Raw()[i] = rng.NormFloat64()
	}
	return v
}

// TestRows: a false kernel is falsified with rows of the data and their positions;
// a kernel that is false elsewhere but definite on these rows is not.
func TestRows(t *testing.T) {
	for _, n := range []int{3, 50, 700} {
		rows := randomRows(t, n, 2)
		r, err := Run(t.Context(), mustFormula(t, "abs(x[0] - y[0])"), Options{Domain: Rows(rows), Budget: 300_000})
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != NotAKernel || len(r.Witness.Points) != 2 || len(r.Witness.Rows) != 2 {
			t.Fatalf("n = %d:\n%s", n, r)
		}
		for i, row := range r.Witness.Rows {
			if !slices.Equal(r.Witness.Points[i], rows.At(row-1)) {
				t.Errorf("point %v is not row %d", r.Witness.Points[i], row)
			}
		}
		r, err = Run(t.Context(), mustFormula(t, "exp(-sqdist(x, y))"), Options{Domain: Rows(rows), Budget: 300_000})
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != NoCounterexample || len(r.Notes) == 0 || !strings.Contains(r.Notes[0], "the given rows only") {
			t.Errorf("n = %d: the Gaussian:\n%s", n, r)
		}
	}
	positive := data.MakeVectors(40, 1)
	for i := range positive.Len() {
		positive.At(i)[0] = float64(1 + i)
	}
	r, err := Run(t.Context(), mustFormula(t, "min(x, y)"), Options{Domain: Rows(positive)}) // false on ℝ only
	if err != nil || r.Verdict != NoCounterexample {
		t.Errorf("min on positive rows: %v\n%s", err, r)
	}
}

// TestRowsSpectrum: a function that satisfies Cauchy–Schwarz on all pairs and fails
// with many rows only.
func TestRowsSpectrum(t *testing.T) {
	for _, n := range []int{60, 500} {
		rows := data.MakeVectors(n, 1)
		for i := range n {
			rows.At(i)[0] = 0.01 * float64(i)
		}
		// The Fourier transform of (1 − t²)₊ is negative around frequency 6; k(t)² ≤ k(0)².
		r, err := Run(t.Context(), mustFormula(t, "max(0, 1 - (x - y)^2)"), Options{Domain: Rows(rows)})
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != NotAKernel || r.Failed != Spectrum || len(r.Witness.Points) > 4 {
			t.Errorf("n = %d:\n%s", n, r)
		}
	}
}

// TestRowsMany: with more rows than the budget pays for, a sample is tested and the
// note says so.
func TestRowsMany(t *testing.T) {
	rows := randomRows(t, 30_000, 1)
	r, err := Run(t.Context(), mustFormula(t, "exp(-abs(x - y))"), Options{Domain: Rows(rows), Budget: 40_000})
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict != NoCounterexample || !strings.Contains(r.Notes[0], "5000 of 30000 rows") || r.Tried.Sets < 5000 {
		t.Errorf("%s", r)
	}
}

func TestRowsOutsideDomain(t *testing.T) {
	rows := data.MakeVectors(3, 1)
	_, err := Run(t.Context(), mustFormula(t, "log(x*y)"), Options{Domain: Rows(rows)})
	if err == nil || !strings.Contains(err.Error(), "row 1") || !strings.Contains(err.Error(), "outside its domain") {
		t.Errorf("log at 0: %v", err)
	}
	for _, o := range []Options{{Domain: Rows(data.Vectors{})}, {Domain: Rows(rows), Dim: 2}} {
		if _, err := Run(t.Context(), mustFormula(t, "x*y"), o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}
