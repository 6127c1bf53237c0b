package visual_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/ckn"
	"example.org/mercer/kernel/visual"
)

// pixels are those of an image by chance.
func pixels(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = math.Round(255 * rng.Float64())
	}
	return x
}

// learned returns the code by a dictionary by chance, with variances and weights above 0.
func learned(t testing.TB, o visual.Options, rng *rand.Rand) *visual.Code {
	t.Helper()
	c, err := o.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	numbers := make([]float64, c.DictionarySize())
	for i := range numbers {
		numbers[i] = rng.NormFloat64() / 5
	}
	if _, ok := o.Coding.(visual.Fisher); ok {
		k, d := o.Coding.Size(), c.Descriptors().Dim()
		if o.Components > 0 {
			d = o.Components
		}
		own := numbers[len(numbers)-o.Coding.Numbers(d):]
		for i := range own {
			if i < k {
				own[i] = (1 + rng.Float64()) / float64(2*k)
			}
			if i >= k*(1+d) {
				own[i] = 0.02 + rng.Float64()/10
			}
		}
	}
	if c, err = o.New(numbers); err != nil {
		t.Fatal(err)
	}
	return c
}

// described returns descriptors as their definition says: patches one by one.
func described(t *testing.T, o visual.Dense, x []float64) [][]float64 {
	t.Helper()
	net, err := ckn.New(ckn.Options{Shape: o.Shape, Input: o.Input, Orientations: o.Orientations, Reduce: o.Reduce, Layers: []ckn.Layer{{Patch: o.Patch, Pool: 1, Sigma: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	h, w, c := net.MapShape()
	seen := make([]float64, h*w*c)
	net.Map(seen, make([]float64, net.MapScratch()), x)
	var all [][]float64
	whole := 0.0
	for i := (h - o.Patch) % o.Step / 2; i+o.Patch <= h; i += o.Step {
		for j := (w - o.Patch) % o.Step / 2; j+o.Patch <= w; j += o.Step {
			var patch []float64
			for r := range o.Patch {
				for q := range o.Patch {
					patch = append(patch, seen[((i+r)*w+j+q)*c:((i+r)*w+j+q+1)*c]...)
				}
			}
			if o.Input == ckn.Centred {
				for ch := range c {
					mean := 0.0
					for p := range o.Patch * o.Patch {
						mean += patch[p*c+ch] / float64(o.Patch*o.Patch)
					}
					for p := range o.Patch * o.Patch {
						patch[p*c+ch] -= mean
					}
				}
			}
			for _, v := range patch {
				whole += v * v
			}
			all = append(all, patch)
		}
	}
	soft := whole / float64(len(all)) / 100
	for _, patch := range all {
		square := 0.0
		for _, v := range patch {
			square += v * v
		}
		for i := range patch {
			patch[i] /= math.Sqrt(square + soft)
		}
	}
	return all
}

var denses = []visual.Dense{
	{Shape: [3]int{12, 10, 1}, Input: ckn.Gradient, Orientations: 6, Reduce: 2, Patch: 3, Step: 1},
	{Shape: [3]int{9, 11, 3}, Input: ckn.Centred, Orientations: 8, Reduce: 1, Patch: 4, Step: 3},
	{Shape: [3]int{7, 7, 2}, Input: ckn.Raw, Orientations: 8, Reduce: 1, Patch: 2, Step: 2},
}

func TestDescriptorsAreThoseOfTheDefinition(t *testing.T) {
	rng := testkit.Rand(t, 1)
	for _, o := range denses {
		d, err := o.New()
		if err != nil {
			t.Fatal(err)
		}
		x := pixels(rng, o.Shape[0]*o.Shape[1]*o.Shape[2])
		got := make([]float64, d.Count()*d.Dim())
		d.Of(got, make([]float64, d.Scratch()), x)
		want := described(t, o, x)
		if len(want) != d.Count() {
			t.Fatalf("%d descriptors, want %d", d.Count(), len(want))
		}
		for i, patch := range want {
			testkit.CloseSlice(t, "descriptor", got[i*d.Dim():(i+1)*d.Dim()], patch, 1e-13)
		}
	}
	d, err := denses[1].New()
	if err != nil {
		t.Fatal(err)
	}
	blank := make([]float64, d.Count()*d.Dim())
	d.Of(blank, make([]float64, d.Scratch()), make([]float64, 9*11*3))
	for _, v := range blank {
		if v != 0 {
			t.Fatalf("a blank image has a descriptor of %v", v)
		}
	}
}

// cellsOf returns the descriptors of each cell of the levels, by their places.
func cellsOf(p visual.Pyramid, rows, cols int) (cells [][]int, level []int) {
	for l, g := range p {
		for a := range g {
			for b := range g {
				var own []int
				for i := range rows {
					for j := range cols {
						if i*g/rows == a && j*g/cols == b {
							own = append(own, i*cols+j)
						}
					}
				}
				cells, level = append(cells, own), append(level, l)
			}
		}
	}
	return cells, level
}

func TestWordsAreCountsOfNearest(t *testing.T) {
	rng := testkit.Rand(t, 2)
	for _, dense := range denses {
		o := visual.Options{Dense: dense, Pyramid: visual.Pyramid{1, 2}, Coding: visual.Words(7)}
		numbers := make([]float64, 0)
		c, err := o.New(nil)
		if err != nil {
			t.Fatal(err)
		}
		d := c.Descriptors().Dim()
		for range 7 * d {
			numbers = append(numbers, rng.NormFloat64()/5)
		}
		if c, err = o.New(numbers); err != nil {
			t.Fatal(err)
		}
		x := pixels(rng, dense.Shape[0]*dense.Shape[1]*dense.Shape[2])
		all := described(t, dense, x)
		rows, cols := c.Descriptors().Grid()
		cells, level := cellsOf(o.Pyramid, rows, cols)
		var want []float64
		for i, cell := range cells {
			h := make([]float64, 7)
			for _, p := range cell {
				best, at := math.Inf(1), 0
				for j := range 7 {
					gap := 0.0
					for q, v := range all[p] {
						gap += (v - numbers[j*d+q]) * (v - numbers[j*d+q])
					}
					if gap < best {
						best, at = gap, j
					}
				}
				h[at] += []float64{0.5, 0.5}[level[i]] / float64(len(all))
			}
			want = append(want, h...)
		}
		got := make([]float64, c.Features())
		c.Of(got, x)
		testkit.CloseSlice(t, "histogram", got, want, 1e-14)
	}
}

// A level of the pyramid match weighs 1/4, 1/4 and 1/2 for three levels.
func TestPyramidWeights(t *testing.T) {
	testkit.CloseSlice(t, "one level", visual.Pyramid{1}.Weights(), []float64{1}, 0)
	testkit.CloseSlice(t, "two", visual.Pyramid{1, 2}.Weights(), []float64{0.5, 0.5}, 0)
	testkit.CloseSlice(t, "three", visual.Pyramid{1, 2, 4}.Weights(), []float64{0.25, 0.25, 0.5}, 0)
}

// Fisher vectors by the formulas, component by component.
func TestFisherVectorsAreThoseOfTheFormulas(t *testing.T) {
	rng := testkit.Rand(t, 4)
	for _, pca := range []int{0, 5} {
		o := visual.Options{Dense: denses[0], Components: pca, Pyramid: visual.Pyramid{1, 3}, Coding: visual.Fisher(4)}
		c := learned(t, o, rng)
		x := pixels(rng, 120)
		all := described(t, denses[0], x)
		d, numbers := c.Descriptors().Dim(), c.Dictionary()
		if pca > 0 {
			for i, row := range all {
				z := make([]float64, pca)
				for a := range z {
					for q, v := range row {
						z[a] += (v - numbers[q]) * numbers[(1+a)*d+q]
					}
				}
				all[i] = z
			}
			numbers, d = numbers[(1+pca)*d:], pca
		}
		rows, cols := c.Descriptors().Grid()
		cells, _ := cellsOf(o.Pyramid, rows, cols)
		var want []float64
		for _, cell := range cells {
			want = append(want, fisher(numbers, 4, d, all, cell, float64(len(cells)))...)
		}
		got := make([]float64, c.Features())
		c.Of(got, x)
		// Roots of sums that nearly vanish lose half of the digits.
		testkit.CloseSlice(t, "Fisher vector", got, want, 1e-9)
		testkit.Close(t, "length", floats.Norm(got, 2), 1, 1e-12)
	}
}

// fisher is the code of a cell by the formulas.
func fisher(numbers []float64, k, d int, all [][]float64, cell []int, cells float64) []float64 {
	pi, mu, v := numbers[:k], numbers[k:k*(1+d)], numbers[k*(1+d):]
	g := make([]float64, k*(1+2*d))
	for _, p := range cell {
		density, sum := make([]float64, k), 0.0
		for j := range k {
			density[j] = pi[j]
			for q, x := range all[p] {
				t := j*d + q
				density[j] *= math.Exp(-(x-mu[t])*(x-mu[t])/(2*v[t])) / math.Sqrt(2*math.Pi*v[t])
			}
			sum += density[j]
		}
		for j := range k {
			share := density[j] / sum
			g[j] += (share - pi[j]) / math.Sqrt(pi[j]) / float64(len(cell))
			for q, x := range all[p] {
				t := j*d + q
				z := (x - mu[t]) / math.Sqrt(v[t])
				g[k+t] += share * z / math.Sqrt(pi[j]) / float64(len(cell))
				g[k*(1+d)+t] += share * (z*z - 1) / math.Sqrt(2*pi[j]) / float64(len(cell))
			}
		}
	}
	length := 0.0
	for i, x := range g {
		g[i] = math.Copysign(math.Sqrt(math.Abs(x)), x)
		length += math.Abs(x)
	}
	for i := range g {
		g[i] /= math.Sqrt(length * cells)
	}
	return g
}

func TestOptionsThatAreRefused(t *testing.T) {
	for _, c := range []struct {
		o       visual.Options
		numbers []float64
		want    string
	}{
		{visual.Options{Dense: visual.Dense{Shape: [3]int{0, 3, 1}}, Coding: visual.Words(2)}, nil, "shape"},
		{visual.Options{Dense: visual.Dense{Shape: [3]int{9, 9, 1}, Input: ckn.Whitened}, Coding: visual.Words(2)}, nil, "whitened"},
		{visual.Options{Dense: visual.Dense{Shape: [3]int{9, 9, 1}, Patch: 6}, Coding: visual.Words(2)}, nil, "5×5 positions"},
		{visual.Options{Dense: visual.Dense{Shape: [3]int{9, 9, 1}, Step: -1}, Coding: visual.Words(2)}, nil, "step = -1"},
		{visual.Options{Dense: visual.Dense{Shape: [3]int{9, 9, 1}}, Pyramid: visual.Pyramid{3}, Coding: visual.Words(2)}, nil, "3×3 cells for 2×2 descriptors"},
		{visual.Options{Dense: visual.Dense{Shape: [3]int{9, 9, 1}}, Components: 1000, Coding: visual.Words(2)}, nil, "pca = 1000"},
		{visual.Options{Dense: visual.Dense{Shape: [3]int{9, 9, 1}}, Coding: visual.Words(0)}, nil, "size = 0"},
		{visual.Options{Dense: visual.Dense{Shape: [3]int{9, 9, 1}}, Coding: visual.Words(2)}, []float64{1}, "has 1 numbers"},
		{visual.Options{Dense: visual.Dense{Shape: [3]int{3, 3, 1}, Reduce: 1, Patch: 1, Input: ckn.Raw}, Coding: visual.Words(2)}, []float64{1, math.NaN()}, "number 2"},
		{visual.Options{Dense: visual.Dense{Shape: [3]int{3, 3, 1}, Reduce: 1, Patch: 1, Input: ckn.Raw}, Coding: visual.Fisher(1)}, []float64{1, 0, 0}, "variance 1"},
		{visual.Options{Dense: visual.Dense{Shape: [3]int{3, 3, 1}, Reduce: 1, Patch: 1, Input: ckn.Raw}, Coding: visual.Fisher(1)}, []float64{0, 0, 1}, "weight 1"},
	} {
		if _, err := c.o.New(c.numbers); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.o, err, c.want)
		}
	}
}
