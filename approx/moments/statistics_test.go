package moments_test

import (
	"context"
	"errors"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/moments"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
)

// byDefinition adds up the products of the rounded rows in integers of any size.
func byDefinition(s *moments.Statistics, r moments.Rows[[]float64]) []*big.Int {
	size := s.Features + s.Targets + 1
	out := make([]*big.Int, 0, size*(size+1)/2)
	rows := make([][]*big.Int, r.Points.Len())
	for i := range rows {
		root := math.Sqrt(r.Weights[i])
		for j := range size {
			v, e := 1.0, s.Steps.Roots
			switch {
			case j < s.Features:
				v, e = r.Points.At(i)[j], s.Steps.Features
			case j < s.Features+s.Targets:
				v, e = r.Targets.At(i, j-s.Features), s.Steps.Targets[j-s.Features]
			}
			q, _ := big.NewFloat(math.RoundToEven(math.Ldexp(v*root, -e))).Int(nil)
			rows[i] = append(rows[i], q)
		}
	}
	for j := range size {
		for k := j; k < size; k++ {
			sum := new(big.Int)
			for _, row := range rows {
				sum.Add(sum, new(big.Int).Mul(row[j], row[k]))
			}
			out = append(out, sum)
		}
	}
	return out
}

// integers reads the words of sums.
func integers(s *moments.Statistics) []*big.Int {
	var out []*big.Int
	for words := s.Words(); len(words) > 0; words = words[2:] {
		v := new(big.Int).Lsh(big.NewInt(words[1]), 64)
		out = append(out, v.Add(v, new(big.Int).SetUint64(uint64(words[0]))))
	}
	return out
}

// The sums are those of the rounded rows, to the last bit: also where a number is so large
// beside those that the steps were chosen from that it takes a third digit, and where it does
// not fit into three.
func TestSumsAreExact(t *testing.T) {
	for name, c := range map[string]struct{ at, factor float64 }{"two digits": {-1, 1}, "three digits": {501, 1000}, "other steps": {501, 1e7}} {
		r := drawn(t, 1000, 5, 2, 1)
		if c.at >= 0 {
			for j := range r.Points.At(int(c.at)) {
				r.Points.At(int(c.at))[j] *= c.factor
			}
		}
		s := of(t, r, 2)
		want, got := byDefinition(s, r), integers(s)
		for i := range want {
			if want[i].Cmp(got[i]) != 0 {
				t.Fatalf("%s: element %d is %v, and the sum of the products %v", name, i, got[i], want[i])
			}
		}
		if s.Rows != 1000 {
			t.Errorf("%s: %d rows", name, s.Rows)
		}
		total := 0.0
		for _, w := range r.Weights {
			total += w
		}
		testkit.Close(t, "total", s.Total(), total, 1000*1.5*0x1p-42) // 2 roots of 1.5 by half a step of 2⁻⁴² each
	}
}

// Neither the order of the rows, nor how they are cut, nor the workers change a bit; rows that
// are added and taken out again leave none.
func TestSumsOfBatchesAreThoseOfAllRows(t *testing.T) {
	const n = 900
	r := drawn(t, n, 6, 1, 2)
	whole := of(t, r, 1)
	for _, workers := range []int{2, 3, 8} {
		if !slices.Equal(of(t, r, workers).Words(), whole.Words()) {
			t.Errorf("%d workers give other bits", workers)
		}
	}
	order := testkit.Rand(t, 3).Perm(n)
	var sum *moments.Statistics
	for from, size := 0, 1; from < n; size = 2*size + 1 {
		to := min(from+size, n)
		batch := like(t, whole, part(r, order[from:to]...))
		if sum == nil {
			sum = batch
		} else {
			sum = must(t)(sum.Plus(batch))
		}
		from = to
	}
	if sum.Rows != n || !slices.Equal(sum.Words(), whole.Words()) {
		t.Error("batches in another order have other sums")
	}
	few := like(t, whole, part(r, 7, 450, 899))
	less := must(t)(whole.Minus(few))
	if less.Rows != n-3 || slices.Equal(less.Words(), whole.Words()) {
		t.Errorf("%d rows are left of %d", less.Rows, n)
	}
	if again := must(t)(less.Plus(few)); !slices.Equal(again.Words(), whole.Words()) {
		t.Error("taking rows out and adding them again leaves a trace")
	}
	known := must(t)(moments.FromWords(whole.Shape, whole.Rows, slices.Clone(whole.Words())))
	if again := must(t)(must(t)(known.Minus(few)).Plus(few)); !slices.Equal(again.Words(), whole.Words()) {
		t.Error("sums that were kept are others")
	}
}

