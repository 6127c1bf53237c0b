package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.org/mercer/internal/testkit"
)

// rowsCase is a matrix whose storage between its rows, and before and after its vectors,
// is NaN: whatever is read there spoils a result.
type rowsCase struct {
	rows, n, lda, from int
	a, x, w            []float64
}

func newRowsCase(rng *rand.Rand, rows, n int) rowsCase {
	c := rowsCase{rows: rows, n: n, lda: n + rng.IntN(4), from: rng.IntN(9)}
	normal := func(count int) []float64 {
		v := slices.Repeat([]float64{math.NaN()}, c.from+count+9)
		for i := range count {
			v[c.from+i] = rng.NormFloat64()
		}
		return v[c.from : c.from+count]
	}
	c.x, c.w, c.a = normal(n), normal(rows), normal(rows*c.lda)
	for i := range c.a {
		if i%c.lda >= n {
			c.a[i] = math.NaN()
		}
	}
	return c
}

// dots returns the products of rows and x, and Σ|terms| of each.
func (c rowsCase) dots() (sums, sizes []float64) {
	sums, sizes = make([]float64, c.rows), make([]float64, c.rows)
	for i := range c.rows {
		for j, v := range c.x {
			sums[i] += c.a[i*c.lda+j] * v
			sizes[i] += math.Abs(c.a[i*c.lda+j] * v)
		}
	}
	return sums, sizes
}

// added returns y and the products of columns and w, and Σ|terms| of each.
func (c rowsCase) added(y []float64) (sums, sizes []float64) {
	sums, sizes = slices.Clone(y), make([]float64, c.n)
	for j := range c.n {
		sizes[j] = math.Abs(y[j])
		for i, v := range c.w {
			sums[j] += c.a[i*c.lda+j] * v
			sizes[j] += math.Abs(c.a[i*c.lda+j] * v)
		}
	}
	return sums, sizes
}

// sumsWithin compares what was written into a guarded vector with sums of so many terms
// by the bound of their rounding errors on both sides.
func sumsWithin(t *testing.T, what string, all []float64, from int, want, sizes []float64, terms int) {
	t.Helper()
	for i, got := range all {
		k := i - from
		if k < 0 || k >= len(want) {
			if got != guard {
				t.Fatalf("%s: element %d was overwritten", what, k)
			}
			continue
		}
		if !(math.Abs(got-want[k]) <= 2*float64(terms+2)*0x1p-53*sizes[k]) {
			t.Fatalf("%s: element %d is %v, want %v", what, k, got, want[k])
		}
	}
}

const guard = -12345.25

// guarded returns storage for v between guards, and the part that holds it.
func guarded(from int, v []float64) (all, part []float64) {
	all = slices.Repeat([]float64{guard}, from+len(v)+9)
	part = all[from : from+len(v) : from+len(v)]
	copy(part, v)
	return all, part
}

func TestRowsSweep(t *testing.T) {
	rng := testkit.Rand(t, 71)
	for _, l := range Supported() {
		for n := range 201 {
			rows := n % 20
			c := newRowsCase(rng, rows, n)
			what := fmt.Sprintf("%v, %d rows of %d", l, rows, n)
			dots, dotSizes := c.dots()
			y := slices.Clone(c.x)
			added, addedSizes := c.added(y)

			all, s := guarded(c.from, make([]float64, rows))
			dotRowsAt(l, s, c.a, c.lda, c.x)
			sumsWithin(t, what+": DotRows", all, c.from, dots, dotSizes, n)
			separate := slices.Clone(all)
			all, part := guarded(c.from, y)
			addRowsAt(l, part, c.a, c.lda, c.w)
			sumsWithin(t, what+": AddRows", all, c.from, added, addedSizes, rows)
			column := slices.Clone(all)

			allS, s := guarded(c.from, make([]float64, rows))
			allY, part := guarded(c.from, y)
			dotAddRowsAt(l, s, part, c.a, c.lda, c.x, c.w)
			if !slices.Equal(allS, separate) || !slices.Equal(allY, column) {
				t.Fatalf("%s: DotAddRows differs from DotRows and AddRows", what)
			}
			for i := range rows { // one row at a time
				_, one := guarded(0, []float64{0})
				dotRowsAt(l, one, c.a[i*c.lda:], c.lda, c.x)
				if one[0] != separate[c.from+i] {
					t.Fatalf("%s: row %d has other bits on its own", what, i)
				}
			}
		}
	}
}

// AddRowsWide has the bits of its two steps, and leaves alone what is not its own.
func TestAddRowsWideIsBothSteps(t *testing.T) {
	rng := testkit.Rand(t, 97)
	for _, l := range Supported() {
		for _, n := range []int{1, 31, 32, 63, 64, 65, 200, 256, 300} {
			for _, rows := range []int{0, 1, 3, 16} {
				lda, scale := n+rows%3, 0.25
				a, w := random32(rng, rows*lda+1), random32(rng, rows)
				got := make([]float64, n+1)
				for j := range got {
					got[j] = rng.NormFloat64()
				}
				want, part := slices.Clone(got), make([]float32, n)
				addRowsAt(l, part, a, lda, w)
				for j, v := range part {
					want[j] += scale * float64(v)
				}
				if addRowsWideOf(l, got[:n], a, lda, w, scale); !slices.Equal(got, want) {
					t.Fatalf("%v, n=%d, rows=%d: other bits than the two steps", l, n, rows)
				}
			}
		}
	}
}

func TestRowsRefuseShortSlices(t *testing.T) {
	v := make([]float64, 10)
	for name, f := range map[string]func(){
		"short matrix":    func() { DotRows(v[:3], v[:8], 3, v[:3]) },
		"narrow matrix":   func() { AddRows(v[:4], v, 3, v[:2]) },
		"unequal rows":    func() { DotAddRows(v[:2], v[:3], v, 3, v[:3], v[:1]) },
		"unequal columns": func() { DotAddRows(v[:2], v[:3], v, 3, v[:2], v[:2]) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		})
	}
}
