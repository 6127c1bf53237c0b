package gram_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
)

// shiftedFixture is a smooth kernel on 90 points with weights, one of them zero, and
// shifts, and the matrix that it stands for.
func shiftedFixture(t *testing.T, o compute.Options) (kernel.Pairs, gram.Shifted, *mat.SymDense) {
	t.Helper()
	const n = 90
	rng := testkit.Rand(t, 71)
	xs := make([][]float64, n)
	for i := range xs {
		xs[i] = []float64{rng.NormFloat64(), rng.NormFloat64()}
	}
	value := func(i, j int) float64 {
		a, b := xs[i][0]-xs[j][0], xs[i][1]-xs[j][1]
		return math.Exp(-(a*a + b*b) / 2)
	}
	k := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			k.SetSym(i, j, value(i, j))
		}
	}
	a := gram.Shifted{Scale: make([]float64, n), Shift: make([]float64, n)}
	for i := range n {
		a.Scale[i], a.Shift[i] = 0.5+rng.Float64(), 0.01+0.1*rng.Float64()
	}
	a.Scale[4] = 0
	whole := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			whole.SetSym(i, j, a.Scale[i]*k.At(i, j)*a.Scale[j])
		}
		whole.SetSym(i, i, whole.At(i, i)+a.Shift[i])
	}
	pairs := gram.FromMatrix(k).Pairs()
	a.K = gram.Of(pairs, o)
	return pairs, a, whole
}

func TestShiftedMultiplies(t *testing.T) {
	_, a, whole := shiftedFixture(t, compute.Options{})
	x, got, want := mat.NewDense(90, 3, nil), mat.NewDense(90, 3, nil), new(mat.Dense)
	for i := range 90 {
		x.SetRow(i, []float64{1, float64(i), math.Sin(float64(i))})
	}
	before := mat.DenseCopyOf(x)
	if err := a.Mul(t.Context(), got, x); err != nil {
		t.Fatal(err)
	}
	want.Mul(whole, x)
	testkit.CloseSlice(t, "product", got.RawMatrix().Data, want.RawMatrix().Data, 1e-12)
	if !mat.Equal(x, before) {
		t.Error("the right-hand side has changed")
	}
}

// A − P is positive semidefinite with the diagonal Rest, and what P misses of ln|A| is
// between 0 and the ceiling.
func TestPreconditionerIsBelow(t *testing.T) {
	var first []float64
	for _, workers := range []int{1, 2, 3, 8} {
		o := compute.Options{Workers: workers}
		pairs, a, whole := shiftedFixture(t, o)
		p, err := a.Precondition(t.Context(), pairs, 12, o)
		if err != nil {
			t.Fatal(err)
		}
		root, rest := mat.NewDense(90, 90, nil), mat.NewSymDense(90, nil)
		for i := range 90 {
			root.Set(i, i, 1)
		}
		if err := p.Root(t.Context(), root, root); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = root.RawMatrix().Data
		}
		if !slices.Equal(root.RawMatrix().Data, first) {
			t.Fatalf("%d workers give other bits", workers)
		}
		rest.SymOuterK(-1, root)
		rest.AddSym(rest, whole)
		diagonal := make([]float64, 90)
		for i := range diagonal {
			diagonal[i] = rest.At(i, i)
		}
		testkit.CloseSlice(t, "rest", diagonal, p.Rest, 1e-12)
		values, err := linalg.EigenvaluesSym(t.Context(), rest, linalg.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if values[0] < -1e-12 || values[89] < 0.01 {
			t.Errorf("A − P has eigenvalues from %g to %g", values[0], values[89])
		}
		exact, _ := mat.LogDet(whole)
		if gap := exact - p.LogDet(); !(gap > 0 && gap < p.Ceiling(a.Shift)) {
			t.Errorf("ln|A| − ln|P| = %g is not between 0 and %g", gap, p.Ceiling(a.Shift))
		}
	}
}

// There is none for a shift of zero, a negative diagonal or a matrix of zeros.
func TestPreconditionerNeedsAShift(t *testing.T) {
	pairs, a, _ := shiftedFixture(t, compute.Options{})
	a.Shift[7] = 0
	if p, err := a.Precondition(t.Context(), pairs, 12, compute.Options{}); p != nil || err != nil {
		t.Errorf("a shift of 0: %v, %v", p, err)
	}
	for _, diagonal := range []float64{0, -1} {
		k := gram.FromMatrix(mat.NewSymDense(2, []float64{diagonal, 0, 0, diagonal}))
		if p, err := (gram.Shifted{Shift: []float64{1, 1}}).Precondition(t.Context(), k.Pairs(), 1, compute.Options{}); p != nil || err != nil {
			t.Errorf("a diagonal of %g: %v, %v", diagonal, p, err)
		}
	}
}
