package nystrom_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/gram"
	"example.org/mercer/internal/progress/progresstest"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/expr"
	kernelgraph "example.org/mercer/kernel/graph"
	"example.org/mercer/kernel/seq"
	"example.org/mercer/kernel/vec"
)

// traceError returns Σwᵢ(K − K̃)ᵢᵢ/Σwᵢkᵢᵢ by dense matrices.
func traceError[T any](t *testing.T, k kernel.Kernel[T], xs, landmarks data.Set[T], weights []float64) float64 {
	t.Helper()
	approximation, rest, trace := nystromOf(t, k, xs, landmarks), 0.0, 0.0
	for i, w := range weights {
		own := k.Eval(xs.At(i), xs.At(i))
		trace += w * own
		rest += w * (own - approximation.At(i, i))
	}
	return rest / trace
}

// TestTraceError holds the reported error against dense matrices, with and without
// weights, and wants the fewest landmarks within the tolerance.
func TestTraceError(t *testing.T) {
	xs, k := cloud(t, 1, 230, 4), parse(t, "rbf(sigma=1)")
	uneven := ones(230)
	for i := range uneven {
		uneven[i] = float64(i % 3)
	}
	for _, weights := range [][]float64{nil, uneven} {
		held := weights
		if held == nil {
			held = ones(230)
		}
		for _, scheme := range []nystrom.Scheme{nystrom.Pivoted, nystrom.Greedy, nystrom.Uniform, nystrom.Leverage} {
			o := nystrom.Options{Scheme: scheme, Rank: 200, Tolerance: 0.05, Weights: weights, Seed: 3}
			s, r, err := nystrom.Landmarks(background, k, xs, o)
			if err != nil {
				t.Fatal(err)
			}
			what := fmt.Sprintf("trace error of %s (weights %v)", scheme, weights != nil)
			if !r.Traced || r.TraceError > 0.05 || r.Landmarks != len(s.Rows) || s.Points.Len() != len(s.Rows) {
				t.Errorf("%s: report %+v for %d rows", what, r, len(s.Rows))
			}
			// Both sides round in units of the condition of K_CC, below 1e4 here.
			testkit.Close(t, what, r.TraceError, traceError(t, k, xs, s.Points, held), 1e-10)
			fewer := data.Subset(xs, s.Rows[:len(s.Rows)-1])
			if e := traceError(t, k, xs, fewer, held); e <= 0.05 {
				t.Errorf("%s: %d landmarks leave %v, so that the last was not needed", what, fewer.Len(), e)
			}
			for _, row := range s.Rows {
				if held[row] == 0 {
					t.Errorf("%s: row %d of weight zero is a landmark", what, row)
				}
			}
		}
	}
}

