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

// images returns n points of bytes times the step, most of them 0, as pictures of one
// figure before a background have them.
func images(t testing.TB, seed uint64, n, d int, of float64) data.Vectors {
	rng, xs := testkit.Rand(t, seed), data.MakeVectors(n, d)
	for i := range n {
		for j := range d {
			if (i+j)%7 < 3 && rng.IntN(4) > 0 {
				xs.At(i)[j] = float64(rng.IntN(256)) / of
			}
		}
	}
	return xs
}

// Points of bytes are as close to Eval as others, have the same bits in tiles of any size
// and beside points of other numbers, k(x, y) those of k(y, x), and 1 with themselves.
func TestPointsOfBytes(t *testing.T) {
	for _, d := range []int{31, 32, 50, 200} {
		for _, of := range []float64{1, 255} {
			rows, cols := images(t, 80, 21, d, of), images(t, 81, 300, d, of)
			copy(cols.At(7), rows.At(5))
			beside := data.MakeVectors(60, d)
			copy(beside.Raw(), rows.Raw())
			for i := 21; i < 60; i++ {
				copy(beside.At(i), rows.At(i%21))
				if i%3 == 0 {
					beside.At(i)[i%d] += 0.3 / of
				}
			}
			for _, text := range []string{"rbf(sigma=%g)", "laplace(sigma=%g)", "rq(alpha=0.8,sigma=%g)"} {
				text = fmt.Sprintf(text, 300*math.Sqrt(float64(d))/of)
				k, what := parse(t, text), fmt.Sprintf("%s, d=%d", text, d)
				p := kernel.Bind(k, rows, cols)
				got, single := full(p, 21, 300), full32(p, 21, 300)
				for i := range 21 {
					for j := range 300 {
						want := k.Eval(rows.At(i), cols.At(j))
						testkit.Close(t, fmt.Sprintf("%s at %d,%d", what, i, j), got.Row(i)[j], want, tileTolerance(d))
						testkit.Close(t, fmt.Sprintf("%s at %d,%d in single precision", what, i, j), float64(single.Row(i)[j]), want, tileTolerance(d)*0x1p29+4*16*0x1p-24)
					}
				}
				if got.Row(5)[7] != 1 || single.Row(5)[7] != 1 {
					t.Errorf("%s: %v and %v of a point with itself", what, got.Row(5)[7], single.Row(5)[7])
				}
				if part, few := full(p, 5, 37), full32(p, 5, 37); !same(part.Data, got.Data) || !same32(few.Data, single.Data) {
					t.Errorf("%s: other bits in other tiles", what)
				}
				all := kernel.Bind(k, beside, cols)
				mixed := full(all, 60, 300)
				if !same(mixed.Data[:21*300], got.Data) || !same32(full32(all, 60, 300).Data[:21*300], single.Data) {
					t.Errorf("%s: other bits beside other rows", what)
				}
				for i := 21; i < 60; i++ {
					for j := range 300 {
						testkit.Close(t, fmt.Sprintf("%s at %d,%d", what, i, j), mixed.Row(i)[j], k.Eval(beside.At(i), cols.At(j)), tileTolerance(d))
					}
				}
				symmetricBits(t, what, k, cols)
			}
		}
	}
}

// Rows of bytes and others can be bound in turn, in the same memory.
func TestRowsOfBytesBoundInTurn(t *testing.T) {
	k, cols := parse(t, "rbf(sigma=4)"), images(t, 82, 70, 64, 255)
	anchored, pairs := kernel.BindColumns(k, cols), kernel.Pairs(nil)
	other := sparseCloud(t, 83, 30, 64, 0.5)
	for _, rows := range []data.Vectors{images(t, 84, 20, 64, 255), other, images(t, 85, 9, 64, 255), images(t, 86, 12, 64, 1)} {
		pairs = anchored.Bind(rows, pairs)
		want := kernel.Bind(k, rows, cols)
		if !same(full(pairs, rows.Len(), 70).Data, full(want, rows.Len(), 70).Data) {
			t.Errorf("%d rows bound in turn have other bits", rows.Len())
		}
	}
}

func TestConformanceOnPointsOfBytes(t *testing.T) {
	xs := images(t, 87, 16, 48, 255)
	copy(xs.At(1), xs.At(2))
	for _, text := range []string{"rbf(sigma=0.7)", "laplace(sigma=0.7)", "matern(sigma=0.7)"} {
		kerneltest.Run(t, parse(t, text), points(xs), kerneltest.Options[[]float64]{Parse: vec.Parse, Translate: kerneltest.Vector, Set: kerneltest.Vectors})
	}
}
