package calibrate_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/outcome/calibrate"
)

// TestTwoSidedIsTheMinimum compares with a scan of both slopes.
func TestTwoSidedIsTheMinimum(t *testing.T) {
	r := testkit.Rand(t, 3)
	f, y, w := drawScores(r, 80)
	s, err := calibrate.FitTwoSided(f, y, w)
	if err != nil {
		t.Fatal(err)
	}
	loss := func(s calibrate.TwoSided) float64 {
		up, down := 0.0, 0.0
		for i := range y {
			if y[i] {
				up += w[i]
			} else {
				down += w[i]
			}
		}
		sum := 0.0
		for i, v := range f {
			no, yes := s.At(v)
			target := 1 / (down + 2)
			if y[i] {
				target = (up + 1) / (up + 2)
			}
			sum -= w[i] * (target*math.Log(yes) + (1-target)*math.Log(no))
		}
		return sum
	}
	best := loss(s)
	for _, h := range []float64{1e-3, -1e-3, 0.1, -0.1} {
		for _, moved := range []calibrate.TwoSided{{Below: s.Below + h, Above: s.Above}, {Below: s.Below, Above: s.Above + h}} {
			if loss(moved) <= best {
				t.Errorf("%+v has the loss %v, no more than %v of %+v", moved, loss(moved), best, s)
			}
		}
	}
}

func drawScores(r *rand.Rand, n int) (f []float64, y []bool, w []float64) {
	for range n {
		v := r.NormFloat64()
		f, y = append(f, v), append(y, r.Float64() < 1/(1+math.Exp(-2*v)))
		w = append(w, float64(1+r.IntN(3)))
	}
	return f, y, w
}

// TestHardCases: what data do that leave a map undetermined or without bound.
func TestHardCases(t *testing.T) {
	yes, no := []bool{true, true, true}, []bool{false, false, false}
	s, err := calibrate.FitSigmoid([]float64{1, 2, 3}, yes, nil)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "one class: p", s.At(-5), 0.8, 1e-9) // (3+1)/(3+2)
	s, _ = calibrate.FitSigmoid([]float64{1, 2, 3}, no, nil)
	testkit.Close(t, "the other class: p", s.At(7), 0.2, 1e-9)
	s, _ = calibrate.FitSigmoid([]float64{4, 4, 4}, []bool{true, false, true}, nil)
	testkit.Close(t, "constant: p", s.At(4), (2*0.75+1./3)/3, 1e-12)
	if s.A != 0 {
		t.Errorf("constant values have the slope %v", s.A)
	}
	s, _ = calibrate.FitSigmoid([]float64{-2, -1, 1, 2}, []bool{false, false, true, true}, nil)
	if !(s.A < 0) || math.IsInf(s.A, 0) {
		t.Errorf("separable values have the slope %v", s.A)
	}
	for _, scale := range []float64{1e-200, 1e200} {
		scaled, _ := calibrate.FitSigmoid([]float64{-2 * scale, -scale, scale, 2 * scale}, []bool{false, false, true, true}, nil)
		testkit.Close(t, "scaled slope", scaled.A*scale, s.A, 1e-12)
	}
	two, _ := calibrate.FitTwoSided([]float64{-1, 1, 2}, []bool{true, false, false}, nil)
	if two.Below != 0 || two.Above != 0 {
		t.Errorf("a decision that is always wrong has the slopes %+v, want 0", two)
	}
	two, _ = calibrate.FitTwoSided([]float64{1, 2}, []bool{true, true}, nil)
	if two.Below != two.Above || !(two.Above > 0) {
		t.Errorf("a side without rows takes the slope of the other: %+v", two)
	}
	two, _ = calibrate.FitTwoSided([]float64{0, 0}, []bool{true, false}, nil)
	if two != (calibrate.TwoSided{}) {
		t.Errorf("values of 0 have the slopes %+v", two)
	}
	beta, err := calibrate.FitTemperature(mat.NewDense(2, 3, []float64{2, 0, 0, 0, 0, 2}), []int{1, 1}, nil)
	if err != nil || beta != 0 {
		t.Errorf("values that are always wrong: β = %v, %v", beta, err)
	}
}

