package linalg

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/progress/progresstest"
	"example.org/mercer/internal/testkit"
)

// refactored is the slow obvious way: a new factorization of the rows that are left.
func refactored(t *testing.T, a mat.Symmetric, rows []int) *UpdatableFactor {
	t.Helper()
	p := NewPacked(len(rows))
	for i, r := range rows {
		for j, c := range rows[:i+1] {
			p.SetSym(i, j, a.At(r, c))
		}
	}
	f, err := FactorPacked(t.Context(), p, 0, Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	return f.Updatable()
}

// closeTo compares with bounds of the analysis: a factor L computed with n roundings in each
// element is that of A + E, |E| ≤ (n+1)u|L||Lᵀ| (Higham, Accuracy and stability of numerical
// algorithms, theorem 10.3), and L changes by at most κ(A)·‖E‖/‖A‖·‖L‖ to first order; here
// κ(A) < 6, ‖L‖ < 3, and as many passes of 2n rotations each as there were removals.
func closeTo(t *testing.T, what string, got, want *UpdatableFactor, passes int) {
	t.Helper()
	if got.n != want.n || len(got.rows) != len(want.rows) {
		t.Fatalf("%s: order %d, %d numbers; want %d, %d", what, got.n, len(got.rows), want.n, len(want.rows))
	}
	bound := 36 * float64(got.n+1) * float64(1+passes) * eps
	for i, v := range got.rows {
		testkit.Close(t, what, v, want.rows[i], bound)
	}
}

func TestLowerGainsAndLosesRows(t *testing.T) {
	for _, n := range []int{1, 2, 5, 33, 256, 300} {
		rng := testkit.Rand(t, uint64(n))
		const more = 7
		a := definite(rng, n+more, 0)
		l := refactored(t, a, span(0, n))
		beside := mat.NewDense(more, n, nil)
		block := mat.NewSymDense(more, nil)
		for i := range more {
			for j := range n {
				beside.Set(i, j, a.At(n+i, j))
			}
			for j := range i + 1 {
				block.SetSym(i, j, a.At(n+i, n+j))
			}
		}
		if err := l.Append(t.Context(), beside, block, Options{}); err != nil {
			t.Fatal(err)
		}
		closeTo(t, "appended", l, refactored(t, a, span(0, n+more)), 0)

		left := span(0, n+more)
		for pass, r := range []int{n + more - 1, 0, n / 2, 1, n} {
			at := slices.Index(left, r)
			if at < 0 {
				continue
			}
			left = slices.Delete(left, at, at+1)
			l.Remove(at)
			closeTo(t, "removed", l, refactored(t, a, left), pass+1)
		}
		if rest := l.rows[len(l.rows):cap(l.rows)]; slices.ContainsFunc(rest, func(v float64) bool { return v != 0 }) {
			t.Error("removed rows are left in memory behind the factor")
		}
	}
}

func span(from, to int) []int {
	out := make([]int, to-from)
	for i := range out {
		out[i] = from + i
	}
	return out
}

// In tiles and back the factor is the same, and solves and is conditioned as one that was
// computed there.
func TestLowerInTiles(t *testing.T) {
	for _, n := range []int{1, 255, 257, 520} {
		rng := testkit.Rand(t, uint64(n))
		a := definite(rng, n, 0)
		whole, err := FactorPacked(t.Context(), pack(a), 0, Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		dense, err := Factor(t.Context(), a, 0, Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		l := whole.Updatable()
		if !slices.Equal(l.rows, dense.Updatable().rows) {
			t.Errorf("n = %d: rows of a packed and of a dense factor differ", n)
		}
		again := l.CholeskyFactor(Options{Workers: 2})
		if !slices.Equal(again.Updatable().rows, l.rows) {
			t.Errorf("n = %d: rows changed in tiles", n)
		}
		b := randomDense(rng, n, 2)
		var x, y mat.Dense
		if err := errors.Join(whole.Solve(t.Context(), &x, b), again.Solve(t.Context(), &y, b)); err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(&x, &y) {
			t.Errorf("n = %d: solutions differ", n)
		}
		if got, want := again.Condition(), whole.Condition(); got < want/3 || got > want*(1+1e-10) {
			t.Errorf("n = %d: condition %v, and with the exact norm %v", n, got, want)
		}
	}
}

func TestLowerRefuses(t *testing.T) {
	rng := testkit.Rand(t, 1)
	l := refactored(t, definite(rng, 4, 0), span(0, 4))
	before := slices.Clone(l.rows)
	same := mat.NewDense(1, 4, []float64{1, 1, 1, 1})
	var np *NotPositiveDefinite
	if err := l.Append(t.Context(), same, mat.NewSymDense(1, []float64{0.1}), Options{}); !errors.As(err, &np) || np.Pivot != 4 {
		t.Errorf("indefinite border: %v", err)
	}
	if err := l.Append(t.Context(), mat.NewDense(2, 3, nil), mat.NewSymDense(2, nil), Options{}); err == nil {
		t.Error("a border of another size was taken")
	}
	if l.n != 4 || !slices.Equal(l.rows, before) {
		t.Error("a failed append changed the factor")
	}
	if _, err := NewUpdatableFactor(2, []float64{1, 2, math.NaN()}); err == nil {
		t.Error("NaN on the diagonal was taken")
	}
	if _, err := NewUpdatableFactor(3, make([]float64, 5)); err == nil {
		t.Error("5 numbers of order 3 were taken")
	}
}

// TestUpdatesTellAndStop: rows that come and rows that go tell how far they are; cancelled at any
// of them, the factor takes no other.
func TestUpdatesTellAndStop(t *testing.T) {
	const n, more = 6, 5
	for name, change := range map[string]func(context.Context, *UpdatableFactor, Options) error{
		"come": func(ctx context.Context, l *UpdatableFactor, o Options) error {
			return l.Append(ctx, mat.NewDense(more, n, nil), mat.NewDiagDense(more, []float64{1, 2, 3, 4, 5}), o)
		},
		"go": func(ctx context.Context, l *UpdatableFactor, o Options) error {
			return l.Restrict(ctx, []int{4}, o)
		},
	} {
		run := func(ctx context.Context, l *progresstest.Listener) (*UpdatableFactor, error) {
			rows := make([]float64, n*(n+1)/2)
			for i := range n {
				rows[i*(i+3)/2] = float64(1 + i)
			}
			f, err := NewUpdatableFactor(n, rows)
			if err != nil {
				t.Fatal(err)
			}
			return f, change(ctx, f, Options{Progress: l.Tell})
		}
		whole := new(progresstest.Listener)
		if _, err := run(t.Context(), whole); err != nil {
			t.Fatal(err)
		}
		for _, problem := range whole.End() {
			t.Errorf("rows %s: %s", name, problem)
		}
		if whole.Events() != more+1 {
			t.Errorf("rows %s: %d events of %d rows", name, whole.Events(), more)
		}
		for at := 1; at <= more; at++ {
			ctx, stop := context.WithCancel(t.Context())
			stopped := new(progresstest.Listener)
			stopped.At = func(event int) {
				if event == at {
					stop()
				}
			}
			f, err := run(ctx, stopped)
			if want := map[string]int{"come": n, "go": n + 1 - at}[name]; !errors.Is(err, context.Canceled) || stopped.Events() != at || f.Dim() != want {
				t.Errorf("rows %s, cancelled at event %d: %v after %d, and %d rows, want %d", name, at, err, stopped.Events(), f.Dim(), want)
			}
			stop()
		}
	}
}
