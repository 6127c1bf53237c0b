package linalg

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/testkit"
)

// lowRank runs PivotedCholesky on a matrix.
func lowRank(a mat.Symmetric, o LowRankOptions) (*LowRank, error) {
	diag := make([]float64, a.SymmetricDim())
	for i := range diag {
		diag[i] = a.At(i, i)
	}
	return PivotedCholesky(context.Background(), diag, columnsOf(a), o)
}

func columnsOf(a mat.Symmetric) Columns {
	return func(_ context.Context, dst *mat.Dense, cols []int) error {
		for i, c := range cols {
			for j := range a.SymmetricDim() {
				dst.Set(i, j, a.At(j, c))
			}
		}
		return nil
	}
}

var rules = map[string]PivotRule{"greedy": Greedy, "random": Random}

func TestPivotedCholeskyRecoversLowRank(t *testing.T) {
	rng := testkit.Rand(t, 21)
	x := randomDense(rng, 90, 7)
	var full mat.Dense
	full.Mul(x, x.T())
	a := fromFunc(90, full.At)
	for name, rule := range rules {
		low, err := lowRank(a, LowRankOptions{Rank: 50, Tolerance: 1e-12, Pivots: rule, Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		if rank, _ := low.LT.Dims(); rank != 7 || len(low.Pivots) != 7 {
			t.Errorf("%s: rank is %d with pivots %v, want 7", name, rank, low.Pivots)
		}
		var back mat.Dense
		back.Mul(low.LT.T(), low.LT)
		testkit.CloseSlice(t, name+" LLᵀ", back.RawMatrix().Data, full.RawMatrix().Data, 90*eps)
	}
}

// TestPivotedCholeskyRest: the remainder has the reported diagonal, no negative
// eigenvalue, and zero rows at the pivots. 300 pivots take Random more than one block,
// and are more than a tile.
func TestPivotedCholeskyRest(t *testing.T) {
	const n = 330
	a := gaussGram(t, n, 3, 0.5)
	for name, rule := range rules {
		for _, rank := range []int{1, 15, 300} {
			low, err := lowRank(a, LowRankOptions{Rank: rank, Pivots: rule, Seed: 5})
			if err != nil {
				t.Fatal(err)
			}
			if got, _ := low.LT.Dims(); got != rank {
				t.Errorf("%s: rank is %d, not %d", name, got, rank)
			}
			var rest mat.Dense
			rest.Mul(low.LT.T(), low.LT)
			rest.Sub(a, &rest)
			testkit.Close(t, name+" trace", low.Trace, mat.Trace(&rest), n*eps)
			for i, v := range low.Rest {
				if d := rest.At(i, i); !(math.Abs(d-v) <= n*eps) {
					t.Errorf("%s: remaining diagonal %d is %g, said is %g", name, i, d, v)
				}
			}
			for _, p := range low.Pivots {
				if got := maxAbs(rest.RowView(p)); !(got <= n*eps) {
					t.Errorf("%s: row %d of the remainder has elements up to %g", name, p, got)
				}
			}
			e, err := EigenSym(context.Background(), fromFunc(n, rest.At), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !(e.Values[0] >= -n*eps) {
				t.Errorf("%s: the remainder has eigenvalue %g", name, e.Values[0])
			}
			if rule == Greedy && low.Pivots[0] != 0 {
				t.Errorf("first pivot is %d, want 0, the first of equal diagonals", low.Pivots[0])
			}
		}
	}
}

// TestRandomPivotsFollowTheirLaw: of two pivots the pair (i, j) has the probability
// d_i/Σd · s_j/Σs, where s is the diagonal that pivot i leaves. Proposals of one block
// must follow it as pivots one by one do: χ² with 11 degrees of freedom stays below
// its quantile of 0.999.
func TestRandomPivotsFollowTheirLaw(t *testing.T) {
	a := gaussGram(t, 4, 2, 1)
	for i := range 4 {
		for j := i; j < 4; j++ {
			a.SetSym(i, j, a.At(i, j)*float64(i+1)*float64(j+1))
		}
	}
	const trials = 20000
	var seen [4][4]float64
	for seed := range uint64(trials) {
		low, err := lowRank(a, LowRankOptions{Rank: 2, Pivots: Random, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		seen[low.Pivots[0]][low.Pivots[1]]++
	}
	chi, total := 0.0, mat.Trace(a)
	for i := range 4 {
		var left [4]float64
		sum := 0.0
		for j := range 4 {
			if j != i {
				left[j] = a.At(j, j) - a.At(i, j)*a.At(i, j)/a.At(i, i)
				sum += left[j]
			}
		}
		for j, s := range left {
			if j != i {
				want := trials * a.At(i, i) / total * s / sum
				chi += (seen[i][j] - want) * (seen[i][j] - want) / want
			}
		}
	}
	if chi > 31.26 {
		t.Errorf("χ² is %g", chi)
	}
}

// TestRandomPivotsSameBits for any number of workers, and other pivots for other seeds.
func TestRandomPivotsSameBits(t *testing.T) {
	a := gaussGram(t, 700, 3, 0.5)
	run := func(seed uint64, workers int) *LowRank {
		low, err := lowRank(a, LowRankOptions{Rank: 200, Pivots: Random, Seed: seed, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		return low
	}
	want := run(1, 1)
	for _, workers := range []int{2, 3, 8} {
		if got := run(1, workers); !mat.Equal(got.LT, want.LT) || got.Trace != want.Trace {
			t.Errorf("%d workers: another factor", workers)
		}
	}
	if mat.Equal(run(2, 1).LT, want.LT) {
		t.Error("another seed gives the same factor")
	}
}

func TestPivotedCholeskyRefuses(t *testing.T) {
	one := LowRankOptions{Rank: 2}
	if _, err := lowRank(banded(4, func(i int) float64 { return float64(2 - i) }, constant(0)), one); err == nil || !strings.Contains(err.Error(), "diagonal element 3 is -1") {
		t.Errorf("error for a negative diagonal is %v", err)
	}
	if _, err := lowRank(mat.NewSymDense(3, nil), one); err == nil {
		t.Error("no error for the zero matrix")
	}
	if _, err := lowRank(banded(3, constant(1), constant(math.NaN())), one); err == nil {
		t.Error("no error for NaN beside the diagonal")
	}
	if _, err := lowRank(banded(3, constant(1), constant(0)), LowRankOptions{}); err == nil {
		t.Error("no error for rank 0")
	}
	failure := errors.New("column cannot be computed")
	_, err := PivotedCholesky(context.Background(), []float64{1, 1}, func(context.Context, *mat.Dense, []int) error { return failure }, one)
	if !errors.Is(err, failure) {
		t.Errorf("error is %v, want that of the column", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := PivotedCholesky(ctx, []float64{1, 1}, columnsOf(banded(2, constant(1), constant(0))), one); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want that of the context", err)
	}
	for _, d := range [][]float64{{1, 1, 0}, {1, -1, 1}, {1, math.NaN(), 1}, {1, 1, math.Inf(1)}, {1, 1}} {
		if _, err := NewWoodbury(context.Background(), mat.NewDense(1, 3, nil), d, Options{}); err == nil {
			t.Errorf("no error for the diagonal %v", d)
		}
	}
}

// TestNewWoodburyInverts: (LLᵀ + diag(d))·M·x = x.
func TestNewWoodburyInverts(t *testing.T) {
	rng := testkit.Rand(t, 22)
	const n = 70
	for _, columns := range []int{1, 3, 5} {
		l, d := randomDense(rng, n, 9), make([]float64, n)
		for i := range d {
			d[i] = 0.5 + rng.Float64()
		}
		m, err := NewWoodbury(context.Background(), mat.DenseCopyOf(l.T()), d, Options{})
		if err != nil {
			t.Fatal(err)
		}
		x := randomDense(rng, n, columns)
		var y, back mat.Dense
		y.ReuseAs(n, columns)
		if err := m.Mul(context.Background(), &y, x); err != nil {
			t.Fatal(err)
		}
		var lt mat.Dense
		lt.Mul(l.T(), &y)
		back.Mul(l, &lt)
		for i, v := range d {
			for j := range columns {
				back.Set(i, j, back.At(i, j)+v*y.At(i, j))
			}
		}
		// ‖LLᵀ‖/min d, the condition number, is below 300.
		testkit.CloseSlice(t, "(LLᵀ+D)Mx", back.RawMatrix().Data, x.RawMatrix().Data, 300*n*eps)
	}
}

// TestPivotedCholeskyListed: listed rows become pivots in their order, the ones that are
// repeated or explained left out, and the rest is that of the projection on them.
func TestPivotedCholeskyListed(t *testing.T) {
	rng := testkit.Rand(t, 29)
	x := randomDense(rng, 300, 150)
	copy(x.RawRowView(7), x.RawRowView(5)) // row 7 is row 5 again
	var full mat.Dense
	full.Mul(x, x.T())
	a := fromFunc(300, full.At)
	order := []int{5, 5, 7, 299}
	for range 100 {
		order = append(order, 5, 7) // blocks without a new row
	}
	for i := range 110 {
		order = append(order, 10+i)
	}
	low, err := lowRank(a, LowRankOptions{Rank: 300, Pivots: Listed, Order: order})
	if err != nil {
		t.Fatal(err)
	}
	want := []int{5, 299}
	for i := range 110 {
		want = append(want, 10+i)
	}
	if !slices.Equal(low.Pivots, want) {
		t.Fatalf("pivots are %v, want %v", low.Pivots, want)
	}
	if low.Rest[7] > 1e-10*full.At(7, 7) || low.Rest[200] < 0.01*full.At(200, 200) {
		t.Errorf("the rest of row 7 is %v and that of row 200 %v; 7 is row 5 again, and 112 rows do not span 150 dimensions", low.Rest[7], low.Rest[200])
	}
	if _, err := lowRank(a, LowRankOptions{Rank: 3, Pivots: Listed, Order: []int{1, 300}}); err == nil || !strings.Contains(err.Error(), "row 1 of the order is 300") {
		t.Errorf("row 300 of 300: error %v", err)
	}
}
