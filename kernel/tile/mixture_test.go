package tile_test

import (
	"fmt"
	"math"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/kerneltest"
	"example.org/mercer/kernel/vec"
)

// table returns n points of numbers around a shift and one-hot codes of the given numbers of
// levels, each times its column's scale less an offset, as standardising makes them. The
// first level of every second category has no column, as where one is left out.
func table(t testing.TB, seed uint64, n, numbers int, shift float64, levels ...int) data.Vectors {
	rng, scales := testkit.Rand(t, seed), testkit.Rand(t, 1)
	d := numbers
	for _, count := range levels {
		d += count
	}
	xs := data.MakeVectors(n, d)
	for i := range n {
		x := xs.At(i)
		for j := range numbers {
			x[j] = shift + rng.NormFloat64()
		}
		at := numbers
		for c, count := range levels {
			if level := rng.IntN(count + c%2); level < count {
				x[at+level] = 1
			}
			at += count
		}
	}
	for j := numbers; j < d; j++ {
		scale, offset := 0.5+scales.Float64(), scales.Float64()
		for i := range n {
			xs.At(i)[j] = xs.At(i)[j]*scale - offset
		}
	}
	return xs
}

// Points of numbers and categories are as close to Eval as others, have the same bits in
// tiles of any size and beside points that cannot be cut like them, k(x, y) those of k(y, x),
// and 1 with themselves; far from the origin, too.
func TestPointsOfNumbersAndCategories(t *testing.T) {
	for _, c := range []struct {
		numbers int
		levels  []int
	}{{0, []int{9, 12}}, {2, []int{3, 14}}, {16, []int{7, 4, 3}}} {
		for _, shift := range []float64{0, 1e6} {
			rows, cols := table(t, 90, 21, c.numbers, shift, c.levels...), table(t, 91, 300, c.numbers, shift, c.levels...)
			copy(cols.At(7), rows.At(5))
			d := cols.Dim()
			beside := data.MakeVectors(60, d)
			copy(beside.Raw(), rows.Raw())
			for i := 21; i < 60; i++ {
				copy(beside.At(i), rows.At(i%21))
				switch i % 3 {
				case 0: // a value that no column point has
					beside.At(i)[d-1] += 0.3
				case 1: // two levels of one category
					for j := c.numbers; j < c.numbers+c.levels[0]; j++ {
						beside.At(i)[j] = cols.At(i)[j]
						if beside.At(i)[j] < rows.At(i % 21)[j] {
							beside.At(i)[j] = rows.At(i % 21)[j]
						}
					}
				}
			}
			for _, text := range []string{"rbf(sigma=3)", "laplace(sigma=3)", "rq(alpha=0.8,sigma=2)", "rbf(sigma=0.01)"} {
				k, what := parse(t, text), fmt.Sprintf("%s, %d numbers, shift %g", text, c.numbers, shift)
				p := kernel.Bind(k, rows, cols)
				got, single := full(p, 21, 300), full32(p, 21, 300)
				all := kernel.Bind(k, beside, cols)
				mixed, mixed32 := full(all, 60, 300), full32(all, 60, 300)
				for i := range 60 {
					for j := range 300 {
						want := k.Eval(beside.At(i), cols.At(j))
						testkit.Close(t, fmt.Sprintf("%s at %d,%d", what, i, j), mixed.Row(i)[j], want, tileTolerance(d))
						testkit.Close(t, fmt.Sprintf("%s at %d,%d in single precision", what, i, j), float64(mixed32.Row(i)[j]), want, tileTolerance(d)*0x1p29+4*16*0x1p-24)
					}
				}
				if !same(mixed.Data[:21*300], got.Data) || !same32(mixed32.Data[:21*300], single.Data) {
					t.Errorf("%s: other bits beside other rows", what)
				}
				if part, few := full(p, 5, 37), full32(p, 5, 37); !same(part.Data, got.Data) || !same32(few.Data, single.Data) {
					t.Errorf("%s: other bits in other tiles", what)
				}
				if got.Row(5)[7] != 1 || single.Row(5)[7] != 1 {
					t.Errorf("%s: %v and %v of a point with itself", what, got.Row(5)[7], single.Row(5)[7])
				}
				symmetricBits(t, what, k, cols)
			}
		}
	}
}

// Rows that can be cut and others can be bound in turn, in the same memory.
func TestRowsOfCategoriesBoundInTurn(t *testing.T) {
	k, cols := parse(t, "rbf(sigma=4)"), table(t, 92, 70, 4, 0, 8, 9)
	anchored, pairs := kernel.BindColumns(k, cols), kernel.Pairs(nil)
	for _, rows := range []data.Vectors{table(t, 93, 20, 4, 0, 8, 9), sparseCloud(t, 94, 30, 21, 0.5), table(t, 95, 9, 4, 0, 8, 9)} {
		pairs = anchored.Bind(rows, pairs)
		want := kernel.Bind(k, rows, cols)
		if !same(full(pairs, rows.Len(), 70).Data, full(want, rows.Len(), 70).Data) || !same32(full32(pairs, rows.Len(), 70).Data, full32(want, rows.Len(), 70).Data) {
			t.Errorf("%d rows bound in turn have other bits", rows.Len())
		}
	}
}

// Sizes that float32 cannot hold are computed in float64, also of rows that cannot be cut.
func TestCategoriesBeyondSinglePrecision(t *testing.T) {
	for _, size := range []float64{1e-40, 1e40} {
		xs := table(t, 96, 30, 3, 0, 9, 9)
		for i := range xs.Raw() {
			xs.Raw()[i] *= size
		}
		rows := table(t, 97, 5, 3, 0, 9, 9)
		k := parse(t, fmt.Sprintf("rbf(sigma=%g)", size))
		got := full32(kernel.Bind(k, rows, xs), 5, 30)
		square := full32(kernel.Bind(k, xs, xs), 30, 30)
		for j := range 30 {
			for i := range 5 {
				testkit.Close(t, "a row of another size", float64(got.Row(i)[j]), k.Eval(rows.At(i), xs.At(j)), 64*0x1p-24)
			}
			for i := range 30 {
				testkit.Close(t, "an element", float64(square.Row(i)[j]), k.Eval(xs.At(i), xs.At(j)), 64*0x1p-24)
			}
		}
	}
}

// A number that is none makes its pairs so and no others.
func TestCategoriesBesideNaN(t *testing.T) {
	xs := table(t, 98, 40, 3, 0, 9, 9)
	xs.At(11)[1] = math.NaN()
	k := parse(t, "rbf(sigma=2)")
	got := full(kernel.Bind(k, xs, xs), 40, 40)
	for i := range 40 {
		for j := range 40 {
			if math.IsNaN(got.Row(i)[j]) != (i == 11 || j == 11) {
				t.Fatalf("k(%d, %d) = %v", i, j, got.Row(i)[j])
			}
		}
	}
}

func TestConformanceOnNumbersAndCategories(t *testing.T) {
	xs := table(t, 99, 16, 3, 0, 6, 12)
	copy(xs.At(1), xs.At(2))
	for _, text := range []string{"rbf(sigma=0.7)", "laplace(sigma=0.7)", "matern(sigma=0.7)"} {
		kerneltest.Run(t, parse(t, text), points(xs), kerneltest.Options[[]float64]{Parse: vec.Parse, Translate: kerneltest.Vector, Set: kerneltest.Vectors})
	}
}
