package shapley_test

import (
	"context"
	"errors"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/rkhs/shapley"
)

// gauss and exponential are kernels of one column.
func gauss(sigma float64) func(a, b float64) float64 {
	return func(a, b float64) float64 { return math.Exp(-(a - b) * (a - b) / (2 * sigma * sigma)) }
}

func exponential(sigma float64) func(a, b float64) float64 {
	return func(a, b float64) float64 { return math.Exp(-math.Abs(a-b) / sigma) }
}

// defined is a term as the definition of v(S) has it: a kernel for every column, nil where it has
// the factor 1.
type defined struct {
	weight  float64
	sum     bool
	columns []func(a, b float64) float64
}

// value is v(S) by its definition, S as bits of players.
func value(terms []defined, x []float64, points data.Vectors, a []float64, players []int, set uint) float64 {
	v := 0.0
	for _, t := range terms {
		for i, c := range a {
			k := 1.0
			if t.sum {
				k = 0
			}
			for j, of := range t.columns {
				switch {
				case of == nil || set>>players[j]&1 == 0:
				case t.sum:
					k += of(x[j], points.At(i)[j])
				default:
					k *= of(x[j], points.At(i)[j])
				}
			}
			v += t.weight * c * k
		}
	}
	return v
}

// bruteForce averages over all 2^(d−1) sets of the others.
func bruteForce(d int, v func(set uint) float64) []float64 {
	factorial := func(n int) float64 { return math.Gamma(float64(n + 1)) }
	phi := make([]float64, d)
	for p := range phi {
		for set := range uint(1) << d {
			if set>>p&1 == 1 {
				continue
			}
			s := bits.OnesCount(set)
			phi[p] += factorial(s) * factorial(d-1-s) / factorial(d) * (v(set|1<<p) - v(set))
		}
	}
	return phi
}

func randomly(rng *rand.Rand, n, d int) data.Vectors {
	xs := data.MakeVectors(n, d)
	for i := range n {
		for j := range d {
			xs.At(i)[j] = rng.NormFloat64()
		}
	}
	return xs
}

func coefficients(rng *rand.Rand, n, outputs int) *mat.Dense {
	a := mat.NewDense(n, outputs, nil)
	for i := range n {
		for o := range outputs {
			a.Set(i, o, rng.NormFloat64())
		}
	}
	return a
}

// magnitude is Σ|aᵢ|, beside which rounding is measured.
func magnitude(a []float64) float64 {
	sum := 0.0
	for _, v := range a {
		sum += math.Abs(v)
	}
	return sum
}

