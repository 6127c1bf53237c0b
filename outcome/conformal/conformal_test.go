package conformal_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/outcome/conformal"
)

// TestQuantileByHand: the ⌈(n+1)(1−α)⌉-th smallest, also where (n+1)(1−α) is a whole
// number that floating point misses.
func TestQuantileByHand(t *testing.T) {
	for n := 1; n <= 120; n++ {
		values := make([]float64, n)
		for i := range values {
			values[i] = float64(n - i) // 1…n, falling
		}
		s, err := conformal.NewScores(values, nil)
		if err != nil {
			t.Fatal(err)
		}
		for percent := 1; percent < 100; percent++ {
			k := ((n+1)*percent + 99) / 100
			want := float64(k)
			if k > n {
				want = math.Inf(1)
			}
			if got, _ := s.Quantile(float64(percent) / 100); got != want {
				t.Errorf("n = %d, level %d %%: %v, want %v", n, percent, got, want)
			}
		}
	}
}

func TestWeightTwice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var values, weights, repeated []float64
		for range rapid.IntRange(0, 12).Draw(t, "n") {
			v, w := float64(rapid.IntRange(0, 5).Draw(t, "score")), rapid.IntRange(0, 3).Draw(t, "weight")
			values, weights = append(values, v), append(weights, float64(w))
			repeated = append(repeated, slices.Repeat([]float64{v}, w)...)
		}
		a, err := conformal.NewScores(values, weights)
		if err != nil {
			t.Fatal(err)
		}
		b, err := conformal.NewScores(repeated, nil)
		if err != nil {
			t.Fatal(err)
		}
		level := rapid.Float64Range(0.01, 0.99).Draw(t, "level")
		p, _ := a.Quantile(level)
		q, _ := b.Quantile(level)
		if p != q {
			t.Fatalf("level %v: %v with weights %v, %v with repeated rows", level, p, weights, q)
		}
	})
}

// covers counts how many of `fresh` new rows are covered in each of `repetitions` with n
// scores, and checks the share against its law: given the scores the probability is
// Beta(k, n+1−k) with k = ⌈(n+1)·level⌉, so that the share over all repetitions has the
// mean k/(n+1) and the variance (v + (μ(1−μ) − v)/fresh)/repetitions, v = μ(1−μ)/(n+2).
// The bounds are 5 standard deviations on both sides: p < 1e-6.
func covers(t *testing.T, what string, n int, level float64, once func(r *rand.Rand) (scores []float64, covered func(q float64) bool)) {
	t.Helper()
	const repetitions, fresh = 400, 50
	r := testkit.Rand(t, 11)
	hits := 0
	for range repetitions {
		values := make([]float64, n)
		for i := range values {
			s, _ := once(r)
			values[i] = s[0]
		}
		s, err := conformal.NewScores(values, nil)
		if err != nil {
			t.Fatal(err)
		}
		q, err := s.Quantile(level)
		if err != nil {
			t.Fatal(err)
		}
		for range fresh {
			if _, covered := once(r); covered(q) {
				hits++
			}
		}
	}
	mean := math.Ceil(float64(n+1)*level-1e-9) / float64(n+1)
	v := mean * (1 - mean) / float64(n+2)
	deviation := math.Sqrt((v + (mean*(1-mean)-v)/fresh) / repetitions)
	if got := float64(hits) / (repetitions * fresh); math.Abs(got-mean) > 5*deviation {
		t.Errorf("%s, n = %d, level %v: %v are covered, want %v ± %v", what, n, level, got, mean, 5*deviation)
	}
}

// TestCoverage: empirical coverage of every score, for models that are wrong.
func TestCoverage(t *testing.T) {
	for _, n := range []int{19, 60} {
		for _, level := range []float64{0.5, 0.9} {
			covers(t, "residual", n, level, func(r *rand.Rand) ([]float64, func(float64) bool) {
				x := r.NormFloat64()
				y, f := x*x+r.NormFloat64(), x
				return []float64{conformal.Residual(y, f)}, func(q float64) bool {
					lo, hi := conformal.Around(f, q)
					return lo <= y && y <= hi
				}
			})
			covers(t, "scaled", n, level, func(r *rand.Rand) ([]float64, func(float64) bool) {
				x := r.Float64()
				y, f, s := x+x*r.NormFloat64(), x, 0.1+x
				return []float64{conformal.Scaled(y, f, s)}, func(q float64) bool {
					lo, hi := conformal.AroundScaled(f, s, q)
					return lo <= y && y <= hi
				}
			})
			covers(t, "quantiles", n, level, func(r *rand.Rand) ([]float64, func(float64) bool) {
				x := r.Float64()
				y, lo, hi := x*r.NormFloat64(), -3*x, 3*x // mostly too wide
				return []float64{conformal.Outside(y, lo, hi)}, func(q float64) bool {
					a, b := lo-q, hi+q
					return a <= y && y <= b
				}
			})
			covers(t, "ranked", n, level, func(r *rand.Rand) ([]float64, func(float64) bool) {
				p, class := drawClass(r)
				u := r.Float64()
				s := conformal.Ranked(p, class, u)
				return []float64{s}, func(q float64) bool { return s <= q }
			})
			covers(t, "unlikely", n, level, func(r *rand.Rand) ([]float64, func(float64) bool) {
				p, class := drawClass(r)
				s := conformal.Unlikely(p, class)
				return []float64{s}, func(q float64) bool { return s <= q }
			})
		}
	}
}

