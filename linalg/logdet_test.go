package linalg

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/testkit"
)

// preconditioned returns K + ridge·I of a Gaussian Gram matrix and a preconditioner
// LLᵀ + ridge·I of low rank.
func preconditioned(t testing.TB, n, rank int, ridge float64, o Options) (*mat.SymDense, *Woodbury) {
	t.Helper()
	k := gaussGram(t, n, 2, 1)
	low, err := lowRank(k, LowRankOptions{Rank: rank, Pivots: Random, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	d := make([]float64, n)
	for i := range d {
		d[i] = ridge
	}
	p, err := NewWoodbury(context.Background(), low.LT, d, o)
	if err != nil {
		t.Fatal(err)
	}
	return shifted(k, ridge), p
}

// exactLogDet is that of a Cholesky factor.
func exactLogDet(t testing.TB, a *mat.SymDense) float64 {
	t.Helper()
	f, err := Factor(context.Background(), mat.NewSymDense(a.SymmetricDim(), slices.Clone(a.RawSymmetric().Data)), 0, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return f.LogDet()
}

// probeVariance is that of zᵀ(ln B)z for B = S⁻¹AS⁻ᵀ and random signs z: with F = ln B
// twice the sum of the squares beside the diagonal (Girard 1989; Hutchinson 1990).
func probeVariance(t testing.TB, a *mat.SymDense, p *Woodbury) float64 {
	t.Helper()
	n := a.SymmetricDim()
	identity, root := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
	for i := range n {
		identity.Set(i, i, 1)
	}
	if err := p.Root(context.Background(), root, identity); err != nil {
		t.Fatal(err)
	}
	var left, both mat.Dense
	if err := left.Solve(root, a); err != nil {
		t.Fatal(err)
	}
	if err := both.Solve(root, left.T()); err != nil {
		t.Fatal(err)
	}
	e, err := EigenSym(context.Background(), fromFunc(n, both.At), Options{})
	if err != nil {
		t.Fatal(err)
	}
	variance := 0.0
	for _, v := range e.Values {
		variance += 2 * math.Log(v) * math.Log(v)
	}
	for i := range n {
		f := 0.0
		for j, v := range e.Values {
			f += e.Vectors.At(i, j) * e.Vectors.At(i, j) * math.Log(v)
		}
		variance -= 2 * f * f
	}
	return variance
}

// SSᵀ = P = LLᵀ + diag(d), and the determinant is its.
func TestWoodburyRoot(t *testing.T) {
	const n, r = 40, 7
	rng := testkit.Rand(t, 61)
	l, d := randomDense(rng, n, r), make([]float64, n)
	var want mat.Dense
	want.Mul(l, l.T())
	for i := range d {
		d[i] = 0.5 + rng.Float64()
		want.Set(i, i, want.At(i, i)+d[i])
	}
	p, err := NewWoodbury(context.Background(), mat.DenseCopyOf(l.T()), d, Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := mat.NewDense(n, n, nil)
	for i := range n {
		s.Set(i, i, 1)
	}
	if err := p.Root(context.Background(), s, s); err != nil {
		t.Fatal(err)
	}
	var got mat.Dense
	got.Mul(s, s.T())
	testkit.CloseSlice(t, "SSᵀ", got.RawMatrix().Data, want.RawMatrix().Data, 1e-13)
	logdet, _ := mat.LogDet(&want)
	testkit.Close(t, "ln|P|", p.LogDet(), logdet, 1e-13)
	var inverse, solved mat.Dense
	if err := inverse.Inverse(&want); err != nil {
		t.Fatal(err)
	}
	diagonal := make([]float64, n)
	if err := p.InverseDiag(context.Background(), diagonal); err != nil {
		t.Fatal(err)
	}
	if err := p.Solve(context.Background(), &solved, &want); err != nil {
		t.Fatal(err)
	}
	for i, v := range diagonal {
		testkit.Close(t, "diagonal of P⁻¹", v, inverse.At(i, i), 1e-13)
		testkit.Close(t, "diagonal of P⁻¹P", solved.At(i, i), 1, 1e-13)
	}
	if p.InverseDiag(context.Background(), diagonal[1:]) == nil {
		t.Error("a diagonal that is too short is taken")
	}
}

// The estimate is within five of its own standard deviations of the exact value: that of
// 40 probes, computed from the matrix itself, and what the quadrature leaves. The standard
// error, of 40 numbers, is within half of it.
func TestLogDet(t *testing.T) {
	const n, probes = 200, 40
	for name, rank := range map[string]int{"a good preconditioner": 40, "a poor one": 3} {
		t.Run(name, func(t *testing.T) {
			a, p := preconditioned(t, n, rank, 0.01, Options{})
			l, err := LogDet(context.Background(), &operator{Matrix: a}, n, LogDetOptions{Preconditioner: p, Least: 1, Probes: probes, Seed: 3})
			if err != nil {
				t.Fatal(err)
			}
			exact, deviation := exactLogDet(t, a), math.Sqrt(probeVariance(t, a, p)/probes)
			if off := math.Abs(l.Value - exact); off > 5*deviation+l.Quadrature {
				t.Errorf("estimate %.6f, exact %.6f: off by %.2g, the standard deviation is %.2g", l.Value, exact, off, deviation)
			}
			// The residual is 1e-6 and the error of a quadrature its square, times n.
			if !(l.Quadrature < 1e-6) || math.Abs(l.StandardError/deviation-1) > 0.5 || !(deviation > 0) {
				t.Errorf("quadrature ± %.2g, standard error %.2g, which is %.2g", l.Quadrature, l.StandardError, deviation)
			}
			if low, high := l.Interval(0.999999); !(low < exact && exact < high) {
				t.Errorf("%.6f is not between %.6f and %.6f", exact, low, high)
			}
		})
	}
}

// Without a preconditioner, and after some steps only: the exact quadratic forms are within
// the bounds of the quadrature, which get narrower with every step.
func TestLogDetBounds(t *testing.T) {
	const n, ridge, probes = 120, 0.1, 5
	a := shifted(gaussGram(t, n, 2, 1), ridge)
	e, err := EigenSym(context.Background(), a, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want, z := 0.0, signs(n, probes, 7)
	for j := range probes {
		for i, v := range e.Values {
			along := mat.Dot(z.ColView(j), e.Vectors.ColView(i))
			want += along * along * math.Log(v) / probes
		}
	}
	last := math.Inf(1)
	for _, iterations := range []int{3, 5, 8, 14, 25} {
		l, err := LogDet(context.Background(), &operator{Matrix: a}, n, LogDetOptions{Least: ridge, Probes: probes, Seed: 7, Iterations: iterations, Tolerance: 1e-13})
		var slow *NotConverged
		if err != nil && !errors.As(err, &slow) {
			t.Fatal(err)
		}
		if off := math.Abs(l.Value - want); off > l.Quadrature+1e-11*n || l.Quadrature > last+1e-11*n {
			t.Errorf("%d iterations: off by %.3g, bound %.3g after %.3g", iterations, off, l.Quadrature, last)
		}
		last = l.Quadrature
	}
	if last > 1e-3 {
		t.Errorf("after 25 iterations the quadrature is known to %.2g only", last)
	}
}

// A scaled identity, and a preconditioner that is the matrix itself, leave nothing to
// estimate; a diagonal with random signs is exact for every probe.
func TestLogDetClosedForms(t *testing.T) {
	const n = 60
	check := func(what string, a *mat.SymDense, o LogDetOptions, want float64) {
		t.Helper()
		o.Probes, o.Tolerance = 3, 1e-13
		l, err := LogDet(context.Background(), &operator{Matrix: a}, n, o)
		if err != nil {
			t.Fatal(err)
		}
		testkit.Close(t, what, l.Value, want, 1e-10)
		if l.StandardError > 1e-9*n || l.Quadrature > 1e-9*n {
			t.Errorf("%s: standard error %g, quadrature %g", what, l.StandardError, l.Quadrature)
		}
	}
	check("3·I", banded(n, constant(3), constant(0)), LogDetOptions{Least: 3}, n*math.Log(3))
	diagonal, sum := func(i int) float64 { return 1 + float64(i)/4 }, 0.0
	for i := range n {
		sum += math.Log(diagonal(i))
	}
	check("a diagonal", banded(n, diagonal, constant(0)), LogDetOptions{Least: 1}, sum)
	l, d := randomDense(testkit.Rand(t, 62), n, 5), make([]float64, n)
	var a mat.Dense
	a.Mul(l, l.T())
	for i := range d {
		d[i] = diagonal(i)
		a.Set(i, i, a.At(i, i)+d[i])
	}
	p, err := NewWoodbury(context.Background(), mat.DenseCopyOf(l.T()), d, Options{})
	if err != nil {
		t.Fatal(err)
	}
	whole := fromFunc(n, a.At)
	check("diagonal and low rank", whole, LogDetOptions{Least: 1, Preconditioner: p}, exactLogDet(t, whole))
}

// The probes have the covariance P, the solutions are A⁻¹Sz, and together they estimate
// tr(A⁻¹B): for B = A that is n.
func TestLogDetSolutions(t *testing.T) {
	const n, probes = 150, 30
	a, p := preconditioned(t, n, 20, 0.05, Options{})
	l, err := LogDet(context.Background(), &operator{Matrix: a}, n, LogDetOptions{Preconditioner: p, Least: 1, Probes: probes, Tolerance: 1e-10})
	if err != nil {
		t.Fatal(err)
	}
	var back, left mat.Dense
	back.Mul(a, l.Solutions)
	testkit.CloseSlice(t, "A·A⁻¹Sz", back.RawMatrix().Data, l.Probes.RawMatrix().Data, 1e-8)
	left.ReuseAs(n, probes)
	if err := p.Mul(context.Background(), &left, l.Probes); err != nil {
		t.Fatal(err)
	}
	trace := 0.0
	for j := range probes {
		trace += mat.Dot(left.ColView(j), back.ColView(j)) / probes
	}
	testkit.Close(t, "tr(A⁻¹A)", trace, n, 1e-8) // (P⁻¹Sz)ᵀSz = ‖z‖² for every probe
}

func TestLogDetSameBits(t *testing.T) {
	var first []float64
	for _, workers := range []int{1, 2, 3, 8} {
		a, p := preconditioned(t, 300, 40, 0.01, Options{Workers: workers})
		l, err := LogDet(context.Background(), &operator{Matrix: a}, 300, LogDetOptions{Preconditioner: p, Least: 1, Probes: 4})
		if err != nil {
			t.Fatal(err)
		}
		all := append([]float64{l.Value, l.StandardError, l.Quadrature}, l.Solutions.RawMatrix().Data...)
		if first == nil {
			first = all
		}
		if !slices.Equal(all, first) {
			t.Errorf("%d workers: %v, with one %v", workers, all[:3], first[:3])
		}
	}
}

func TestLogDetRefuses(t *testing.T) {
	a := banded(20, func(i int) float64 { return float64(i) - 4.5 }, constant(0))
	var indefinite *NegativeCurvature
	if _, err := LogDet(context.Background(), &operator{Matrix: a}, 20, LogDetOptions{Least: 1}); !errors.As(err, &indefinite) {
		t.Errorf("an indefinite matrix: %v", err)
	}
	if _, err := LogDet(context.Background(), &operator{Matrix: a}, 20, LogDetOptions{}); err == nil {
		t.Error("no bound of the eigenvalues was accepted")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := LogDet(ctx, &operator{Matrix: a}, 20, LogDetOptions{Least: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that had ended: %v", err)
	}
}

// Blocks of 16 probes exhaust spaces of 20 to 60 dimensions in a few steps, and their last block
// has more columns than there are directions left: what rounding leaves of these is not searched.
// Where all are found Gauss' rule is exact: (1/m) Σ zᵀ(ln A)z with the eigenvalues of A.
func TestLogDetExhaustsTheSpace(t *testing.T) {
	for _, n := range []int{16, 20, 30, 40, 60} {
		a := shifted(gaussGram(t, n, 3, 1), 0.05)
		e, err := EigenSym(context.Background(), mat.NewSymDense(n, slices.Clone(a.RawSymmetric().Data)), Options{})
		if err != nil {
			t.Fatal(err)
		}
		l, err := LogDet(context.Background(), &operator{Matrix: a}, n, LogDetOptions{Least: 0.05, Tolerance: 1e-6})
		if err != nil {
			t.Fatalf("n = %d: %v", n, err)
		}
		z, want := signs(n, 16, 0), 0.0
		for j := range 16 {
			for i, v := range e.Values {
				along := mat.Dot(e.Vectors.ColView(i), z.ColView(j))
				want += along * along * math.Log(v) / 16
			}
		}
		if off := math.Abs(l.Value - want); off > l.Quadrature+1e-12*float64(n) || off > 1e-6*math.Abs(want) {
			t.Errorf("n = %d: %.12g, and the quadratic forms are %.12g: off by %.2g, within %.2g as it says", n, l.Value, want, off, l.Quadrature)
		}
	}
}
