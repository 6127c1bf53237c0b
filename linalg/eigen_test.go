package linalg

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"example.org/mercer/internal/testkit"
)

// checkEigen holds a decomposition against its definition. The bounds are the usual
// c·n·ε with c = 4 for A scaled by its largest element; n+10 instead of n because sums
// of few terms round too.
func checkEigen(t rapid.TB, a *mat.SymDense, e *Eigen) {
	t.Helper()
	n := a.SymmetricDim()
	if len(e.Values) != n {
		t.Fatalf("%d eigenvalues, want %d", len(e.Values), n)
	}
	for i := 1; i < n; i++ {
		if !(e.Values[i] >= e.Values[i-1]) {
			t.Fatalf("eigenvalue %d is %g after %g", i, e.Values[i], e.Values[i-1])
		}
	}
	tol := 4 * float64(n+10) * eps
	var gram mat.Dense
	gram.Mul(e.Vectors.T(), e.Vectors)
	for i := range n {
		gram.Set(i, i, gram.At(i, i)-1)
	}
	if got := maxAbs(&gram); !(got <= tol) {
		t.Errorf("|VᵀV − I| = %.3g, more than %.3g", got, tol)
	}
	scale := maxAbs(a)
	if scale == 0 {
		scale = 1
	}
	unit := mat.NewDense(n, n, nil) // A/scale: products of extreme numbers stay finite
	unit.Apply(func(i, j int, _ float64) float64 { return a.At(i, j) / scale }, unit)
	var residual, vl mat.Dense
	residual.Mul(unit, e.Vectors)
	vl.Apply(func(i, j int, v float64) float64 { return v * (e.Values[j] / scale) }, e.Vectors)
	residual.Sub(&residual, &vl)
	norm := math.Max(1, math.Max(e.Values[n-1]/scale, -e.Values[0]/scale))
	if got := maxAbs(&residual); !(got <= tol*norm) {
		t.Errorf("|AV − VΛ| = %.3g, more than %.3g", got, tol*norm)
	}
}

// banded returns the symmetric tridiagonal matrix of the given functions.
func banded(n int, diag, off func(i int) float64) *mat.SymDense {
	a := mat.NewSymDense(n, nil)
	for i := range n {
		a.SetSym(i, i, diag(i))
		if i+1 < n {
			a.SetSym(i, i+1, off(i))
		}
	}
	return a
}

func constant(v float64) func(int) float64 { return func(int) float64 { return v } }

// fromFunc returns the symmetric matrix of f(i, j), i ≤ j.
func fromFunc(n int, f func(i, j int) float64) *mat.SymDense {
	a := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			a.SetSym(i, j, f(i, j))
		}
	}
	return a
}

// withSpectrum returns Q·diag(values)·Qᵀ for a random orthogonal Q.
func withSpectrum(t *testing.T, values []float64) *mat.SymDense {
	n := len(values)
	var qr mat.QR
	qr.Factorize(randomDense(testkit.Rand(t, 5), n, n))
	var q, ql, full mat.Dense
	qr.QTo(&q)
	ql.Apply(func(i, j int, v float64) float64 { return v * values[j] }, &q)
	full.Mul(&ql, q.T())
	return fromFunc(n, full.At)
}

// gluedWilkinson returns copies of W21+ on the diagonal, joined by elements glue: groups
// of eigenvalues that agree to about glue.
func gluedWilkinson(copies int, glue float64) *mat.SymDense {
	return banded(21*copies,
		func(i int) float64 { return math.Abs(float64(i%21 - 10)) },
		func(i int) float64 {
			if i%21 == 20 {
				return glue
			}
			return 1
		})
}

func eigenCases(t *testing.T) map[string]*mat.SymDense {
	rng := testkit.Rand(t, 6)
	clustered := make([]float64, 200)
	for i := range clustered {
		clustered[i] = float64(i/50) + 1e-14*float64(i)
	}
	cases := map[string]*mat.SymDense{
		"zeros":              mat.NewSymDense(70, nil),
		"identity":           banded(100, constant(1), constant(0)),
		"diagonal":           banded(130, func(i int) float64 { return math.Sin(float64(i)) }, constant(0)),
		"toeplitz":           banded(257, constant(2), constant(-1)),
		"wilkinson":          gluedWilkinson(1, 0),
		"wilkinson glued":    gluedWilkinson(10, 1e-8),
		"wilkinson glued 14": gluedWilkinson(10, 1e-14),
		"hilbert":            fromFunc(100, func(i, j int) float64 { return 1 / float64(i+j+1) }),
		"ones":               fromFunc(150, func(i, j int) float64 { return 1 }),
		"clustered":          withSpectrum(t, clustered),
		"rbf wide":           gaussGram(t, 300, 2, 5),
		"rbf narrow":         gaussGram(t, 300, 8, 0.3),
		"huge":               fromFunc(90, func(i, j int) float64 { return 1e300 * math.Cos(float64(i*j)) }),
		"tiny":               fromFunc(90, func(i, j int) float64 { return 1e-300 * math.Cos(float64(i*j)) }),
		"subnormal":          fromFunc(40, func(i, j int) float64 { return 5e-310 * math.Cos(float64(i*j)) }),
		"graded": banded(200,
			func(i int) float64 { return math.Pow(10, -1.5*float64(i)) },
			func(i int) float64 { return math.Pow(10, -1.5*float64(i)-1) }),
		// Parts of negligible norm before a part of norm 1.
		"wild": banded(4,
			func(i int) float64 { return []float64{5e-170, 1e-282, 1, 2e-197}[i] },
			func(i int) float64 { return []float64{2e-135, 1e-176, 1e-103}[i] }),
		"graded up": banded(200,
			func(i int) float64 { return math.Pow(10, -1.5*float64(199-i)) },
			func(i int) float64 { return math.Pow(10, -1.5*float64(199-i)-1) }),
	}
	for _, n := range []int{1, 2, 3, 31, 32, 33, 34, 63, 64, 65, 66, 127, 129, 257, 301, 520} {
		if testing.Short() && n > 257 {
			continue
		}
		cases[fmt.Sprintf("random %d", n)] = fromFunc(n, func(i, j int) float64 { return rng.NormFloat64() })
	}
	return cases
}

