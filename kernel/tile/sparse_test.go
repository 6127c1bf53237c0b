package tile_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/kerneltest"
	"example.org/mercer/kernel/vec"
)

// sparseCloud returns n points of d coordinates that differ from 0 with the given
// probability; the first is 0 everywhere.
func sparseCloud(t testing.TB, seed uint64, n, d int, share float64) data.Vectors {
	rng, xs := testkit.Rand(t, seed), data.MakeVectors(n, d)
	for i := 1; i < n; i++ {
		for j := range d {
			if rng.Float64() < share {
				xs.At(i)[j] = rng.NormFloat64()
			}
		}
	}
	return xs
}

// sparseTexts are kernels of inner products and squared distances, which are at most a few
// units of size on such points and whose error tileTolerance bounds.
func sparseTexts(d int) []string {
	widths := "[0.5"
	for j := 1; j < d; j++ {
		widths += fmt.Sprintf(",%g", 2+0.25*float64(j%5))
	}
	return []string{"linear()", "poly(degree=2,offset=1,scale=0.1)", "rbf(sigma=2)", "laplace(sigma=3)", "cosine()", "rq(alpha=0.8,sigma=2)", "rbf(sigma=" + widths + "])"}
}

// Mostly empty rows have the bits that they have beside full ones, in tiles of any size,
// and are as close to Eval as any; with themselves, k(x, y) has the bits of k(y, x) and a
// distance from a point to itself is 0.
func TestSparsePointsHaveTheBitsOfOthers(t *testing.T) {
	for _, d := range []int{17, 40, 64, 200} {
		if testing.Short() && d != 40 {
			continue
		}
		for _, share := range []float64{0, 0.01, 0.05, 0.12} {
			rows, cols := sparseCloud(t, 70, 21, d, share), sparseCloud(t, 71, 300, d, share)
			copy(cols.At(7), rows.At(5))
			beside := data.MakeVectors(60, d)
			for i := range beside.Raw() {
				beside.Raw()[i] = 1
			}
			copy(beside.Raw(), rows.Raw())
			for _, text := range sparseTexts(d) {
				k, what := parse(t, text), fmt.Sprintf("%.20s, d=%d, share %g", text, d, share)
				p := kernel.Bind(k, rows, cols)
				got, single := full(p, 21, 300), full32(p, 21, 300)
				scale := 1.0
				for _, v := range got.Data {
					scale = math.Max(scale, math.Abs(v))
				}
				for i := range 21 {
					for j := range 300 {
						want := k.Eval(rows.At(i), cols.At(j))
						testkit.Close(t, fmt.Sprintf("%s at %d,%d", what, i, j), got.Row(i)[j]/scale, want/scale, tileTolerance(d))
						testkit.Close(t, fmt.Sprintf("%s at %d,%d in single precision", what, i, j), float64(single.Row(i)[j])/scale, want/scale, tileTolerance(d)*0x1p29+4*16*0x1p-24)
					}
				}
				if part, few := full(p, 5, 37), full32(p, 5, 37); !same(part.Data, got.Data) || !same32(few.Data, single.Data) {
					t.Errorf("%s: other bits in other tiles", what)
				}
				if share > 0 { // not all 0, which are counted
					all := kernel.Bind(k, beside, cols)
					if !same(full(all, 60, 300).Data[:21*300], got.Data) || !same32(full32(all, 60, 300).Data[:21*300], single.Data) {
						t.Errorf("%s: other bits beside full rows", what)
					}
				}
				symmetricBits(t, what, k, cols)
			}
		}
	}
}

func symmetricBits(t *testing.T, what string, k kernel.Kernel[[]float64], xs data.Vectors) {
	t.Helper()
	p := kernel.Bind(k, xs, xs)
	square, single, n := full(p, 64, 64), full32(p, 64, 64), xs.Len()
	for i := range n {
		for j := range i {
			if math.Float64bits(square.Row(i)[j]) != math.Float64bits(square.Row(j)[i]) || single.Row(i)[j] != single.Row(j)[i] {
				t.Fatalf("%s: (%d,%d) and (%d,%d) have different bits", what, i, j, j, i)
			}
		}
		if strings.Contains(k.String(), "sigma") && (square.Row(i)[i] != 1 || single.Row(i)[i] != 1) {
			t.Fatalf("%s: k(x,x) = %v, %v, want exactly 1", what, square.Row(i)[i], single.Row(i)[i])
		}
	}
}

