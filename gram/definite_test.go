package gram_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
)

// indefinite returns a symmetric matrix with eigenvalues of both signs.
func indefinite(t *testing.T, n int) *mat.SymDense {
	t.Helper()
	r := testkit.Rand(t, 17)
	k := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			k.SetSym(i, j, r.NormFloat64())
		}
	}
	return k
}

// spectrum returns the eigenvalues by gonum, the slow way.
func spectrum(t *testing.T, k *mat.SymDense) []float64 {
	var e mat.EigenSym
	if !e.Factorize(k, false) {
		t.Fatal("gonum does not decompose the matrix")
	}
	return e.Values(nil)
}

// TestTreatments compares the spectrum of the treated matrix with what the treatment
// says, its change with its definition, and k'(x)ᵀβ = k(x)ᵀα on the points themselves.
func TestTreatments(t *testing.T) {
	const n = 30
	k := indefinite(t, n)
	before := spectrum(t, k)
	const eps = 1e-12 * n
	for treatment, change := range map[gram.Treatment]func(v float64) float64{
		gram.Clip:  func(v float64) float64 { return max(v, 0) },
		gram.Flip:  math.Abs,
		gram.Shift: func(v float64) float64 { return v - before[0] },
	} {
		d, err := gram.MakeDefinite(t.Context(), gram.FromMatrix(k), treatment, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := make([]float64, n)
		negative := 0
		for i, v := range before {
			want[i] = change(v)
			if v < 0 {
				negative++
			}
		}
		got := spectrum(t, d.K)
		slices.Sort(want)
		testkit.CloseSlice(t, string(treatment)+": spectrum", got, want, eps)
		if d.Negative != negative {
			t.Errorf("%s: %d negative eigenvalues, want %d", treatment, d.Negative, negative)
		}
		var diff mat.Dense
		diff.Sub(d.K, k)
		testkit.Close(t, string(treatment)+": change", d.Change, mat.Norm(&diff, 2)/mat.Norm(k, 2), 1e-12)
		if treatment == gram.Shift {
			continue // k' = k for new points, and the points themselves are not new
		}
		beta := mat.NewDense(n, 2, nil)
		for i := range n {
			beta.Set(i, 0, float64(i%7)-3)
			beta.Set(i, 1, 1/float64(i+1))
		}
		var left, right mat.Dense
		left.Mul(d.K, beta)
		right.Mul(k, d.Coef(beta))
		for j := range 2 {
			testkit.CloseSlice(t, string(treatment)+": K'β = Kα", mat.Col(nil, j, &left), mat.Col(nil, j, &right), eps*10)
		}
	}
	if _, err := gram.MakeDefinite(t.Context(), gram.FromMatrix(k), gram.Refuse, compute.Options{}); err == nil || !strings.Contains(err.Error(), "eigenvalues of the Gram matrix are negative") {
		t.Errorf("refuse: %v", err)
	}
	if _, err := gram.MakeDefinite(t.Context(), gram.FromMatrix(k), "mend", compute.Options{}); err == nil || !strings.Contains(err.Error(), `"mend"`) {
		t.Errorf("an unknown treatment: %v", err)
	}
}

// TestSemidefiniteIsLeftAlone: rounding of a singular matrix is not a negative
// eigenvalue, and nothing is changed.
func TestSemidefiniteIsLeftAlone(t *testing.T) {
	k := mat.NewSymDense(20, nil)
	for i := range 20 {
		for j := i; j < 20; j++ {
			k.SetSym(i, j, float64(i+1)*float64(j+1)+0.3*float64(i%3)*float64(j%3))
		}
	}
	for _, treatment := range gram.Treatments {
		d, err := gram.MakeDefinite(t.Context(), gram.FromMatrix(k), treatment, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if d.Negative != 0 || d.Change != 0 || !mat.Equal(d.K, k) {
			t.Errorf("%s: %d negative eigenvalues (smallest %v), change %v", treatment, d.Negative, d.Smallest, d.Change)
		}
	}
}