// TestIsotonicIsTheMinimum compares with dynamic programming over a fine grid of values,
// which contains the solution: all means of up to 6 targets 0 or 1.
func TestIsotonicIsTheMinimum(t *testing.T) {
	var grid []float64
	for d := 1; d <= 6; d++ {
		for n := range d + 1 {
			grid = append(grid, float64(n)/float64(d))
		}
	}
	slices.Sort(grid)
	grid = slices.Compact(grid)
	rapid.Check(t, func(t *rapid.T) {
		target := rapid.SliceOfN(rapid.SampledFrom([]float64{0, 1}), 1, 6).Draw(t, "t")
		f := make([]float64, len(target))
		for i := range f {
			f[i] = float64(i)
		}
		s, err := calibrate.FitIsotonic(f, target, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := 0.0
		for i, v := range target {
			got += (v - s.At(f[i])) * (v - s.At(f[i]))
		}
		best := make([]float64, len(grid)) // of a prefix that ends at most at a grid value
		for _, v := range target {
			low := math.Inf(1)
			for g, p := range grid {
				best[g] += (v - p) * (v - p)
				low = min(low, best[g])
				best[g] = low
			}
		}
		if want := best[len(grid)-1]; math.Abs(got-want) > 1e-12 {
			t.Fatalf("targets %v: squared error %v, the minimum is %v", target, got, want)
		}
	})
}

// TestSignedIsTheMinimum: no rising function through ½ at 0 comes nearer to the targets,
// shown by all of those that take few values.
func TestSignedIsTheMinimum(t *testing.T) {
	f := []float64{-3, -2, -1, 1, 2, 3}
	levels := []float64{0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875}
	for mask := range 64 {
		y, up := make([]bool, 6), 0.0
		for i := range y {
			if y[i] = mask>>i&1 == 1; y[i] {
				up++
			}
		}
		s, err := calibrate.FitSigned(f, y, nil)
		if err != nil {
			t.Fatal(err)
		}
		loss := func(p func(i int) float64) float64 {
			sum := 0.0
			for i := range f {
				target := 1 / (8 - up)
				if y[i] {
					target = (up + 1) / (up + 2)
				}
				sum += (target - p(i)) * (target - p(i))
			}
			return sum
		}
		got := loss(func(i int) float64 { return s.At(f[i]) })
		for _, low := range rises(levels[:4]) {
			for _, high := range rises(levels[3:]) {
				p := slices.Concat(low, high)
				if v := loss(func(i int) float64 { return p[i] }); v < got-1e-12 {
					t.Fatalf("targets %v: %v has the squared error %v, less than %v of %+v", y, p, v, got, s)
				}
			}
		}
	}
}

// rises returns all rising triples of levels.
func rises(levels []float64) [][]float64 {
	var out [][]float64
	for i, a := range levels {
		for j, b := range levels[i:] {
			for _, c := range levels[i+j:] {
				out = append(out, []float64{a, b, c})
			}
		}
	}
	return out
}

func TestSteps(t *testing.T) {
	s := calibrate.Isotonic{X: []float64{0, 1}, P: []float64{0.2, 0.7}, Steps: true}
	for f, want := range map[float64]float64{-1: 0.2, 0: 0.2, 0.999: 0.2, 1: 0.7, 5: 0.7} {
		if got := s.At(f); got != want {
			t.Errorf("at %v: %v, want %v", f, got, want)
		}
	}
}

// TestTemperatureRecovers: probabilities that are a softmax of the values at half the
// scale give β = ½ to the accuracy of the sample: the variance of β is that of the
// score over the square of its derivative, about 1/(n·Var) ≈ 1/(4000·0.5).
func TestTemperatureRecovers(t *testing.T) {
	const n, beta = 4000, 0.5
	r := testkit.Rand(t, 5)
	f, class, p := mat.NewDense(n, 3, nil), make([]int, n), make([]float64, 3)
	for i := range n {
		for j := range 3 {
			f.Set(i, j, 2*r.NormFloat64())
		}
		calibrate.Softmax(p, f.RawRowView(i), beta)
		u := r.Float64()
		for u > p[class[i]] && class[i] < 2 {
			u -= p[class[i]]
			class[i]++
		}
	}
	got, err := calibrate.FitTemperature(f, class, nil)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(got-beta) > 5/math.Sqrt(n*0.5) {
		t.Errorf("β = %v, want about %v", got, beta)
	}
}

// TestFavourIsTheProjection: p[class] is the largest, the sum stays, and no convex
// combination with another admissible point comes nearer (the variational inequality of
// a projection: ⟨p − x, z − x⟩ ≤ 0 for every admissible z).
func TestFavourIsTheProjection(t *testing.T) {
	draw := func(t *rapid.T, m int, what string) []float64 {
		p, sum := make([]float64, m), 0.0
		for c := range p {
			p[c] = float64(rapid.IntRange(0, 6).Draw(t, what))
			sum += p[c]
		}
		p[0]++
		for c := range p {
			p[c] /= sum + 1
		}
		return p
	}
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.IntRange(2, 6).Draw(t, "classes")
		class := rapid.IntRange(0, m-1).Draw(t, "class")
		p, z := draw(t, m, "p"), draw(t, m, "z")
		x := slices.Clone(p)
		calibrate.Favour(x, class)
		if slices.Max(x) != x[class] {
			t.Fatalf("Favour(%v, %d) = %v", p, class, x)
		}
		sum, dot := 0.0, 0.0
		best := slices.Index(z, slices.Max(z))
		z[best], z[class] = z[class], z[best]
		for c := range x {
			sum += x[c]
			dot += (p[c] - x[c]) * (z[c] - x[c])
		}
		if math.Abs(sum-1) > 1e-14 || dot > 1e-14 {
			t.Fatalf("Favour(%v, %d) = %v adds up to %v; towards %v the product is %v", p, class, x, sum, z, dot)
		}
	})
}
