package shapley_test

import (
	"context"
	"math"
	"math/bits"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/model"
	"example.org/mercer/rkhs/shapley"
)

func expansion(t *testing.T, text string, points data.Vectors, a *mat.Dense) *model.Expansion[[]float64] {
	t.Helper()
	return &model.Expansion[[]float64]{Kernel: parse(t, text), Points: points, Coef: a}
}

func sample(t *testing.T, e *model.Expansion[[]float64], rows data.Vectors, o shapley.Options) *shapley.Values {
	t.Helper()
	v, err := shapley.Sample(context.Background(), e, rows, o)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// drawnGame returns v(S) of the mean over rows of the background, every player from the same row.
func drawnGame(t *testing.T, e *model.Expansion[[]float64], x []float64, background data.Vectors, players []int, count, output int) []float64 {
	t.Helper()
	out := make([]float64, 1<<count)
	for set := range out {
		xs := data.MakeVectors(background.Len(), len(x))
		for b := range background.Len() {
			for j := range x {
				if xs.At(b)[j] = background.At(b)[j]; set>>players[j]&1 == 1 {
					xs.At(b)[j] = x[j]
				}
			}
		}
		f, err := e.Predict(context.Background(), xs, compute.Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		out[set] = mat.Sum(f.ColView(output)) / float64(background.Len())
	}
	return out
}

// bruteForcePairs is the definition of the interaction index.
func bruteForcePairs(d int, v func(set uint) float64) map[[2]int]float64 {
	factorial := func(n int) float64 { return math.Gamma(float64(n + 1)) }
	out := map[[2]int]float64{}
	for a := range d {
		for b := a + 1; b < d; b++ {
			for set := range uint(1) << d {
				if set>>a&1 == 1 || set>>b&1 == 1 {
					continue
				}
				s := bits.OnesCount(set)
				out[[2]int{a, b}] += factorial(s) * factorial(d-2-s) / factorial(d-1) * (v(set|1<<a|1<<b) - v(set|1<<a) - v(set|1<<b) + v(set))
			}
		}
	}
	return out
}

// Sampled values and interactions are those over all sets of six players, within four standard
// errors, which are as large as the deviations are; columns of a player come together.
func TestSampledBruteForce(t *testing.T) {
	t.Parallel()
	rng := testkit.Rand(t, 81)
	squares, n := 0.0, 0.0
	for _, text := range []string{"matern(sigma=2)", "laplace(sigma=1) + 0.2*poly(degree=2)", "rq(sigma=2)"} {
		for _, players := range [][]int{{0, 1, 2, 3, 4, 5, 5}, {2, 0, 0, 1, 2, 1, 3}} {
			count := 1
			for _, p := range players {
				count = max(count, p+1)
			}
			points, rows, background := randomly(rng, 15, 7), randomly(rng, 2, 7), randomly(rng, 12, 7)
			e := expansion(t, text, points, coefficients(rng, 15, 2))
			got := sample(t, e, rows, shapley.Options{Players: players, Background: background, Samples: 240, Seed: 3, Pairs: true})
			if got.Samples != 240 {
				t.Errorf("%d samples", got.Samples)
			}
			for i, phi := range got.Phi {
				for o := range 2 {
					all := drawnGame(t, e, rows.At(i), background, players, count, o)
					v := func(set uint) float64 { return all[set] }
					testkit.Close(t, "base", got.Base[o], all[0], 1e-12*(1+math.Abs(all[0])))
					for p, want := range bruteForce(count, v) {
						off := (phi.At(o, p) - want) / got.Error[i].At(o, p)
						if !(math.Abs(off) < 4) {
							t.Errorf("%s: φ = %v ± %v, want %v", text, phi.At(o, p), got.Error[i].At(o, p), want)
						}
						squares, n = squares+off*off, n+1
					}
					want := bruteForcePairs(count, v)
					if len(got.Pairs[i][o]) != len(want) {
						t.Errorf("%d of %d pairs", len(got.Pairs[i][o]), len(want))
					}
					for _, p := range got.Pairs[i][o] {
						if w := want[[2]int{p.First, p.Second}]; !(math.Abs(p.Value-w) < 4*p.Error+1e-12) {
							t.Errorf("%s: pair %+v, want %v", text, p, w)
						}
					}
				}
			}
		}
	}
	// The mean of n squares of standard normal numbers is 1 ± √(2/n); these are less independent.
	if mean := squares / n; mean < 0.5 || mean > 1.6 {
		t.Errorf("deviations are %.2f standard errors", math.Sqrt(mean))
	}
}

// The values of a sum over columns are exact, no columns interact, and a column in which the row is
// like the background has none.
func TestSampledSum(t *testing.T) {
	t.Parallel()
	rng := testkit.Rand(t, 82)
	points, rows, background, a := randomly(rng, 9, 5), randomly(rng, 3, 5), randomly(rng, 8, 5), coefficients(rng, 9, 1)
	for _, xs := range []data.Vectors{rows, background} {
		for i := range xs.Len() {
			xs.At(i)[2] = 7
		}
	}
	e := expansion(t, "0.5*linear() + matern(sigma=1)[1] + rbf(sigma=2)[3] + laplace(sigma=1)[0]", points, a)
	got := sample(t, e, rows, shapley.Options{Background: background, Pairs: true})
	want := explain(t, e.Kernel.String(), rows, points, a, shapley.Options{Background: background})
	for i, phi := range got.Phi {
		tol := 1e-12 * magnitude(mat.Col(nil, 0, a))
		testkit.CloseSlice(t, "φ", phi.RawRowView(0), want.Phi[i].RawRowView(0), tol)
		for _, e := range got.Error[i].RawRowView(0) {
			testkit.Close(t, "error", e, 0, tol)
		}
		for _, p := range got.Pairs[i][0] {
			testkit.Close(t, "interaction", p.Value, 0, tol)
			if (p.First == 2 || p.Second == 2) && p.Value != 0 {
				t.Errorf("a column that never changes interacts: %+v", p)
			}
		}
		if phi.At(0, 2) != 0 {
			t.Errorf("a column that never changes has %v", phi.At(0, 2))
		}
	}
}

// Where the background has all combinations of its columns, drawing each by itself is drawing rows:
// the exact values with means are those that are sampled. Elsewhere they are other games.
func TestSampledBesideMeans(t *testing.T) {
	t.Parallel()
	rng := testkit.Rand(t, 83)
	points, rows, a := randomly(rng, 9, 3), randomly(rng, 2, 3), coefficients(rng, 9, 1)
	background := data.MakeVectors(8, 3)
	for i := range 8 {
		for j := range 3 {
			background.At(i)[j] = float64(i>>j&1) - 0.3*float64(j)
		}
	}
	// A sample of 2,400 orders beside the six that there are.
	got := sample(t, expansion(t, "rbf(sigma=1)", points, a), rows, shapley.Options{Background: background, Samples: 2400, Pairs: true})
	want := explain(t, "rbf(sigma=1)", rows, points, a, shapley.Options{Background: background, Pairs: true})
	for i := range got.Phi {
		for p, v := range got.Phi[i].RawRowView(0) {
			if e := got.Error[i].At(0, p); !(math.Abs(v-want.Phi[i].At(0, p)) < 4*e) || e > 0.03*magnitude(mat.Col(nil, 0, a)) {
				t.Errorf("φ = %v ± %v, exactly %v", v, e, want.Phi[i].At(0, p))
			}
		}
		for at, p := range got.Pairs[i][0] {
			if exact := want.Pairs[i][0][at]; exact.First != p.First || exact.Second != p.Second || !(math.Abs(p.Value-exact.Value) < 4*p.Error) {
				t.Errorf("pair %+v, exactly %+v", p, exact)
			}
		}
	}
	// Of two rows (0, 0, …) and (1, 1, …) the other game has (0, 1, …), too.
	two := background.Gather([]int{0, 7})
	drawn := sample(t, expansion(t, "rbf(sigma=1)", points, a), rows, shapley.Options{Background: two})
	means := explain(t, "rbf(sigma=1)", rows, points, a, shapley.Options{Background: two})
	if math.Abs(drawn.Base[0]-means.Base[0]) < 1e-3 {
		t.Errorf("v(∅) is %v in both games", drawn.Base[0])
	}
}

// Base and values add up to f, whatever was drawn.
func TestSampledEfficiency(t *testing.T) {
	t.Parallel()
	rng := testkit.Rand(t, 84)
	points, rows, background := randomly(rng, 40, 30), randomly(rng, 4, 30), randomly(rng, 5, 30)
	e := expansion(t, "matern(sigma=4)", points, coefficients(rng, 40, 2))
	got := sample(t, e, rows, shapley.Options{Background: background, Samples: 1})
	if got.Samples != 20 {
		t.Errorf("%d samples; two of both ways from each row are the least", got.Samples)
	}
	want, err := e.Predict(context.Background(), rows, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, phi := range got.Phi {
		for o := range 2 {
			sum := got.Base[o]
			for _, v := range phi.RawRowView(o) {
				sum += v
			}
			testkit.Close(t, "sum", sum, want.At(i, o), 1e-10*math.Abs(want.At(i, o)))
		}
	}
}

// The bits depend on the seed, and neither on the workers nor on what other rows there are.
func TestSampledBits(t *testing.T) {
	t.Parallel()
	rng := testkit.Rand(t, 85)
	points, rows, background := randomly(rng, 20, 6), randomly(rng, 5, 6), randomly(rng, 7, 6)
	e := expansion(t, "matern(sigma=2)", points, coefficients(rng, 20, 2))
	o := shapley.Options{Background: background, Seed: 4, Pairs: true, Compute: compute.Options{Workers: 1}}
	want := sample(t, e, rows, o)
	same := func(a, b *shapley.Values, i, j int) bool {
		for out := range a.Pairs[i] {
			for p := range a.Pairs[i][out] {
				if a.Pairs[i][out][p] != b.Pairs[j][out][p] {
					return false
				}
			}
		}
		return mat.Equal(a.Phi[i], b.Phi[j]) && mat.Equal(a.Error[i], b.Error[j])
	}
	for _, workers := range []int{2, 3, 8} {
		o.Compute.Workers = workers
		got := sample(t, e, rows, o)
		for i := range got.Phi {
			if !same(got, want, i, i) {
				t.Errorf("%d workers: other bits in row %d", workers, i)
			}
		}
		if alone := sample(t, e, rows.Gather([]int{3}), o); !same(alone, want, 0, 3) {
			t.Errorf("%d workers: a row by itself has other bits", workers)
		}
	}
	if o.Seed = 5; same(sample(t, e, rows, o), want, 0, 0) {
		t.Error("another seed has the same values")
	}
}

func TestSampledErrors(t *testing.T) {
	t.Parallel()
	rng := testkit.Rand(t, 86)
	points, rows := randomly(rng, 20, 3), randomly(rng, 2, 3)
	e := expansion(t, "matern(sigma=2)", points, coefficients(rng, 20, 1))
	for _, c := range []struct {
		rows data.Vectors
		o    shapley.Options
		want string
	}{
		{rows, shapley.Options{}, "need a background"},
		{rows, shapley.Options{Background: randomly(rng, 0, 3)}, "need a background"},
		{rows, shapley.Options{Background: points, Samples: -1}, "-1 samples"},
		{rows, shapley.Options{Background: points, Players: []int{0}}, "players for 1 columns"},
		{randomly(rng, 2, 4), shapley.Options{Background: points}, "row 1 has 4 columns"},
		{rows, shapley.Options{Background: randomly(rng, 5, 2)}, "trained on 3"},
	} {
		if _, err := shapley.Sample(context.Background(), e, c.rows, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v; want %q", err, c.want)
		}
	}
	// The context is asked between batches of one row.
	for _, times := range []int64{0, 4} {
		ctx := testkit.Countdown(context.Background(), times)
		o := shapley.Options{Background: points, Samples: 100_000, Compute: compute.Options{Workers: 1}}
		if _, err := shapley.Sample(ctx, e, rows, o); err == nil {
			t.Errorf("a context that ends after %d questions was not heard", times)
		}
	}
}