// TestRankIsFound: the Gram matrix of a linear kernel in three dimensions has rank 3, and
// three landmarks are all of it.
func TestRankIsFound(t *testing.T) {
	xs, k := cloud(t, 2, 150, 3), parse(t, "linear")
	for _, scheme := range []nystrom.Scheme{nystrom.Pivoted, nystrom.Greedy} {
		s, r, err := nystrom.Landmarks(background, k, xs, nystrom.Options{Scheme: scheme, Rank: 20, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Rows) != 3 || r.TraceError > 1e-13 {
			t.Errorf("%s: %d landmarks leave %v of the trace, want 3 and rounding", scheme, len(s.Rows), r.TraceError)
		}
	}
}

// TestPivotedDistribution counts the first two landmarks of four points over many seeds
// and compares with the product of the probabilities of the two draws, by χ².
func TestPivotedDistribution(t *testing.T) {
	a := mat.NewSymDense(4, []float64{4, 1, 0, 1, 0, 3, 1, 0, 0, 0, 2, 1, 0, 0, 0, 1})
	const draws = 6000
	counts := map[[2]int]float64{}
	for seed := range uint64(draws) {
		rows, _, err := nystrom.Select(background, gram.RowsOf(gram.FromMatrix(a).Pairs()), nystrom.Options{Rank: 2, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		counts[[2]int(rows)]++
	}
	chi2 := 0.0
	for i := range 4 {
		rest, left := make([]float64, 4), 0.0
		for j := range 4 {
			rest[j] = a.At(j, j) - a.At(i, j)*a.At(i, j)/a.At(i, i)
			left += rest[j]
		}
		for j := range 4 {
			want := draws * a.At(i, i) / 10 * rest[j] / left
			if i == j {
				if counts[[2]int{i, j}] > 0 {
					t.Errorf("row %d was drawn twice", i)
				}
				continue
			}
			d := counts[[2]int{i, j}] - want
			chi2 += d * d / want
		}
	}
	// 12 cells, 11 degrees of freedom: 36.1 is exceeded with probability 1.6·10⁻⁴; the
	// seeds are fixed.
	if chi2 > 36.1 {
		t.Errorf("χ² = %v for the pairs %v", chi2, counts)
	}
}

// TestUniform: every row is drawn equally often, those of double weight about twice.
func TestUniform(t *testing.T) {
	xs, k := cloud(t, 3, 6, 2), parse(t, "rbf(sigma=1)")
	counts := make([]int, 6)
	for seed := range uint64(6000) {
		s, _, err := nystrom.Landmarks(background, k, xs, nystrom.Options{Scheme: nystrom.Uniform, Rank: 1, Seed: seed, Weights: []float64{1, 2, 1, 0, 1, 1}})
		if err != nil {
			t.Fatal(err)
		}
		counts[s.Rows[0]]++
	}
	for i, want := range []int{1000, 2000, 1000, 0, 1000, 1000} {
		// Five standard deviations of a binomial count are at most 5·√(6000·⅓·⅔) = 183.
		if d := counts[i] - want; d > 183 || d < -183 || want == 0 && d != 0 {
			t.Errorf("row %d was drawn %d times, want about %d", i, counts[i], want)
		}
	}
}

// TestSameBits: landmarks do not depend on the number of workers.
func TestSameBits(t *testing.T) {
	xs, k := cloud(t, 4, 700, 5), parse(t, "rbf(sigma=1)")
	for _, scheme := range nystrom.Schemes {
		var first *nystrom.Selection[[]float64]
		for _, w := range []int{1, 2, 3, 8} {
			s, _, err := nystrom.Landmarks(background, k, xs, nystrom.Options{Scheme: scheme, Rank: 120, Seed: 9, Compute: workers(w)})
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = s
			}
			same := slices.Equal(s.Rows, first.Rows) && s.Points.Len() == first.Points.Len()
			for j := 0; same && j < s.Points.Len(); j++ {
				same = slices.Equal(s.Points.At(j), first.Points.At(j))
			}
			if !same {
				t.Errorf("%s: other landmarks with %d workers", scheme, w)
			}
		}
		if first.Points.Len() != 120 {
			t.Errorf("%s: %d landmarks, want 120", scheme, first.Points.Len())
		}
	}
}

// TestAmong: landmarks are chosen from a sample, and counted among all points.
func TestAmong(t *testing.T) {
	xs, k := cloud(t, 5, 400, 3), parse(t, "rbf(sigma=1)")
	for _, scheme := range nystrom.Schemes {
		s, r, err := nystrom.Landmarks(background, k, xs, nystrom.Options{Scheme: scheme, Rank: 10, Among: 50, Seed: 2})
		if err != nil {
			t.Fatal(err)
		}
		if r.Candidates > 50 || s.Points.Len() != 10 {
			t.Errorf("%s: %d landmarks among %d candidates, want 10 among at most 50", scheme, s.Points.Len(), r.Candidates)
		}
		for i, row := range s.Rows {
			if !slices.Equal(xs.At(row), s.Points.At(i)) {
				t.Errorf("%s: landmark %d is not row %d", scheme, i, row)
			}
		}
	}
}

// TestEqualPoints: one landmark explains points that are all the same, whatever is asked
// for; and Uniform, which looks at nothing, takes what it was asked for.
func TestEqualPoints(t *testing.T) {
	xs, k := data.MakeVectors(40, 2), parse(t, "rbf(sigma=1)")
	for _, scheme := range nystrom.Schemes {
		s, _, err := nystrom.Landmarks(background, k, xs, nystrom.Options{Scheme: scheme, Rank: 5})
		if err != nil {
			t.Fatal(err)
		}
		want := 1
		if scheme == nystrom.Uniform || scheme == nystrom.Leverage {
			want = 5
		}
		if s.Points.Len() != want {
			t.Errorf("%s: %d landmarks of equal points, want %d", scheme, s.Points.Len(), want)
		}
	}
}

// TestOtherPoints: landmarks among words and among graphs, with the trace error of dense
// matrices; and more asked for than there are.
func TestOtherPoints(t *testing.T) {
	words := data.Slice[string]{"banana", "bandana", "cabana", "ananas", "anagram", "mercer", "merchant", "kernel", "kennel", "colonel", "banana"}
	graphs := data.Slice[*graph.Graph]{}
	for n := 3; n < 12; n++ {
		g := ring(t, n)
		graphs = append(graphs, g)
	}
	wl, err := expr.ParseKernel("normalize(of=sp)", kernelgraph.Dictionary(vec.Dictionary(vec.Schema{})))
	if err != nil {
		t.Fatal(err)
	}
	checkOther(t, seq.Spectrum{K: 2}, words)
	checkOther(t, wl, graphs)
}

func checkOther[T any](t *testing.T, k kernel.Kernel[T], xs data.Slice[T]) {
	t.Helper()
	for _, scheme := range []nystrom.Scheme{nystrom.Pivoted, nystrom.Greedy, nystrom.Uniform, nystrom.Leverage} {
		s, r, err := nystrom.Landmarks[T](background, k, xs, nystrom.Options{Scheme: scheme, Rank: 4, Tolerance: 1e-6, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		testkit.Close(t, k.String()+" "+string(scheme), r.TraceError, traceError[T](t, k, xs, s.Points, ones(len(xs))), 1e-9)
	}
	all, _, err := nystrom.Landmarks[T](background, k, xs, nystrom.Options{Rank: 100})
	if err != nil || all.Points.Len() > xs.Len() {
		t.Errorf("%s: %d landmarks of %d points (%v)", k, all.Points.Len(), xs.Len(), err)
	}
	_, _, err = nystrom.Landmarks[T](background, k, xs, nystrom.Options{Scheme: nystrom.KMeans, Rank: 3})
	if err == nil || !strings.Contains(err.Error(), "means of vectors") {
		t.Errorf("%s: k-means of such points: error %v", k, err)
	}
}

// ring returns a cycle of n nodes.
func ring(t *testing.T, n int) *graph.Graph {
	t.Helper()
	var edges []graph.Edge
	for i := range n {
		edges = append(edges, graph.Edge{From: int32(i), To: int32((i + 1) % n)})
	}
	g, err := graph.New("ring", false, nil, edges, nil)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestRefuses names what is wrong, all of it.
func TestRefuses(t *testing.T) {
	xs, k := cloud(t, 6, 30, 2), parse(t, "rbf(sigma=1)")
	for _, c := range []struct {
		o    nystrom.Options
		want string
	}{
		{nystrom.Options{}, "neither a rank nor a tolerance"},
		{nystrom.Options{Rank: -1, Scheme: "best"}, `scheme "best" is not known`},
		{nystrom.Options{Rank: -1, Scheme: "best"}, "rank = -1"},
		{nystrom.Options{Rank: 3, Tolerance: 1}, "tolerance = 1 is not in [0, 1)"},
		{nystrom.Options{Rank: 3, Weights: []float64{1}}, "1 weights for 30 rows"},
		{nystrom.Options{Scheme: nystrom.KMeans, Tolerance: 0.1}, "give a rank instead"},
		{nystrom.Options{Scheme: nystrom.Leverage, Tolerance: 0.1}, "needs a rank or the lambda"},
		{nystrom.Options{Rank: 20, Compute: compute.Options{MaxMemory: 1000}}, "more than the limit"},
	} {
		_, _, err := nystrom.Landmarks(background, k, xs, c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want one with %q", c.o, err, c.want)
		}
	}
	if _, _, err := nystrom.Landmarks(background, k, data.MakeVectors(0, 2), nystrom.Options{Rank: 1}); err == nil || !strings.Contains(err.Error(), "no points") {
		t.Errorf("no points: error %v", err)
	}
	if _, _, err := nystrom.Select(background, gram.On(k, xs), nystrom.Options{Scheme: nystrom.KMeans, Rank: 2}); err == nil || !strings.Contains(err.Error(), "index space") {
		t.Errorf("k-means in index space: error %v", err)
	}
	ctx, cancel := context.WithCancel(background)
	cancel()
	for _, scheme := range nystrom.Schemes {
		if _, _, err := nystrom.Landmarks(ctx, k, xs, nystrom.Options{Scheme: scheme, Rank: 5}); scheme != nystrom.Uniform && !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v after the context ended", scheme, err)
		}
	}
}

// TestChoicesTellAndStop: every choice that computes anything tells how far it is, also one that
// ends early, within the tolerance or with fewer dimensions than landmarks; cancelled at any event
// it ends, with few events more.
func TestChoicesTellAndStop(t *testing.T) {
	xs, k := cloud(t, 1, 1500, 4), parse(t, "rbf(sigma=1)")
	low := parse(t, "linear")
	for name, tc := range map[string]struct {
		k vec.Kernel
		o nystrom.Options
	}{
		"pivoted":             {k, nystrom.Options{Scheme: nystrom.Pivoted, Rank: 60}},
		"greedy":              {k, nystrom.Options{Scheme: nystrom.Greedy, Rank: 60}},
		"leverage":            {k, nystrom.Options{Scheme: nystrom.Leverage, Rank: 60}},
		"leverage at λ":       {k, nystrom.Options{Scheme: nystrom.Leverage, Lambda: 1e-3, Rank: 60}},
		"k-means":             {k, nystrom.Options{Scheme: nystrom.KMeans, Rank: 20}},
		"to a tolerance":      {k, nystrom.Options{Scheme: nystrom.Pivoted, Rank: 300, Tolerance: 0.1}},
		"uniform, tolerance":  {k, nystrom.Options{Scheme: nystrom.Uniform, Rank: 300, Tolerance: 0.1}},
		"leverage, tolerance": {k, nystrom.Options{Scheme: nystrom.Leverage, Rank: 300, Tolerance: 0.1}},
		"few dimensions":      {low, nystrom.Options{Scheme: nystrom.Greedy, Rank: 60}},
		"few, leverage":       {low, nystrom.Options{Scheme: nystrom.Leverage, Rank: 60}},
		"among some":          {k, nystrom.Options{Scheme: nystrom.Pivoted, Rank: 60, Among: 400}},
	} {
		choose := func(ctx context.Context, l *progresstest.Listener) error {
			o := tc.o
			o.Compute = compute.Options{Workers: 2, Progress: l.Tell}
			_, _, err := nystrom.Landmarks(ctx, tc.k, xs, o)
			return err
		}
		whole := new(progresstest.Listener)
		if err := choose(t.Context(), whole); err != nil {
			t.Fatal(err)
		}
		for _, problem := range whole.End() {
			t.Errorf("%s: %s", name, problem)
		}
		for _, at := range []int{1, whole.Events() / 2, whole.Events() - 2} {
			if at < 1 {
				continue
			}
			ctx, stop := context.WithCancel(t.Context())
			stopped := new(progresstest.Listener)
			stopped.At = func(event int) {
				if event == at {
					stop()
				}
			}
			err := choose(ctx, stopped)
			if more := stopped.Events() - at; !errors.Is(err, context.Canceled) || more > 4 {
				t.Errorf("%s, cancelled at event %d of %d: %v, and %d more", name, at, whole.Events(), err, more)
			}
			stop()
		}
	}
}