func explain(t *testing.T, text string, rows, points data.Vectors, a *mat.Dense, o shapley.Options) *shapley.Values {
	t.Helper()
	v, err := shapley.Explain(context.Background(), parse(t, text), rows, points, a, o)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// Every kernel of products has the values of the definition, for two outputs and for columns of
// their own and together; and the interactions of the definition.
func TestBruteForce(t *testing.T) {
	rng := testkit.Rand(t, 71)
	g, e := gauss, exponential
	dot := func(a, b float64) float64 { return a * b }
	for text, terms := range map[string][]defined{
		"rbf(sigma=1.5)":                  {{1, false, []func(a, b float64) float64{g(1.5), g(1.5), g(1.5), g(1.5), g(1.5), g(1.5)}}},
		"rbf(sigma=[1,2,0.5,3,0.1,4])":    {{1, false, []func(a, b float64) float64{g(1), g(2), g(0.5), g(3), g(0.1), g(4)}}},
		"laplace1(sigma=2)":               {{1, false, []func(a, b float64) float64{e(2), e(2), e(2), e(2), e(2), e(2)}}},
		"laplace1(sigma=[1,2,0.5,3,1,4])": {{1, false, []func(a, b float64) float64{e(1), e(2), e(0.5), e(3), e(1), e(4)}}},
		"rbf(sigma=1)[0,2]*laplace1(sigma=2)[1,2,5]": {{1, false, []func(a, b float64) float64{g(1), e(2),
			func(a, b float64) float64 { return g(1)(a, b) * e(2)(a, b) }, nil, nil, e(2)}}},
		"0.5*rbf(sigma=1)[0,1,4] + 2*laplace1(sigma=3)[1,2] + 0.3*linear() + 0.7": {
			{0.5, false, []func(a, b float64) float64{g(1), g(1), nil, nil, g(1), nil}},
			{2, false, []func(a, b float64) float64{nil, e(3), e(3), nil, nil, nil}},
			{0.3, true, []func(a, b float64) float64{dot, dot, dot, dot, dot, dot}},
			{0.7, false, nil}},
	} {
		for _, players := range [][]int{{0, 1, 2, 3, 4, 5}, {1, 0, 0, 2, 2, 2}} {
			points, rows, a := randomly(rng, 9, 6), randomly(rng, 3, 6), coefficients(rng, 9, 2)
			d := slices.Max(players) + 1
			got := explain(t, text, rows, points, a, shapley.Options{Players: players, Pairs: true})
			for o := range 2 {
				column := mat.Col(nil, o, a)
				tol := 1e-12 * magnitude(column)
				for i, phi := range got.Phi {
					v := func(set uint) float64 { return value(terms, rows.At(i), points, column, players, set) }
					testkit.CloseSlice(t, text, phi.RawRowView(o), bruteForce(d, v), tol)
					testkit.Close(t, "base of "+text, got.Base[o], v(0), tol)
					want := bruteForcePairs(d, v)
					if len(got.Pairs[i][o]) != len(want) {
						t.Errorf("%s: %d of %d pairs", text, len(got.Pairs[i][o]), len(want))
					}
					for _, p := range got.Pairs[i][o] {
						testkit.Close(t, "pair of "+text, p.Value, want[[2]int{p.First, p.Second}], tol)
					}
				}
			}
		}
	}
}

// With a background the values are those of the mean of f over all combinations of its rows: here
// of two rows in three columns, which are enumerated.
func TestBackground(t *testing.T) {
	rng := testkit.Rand(t, 77)
	for _, text := range []string{"rbf(sigma=1)", "0.5*laplace1(sigma=2)[0,1] + 0.3*linear() + rbf(sigma=2)[2]*rbf(sigma=1)[1]"} {
		points, rows, background, a := randomly(rng, 7, 3), randomly(rng, 2, 3), randomly(rng, 2, 3), coefficients(rng, 7, 1)
		k, got := parse(t, text), explain(t, text, rows, points, a, shapley.Options{Background: background})
		for i, phi := range got.Phi {
			v := func(set uint) float64 {
				mean := 0.0
				for choice := range uint(8) {
					z := make([]float64, 3)
					for j := range z {
						if z[j] = background.At(int(choice >> j & 1))[j]; set>>j&1 == 1 {
							z[j] = rows.At(i)[j]
						}
					}
					for n := range 7 {
						mean += a.At(n, 0) * k.Eval(z, points.At(n)) / 8
					}
				}
				return mean
			}
			testkit.CloseSlice(t, text, phi.RawRowView(0), bruteForce(3, v), 1e-12*magnitude(mat.Col(nil, 0, a)))
			testkit.Close(t, "base of "+text, got.Base[0], v(0), 1e-12*magnitude(mat.Col(nil, 0, a)))
		}
	}
}

// The values add up to v(all) − v(∅), also for many columns and for distances at which the kernel
// is 0.
func TestEfficiency(t *testing.T) {
	rng := testkit.Rand(t, 72)
	for text, d := range map[string]int{"rbf(sigma=5)": 30, "rbf(sigma=0.02)": 30, "laplace1(sigma=20)": 200, "rbf(sigma=4) + 0.1*linear() + laplace1(sigma=9)": 31} {
		points, rows, a := randomly(rng, 40, d), randomly(rng, 4, d), coefficients(rng, 40, 1)
		got, k := explain(t, text, rows, points, a, shapley.Options{}), parse(t, text)
		for i, phi := range got.Phi {
			sum, all := got.Base[0], 0.0
			for _, v := range phi.RawRowView(0) {
				sum += v
			}
			for n := range 40 {
				all += a.At(n, 0) * k.Eval(rows.At(i), points.At(n))
			}
			testkit.Close(t, text, sum, all, 1e-10*(1+math.Abs(all)))
		}
	}
}

// Columns with the same numbers have the same value; one in which the row and all points agree
// has none, and one that no term looks at neither.
func TestSymmetryAndNullPlayers(t *testing.T) {
	rng := testkit.Rand(t, 73)
	points, rows, a := randomly(rng, 20, 5), randomly(rng, 2, 5), coefficients(rng, 20, 1)
	for _, xs := range []data.Vectors{points, rows} {
		for i := range xs.Len() {
			xs.At(i)[3], xs.At(i)[4] = xs.At(i)[0], 0.25
		}
	}
	for i, phi := range explain(t, "rbf(sigma=1)[0,2,3,4] + laplace1(sigma=2)[0,3]", rows, points, a, shapley.Options{}).Phi {
		v := phi.RawRowView(0)
		testkit.Close(t, "equal columns", v[0], v[3], 1e-13*magnitude(mat.Col(nil, 0, a)))
		if v[4] != 0 || v[1] != 0 || v[0] == 0 {
			t.Errorf("row %d: %v; columns 1 and 4 play no part", i, v)
		}
	}
}

// A linear function has the values w_j x_j.
func TestLinear(t *testing.T) {
	rng := testkit.Rand(t, 74)
	points, rows, a := randomly(rng, 12, 4), randomly(rng, 2, 4), coefficients(rng, 12, 1)
	got := explain(t, "2*linear()", rows, points, a, shapley.Options{})
	for i, phi := range got.Phi {
		for j, v := range phi.RawRowView(0) {
			w := 0.0
			for n := range 12 {
				w += 2 * a.At(n, 0) * points.At(n)[j]
			}
			testkit.Close(t, "w·x", v, w*rows.At(i)[j], 1e-12)
		}
	}
	testkit.Close(t, "base", got.Base[0], 0, 0)
}

// The bits do not depend on the number of workers.
func TestWorkers(t *testing.T) {
	rng := testkit.Rand(t, 75)
	points, rows, a := randomly(rng, 30, 7), randomly(rng, 11, 7), coefficients(rng, 30, 3)
	want := explain(t, "rbf(sigma=2)", rows, points, a, shapley.Options{Compute: compute.Options{Workers: 1}})
	for _, workers := range []int{2, 3, 8} {
		got := explain(t, "rbf(sigma=2)", rows, points, a, shapley.Options{Compute: compute.Options{Workers: workers}})
		for i := range got.Phi {
			if !mat.Equal(got.Phi[i], want.Phi[i]) {
				t.Errorf("%d workers: other bits in row %d", workers, i)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	rng := testkit.Rand(t, 76)
	points, a := randomly(rng, 5, 3), coefficients(rng, 5, 1)
	for _, c := range []struct {
		text    string
		rows    data.Vectors
		coef    *mat.Dense
		players []int
		want    string
	}{
		{"matern(sigma=1)", points, a, nil, "matern(nu=1.5, sigma=1) of 3 columns"},
		{"rbf(sigma=1) + poly(degree=2)", points, a, nil, "poly(degree=2, offset=0) is no product"},
		{"rbf(sigma=1)", points, coefficients(rng, 4, 1), nil, "4 coefficients for 5 points"},
		{"rbf(sigma=1)", randomly(rng, 2, 4), a, nil, "row 1 has 4 columns, and the points have 3"},
		{"rbf(sigma=1)", points, a, []int{0, 1}, "players for 2 columns"},
		{"rbf(sigma=1)", points, a, []int{0, -1, 1}, "player -1 of column 1"},
	} {
		_, err := shapley.Explain(context.Background(), parse(t, c.text), c.rows, points, c.coef, shapley.Options{Players: c.players})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", c.text, err, c.want)
		}
	}
	_, err := shapley.Explain(context.Background(), parse(t, "matern(sigma=1)"), points, points, a, shapley.Options{})
	if !errors.Is(err, shapley.ErrNoProduct) {
		t.Errorf("no ErrNoProduct: %v", err)
	}
	// The context is asked before every row and within it.
	for _, times := range []int64{0, 3} {
		ctx := testkit.Countdown(context.Background(), times)
		many := randomly(rng, 300, 3)
		_, err := shapley.Explain(ctx, parse(t, "rbf(sigma=1)"), many, many, coefficients(rng, 300, 1), shapley.Options{Compute: compute.Options{Workers: 1}})
		if err == nil {
			t.Errorf("a context that ends after %d questions was not heard", times)
		}
	}
}

func parse(t testing.TB, text string) kernel.Kernel[[]float64] {
	t.Helper()
	k, err := vec.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return k
}