// drawClass draws probabilities, and a class by other ones: the model is wrong.
func drawClass(r *rand.Rand) ([]float64, int) {
	p, sum := make([]float64, 4), 0.0
	for c := range p {
		p[c] = r.ExpFloat64()
		sum += p[c]
	}
	class, u := 0, r.Float64()
	for c := range p {
		p[c] /= sum
	}
	for u > 0.7*p[class]+0.075 && class < 3 {
		u -= 0.7*p[class] + 0.075
		class++
	}
	return p, class
}

// TestByClass: where one class is far stranger than another, sets by class cover each as
// promised, and the common quantile does not.
func TestByClass(t *testing.T) {
	const n, fresh, level = 400, 4000, 0.8
	r := testkit.Rand(t, 4)
	draw := func() (float64, int) { // the score of the second class is three times as large
		class := r.IntN(2)
		return r.Float64() * float64(1+2*class), class
	}
	values, group := make([]float64, n), make([]int, n)
	for i := range values {
		values[i], group[i] = draw()
	}
	parts, err := conformal.ByGroup(values, group, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	all, _ := conformal.NewScores(values, nil)
	common, _ := all.Quantile(level)
	var each, joint, count [2]float64
	for range fresh {
		s, class := draw()
		q, _ := parts[class].Quantile(level)
		count[class]++
		if s <= q {
			each[class]++
		}
		if s <= common {
			joint[class]++
		}
	}
	// Of about 200 scores and 2000 new rows: σ² ≈ 0.16/200 + 0.16/2000.
	bound := 5 * math.Sqrt(0.16/200+0.16/2000)
	for c := range count {
		if share := each[c] / count[c]; math.Abs(share-level) > bound {
			t.Errorf("class %d is covered by a share of %v, want %v ± %v", c, share, level, bound)
		}
	}
	if joint[1]/count[1] > level-bound {
		t.Errorf("the common quantile covers the strange class by %v: this test shows nothing", joint[1]/count[1])
	}
}

func TestSets(t *testing.T) {
	p := []float64{0.5, 0.3, 0.15, 0.05}
	unlikely := func(c int) float64 { return conformal.Unlikely(p, c) }
	for _, c := range []struct {
		label int
		q     float64
		want  []int
	}{{0, 0.75, []int{0, 1}}, {0, 0.1, []int{0}}, {2, 0.6, []int{0, 2}}, {0, math.Inf(1), []int{0, 1, 2, 3}}} {
		if got := conformal.Set(4, c.label, c.q, unlikely); !slices.Equal(got, c.want) {
			t.Errorf("q = %v: %v, want %v", c.q, got, c.want)
		}
	}
	if got := conformal.Ranked([]float64{0.25, 0.5, 0.25}, 2, 1); got != 1 {
		t.Errorf("the last of equals has the score %v, want 1", got)
	}
	if got := conformal.SetByClass([]float64{0, 0.7, 0, 1}, 0, unlikely); !slices.Equal(got, []int{0, 1, 3}) {
		t.Errorf("by class: %v", got)
	}
}

func TestIntervalsByHand(t *testing.T) {
	if lo, hi := conformal.Widen(1, 3, -2); lo != 2 || hi != 2 {
		t.Errorf("an empty interval became %v to %v", lo, hi)
	}
	if lo, hi := conformal.Widen(1, 3, 0.5); lo != 0.5 || hi != 3.5 {
		t.Errorf("widened to %v, %v", lo, hi)
	}
	if lo, hi := conformal.AroundScaled(1, 0, math.Inf(1)); !math.IsInf(lo, -1) || !math.IsInf(hi, 1) {
		t.Errorf("without a bound: %v to %v", lo, hi)
	}
	if s := conformal.Scaled(2, 1, 0); !math.IsInf(s, 1) {
		t.Errorf("an error where none was predicted has the score %v", s)
	}
	if s := conformal.Scaled(1, 1, 0); s != 0 {
		t.Errorf("no error has the score %v", s)
	}
}

func TestRefusals(t *testing.T) {
	if _, err := conformal.NewScores([]float64{math.NaN()}, nil); err == nil {
		t.Error("NaN is a score")
	}
	if _, err := conformal.NewScores([]float64{1}, []float64{-1}); err == nil {
		t.Error("−1 is a weight")
	}
	if _, err := conformal.NewScores([]float64{1}, []float64{1, 1}); err == nil {
		t.Error("two weights for one score")
	}
	if _, err := conformal.ByGroup([]float64{1}, []int{1}, 1, nil); err == nil {
		t.Error("group 1 of 1")
	}
	s, _ := conformal.NewScores(nil, nil)
	if q, err := s.Quantile(0.5); err != nil || !math.IsInf(q, 1) {
		t.Errorf("no scores: %v, %v", q, err)
	}
	if _, err := s.Quantile(1); err == nil {
		t.Error("a coverage of 1")
	}
}
