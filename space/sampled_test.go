package space

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
)

// TestDrawFollowsTheWeights: strata of equal weight have a row each.
func TestDrawFollowsTheWeights(t *testing.T) {
	weights := make([]float64, 1000)
	for i := range weights {
		weights[i] = float64(i % 4) // none of every fourth
	}
	weights[501], weights[999] = 300, 0 // a sixth of all
	const count = 180
	total := 0.0
	for _, w := range weights {
		total += w
	}
	drawn, heavy, last, sum := draw(weights, total, count), 0, -1, 0.0
	cumulated := make([]float64, 1000)
	for i, w := range weights {
		sum += w
		cumulated[i] = sum
	}
	for k, row := range drawn {
		if row < last || weights[row] == 0 {
			t.Fatalf("row %d of weight %v after row %d", row, weights[row], last)
		}
		if last = row; row == 501 {
			heavy++
		}
		low, high := float64(k)*sum/count, float64(k+1)*sum/count
		if cumulated[row] < low-1e-9*sum || cumulated[row]-weights[row] > high+1e-9*sum {
			t.Errorf("row %d is not of stratum %d", row, k)
		}
	}
	if expected := count * 300 / sum; math.Abs(float64(heavy)-expected) > 1 {
		t.Errorf("a row with %v of the weight is there %d times of %d", 300/sum, heavy, count)
	}
}

// TestSampleIsTakenWhereItPays: where rows are many, landmarks some, values cheap, and single
// precision knows the equations.
func TestSampleIsTakenWhereItPays(t *testing.T) {
	const cheap, good = 50, 1e6
	size := sampling{1_000_000, 1000, 1, cheap}.size(good)
	if size < 4000 || size > 200_000 {
		t.Errorf("%d rows of a million for 1000 landmarks", size)
	}
	if more := (sampling{4_000_000, 1000, 1, cheap}).size(good); more <= size {
		t.Errorf("%d rows of four millions, and %d of one", more, size)
	}
	for name, none := range map[string]int{
		"few rows":           sampling{20_000, 1000, 1, cheap}.size(good),
		"few landmarks":      sampling{1_000_000, 50, 1, cheap}.size(good),
		"many targets":       sampling{1_000_000, 1000, 40, cheap}.size(good),
		"dear values":        sampling{1_000_000, 1000, 1, 5000}.size(good),
		"unknown values":     sampling{1_000_000, 1000, 1, math.Inf(1)}.size(good),
		"landmarks too near": sampling{1_000_000, 1000, 1, cheap}.size(1e12),
	} {
		if none != 0 {
			t.Errorf("%s: a sample of %d", name, none)
		}
	}
}

// newEquations are those of 4000 rows on the first 40 of them, with two targets.
func newEquations(t *testing.T, text string, ridge float64) (*Primal, Ridge, Targets) {
	t.Helper()
	const n, m = 4000, 40
	rng, xs, y := testkit.Rand(t, 71), data.MakeVectors(4000, 3), mat.NewDense(n, 2, nil)
	for i := range n {
		for j := range 3 {
			xs.At(i)[j] = rng.NormFloat64()
		}
		y.SetRow(i, []float64{5 + math.Sin(2*xs.At(i)[0]) + 0.1*rng.NormFloat64(), xs.At(i)[1] * xs.At(i)[2]})
	}
	k, err := vec.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	low, err := nystrom.New(t.Context(), k, data.Run(xs, 0, m), compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := primalOf(t.Context(), low, xs, Options{Sample: 800, Streamed: true})
	if err != nil {
		t.Fatal(err)
	}
	return s, Ridge{R: ridge, Constant: true, Factorless: true}, Targets{Columns: 2, Row: func(dst []float64, i int) error {
		copy(dst, y.RawRowView(i))
		return nil
	}}
}

// TestSampleIsSummedInSinglePrecisionWhereTheRidgeAllows: fits on both sides of the limit take
// about as many passes. Beyond it single precision has no factor.
func TestSampleIsSummedInSinglePrecisionWhereTheRidgeAllows(t *testing.T) {
	for _, c := range []struct {
		kernel  string
		ridge   float64
		roughly bool
	}{{"rbf(sigma=1)", 1, true}, {"rbf(sigma=2)", 100, true}, {"rbf(sigma=2)", 10, false}} {
		s, r, y := newEquations(t, c.kernel, c.ridge)
		e := &landmarkEquations{landmarks: s.on, g: &Regression{ridge: r}, q: &Quality{Sample: 800}, total: 4000}
		if got := e.roughly(); got != c.roughly {
			t.Errorf("%s, ridge %v, K_CC of condition %.1e: single precision %v", c.kernel, c.ridge, s.on.l.Condition(), got)
		}
		g, err := Regress(t.Context(), s, r, y, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		q := g.Quality
		if most := 1 + passes(momentsTo, 800, 40); q.Sample != 800 || q.Residual > momentsTo || q.SingleProducts > most {
			t.Errorf("%s, ridge %v: a sample of %d, residual %.1e, %d passes, at most %d are expected", c.kernel, c.ridge, q.Sample, q.Residual, q.SingleProducts, most)
		}
	}
	s, r, _ := newEquations(t, "rbf(sigma=2)", 5)
	v := make([]float64, 4000)
	for i := range v {
		v[i] = 1
	}
	second, _, err := s.on.columns(draw(v, 4000, 800)).In(compute.Single).Moments(t.Context(), nil, mat.NewDense(800, 1, nil))
	if err != nil {
		t.Fatal(err)
	}
	second.ScaleSym(5, second)
	e := &landmarkEquations{landmarks: s.on, g: &Regression{ridge: r}}
	if reason, err := e.factor(t.Context(), second); err != nil || reason == "" {
		t.Errorf("ridge 5 in single precision: there is a factor (%v), and the limit may be lower", err)
	}
}