func TestEigenSym(t *testing.T) {
	for name, a := range eigenCases(t) {
		t.Run(name, func(t *testing.T) {
			kept := mat.NewSymDense(a.SymmetricDim(), nil)
			kept.CopySym(a)
			e, err := EigenSym(context.Background(), a, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !mat.Equal(a, kept) {
				t.Error("the matrix was changed")
			}
			checkEigen(t, a, e)
			values, err := EigenvaluesSym(context.Background(), a, Options{})
			if err != nil {
				t.Fatal(err)
			}
			testkit.CloseSlice(t, "EigenvaluesSym", values, e.Values, 4*float64(len(values)+10)*eps)
		})
	}
}

// TestEigenSymOfAnyTridiagonal draws the diagonals from distributions that stress
// deflation: repeated, clustered and graded elements, weak and missing links.
func TestEigenSymOfAnyTridiagonal(t *testing.T) {
	kinds := []func(r *rand.Rand, i int) float64{
		func(r *rand.Rand, i int) float64 { return r.NormFloat64() },
		func(r *rand.Rand, i int) float64 { return float64(r.IntN(3)) },
		func(r *rand.Rand, i int) float64 { return math.Exp(-40 * r.Float64()) },
		func(r *rand.Rand, i int) float64 { return math.Exp(-700 * r.Float64()) },
		func(r *rand.Rand, i int) float64 { return 1 + 1e-13*r.NormFloat64() },
		func(r *rand.Rand, i int) float64 { return math.Abs(float64(i%21 - 10)) },
		func(r *rand.Rand, i int) float64 { return 1e-15 * r.NormFloat64() },
		func(r *rand.Rand, i int) float64 { return 1 },
		func(r *rand.Rand, i int) float64 { return 0 },
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 140).Draw(t, "order")
		diag := kinds[rapid.IntRange(0, len(kinds)-1).Draw(t, "diagonal")]
		off := kinds[rapid.IntRange(0, len(kinds)-1).Draw(t, "off")]
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		a := banded(n, func(i int) float64 { return diag(rng, i) }, func(i int) float64 { return off(rng, i) })
		e, err := EigenSym(context.Background(), a, Options{})
		if err != nil {
			t.Fatal(err)
		}
		checkEigen(t, a, e)
	})
}

// TestEigenSymAgreesWithGonum compares values with the QL iteration of gonum; both are
// within c·n·ε·‖A‖ of the truth.
func TestEigenSymAgreesWithGonum(t *testing.T) {
	for name, a := range eigenCases(t) {
		if most := maxAbs(a); name == "wild" || most > 1e100 || most > 0 && most < 1e-100 {
			continue // gonum v0.17 panics in Dlascl where parts need scaling
		}
		if testing.Short() && a.SymmetricDim() > 200 {
			continue
		}
		e, err := EigenSym(context.Background(), a, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var reference mat.EigenSym
		if !reference.Factorize(a, false) {
			t.Fatalf("%s: gonum does not converge", name)
		}
		testkit.CloseSlice(t, name, e.Values, reference.Values(nil), 4*float64(a.SymmetricDim()+10)*eps)
	}
}

// TestEigenSymToeplitz: the eigenvalues of tridiag(−1, 2, −1) are 4 sin²(kπ/(2n+2)),
// k = 1 … n.
func TestEigenSymToeplitz(t *testing.T) {
	const n = 257
	e, err := EigenSym(context.Background(), banded(n, constant(2), constant(-1)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := make([]float64, n)
	for k := range want {
		s := math.Sin(float64(k+1) * math.Pi / (2*n + 2))
		want[k] = 4 * s * s
	}
	testkit.CloseSlice(t, "eigenvalues", e.Values, want, n*eps)
}

func TestEigenSymRefusesNaN(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		a := mat.NewSymDense(50, nil)
		a.SetSym(7, 9, bad)
		_, err := EigenSym(context.Background(), a, Options{})
		if err == nil || !strings.Contains(err.Error(), "(7, 9)") {
			t.Errorf("error for %v is %v, want one that names element (7, 9)", bad, err)
		}
		if _, err := EigenvaluesSym(context.Background(), a, Options{}); err == nil {
			t.Errorf("EigenvaluesSym accepts %v", bad)
		}
	}
}