func TestSumsRefuse(t *testing.T) {
	r := drawn(t, 10, 2, 1, 4)
	s := of(t, r, 1)
	expect := func(what string, err error, want string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v does not say %q", what, err, want)
		}
	}
	_, err := s.Minus(s)
	expect("all rows", err, "nothing would be left")
	stranger := drawn(t, 5, 2, 1, 5)
	for i := range 5 {
		stranger.Points.At(i)[0] = 100
	}
	_, err = s.Minus(like(t, s, stranger))
	expect("rows that were never in", err, "that were not in")
	_, err = s.Plus(of(t, drawn(t, 10, 3, 1, 4), 1))
	expect("another model", err, "different models")
	_, err = moments.Like(t.Context(), s, drawn(t, 10, 3, 1, 4), compute.Options{})
	expect("other features", err, "3 features and 1 targets")
	stranger.Points.At(3)[1] = 1e9
	_, err = moments.Like(t.Context(), s, stranger, compute.Options{})
	expect("a far row", err, "row 3 has numbers thousands of times larger")
	stranger.Points.At(3)[1] = math.NaN()
	_, err = moments.Of(t.Context(), stranger, compute.Options{})
	expect("no number", err, "row 3 has features that are no finite numbers")
	stranger = drawn(t, 5, 2, 1, 5)
	stranger.Targets.Set(2, 0, math.Inf(1))
	_, err = moments.Of(t.Context(), stranger, compute.Options{})
	expect("an infinite target", err, "target 0 of row 2 is +Inf")
	stranger.Targets.Set(2, 0, 1e300)
	_, err = moments.Of(t.Context(), stranger, compute.Options{})
	expect("a huge target", err, "scale them")
	stranger.Weights[1] = -1
	_, err = moments.Of(t.Context(), stranger, compute.Options{})
	expect("a weight", err, "weight of row 1 is -1")
	stranger.Weights = stranger.Weights[:3]
	_, err = moments.Of(t.Context(), stranger, compute.Options{})
	expect("sizes", err, "3 weights for 5 points")
	stranger.Points, stranger.Weights = data.MakeVectors(0, 2), nil
	_, err = moments.Of(t.Context(), stranger, compute.Options{})
	expect("no rows", err, "there are no rows")
	nothing := drawn(t, 5, 2, 1, 5)
	clear(nothing.Weights)
	_, err = moments.Of(t.Context(), nothing, compute.Options{})
	expect("no weight", err, "add up to zero")
	_, err = moments.FromWords(s.Shape, 10, s.Words()[1:])
	expect("words", err, "words for the sums of 10 rows")
	broken := slices.Clone(s.Words())
	broken[1] = -1
	_, err = moments.FromWords(s.Shape, 10, broken)
	expect("a negative square", err, "negative")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := moments.Of(ctx, r, compute.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// The solution is that of the normal equations in rounded numbers, whose means are taken
// away first, with an intercept and without.
func TestSolve(t *testing.T) {
	const n, d, p, ridge = 500, 4, 2, 3.0
	r := drawn(t, n, d, p, 6)
	s := of(t, r, 0)
	for _, intercept := range []bool{true, false} {
		sol, err := s.Solve(t.Context(), ridge, intercept, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		phi, y, total := mat.NewDense(n, d, nil), mat.NewDense(n, p, nil), 0.0
		for i := range n {
			total += r.Weights[i]
			phi.SetRow(i, r.Points.At(i))
			y.SetRow(i, r.Targets.RawRowView(i))
		}
		means := func(m *mat.Dense) []float64 {
			_, cols := m.Dims()
			out := make([]float64, cols)
			for i := range n {
				for j, v := range m.RawRowView(i) {
					if intercept {
						out[j] += r.Weights[i] * v / total
					}
				}
			}
			return out
		}
		phiBar, yBar := means(phi), means(y)
		for i := range n {
			for j := range d {
				phi.Set(i, j, math.Sqrt(r.Weights[i])*(phi.At(i, j)-phiBar[j]))
			}
			for c := range p {
				y.Set(i, c, math.Sqrt(r.Weights[i])*(y.At(i, c)-yBar[c]))
			}
		}
		var h, b, w, rest mat.Dense
		h.Mul(phi.T(), phi)
		for j := range d {
			h.Set(j, j, h.At(j, j)+ridge)
		}
		b.Mul(phi.T(), y)
		if err := w.Solve(&h, &b); err != nil {
			t.Fatal(err)
		}
		rest.Mul(phi, &w)
		rest.Sub(y, &rest)
		// A row is off by half a step: of 2⁻⁴³·4·2 for features below 8, of 2⁻⁴³·2048 for targets.
		// Σ wᵢφᵢδᵢ then moves the right-hand sides by at most n·8·2⁻³², and w by a part of that as
		// h is at least as large as Σ w of the smallest direction, about n.
		const bound = 10 * 8 * 0x1p-32
		testkit.CloseSlice(t, "w", sol.W.RawMatrix().Data, w.RawMatrix().Data, bound)
		for c := range p {
			bias := yBar[c]
			for j := range d {
				bias -= phiBar[j] * w.At(j, c)
			}
			testkit.Close(t, "intercept", sol.Bias[c], bias, 10*bound)
			squared := mat.Dot(rest.ColView(c), rest.ColView(c))
			testkit.Close(t, "squared errors", sol.Squared[c], squared, 2000*n*0x1p-32)
			if intercept {
				testkit.Close(t, "spread", sol.Spread[c], mat.Dot(y.ColView(c), y.ColView(c)), 4*2000*n*0x1p-32)
			}
			testkit.Close(t, "norm", sol.Norm2[c], mat.Dot(w.ColView(c), w.ColView(c)), 10*bound)
		}
		if !(sol.Residual < 1e-13) || !(sol.Condition >= 1) {
			t.Errorf("residual %v, condition %v", sol.Residual, sol.Condition)
		}
	}
}
