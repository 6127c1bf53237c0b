package kmeans

import (
	"context"
	"math"
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/simd"
	"example.org/mercer/internal/testkit"
)

// Every row gets the label that double precision alone gives it, where single precision
// has the last word and where it has none: rows far from the origin, tight groups far from
// one another, an outlier, ties, large and small units, a centre that no row is near, with
// bounds and without.
func TestAssignIsThatOfDoublePrecision(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		name string
		at   func(i, column int, normal float64) float64
		far  float64
	}{
		{"normal", func(_, _ int, v float64) float64 { return v }, 0},
		{"far from 0", func(_, _ int, v float64) float64 { return v + 1e6 }, 0},
		{"tight groups", func(i, _ int, v float64) float64 { return v + 1e7*float64(i%3) }, 0},
		{"an outlier", func(i, _ int, v float64) float64 { return v + 1e9*float64(i/700) }, 0},
		{"whole numbers", func(_, _ int, v float64) float64 { return math.Round(2 * v) }, 0},
		{"large", func(_, _ int, v float64) float64 { return v * 1e120 }, 0},
		{"small", func(_, _ int, v float64) float64 { return v * 1e-120 }, 0},
		{"a centre far away", func(_, _ int, v float64) float64 { return v }, 1e12},
		{"a centre too far for single precision", func(_, _ int, v float64) float64 { return v }, 1e60},
	} {
		for _, size := range []struct{ d, k int }{{3, 9}, {24, 90}} {
			rng := testkit.Rand(t, uint64(size.d))
			x := data.MakeVectors(701, size.d) // panels and blocks are not full
			for i := range x.Len() {
				for column := range x.At(i) {
					x.At(i)[column] = c.at(i, column, rng.NormFloat64())
				}
			}
			first := make([]int, size.k)
			for j := range first {
				first[j] = j
			}
			start := x.Gather(first)
			copy(start.At(2), start.At(1)) // a tie
			start.At(size.k - 1)[0] += c.far
			p, err := newProblem(ctx, x, size.k, Options{Start: start, Compute: compute.Options{Workers: 2}})
			if err != nil {
				t.Fatal(err)
			}
			centres, err := p.start(ctx, size.k, 0, Options{Start: start})
			if err != nil {
				t.Fatal(err)
			}
			l, buf := newLloyd(p, size.k, centres), newBuffer(size.d)
			buf.rows, buf.block = x, 0
			for step := range 12 {
				changed, err := l.assign(ctx)
				if err != nil {
					t.Fatal(err)
				}
				for i, got := range l.labels {
					if want := l.exact.nearest(buf, []int{i}).Index[0]; int64(got) != want {
						t.Fatalf("%s, d = %d, step %d: row %d has label %d, want %d", c.name, size.d, step, i, got, want)
					}
				}
				if _, err := l.update(ctx, changed); err != nil {
					t.Fatal(err)
				}
			}
			if bounds := size.d*size.k >= boundsPay; bounds != (l.bounds.until != nil) {
				t.Errorf("d = %d, k = %d: bounds kept: %v", size.d, size.k, !bounds)
			}
		}
	}
}

// The bound of the rounding errors holds for random points, and is not far from what happens where
// all terms have one sign: the largest error of 1000 sums is more than a thousandth of it.
func TestRoundingBoundsSingleSums(t *testing.T) {
	rng := testkit.Rand(t, 7)
	for _, d := range []int{1, 2, 7, 50, 300} {
		worst := 0.0
		for range 1000 / simd.PanelWidth32 {
			c, x := make([]float64, d), make([]float64, d*lanes)
			small, panel := make([]float32, d), make([]float32, d*lanes)
			for j := range c {
				c[j] = math.Abs(rng.NormFloat64())
			}
			for i := range x {
				x[i] = math.Abs(rng.NormFloat64())
			}
			simd.Narrow(small, c)
			simd.Narrow(panel, x)
			var packed simd.Centres[float32, int32]
			packed.Pack(small, d)
			var near simd.Near[float32, int32]
			packed.Nearest(&near, panel)
			for t32 := range lanes {
				s, norm, largest := 0.0, 0.0, 0.0
				for j, v := range c {
					s += v*v/2 - v*x[j*lanes+t32]
					norm += x[j*lanes+t32] * x[j*lanes+t32]
					largest += v * v
				}
				bound := rounding(d, unit32, norm, largest)
				off := math.Abs(s - float64(near.First[t32]))
				if off > bound {
					t.Fatalf("d = %d: an error of %g, more than the bound %g", d, off, bound)
				}
				worst = max(worst, off/bound)
			}
		}
		if worst < 1e-3 {
			t.Errorf("d = %d: the largest error is %.2g of the bound", d, worst)
		}
	}
}