// Points that are nearly the same, and points that are mostly empty but for a coordinate
// that is large in all of them, lose no digits: the guard and the centre see to it.
func TestSparsePointsKeepSmallDistances(t *testing.T) {
	const d = 100
	twins, offset := sparseCloud(t, 72, 128, d, 0.05), sparseCloud(t, 73, 128, d, 0.05)
	for i := range 64 {
		copy(twins.At(64+i), twins.At(i))
		twins.At(64 + i)[i] += 0x1p-20
		offset.At(i)[3], offset.At(64 + i)[3] = 1e6, 1e6
	}
	for what, xs := range map[string]data.Vectors{"twins": twins, "offset": offset} {
		for _, text := range []string{"rbf(sigma=2)", "rbf(sigma=1e-6)", "laplace(sigma=1e-6)", "laplace(sigma=3)"} {
			k := parse(t, text)
			p := kernel.Bind(k, xs, xs)
			got, single := full(p, 128, 128), full32(p, 128, 128)
			for i := range 128 {
				for j := range 128 {
					want := k.Eval(xs.At(i), xs.At(j))
					testkit.Close(t, fmt.Sprintf("%s of %s at %d,%d", text, what, i, j), got.Row(i)[j], want, tileTolerance(d))
					testkit.Close(t, fmt.Sprintf("%s of %s at %d,%d in single precision", text, what, i, j), float64(single.Row(i)[j]), want, tileTolerance(d)*0x1p29)
				}
			}
		}
	}
}

// A coordinate that is 0 does not hide that the other is not a number or infinite.
func TestSparsePointsSeeInfinity(t *testing.T) {
	const d = 50
	rows, cols := sparseCloud(t, 74, 20, d, 0.05), sparseCloud(t, 75, 20, d, 0.05)
	cols.At(4)[9] = math.Inf(1)
	k := parse(t, "linear()")
	for what, p := range map[string]kernel.Pairs{
		"in a column": kernel.Bind(k, rows, cols),
		"in a row":    kernel.Bind(k, cols, rows),
	} {
		tile := full(p, 20, 20)
		for i := range 20 {
			got, want := tile.Row(0)[4], k.Eval(rows.At(0), cols.At(4))
			if what == "in a row" {
				got, want = tile.Row(4)[i], k.Eval(cols.At(4), rows.At(i))
			}
			if math.IsNaN(got) != math.IsNaN(want) || math.IsInf(got, 0) != math.IsInf(want, 0) {
				t.Errorf("%s: %v, want %v", what, got, want)
			}
		}
	}
}

// Rows that take the place of others are sparse or not by what they are.
func TestSparseRowsBoundInTurn(t *testing.T) {
	const d = 70
	cols := sparseCloud(t, 76, 40, d, 0.05)
	for _, text := range []string{"rbf(sigma=2)", "linear()"} {
		k := parse(t, text)
		anchored, old := kernel.BindColumns(k, cols), kernel.Pairs(nil)
		for step, rows := range []data.Vectors{sparseCloud(t, 77, 9, d, 0.05), cloud(testkit.Rand(t, 78), 9, d, 0), sparseCloud(t, 79, 12, d, 0.05), binaryCloud(t, 65, 12, d, 0.05)} {
			old = anchored.Bind(rows, old)
			fresh, n := kernel.Bind(k, rows, cols), rows.Len()
			if !same(full(old, n, 40).Data, full(fresh, n, 40).Data) || !same32(full32(old, n, 40).Data, full32(fresh, n, 40).Data) {
				t.Errorf("%s, step %d: other bits than Bind", text, step)
			}
		}
	}
}

func TestConformanceOnSparsePoints(t *testing.T) {
	xs := sparseCloud(t, 80, 16, 60, 0.08)
	copy(xs.At(1), xs.At(2))
	for _, text := range []string{"linear()", "poly(degree=3,offset=1,scale=0.5)", "rbf(sigma=0.7)", "laplace(sigma=0.7)", "matern(sigma=0.7)"} {
		kerneltest.Run(t, parse(t, text), points(xs), kerneltest.Options[[]float64]{Parse: vec.Parse, Translate: kerneltest.Vector, Set: kerneltest.Vectors})
	}
}

// Mostly empty rows beside full ones, against the same columns.
func BenchmarkSparseTile(b *testing.B) {
	const d = 1000
	few := sparseCloud(b, 66, 1024, d, 0.05)
	all := data.MakeVectors(1024, d)
	for i := range all.Raw() {
		all.Raw()[i] = few.Raw()[i] + 1e-3
	}
	k, tile, single := parse(b, "rbf(sigma=5)"), kernel.NewTile(256, 256), kernel.NewTile32(256, 256)
	for name, xs := range map[string]data.Vectors{"sparse": few, "dense": all} {
		p := kernel.Bind(k, xs, few).(kernel.Single)
		for precision, run := range map[string]func(){"double": func() { p.Tile(tile, 256, 512) }, "single": func() { p.Tile32(single, 256, 512) }} {
			b.Run(fmt.Sprintf("%s/%s/d=%d", name, precision, d), func(b *testing.B) {
				for b.Loop() {
					run()
				}
				b.ReportMetric(float64(b.N)*256*256/b.Elapsed().Seconds()/1e6, "Mpairs/s")
			})
		}
	}
}
